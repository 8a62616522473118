// SPDX-License-Identifier: GPL-3.0-or-later
// The C ABI of the Rust crates (crate/abi/src/lib.rs says its rules), and what C++ adds to it. Private to this folder.
#pragma once

#include "text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" {

struct RpText {
    const char* data;
    size_t size;
};

struct RpBuffer {
    char* data;
    size_t size;
};

struct RpFailure {
    uint8_t kind;
    RpBuffer message;
    RpBuffer advice;
};

// A block of a text's tokens, there until the next one is asked for.
struct RpTokens {
    const uint32_t* ids;
    const roundpipe::text::TokenSpan* offsets;
    const uint8_t* special;
    size_t size;
};

struct RpRequest {
    RpText messages;
    RpText tools;
    RpText documents;
    RpText extra;
    bool addGenerationPrompt;
    int32_t year;
    uint32_t month;
    uint32_t day;
    uint32_t hour;
    uint32_t minute;
    uint32_t second;
};

struct RpRendered {
    RpBuffer text;
    size_t* spans;
    size_t numSpans;
    bool hasGeneration; // the template has such blocks
};

void rp_buffer_free(RpBuffer buffer);
size_t rp_valid_utf8(RpText text); // how many of its first bytes are

const void* rp_tokenizer_open(RpText folder, RpFailure* failure);
void rp_tokenizer_free(const void* tokenizer);
// The text's tokens, to be taken block by block, and how many they are; null: a failure.
void* rp_tokenizer_encode(const void* tokenizer, RpText text, bool addSpecialTokens, size_t* size, RpFailure* failure);
bool rp_tokens_next(void* tokens, RpTokens* out); // false: none is left
void rp_tokens_free(void* tokens);
bool rp_tokenizer_decode(const void* tokenizer, const uint32_t* ids, size_t size, bool skipSpecialTokens, RpBuffer* out,
                         RpFailure* failure);
bool rp_tokenizer_id_to_token(const void* tokenizer, uint32_t id, RpBuffer* out);
size_t rp_tokenizer_vocab_size(const void* tokenizer);
bool rp_tokenizer_is_special(const void* tokenizer, uint32_t id);
bool rp_tokenizer_special(const void* tokenizer, size_t which, RpBuffer* out, int64_t* id);

void* rp_stream_new(const void* tokenizer, bool skipSpecialTokens);
void rp_stream_free(void* stream);
bool rp_stream_push(void* stream, uint32_t id, RpBuffer* out, RpFailure* failure);
bool rp_stream_finish(void* stream, RpBuffer* out, RpFailure* failure);

void* rp_template_open(RpText folder, RpText overrideFile, RpFailure* failure);
void* rp_template_parse(RpText source, RpText specialTokens, RpFailure* failure);
void rp_template_free(void* chatTemplate);
bool rp_template_source(const void* chatTemplate, bool withTools, RpBuffer* out, RpFailure* failure);
bool rp_template_has_generation(const void* chatTemplate, bool withTools, bool* out, RpFailure* failure);
bool rp_template_render(const void* chatTemplate, const RpRequest* request, RpRendered* out, RpFailure* failure);
void rp_rendered_free(RpRendered rendered);

} // extern "C"

namespace roundpipe::text {

inline RpText borrow(std::string_view text) {
    return {text.data(), text.size()};
}

// Copies the text and gives the buffer back.
inline std::string take(RpBuffer buffer) {
    std::string text(buffer.data, buffer.size);
    rp_buffer_free(buffer);
    return text;
}

// Behind the kinds of errors:
constexpr uint8_t kSpentFailure = 4;   // rp_template_render() says TemplateSpent
constexpr uint8_t kTooLongFailure = 5; // rp_tokenizer_encode() says TextTooLong

[[noreturn]] inline void raise(RpFailure failure) {
    constexpr ErrorKind kKinds[] = {ErrorKind::kInvalidInput, ErrorKind::kUnsupported, ErrorKind::kIo,
                                    ErrorKind::kInternal};
    std::string message = take(failure.message);
    throw Error(kKinds[failure.kind], std::move(message), take(failure.advice));
}

} // namespace roundpipe::text
