// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/dataset_info.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace roundpipe::foreign {
namespace {

namespace fs = std::filesystem;

struct ColumnName {
    const char* theirs;
    const char* ours;
    const char* usual; // where they look for it where an entry names no columns at all; empty: nowhere
};

std::string textIn(const Tree& object, const char* key, const char* otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

// What an entry says of its columns; null: nothing, so that they have their usual names.
Tree columnsIn(const Tree& entry) {
    const Tree columns = entry.value("columns", Tree());
    return columns.is_object() ? columns : Tree();
}

// Columns that are not named there are not read there, by whatever name the file has them.
Tree columnsOf(const Tree& columns, std::initializer_list<ColumnName> names) {
    Tree result = Tree::array();
    for (const auto& [theirs, ours, usual] : names)
        if (const std::string column = textIn(columns, theirs, columns.is_null() ? usual : ""); column != ours)
            result.push_back(fmt::format("{}={}", ours, column));
    return result;
}

// Of those that rows of the kind cannot do without, the first that the entry's columns do not name; empty: none.
std::string columnLeftOut(const Tree& columns, std::initializer_list<const char*> wanted) {
    for (const char* theirs : wanted)
        if (!columns.is_null() && textIn(columns, theirs, "").empty()) return theirs;
    return {};
}

// Of an entry of a file; rows of other splits than the whole training set are others.
Tree restOf(const Tree& entry) {
    constexpr const char* kRead[] = {"file_name", "formatting",  "columns",   "tags",
                                     "ranking",   "num_samples", "hf_hub_url"};
    Tree rest = Tree::object();
    for (const auto& [key, value] : entry.items())
        if (!value.is_null() && value != false && std::ranges::find(kRead, key) == std::end(kRead) &&
            !(key == "split" && value == "train"))
            rest[key] = value;
    return rest;
}

// Of an entry on the Hub, as its names are written: "/SUBSET:SPLIT".
std::string subsetAndSplit(const Tree& entry) {
    const std::string subset = textIn(entry, "subset", ""), split = textIn(entry, "split", "train");
    return (subset.empty() ? "" : "/" + subset) + (split == "train" ? "" : ":" + split);
}

// Ours are known by these names; others would be taken for no role at all.
bool hasUsualTags(const Tree& tags) {
    constexpr std::pair<const char*, std::array<const char*, 3>> kRoles[] = {
        {"user_tag", {"human", "user", ""}},
        {"assistant_tag", {"gpt", "assistant", ""}},
        {"system_tag", {"system", "", ""}},
        {"function_tag", {"function_call", "tool_call", ""}},
        {"observation_tag", {"observation", "tool", "function_response"}}};
    for (const auto& [tag, known] : kRoles)
        if (std::ranges::find(known, textIn(tags, tag, known[0])) == known.end()) return false;
    const std::string role = textIn(tags, "role_tag", "from"), content = textIn(tags, "content_tag", "value");
    return (role == "from" && content == "value") || (role == "role" && content == "content");
}

// By which the answers of preferences that were chosen are learnt, as --columns and the Data page take them.
std::string columnsOfChosen(const Tree& columns, bool isAlpaca) {
    const std::string chosen = textIn(columns, "chosen", "chosen"), system = textIn(columns, "system", ""),
                      query = textIn(columns, "query", "");
    const std::string others =
        (query.empty() || !isAlpaca ? "" : ",input=" + query) + (system.empty() ? "" : ",system=" + system);
    if (isAlpaca)
        return fmt::format("instruction={}{},output={}", textIn(columns, "prompt", "instruction"), others, chosen);
    return fmt::format("prompt={},completion={}{}", textIn(columns, "messages", "conversations"), chosen, others);
}

// As NamedDataset::dataset.
Tree datasetOfEntry(const Tree& entry, const fs::path& infoFile, bool isOfTexts) {
    const std::string file = textIn(entry, "file_name", "");
    if (const std::string repository = textIn(entry, "hf_hub_url", ""); file.empty() && !repository.empty())
        return fmt::format("is on the Hub: name hf:{}{} among the data to fetch it", repository, subsetAndSplit(entry));
    if (file.empty()) return "is fetched from a hub: fetch it, and choose its files";
    const Tree columns = columnsIn(entry), tags = entry.value("tags", Tree::object());
    const std::string formatting = textIn(entry, "formatting", "alpaca");
    const std::string path = asText((infoFile.parent_path() / file).lexically_normal().string());
    if (entry.value("ranking", Tree()) == true)
        return fmt::format("holds preferences, which cannot be trained on as such: to learn the answers that were "
                           "chosen, name '{}' among the data, with the columns {}",
                           path, columnsOfChosen(columns, formatting == "alpaca"));
    for (const char* media : {"images", "videos", "audios"})
        if (columns.contains(media)) return "holds other media: only text can be trained on";
    const bool isAlpaca = formatting == "alpaca";
    const std::string leftOut = !isAlpaca   ? columnLeftOut(columns, {"messages"})
                                : isOfTexts ? columnLeftOut(columns, {"prompt"})
                                            : columnLeftOut(columns, {"prompt", "response"});
    if (!leftOut.empty()) return "does not name the column of its '" + leftOut + "' among its 'columns'";
    Tree dataset = {{"files", {path}}};
    if (const Tree most = entry.value("num_samples", Tree()); most.is_number_integer())
        dataset.update({{"max_rows", most}, {"subset", "random"}});
    if (isOfTexts && formatting != "alpaca") return "holds chats, where texts are pretrained on";
    if (isOfTexts) {
        dataset["format"] = "text";
        dataset["columns"] = columnsOf(columns, {{"prompt", "text", "instruction"}});
        return dataset;
    }
    if (formatting == "alpaca") {
        dataset["format"] = "alpaca";
        dataset["columns"] = columnsOf(columns, {{"prompt", "instruction", "instruction"},
                                                 {"query", "input", "input"},
                                                 {"response", "output", "output"},
                                                 {"system", "system", ""},
                                                 {"kto_tag", "label", ""},
                                                 {"history", "history", ""}});
        return dataset;
    }
    if (formatting != "sharegpt" && formatting != "openai") return "is written in a way that we do not know";
    if (!hasUsualTags(tags)) return "names roles and contents in a way of its own ('tags')";
    const bool isOpenAi = formatting == "openai" || textIn(tags, "role_tag", "from") == "role";
    const char* list = isOpenAi ? "messages" : "conversations";
    dataset["format"] = isOpenAi ? "messages" : "sharegpt";
    dataset["columns"] = columnsOf(columns, {{"messages", list, formatting == "openai" ? "messages" : "conversations"},
                                             {"system", "system", ""},
                                             {"kto_tag", "label", ""},
                                             {"tools", "tools", ""}});
    return dataset;
}

} // namespace

NamedDataset datasetOfInfo(const fs::path& infoFile, const std::string& name, bool isOfTexts) {
    constexpr int64_t kMaxBytes = int64_t{1} << 24;
    const std::string text = readTextFile(infoFile, kMaxBytes);
    if (const auto problem = findJsonProblem(text))
        throw invalidInput(fmt::format("'{}' is not valid JSON: {}.", infoFile.string(), problem->text()));
    const Tree info = Tree::parse(text, nullptr, false);
    if (!info.is_object())
        throw invalidInput(fmt::format("'{}' should be an object of datasets by their names.", infoFile.string()));
    const auto found = info.find(name);
    if (found == info.end() || !found->is_object())
        return {fmt::format("is not in '{}'", infoFile.string()), Tree::object()};
    return {datasetOfEntry(*found, infoFile, isOfTexts), restOf(*found)};
}

} // namespace roundpipe::foreign
