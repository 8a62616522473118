// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/file_list.h"

#include "base/error.h"
#include "base/file.h"
#include "data/files/row_file.h"
#include "data/files/split_names.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using session::Remark;
using session::RowRemark;

constexpr const char* kWrittenByDatasets[] = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json",
                                              "state.json"};

// What stands in the folder, sorted; links behind the rest, so that what both lead to is named by its own place.
std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<std::pair<bool, fs::path>> entries;
    std::error_code failed, unreadable;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed))
        entries.emplace_back(entry->is_symlink(unreadable), entry->path());
    if (failed) throw ioError("list", folder, failed.value());
    std::ranges::sort(entries);
    std::vector<fs::path> paths;
    for (auto& [isLink, path] : entries)
        paths.push_back(std::move(path));
    return paths;
}

// Hidden files and whole hidden folders are skipped. `seen`: folders that were gone through, without links in them.
void addFilesBelow(const fs::path& folder, std::set<fs::path>& seen, std::vector<fs::path>& files,
                   std::vector<SkippedFile>& skipped) {
    std::error_code failed; // a link that leads nowhere is a file that cannot be opened
    if (!seen.insert(fs::weakly_canonical(folder, failed)).second) return;
    for (const fs::path& path : entriesOf(folder)) {
        if (path.filename().string().starts_with('.'))
            skipped.push_back({path, Remark(RowRemark::kHidden)});
        else if (fs::is_directory(path, failed))
            addFilesBelow(path, seen, files, skipped);
        else
            files.push_back(path);
    }
}

// All of them, sorted; a folder that several links lead to once.
std::vector<fs::path> filesBelow(const fs::path& folder, std::vector<SkippedFile>& skipped) {
    std::vector<fs::path> files;
    std::set<fs::path> seen;
    addFilesBelow(folder, seen, files, skipped);
    std::ranges::sort(files, {}, [](const fs::path& path) { return path.native(); });
    return files;
}

// As session::writePrompts() leaves it among the data of a project; rows are never mere texts in a list. What can't be
// read is for who opens it to say.
bool isListOfTexts(const fs::path& file) {
    constexpr int64_t kMaxBytes = int64_t{1} << 20;
    try {
        const std::string text = readTextFile(file, kMaxBytes);
        const std::size_t open = text.find_first_not_of(" \t\r\n");
        if (open == std::string::npos || text[open] != '[') return false;
        const std::size_t first = text.find_first_not_of(" \t\r\n", open + 1);
        return first != std::string::npos && (text[first] == '"' || text[first] == ']');
    } catch (const Error&) {
        return false;
    }
}

// Of a folder that save_to_disk of Hugging Face's datasets has written: its methods keep files of their own beside the
// rows, which its state.json does not list.
bool isKeptByDatasets(const fs::path& file) {
    constexpr int64_t kMaxBytes = int64_t{1} << 20;
    const fs::path state = file.parent_path() / "state.json";
    std::error_code failed;
    if (file.extension() != ".arrow" || !fs::is_regular_file(state, failed)) return false;
    try {
        const auto json = nlohmann::json::parse(readTextFile(state, kMaxBytes), nullptr, false);
        const auto files = json.find("_data_files");
        if (files == json.end() || !files->is_array()) return false;
        return std::ranges::none_of(*files, [&](const nlohmann::json& entry) {
            return entry.is_object() && entry.value("filename", nlohmann::json()) == file.filename().string();
        });
    } catch (const Error&) { // what can't be read lists nothing
        return false;
    }
}

Remark reasonToSkip(const fs::path& file, bool folderHasRows) {
    if (std::ranges::find(kWrittenByDatasets, file.filename()) != std::end(kWrittenByDatasets))
        return Remark(RowRemark::kDescribesDataset);
    if (file.filename() == "prompts.json" && isListOfTexts(file)) return Remark(RowRemark::kTextBesideRows);
    if (isKeptByDatasets(file)) return Remark(RowRemark::kNotInState);
    if (std::error_code failed; fs::file_size(file, failed) == 0 && !failed) return Remark(RowRemark::kEmptyFile);
    if (hasTextEnding(file)) return folderHasRows ? Remark(RowRemark::kTextBesideRows) : Remark();
    return hasRowEnding(file) ? Remark() : Remark(RowRemark::kUnknownEnding);
}

// Its files may be meant all the same; whoever means them names them.
Error nothingToTrainOn(const fs::path& folder, const std::vector<fs::path>& rows) {
    constexpr std::size_t kNamed = 5;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kNamed, rows.size()); ++i)
        names.push_back(rows[i].lexically_relative(folder).string());
    return invalidInput(fmt::format("The folder '{}' has no file to train on: by their names, all of it are for "
                                    "validation or for testing ({}{}).",
                                    folder.string(), fmt::join(names, ", "), rows.size() > kNamed ? ", …" : ""),
                        "To train on such files all the same, name the files themselves.");
}

void addBySplit(const fs::path& folder, const std::vector<fs::path>& rows, FileList& list) {
    const auto splitOf = [&](const fs::path& file) {
        return splitNameOf(file.lexically_relative(folder)).value_or(SplitName::kTraining);
    };
    const bool hasTraining =
        std::ranges::any_of(rows, [&](const fs::path& file) { return splitOf(file) == SplitName::kTraining; });
    if (!rows.empty() && !hasTraining) throw nothingToTrainOn(folder, rows);
    for (const fs::path& file : rows) {
        const SplitName split = splitOf(file);
        if (split == SplitName::kTest)
            list.skipped.push_back({file, Remark(RowRemark::kForTesting)});
        else
            (split == SplitName::kValidation ? list.validation : list.files).push_back(file);
    }
}

void addFolder(const fs::path& folder, FileList& list) {
    const auto files = filesBelow(folder, list.skipped);
    const bool hasRows = std::ranges::any_of(
        files, [](const fs::path& file) { return hasRowEnding(file) && reasonToSkip(file, true).empty(); });
    std::vector<fs::path> rows;
    for (const fs::path& file : files) {
        if (Remark reason = reasonToSkip(file, hasRows); !reason.empty())
            list.skipped.push_back({file, std::move(reason)});
        else
            rows.push_back(file);
    }
    addBySplit(folder, rows, list);
    if (rows.empty())
        throw invalidInput(fmt::format("The folder '{}' has no data file in it.", folder.string()),
                           "Files are known by their ending: .jsonl, .json, .csv, .tsv, .parquet, .arrow, .txt, .md.");
}

} // namespace

FileList listFiles(const std::vector<fs::path>& paths) {
    FileList list;
    for (const fs::path& path : paths) {
        std::error_code failed;
        if (fs::is_directory(path, failed))
            addFolder(path, list);
        else
            list.files.push_back(path);
    }
    std::set<fs::path> seen;
    std::vector<fs::path> all = list.files;
    all.insert(all.end(), list.validation.begin(), list.validation.end());
    for (const fs::path& file : all) {
        std::error_code failed; // of what can't be looked at; who opens it says why
        const fs::path canonical = fs::weakly_canonical(file, failed);
        if (!seen.insert(failed ? file : canonical).second)
            throw invalidInput(fmt::format("'{}' is named twice among the data files.", file.string()),
                               "Its rows would count twice; name it once.");
    }
    return list;
}

} // namespace roundpipe::data
