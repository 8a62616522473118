// SPDX-License-Identifier: GPL-3.0-or-later
// The conversation parser, fed with the text of a row: every format, whatever the row was taken for.
#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"
#include "data/rows/thoughts.h"
#include "fuzz_target.h"
#include "text/utf8.h"

#include <string>

using namespace roundpipe;
using namespace roundpipe::data;

namespace {

constexpr DataFormat kFormats[] = {DataFormat::kMessages,   DataFormat::kShareGpt, DataFormat::kAlpaca,
                                   DataFormat::kCompletion, DataFormat::kText,     DataFormat::kSegments};

void read(const Json& row, DataFormat format) {
    try {
        if (plainTextOf(row, format)) return;
        Conversation conversation = conversationOf(row, format);
        for (const ThoughtPlace place : {ThoughtPlace::kReasoningContent, ThoughtPlace::kThinking,
                                         ThoughtPlace::kBracketed, ThoughtPlace::kContent}) {
            Json messages = conversation.messages;
            placeThoughts(messages, place);
        }
        conversationOf(row, format, Arguments::kAsGiven);
    } catch (const RowProblem&) { // refused in words
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (text::firstInvalidUtf8(text)) return 0; // no row is
    Json row;
    try {
        row = parseRow(text);
    } catch (const RowProblem&) {
        return 0;
    }
    const SniffedFormat sniffed = sniffFormat(row, {});
    const Json mapped = withColumns(row, sniffed.format.columns);
    for (const DataFormat format : kFormats)
        read(sniffed.format.kind == format ? mapped : row, format);
    RowFormat wanted;
    wanted.columns = {{"prompt", "a.b.0"}, {"completion", "messages.0.content"}};
    wanted.prompt = {{"x", false}, {"a.b", true}};
    wanted.system.text = std::string(1, 's');
    sniffFormat(row, wanted);
    return 0;
}
