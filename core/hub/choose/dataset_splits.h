// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a dataset's repository belong to which subset and split, as Hugging Face's datasets find it.
#pragma once

#include "hub/about/hub_name.h"
#include "hub/choose/dataset_card.h"
#include "hub/store/listing.h"

#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::hub {

struct DatasetChoice {
    std::string subset; // empty where there are none
    std::string split;
    std::vector<HubFile> files;           // by name
    std::vector<std::string> otherSplits; // of the subset
};

// By the card's subsets where it names any; else by names: data/SPLIT-00000-of-00005.parquet, or "train", "validation",
// "test" and their like as words of a file's name or of its folder's; else all files are to train on. A subset that no
// card names is a folder. Throws kInvalidInput where there is no such subset or split, naming those that there are, and
// kUnsupported where the repository has no data files.
DatasetChoice chooseSplit(const Listing& listing, const std::vector<CardSubset>& card, const HubName& name);

// '*' and '?' stand for anything but a slash, '**' for anything.
bool fitsPattern(std::string_view path, std::string_view pattern);

} // namespace roundpipe::hub
