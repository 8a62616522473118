// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/dataset_splits.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

namespace roundpipe::hub {
namespace {

using SplitFiles = std::map<std::string, std::vector<HubFile>>; // split → its files

struct SplitWord {
    std::string_view word, split;
};
constexpr SplitWord kSplitWords[] = {{"train", "train"},      {"training", "train"}, {"validation", "validation"},
                                     {"valid", "validation"}, {"val", "validation"}, {"dev", "validation"},
                                     {"test", "test"},        {"testing", "test"},   {"eval", "test"},
                                     {"evaluation", "test"}};

// Kinds of data files by their endings, the plainest to read first.
constexpr std::array<std::string_view, 8> kKinds = {".parquet", ".arrow", ".jsonl", ".ndjson",
                                                    ".json",    ".csv",   ".tsv",   ".txt"};
constexpr std::string_view kWrittenByDatasets[] = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json",
                                                   "state.json", "metadata.json"};

std::string_view fileName(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// Index into kKinds; nothing for what holds no rows. Compression does not count.
std::optional<std::size_t> kindOf(std::string_view path) {
    const std::string_view name = fileName(path);
    if (name.starts_with('.') || path.starts_with('.') || path.find("/.") != std::string_view::npos) return {};
    if (std::ranges::find(kWrittenByDatasets, name) != std::end(kWrittenByDatasets)) return {};
    for (const std::string_view packed : {".gz", ".zst"})
        if (path.ends_with(packed)) path.remove_suffix(packed.size());
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (path.ends_with(kKinds[i])) return i;
    return {};
}

// "data/train-00000-of-00005.parquet" → "train": any split may be called so.
std::optional<std::string> splitOfPart(std::string_view path) {
    const std::string_view name = fileName(path);
    const std::size_t of = name.find("-of-");
    if (of == std::string_view::npos || of < 2) return {};
    const std::size_t dash = name.rfind('-', of - 1);
    if (dash == std::string_view::npos || dash == 0) return {};
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    const std::string_view total = name.substr(of + 4, name.find('.', of) - (of + 4));
    if (!isNumber(name.substr(dash + 1, of - dash - 1))) return {};
    // A checksum may stand behind the number.
    if (!isNumber(total.substr(0, total.find('-')))) return {};
    return std::string(name.substr(0, dash));
}

// The split that a word of this text names.
std::optional<std::string> splitOfWords(std::string_view text) {
    std::string word;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const auto c = i < text.size() ? static_cast<unsigned char>(text[i]) : ' ';
        if (std::isalpha(c) != 0) {
            word += static_cast<char>(std::tolower(c));
            continue;
        }
        const auto found = std::ranges::find(kSplitWords, word, &SplitWord::word);
        if (found != std::end(kSplitWords)) return std::string(found->split);
        word.clear();
    }
    return {};
}

// By the file's name, else by its folder's, the nearest first.
std::optional<std::string> splitOfPath(std::string_view path) {
    while (true) {
        if (auto split = splitOfWords(fileName(path))) return split;
        const std::size_t slash = path.rfind('/');
        if (slash == std::string_view::npos) return {};
        path = path.substr(0, slash);
    }
}

SplitFiles byNames(const std::vector<HubFile>& files) {
    SplitFiles parts, words;
    for (const HubFile& file : files) {
        if (const auto split = splitOfPart(file.path)) parts[*split].push_back(file);
        if (const auto split = splitOfPath(file.path)) words[*split].push_back(file);
    }
    if (!parts.empty()) return parts;
    if (!words.empty()) return words;
    return {{"train", files}};
}

SplitFiles byCard(const std::vector<HubFile>& files, const CardSubset& subset) {
    std::vector<HubFile> below;
    for (const HubFile& file : files)
        if (subset.folder.empty() || file.path.starts_with(subset.folder + "/")) below.push_back(file);
    if (subset.splits.empty()) return byNames(below);
    SplitFiles found;
    for (const CardSplit& split : subset.splits)
        for (const HubFile& file : below)
            if (std::ranges::any_of(split.patterns, [&](std::string pattern) {
                    if (pattern.starts_with("./")) pattern.erase(0, 2);
                    return fitsPattern(file.path, subset.folder.empty() ? pattern : subset.folder + "/" + pattern) ||
                           fitsPattern(file.path, pattern);
                }))
                found[split.split].push_back(file);
    return found;
}

// A split in several formats is the same several times; the one with the most files counts.
std::vector<HubFile> ofOneKind(const std::vector<HubFile>& files) {
    std::array<std::size_t, kKinds.size()> counts{};
    for (const HubFile& file : files)
        ++counts[*kindOf(file.path)];
    const auto most = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    std::vector<HubFile> kept;
    for (const HubFile& file : files)
        if (kindOf(file.path) == most) kept.push_back(file);
    std::ranges::sort(kept, {}, &HubFile::path);
    return kept;
}

const CardSubset& subsetOf(const std::vector<CardSubset>& card, const HubName& name) {
    std::vector<std::string> names;
    for (const CardSubset& subset : card) {
        names.push_back(subset.name);
        if (name.subset.empty() ? subset.isDefault || subset.name == "default" || card.size() == 1
                                : subset.name == name.subset)
            return subset;
    }
    throw invalidInput(name.subset.empty()
                           ? fmt::format("The dataset '{}' has several subsets.", name.repository)
                           : fmt::format("The dataset '{}' has no subset '{}'.", name.repository, name.subset),
                       fmt::format("Choose one: hf:{}/SUBSET, of {}.", name.repository, fmt::join(names, ", ")));
}

std::vector<HubFile> dataFiles(const Listing& listing, const HubName& name, bool namedByCard) {
    std::vector<HubFile> files;
    for (const HubFile& file : listing.files)
        if (kindOf(file.path) && (namedByCard || name.subset.empty() || file.path.starts_with(name.subset + "/") ||
                                  file.path.starts_with("data/" + name.subset + "/")))
            files.push_back(file);
    if (!files.empty()) return files;
    if (!name.subset.empty())
        throw invalidInput(
            fmt::format("The dataset '{}' has no subset '{}' with data files.", name.repository, name.subset),
            "See its page for the subsets that it has.");
    const bool hasScript = std::ranges::any_of(listing.files, [](const HubFile& f) { return f.path.ends_with(".py"); });
    throw unsupported(fmt::format("The dataset '{}' has no data files.{}", name.repository,
                                  hasScript ? " It is made by a program of its own, which is not run." : ""),
                      fmt::format("The Hub may have converted it: try hf:{}@refs/convert/parquet.", name.repository));
}

} // namespace

DatasetChoice chooseSplit(const Listing& listing, const std::vector<CardSubset>& card, const HubName& name) {
    const std::vector<HubFile> files = dataFiles(listing, name, !card.empty());
    const CardSubset* const subset = card.empty() ? nullptr : &subsetOf(card, name);
    SplitFiles splits = subset != nullptr ? byCard(files, *subset) : byNames(files);
    std::vector<std::string> names;
    for (const auto& [split, its] : splits)
        names.push_back(split);

    std::string wanted = name.split;
    if (wanted.empty()) wanted = splits.size() == 1 ? names.front() : "train";
    if (!splits.contains(wanted))
        throw invalidInput(fmt::format("The dataset '{}' has no split '{}'.", name.repository, wanted),
                           names.empty()
                               ? std::string("Its card names files that it does not have.")
                               : fmt::format("It has {}: write one of them behind a colon.", fmt::join(names, ", ")));
    std::erase(names, wanted);
    return {.subset = subset != nullptr ? subset->name : name.subset,
            .split = wanted,
            .files = ofOneKind(splits[wanted]),
            .otherSplits = names};
}

bool fitsPattern(std::string_view path, std::string_view pattern) {
    std::vector<char> fits(path.size() + 1, 0); // the path's first i characters fit the pattern so far
    fits[0] = 1;
    while (!pattern.empty()) {
        const bool isFolders = pattern.starts_with("**/"), isDeep = pattern.starts_with("**");
        const char c = pattern.front();
        pattern.remove_prefix(isFolders ? 3 : isDeep ? 2 : 1);
        bool any = false;    // of those before i
        bool before = false; // of i - 1, with the pattern so far
        for (std::size_t i = 0; i <= path.size(); ++i) {
            const bool was = fits[i] != 0;
            const char last = i > 0 ? path[i - 1] : '\0';
            if (isFolders)
                fits[i] = was || (any && last == '/');
            else if (isDeep)
                fits[i] = was || any;
            else if (c == '*')
                fits[i] = was || (i > 0 && fits[i - 1] != 0 && last != '/');
            else
                fits[i] = i > 0 && before && (c == '?' ? last != '/' : last == c);
            any = any || was;
            before = was;
        }
    }
    return fits.back() != 0;
}

} // namespace roundpipe::hub
