// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_tokenizer.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace roundpipe::data {
namespace {

using Json = nlohmann::json;

std::string utf8(int codePoint) {
    if (codePoint < 0x80) return std::string(1, static_cast<char>(codePoint));
    return {static_cast<char>(0xC0 | (codePoint >> 6)), static_cast<char>(0x80 | (codePoint & 0x3F))};
}

// The alphabet of byte-level BPE: printable bytes stand for themselves, the others for code points from 256 on.
Json vocabulary() {
    Json vocab;
    int next = 256;
    for (int byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
        vocab[utf8(printable ? byte : next++)] = byte;
    }
    return vocab;
}

Json added(int id, const std::string& content) {
    return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
            {"rstrip", false}, {"normalized", false}, {"special", true}};
}

} // namespace

text::Tokenizer makeByteTokenizer(const std::filesystem::path& folder, const std::vector<std::string>& moreSpecial) {
    Json special = {added(kStartId, "<|im_start|>"), added(kEndId, "<|im_end|>")};
    for (const std::string& token : moreSpecial)
        special.push_back(added(kStartId + static_cast<int>(special.size()), token));
    const Json byteLevel = {
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
    const Json tokenizer = {
        {"version", "1.0"},
        {"truncation", nullptr},
        {"padding", nullptr},
        {"added_tokens", special},
        {"normalizer", nullptr},
        {"pre_tokenizer", byteLevel},
        {"post_processor", nullptr},
        {"decoder", byteLevel},
        {"model", {{"type", "BPE"}, {"vocab", vocabulary()}, {"merges", Json::array()}}},
    };
    std::ofstream(folder / "tokenizer.json") << tokenizer.dump();
    std::ofstream(folder / "tokenizer_config.json") << R"({"eos_token":"<|im_end|>"})";
    return text::Tokenizer::open(folder);
}

} // namespace roundpipe::data
