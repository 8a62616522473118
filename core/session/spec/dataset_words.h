// SPDX-License-Identifier: GPL-3.0-or-later
// How a dataset and its settings stand behind --data: "rows.jsonl,weight=2,columns=prompt=question,completion=answer".
//
// A setting begins where a comma is followed by the name of one and '='; all other commas belong to what stands before
// them, the file's name or a list. A comma that would begin a setting and does not is written as "\,".
#pragma once

#include "session/spec/run_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roundpipe::session {

struct DatasetWord {
    std::string path;
    std::vector<std::pair<std::string, std::string>> settings; // name as it was written, value
};
DatasetWord parseDatasetWord(std::string_view word);

// "format", "columns", … : the keys of a dataset's fields but for its files, and the kinds of share, whose value is the
// amount. Dashes may stand for the lines ("max-rows").
std::vector<std::string> datasetSettingNames();

// A file without settings.
std::string datasetWordOf(const std::string& path);
// The words behind one --data: the dataset's files, behind the last one what is not at its default.
std::vector<std::string> datasetWords(const RunSpec& spec, std::size_t dataset);

} // namespace roundpipe::session
