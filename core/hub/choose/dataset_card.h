// SPDX-License-Identifier: GPL-3.0-or-later
// What the head of a dataset's README.md says of its files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::hub {

// Patterns of the files of one split: "data/train-*".
struct CardSplit {
    std::string split;
    std::vector<std::string> patterns;
};

// A subset, as its "configs" name it.
struct CardSubset {
    std::string name;
    bool isDefault = false;
    std::string folder; // its data_dir, below which files tell their splits by their names; may be empty
    std::vector<CardSplit> splits;
};

// The subsets of the card's YAML head; none where it names none. Of YAML only what such heads are written in is read:
// lists and maps by indentation, texts, lists in brackets.
std::vector<CardSubset> subsetsOfCard(std::string_view readme);

} // namespace roundpipe::hub
