// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/split_names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {
namespace {

std::string inSmallLetters(std::string text) {
    for (char& character : text)
        if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
    return text;
}

std::optional<SplitName> byWord(std::string_view word) {
    constexpr std::string_view kTraining[] = {"train", "training"}, kTest[] = {"test", "testing"};
    constexpr std::string_view kValidation[] = {"validation", "valid", "val", "dev", "eval", "evaluation"};
    if (std::ranges::find(kTraining, word) != std::end(kTraining)) return SplitName::kTraining;
    if (std::ranges::find(kValidation, word) != std::end(kValidation)) return SplitName::kValidation;
    if (std::ranges::find(kTest, word) != std::end(kTest)) return SplitName::kTest;
    return std::nullopt;
}

// Runs of letters: all bytes but ASCII that is none. Without the "of" between the numbers of a part and all parts.
std::vector<std::string> wordsOf(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char character : inSmallLetters(name.substr(0, name.find('.')))) {
        const bool isLetter = (character >= 'a' && character <= 'z') || static_cast<unsigned char>(character) >= 0x80;
        if (isLetter)
            words.back() += character;
        else if (!words.back().empty())
            words.emplace_back();
    }
    std::erase_if(words, [](const std::string& word) { return word.empty(); });
    if (words.size() > 1 && words.back() == "of") words.pop_back();
    return words;
}

} // namespace

std::optional<SplitName> splitNameOf(const std::filesystem::path& withinFolder) {
    for (const std::filesystem::path& folder : withinFolder.parent_path())
        if (const auto split = byWord(inSmallLetters(folder.string()))) return split;
    const std::vector<std::string> words = wordsOf(withinFolder.filename().string());
    if (words.empty()) return std::nullopt;
    const auto first = byWord(words.front());
    return first ? first : byWord(words.back());
}

} // namespace roundpipe::data
