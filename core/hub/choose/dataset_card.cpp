// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/choose/dataset_card.h"

#include <algorithm>

namespace roundpipe::hub {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view stripped(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// A text without its quotes, or without what is remarked behind it.
std::string scalar(std::string_view text) {
    text = stripped(text);
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) {
        const std::size_t end = text.find(text.front(), 1);
        return std::string(text.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(stripped(text.substr(0, text.find(" #"))));
}

// "a" or "[a, 'b']".
std::vector<std::string> scalars(std::string_view text) {
    text = stripped(text);
    if (text.empty()) return {};
    if (text.front() != '[') return {scalar(text)};
    text = text.substr(1, text.rfind(']') - 1);
    std::vector<std::string> all;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (std::string one = scalar(text.substr(0, comma)); !one.empty()) all.push_back(std::move(one));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return all;
}

// A line of the head: how far it is indented, dashes counted as blanks.
struct CardLine {
    std::size_t indent = 0;
    bool isItem = false;  // begins with a dash
    std::size_t dash = 0; // where the first one stands
    std::string_view key; // empty: a text alone
    std::string_view value;
};

CardLine lineOf(std::string_view text) {
    CardLine line;
    line.indent = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(line.indent);
    line.dash = line.indent;
    while (text.starts_with("- ") || text == "-") {
        line.isItem = true;
        const std::size_t next = std::min(text.find_first_not_of(' ', 1), text.size());
        line.indent += next;
        text.remove_prefix(next);
    }
    const bool isQuoted = text.starts_with('"') || text.starts_with('\'');
    const std::size_t colon = isQuoted ? std::string_view::npos : text.find(':');
    if (colon != std::string_view::npos && (colon + 1 == text.size() || text[colon + 1] == ' ')) {
        line.key = text.substr(0, colon);
        line.value = text.substr(colon + 1);
    } else {
        line.value = text;
    }
    return line;
}

// Takes the lines below "configs:" one after another.
class SubsetReader {
public:
    void take(const CardLine& line) {
        if (line.isItem && (m_subsets.empty() || line.dash <= m_dash)) {
            m_dash = line.dash;
            m_subsets.emplace_back();
            m_path = false;
        }
        if (m_subsets.empty()) return;
        CardSubset& subset = m_subsets.back();
        if (line.key == "config_name") {
            subset.name = scalar(line.value);
        } else if (line.key == "default") {
            subset.isDefault = scalar(line.value) == "true";
        } else if (line.key == "data_dir") {
            subset.folder = scalar(line.value);
        } else if (line.key == "data_files") {
            subset.splits.push_back({"train", scalars(line.value)}); // of a pattern without a split
            m_path = true;
        } else if (line.key == "split" || line.key == "path") {
            takeOfSplit(subset, line);
        } else if (line.key.empty()) {
            if (m_path && !subset.splits.empty())
                for (std::string& pattern : scalars(line.value))
                    subset.splits.back().patterns.push_back(std::move(pattern));
        } else {
            m_path = false;
        }
    }

    std::vector<CardSubset> subsets() && {
        for (CardSubset& subset : m_subsets)
            std::erase_if(subset.splits, [](const CardSplit& split) { return split.patterns.empty(); });
        return std::move(m_subsets);
    }

private:
    void takeOfSplit(CardSubset& subset, const CardLine& line) {
        if (line.isItem) subset.splits.push_back({"train", {}});
        if (subset.splits.empty()) return;
        m_path = line.key == "path";
        if (m_path)
            subset.splits.back().patterns = scalars(line.value);
        else
            subset.splits.back().split = scalar(line.value);
    }

    std::vector<CardSubset> m_subsets;
    std::size_t m_dash = 0;
    bool m_path = false; // texts alone are patterns
};

} // namespace

std::vector<CardSubset> subsetsOfCard(std::string_view readme) {
    if (!readme.starts_with("---")) return {};
    SubsetReader reader;
    bool isInside = false;
    readme.remove_prefix(std::min(readme.find('\n'), readme.size() - 1) + 1);
    while (!readme.empty()) {
        const std::size_t end = std::min(readme.find('\n'), readme.size());
        std::string_view text = readme.substr(0, end);
        readme.remove_prefix(std::min(end + 1, readme.size()));
        while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos)
            text.remove_suffix(1);
        if (text == "---") break;
        if (stripped(text).empty() || stripped(text).front() == '#') continue;
        const CardLine line = lineOf(text);
        if (line.dash == 0 && !line.isItem)
            isInside = line.key == "configs";
        else if (isInside)
            reader.take(line);
    }
    return std::move(reader).subsets();
}

} // namespace roundpipe::hub
