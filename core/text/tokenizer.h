// SPDX-License-Identifier: GPL-3.0-or-later
// Text ↔ token ids, with a model folder's own tokenizer, as transformers sets it up.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::text {

// A half-open range of bytes of a UTF-8 text.
struct Span {
    size_t begin = 0;
    size_t end = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

// The same of a token, in half of the memory: a row of tens of megabytes has millions, and no text has 4 GiB.
struct TokenSpan {
    uint32_t begin = 0;
    uint32_t end = 0;
    operator Span() const { return {begin, end}; }
    friend bool operator==(const TokenSpan&, const TokenSpan&) = default;
};

struct Encoding {
    std::vector<int32_t> ids;
    // Per token the bytes of the text that it stands for. A token that holds part of a character covers the whole of
    // it, so neighbours may overlap; a token that was added around the text covers nothing (0, 0).
    std::vector<TokenSpan> offsets;
    std::vector<bool> isSpecial; // per token, as Tokenizer::isSpecial
};

// A text that the tokenizer takes only as a whole, and for which that is too much: it costs a hundred times its bytes.
class TextTooLong : public Error {
public:
    using Error::Error;
};

// A special token that has a name. Its id is absent where the vocabulary does not have it.
struct SpecialToken {
    std::string text;
    std::optional<int32_t> id;
};

struct SpecialTokens {
    std::optional<SpecialToken> bos;
    std::optional<SpecialToken> eos;
    std::optional<SpecialToken> unk;
    std::optional<SpecialToken> sep;
    std::optional<SpecialToken> pad;
    std::optional<SpecialToken> cls;
    std::optional<SpecialToken> mask;
};

// Text of tokens as they come from generation: push() gives what is new and whole, so that a character spread over
// several tokens appears once its last byte is there. Used by one thread at a time; keeps its tokenizer alive.
class DecodeStream {
public:
    std::string push(int32_t id);
    // What is left at the end: U+FFFD for bytes that never became a character. The stream then starts anew.
    std::string finish();

private:
    friend class Tokenizer;
    explicit DecodeStream(std::shared_ptr<void> handle) : m_handle(std::move(handle)) {}

    std::shared_ptr<void> m_handle;
};

// Immutable after open(): any number of threads may use one at once. Copies share the vocabulary.
class Tokenizer {
public:
    // Reads tokenizer.json, and tokenizer_config.json and special_tokens_map.json where they are. Throws Error:
    // kInvalidInput for a missing or broken file, kUnsupported (with how to convert it) where the folder has a
    // tokenizer in another form only (tokenizer.model and the like).
    static Tokenizer open(const std::filesystem::path& modelFolder);

    // `addSpecialTokens`: what the tokenizer puts around a text (BOS, …). Pass false for a rendered chat template,
    // which wrote them itself. Special tokens spelled out in the text become their ids. Memory beside the result is a
    // few megabytes for tokenizers of byte pairs, whatever the text. Throws if `text` is not UTF-8; TextTooLong.
    Encoding encode(std::string_view text, bool addSpecialTokens) const;

    // Throws kInvalidInput for an id outside the vocabulary.
    std::string decode(std::span<const int32_t> ids, bool skipSpecialTokens) const;
    DecodeStream stream(bool skipSpecialTokens) const;

    std::string idToToken(int32_t id) const; // throws kInvalidInput for an id outside the vocabulary
    int32_t vocabSize() const;               // with added tokens; a model's embedding may have more rows
    bool isSpecial(int32_t id) const;        // a token that decode() can skip
    const SpecialTokens& special() const { return m_special; }

private:
    explicit Tokenizer(std::shared_ptr<const void> handle);

    std::shared_ptr<const void> m_handle;
    SpecialTokens m_special;
};

} // namespace roundpipe::text
