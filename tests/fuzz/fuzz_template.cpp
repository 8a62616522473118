// SPDX-License-Identifier: GPL-3.0-or-later
// A chat template and a row, through everything between them and a masked example. The input is the template's source,
// then a line that holds only "====", then the row's JSON; without that line the template meets rows of our own.
#include "../data/byte_tokenizer.h"
#include "base/error.h"
#include "data/encode/row_draft.h"
#include "data/encode/row_encoder.h"
#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"
#include "data/rows/thoughts.h"
#include "data/store/facts/length_limit.h"
#include "data/store/facts/row_facts.h"
#include "fuzz_target.h"
#include "text/utf8.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace roundpipe;
using data::Json;
using text::Span;

namespace {

void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what.c_str());
    std::abort();
}

constexpr std::string_view kSeparator = "\n====\n";
constexpr std::size_t kLongestText = 1 << 16; // a byte is a token here: longer texts only cost the fuzzer's time

constexpr const char* kRows[] = {
    R"({"messages": [{"role": "user", "content": "Where is it?"}, {"role": "assistant", "content": "There."}]})",
    R"({"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "2 + 2?"},
        {"role": "assistant", "reasoning_content": "Two and two.", "content": "4"},
        {"role": "user", "content": "é <|im_end|>"}, {"role": "assistant", "content": " ü\n"}]})",
    R"({"tools": [{"type": "function", "function": {"name": "sum", "parameters": {"type": "object"}}}],
        "messages": [{"role": "user", "content": "Add."}, {"role": "assistant", "content": null,
        "tool_calls": [{"type": "function", "function": {"name": "sum", "arguments": "{\"a\": [1, 2.5]}"}}]},
        {"role": "tool", "name": "sum", "content": "3.5"}, {"role": "assistant", "content": "3.5"}]})",
};

const text::Tokenizer& tokenizer() {
    static const text::Tokenizer made = [] {
        const auto folder =
            std::filesystem::temp_directory_path() / ("roundpipe-fuzz-" + std::to_string(::getpid()) + "-tokenizer");
        std::filesystem::create_directories(folder);
        text::Tokenizer opened = data::makeByteTokenizer(folder, {"<think>"});
        std::filesystem::remove_all(folder);
        return opened;
    }();
    return made;
}

// An Error must be one in words; what the row lacks is a RowProblem.
template <typename Work>
void allowErrors(const Work& work) {
    try {
        work();
    } catch (const data::RowProblem&) {
    } catch (const Error& error) {
        require(error.kind() != ErrorKind::kInternal, error.what());
    }
}

bool ascendWithin(const std::vector<Span>& spans, std::size_t size) {
    std::size_t last = 0;
    for (const Span& span : spans) {
        if (span.begin < last || span.end < span.begin || span.end > size) return false;
        last = span.end;
    }
    return true;
}

void checkTokens(const data::EncodedRow& row) {
    const std::size_t count = row.ids.size();
    require(!text::firstInvalidUtf8(row.text), "the text is UTF-8");
    require(row.offsets.size() == count && row.isSpecial.size() == count && row.trained.size() == count,
            "each token has its offsets and flags");
    std::size_t covered = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [begin, end] = row.offsets[i];
        require(begin < end && begin <= covered && end >= covered && end <= row.text.size(), "tokens cover the text");
        require(i == 0 || begin >= row.offsets[i - 1].begin, "tokens ascend");
        covered = end;
    }
    require(covered == row.text.size(), "tokens cover the whole text");
    require(tokenizer().decode(row.ids, false) == row.text, "tokens decode to the text");
}

// The stated rule, written out: a byte inside a span, or the special token where a span ends.
void checkMask(const data::EncodedRow& row) {
    require(ascendWithin(row.turns, row.text.size()), "turns ascend within the text");
    const bool takesEnds = row.maskedBy != data::MaskSource::kGenerationTags;
    for (std::size_t i = 0; i < row.ids.size(); ++i) {
        const auto [begin, end] = row.offsets[i];
        const bool wanted = std::ranges::any_of(row.turns, [&, begin = begin, end = end](const Span& span) {
            return (begin < span.end && end > span.begin && span.begin < span.end) ||
                   (takesEnds && row.isSpecial[i] && begin == span.end);
        });
        require((row.trained[i] != 0) == wanted, "trained tokens are those of the turns");
    }
}

void encode(const std::string& json, const data::RowFormat& format, const text::ChatTemplate& chatTemplate,
            const data::DataOptions& options) {
    const data::RowEncoder encoder(options, tokenizer(), chatTemplate);
    data::RowDraft draft;
    encoder.encode(json, format, draft);
    checkTokens(draft.row);
    if (!draft.conversation || options.trainOn == TrainOn::kAll) return;
    const text::Rendered rendered = encoder.render(*draft.conversation);
    require(rendered.text == draft.row.text, "rendering twice gives the same bytes");
    checkMask(draft.row);
    const data::RowLengths lengths = data::lengthsOf(draft.row.trained, options);
    require(lengths.trainedKept <= lengths.trained && lengths.trained <= lengths.length, "no token is trained twice");
    static const data::RowExaminer examiner(tokenizer());
    require(std::ranges::is_sorted(examiner.factsOf(draft).specialTokens), "special tokens ascend");
}

// Whether its text is short enough to go on with.
bool isShort(const Json& row, const data::RowFormat& format, const text::ChatTemplate& chatTemplate,
             const data::DataOptions& options) {
    bool isShort = true;
    allowErrors([&] {
        if (data::plainTextOf(row, format.kind)) return;
        data::Conversation conversation = data::conversationOf(row, format.kind);
        data::placeThoughts(conversation.messages, data::thoughtPlaceOf(chatTemplate.source(false)));
        const text::Rendered rendered = data::RowEncoder(options, tokenizer(), chatTemplate).render(conversation);
        require(ascendWithin(rendered.generationSpans, rendered.text.size()), "generation spans ascend");
        isShort = rendered.text.size() <= kLongestText;
    });
    return isShort;
}

void readRow(const std::string& json, const text::ChatTemplate& chatTemplate) {
    const Json row = data::parseRow(json);
    const data::RowFormat format = data::sniffFormat(row, {}).format;
    if (format.kind == DataFormat::kAuto) return;
    data::DataOptions options;
    options.templateArguments = R"({"enable_thinking": true, "bos_token": "<|im_start|>", "eos_token": "<|im_end|>"})";
    if (!isShort(data::withColumns(row, format.columns), format, chatTemplate, options)) return;
    allowErrors([&] { encode(json, format, chatTemplate, options); });
    options.turnMarkers = {"assistant\n", "<|im_end|>"};
    allowErrors([&] { encode(json, format, chatTemplate, options); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    const std::string input(reinterpret_cast<const char*>(bytes), size);
    if (text::firstInvalidUtf8(input)) return 0; // neither a row nor a template is
    const std::size_t separator = input.find(kSeparator);
    allowErrors([&] {
        const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(input.substr(0, separator));
        if (separator != std::string::npos)
            readRow(input.substr(separator + kSeparator.size()), chatTemplate);
        else
            for (const char* row : kRows)
                allowErrors([&] { readRow(row, chatTemplate); });
    });
    return 0;
}
