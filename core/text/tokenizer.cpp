// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizer.h"

#include "text/ffi.h"

#include <array>
#include <string>

namespace roundpipe::text {

namespace {

// Ids are unsigned in Rust; a negative one becomes a number that no vocabulary has.
uint32_t toRust(int32_t id) {
    return static_cast<uint32_t>(id);
}

SpecialTokens readSpecialTokens(const void* handle) {
    SpecialTokens tokens;
    const std::array<std::optional<SpecialToken>*, 7> inRustOrder = {&tokens.bos, &tokens.eos, &tokens.unk, &tokens.sep,
                                                                     &tokens.pad, &tokens.cls, &tokens.mask};
    for (size_t which = 0; which < inRustOrder.size(); ++which) {
        RpBuffer text{};
        int64_t id = -1;
        if (!rp_tokenizer_special(handle, which, &text, &id)) continue;
        SpecialToken token{take(text), std::nullopt};
        if (id >= 0) token.id = static_cast<int32_t>(id);
        *inRustOrder[which] = std::move(token);
    }
    return tokens;
}

} // namespace

std::string DecodeStream::push(int32_t id) {
    RpBuffer text{};
    RpFailure failure{};
    if (!rp_stream_push(m_handle.get(), toRust(id), &text, &failure)) raise(failure);
    return take(text);
}

std::string DecodeStream::finish() {
    RpBuffer text{};
    RpFailure failure{};
    if (!rp_stream_finish(m_handle.get(), &text, &failure)) raise(failure);
    return take(text);
}

Tokenizer::Tokenizer(std::shared_ptr<const void> handle)
    : m_handle(std::move(handle)), m_special(readSpecialTokens(m_handle.get())) {}

Tokenizer Tokenizer::open(const std::filesystem::path& modelFolder) {
    RpFailure failure{};
    const void* handle = rp_tokenizer_open(borrow(modelFolder.native()), &failure);
    if (handle == nullptr) raise(failure);
    return Tokenizer(std::shared_ptr<const void>(handle, rp_tokenizer_free));
}

Encoding Tokenizer::encode(std::string_view text, bool addSpecialTokens) const {
    RpFailure failure{};
    size_t size = 0;
    const std::unique_ptr<void, decltype(&rp_tokens_free)> tokens(
        rp_tokenizer_encode(m_handle.get(), borrow(text), addSpecialTokens, &size, &failure), rp_tokens_free);
    if (tokens == nullptr && failure.kind == kTooLongFailure) {
        std::string message = take(failure.message);
        throw TextTooLong(ErrorKind::kInvalidInput, std::move(message), take(failure.advice));
    }
    if (tokens == nullptr) raise(failure);
    Encoding encoding;
    const size_t room = size + 1; // for an end: to make it would copy all of a long text
    encoding.ids.reserve(room);
    encoding.isSpecial.reserve(room);
    encoding.offsets.reserve(room);
    for (RpTokens block{}; rp_tokens_next(tokens.get(), &block);) {
        encoding.ids.insert(encoding.ids.end(), block.ids, block.ids + block.size);
        encoding.isSpecial.insert(encoding.isSpecial.end(), block.special, block.special + block.size);
        encoding.offsets.insert(encoding.offsets.end(), block.offsets, block.offsets + block.size);
    }
    return encoding;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skipSpecialTokens) const {
    RpBuffer text{};
    RpFailure failure{};
    const auto* unsignedIds = reinterpret_cast<const uint32_t*>(ids.data()); // the same type but for its sign
    if (!rp_tokenizer_decode(m_handle.get(), unsignedIds, ids.size(), skipSpecialTokens, &text, &failure))
        raise(failure);
    return take(text);
}

DecodeStream Tokenizer::stream(bool skipSpecialTokens) const {
    return DecodeStream(std::shared_ptr<void>(rp_stream_new(m_handle.get(), skipSpecialTokens), rp_stream_free));
}

std::string Tokenizer::idToToken(int32_t id) const {
    RpBuffer text{};
    if (!rp_tokenizer_id_to_token(m_handle.get(), toRust(id), &text))
        throw invalidInput("the token id " + std::to_string(id) + " is not in the vocabulary of " +
                           std::to_string(vocabSize()) + " tokens");
    return take(text);
}

int32_t Tokenizer::vocabSize() const {
    return static_cast<int32_t>(rp_tokenizer_vocab_size(m_handle.get()));
}

bool Tokenizer::isSpecial(int32_t id) const {
    return rp_tokenizer_is_special(m_handle.get(), toRust(id));
}

} // namespace roundpipe::text
