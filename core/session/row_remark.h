// What is said of data's rows and files, as codes with arguments: the window says it in its user's language, the
// command line and the log in English, as it stands here.
#pragma once

#include "base/coded_text.h"

#include <array>

namespace roundpipe::session {

// Why a row is not trained on.
enum class DropReason {
    kBadRow,         // not JSON, or not the fields of its format
    kNoAssistant,    // nobody to learn from
    kTemplate,       // the chat template refuses the conversation
    kMask,           // what the assistant wrote cannot be told from the rest
    kNoTrainedToken, // nothing is left to train, after cutting to the length
    kTooLong,        // longer than the limit, and dropping was chosen
    kLeftOut,        // it could be trained on, but is left out by choice
    kRejected,       // the row says that its answer is a bad one
};
constexpr std::array<const char*, 8> spellings(DropReason) {
    return {"bad row",          "no assistant turn", "refused by the chat template", "assistant's tokens unclear",
            "no trained token", "too long",          "left out by choice",           "rejected answer"};
}

// What told the assistant's turns from the rest.
enum class MaskSource { kNone, kGenerationTags, kSentinels, kTurnMarkers, kRow, kEverything };
constexpr std::array<const char*, 6> spellings(MaskSource) {
    return {"", "generation tags", "sentinels", "turn markers", "the row itself", "everything"};
}

// One for each thing that can be said. The spelling is the English text; %1, %2, … are its arguments.
enum class RowRemark {
    kNone,
    // Of a row that was dropped; they complete "line 7 …". Arguments that are quoted are another program's words.
    kAsSaid,
    kUnreadableFromHere,
    kUnreadableWithThoseAfter,
    kTooManyBytes,
    kArrayCutOff,
    kTextAfterArray,
    kOthersBehindList,
    kObjectNeverClosed,
    kQuoteNeverClosed,
    kInvalidUtf8,
    kInvalidUtf8InColumn,
    kZeroByte,
    kZeroByteInColumn,
    kOtherColumns,
    kNestedTooDeep,
    kTooManyFields,
    kJsonEndsEarly, // from here on in the order of JsonFault; %1: the character, %2: what stands there
    kJsonNoValue,
    kJsonNoName,
    kJsonNoColon,
    kJsonNoComma,
    kJsonNoCommaInList,
    kJsonMore,
    kJsonUnquotable,
    kJsonEscape,
    kJsonNumber,
    kNoObject,
    kNoField,
    kFieldNoText,
    kFieldNoList,
    kFieldNoTextNoMessages,
    kFieldEmpty,
    kNoListField,
    kOnlyTextIsTrained,
    kAnswerRejected,
    kHistoryNoPairs,
    kSegmentWithoutText,
    kSegmentLabel,
    kMessageContent,
    kMessagePartNoText,
    kMessageCallsNoList,
    kMessageCallNoObject,
    kMessageTrain,
    kMessageWeight,
    kMessageFieldNoText,
    kMessageRoleUnknown,
    kMessageCallNoJson,
    kMessageCallWithoutName,
    kMessageNoObject,
    kMessageWithoutRole,
    kMessageFunctionCall,
    kMessageWithoutContent,
    kMessageWithout,
    kAssistantSaysNothing,
    kNoPlaceForSystemPrompt,
    kNoPromptToFill,
    kNoAssistantTurn,
    kTemplateWantsTools,
    kRefusedByTemplate,
    kTemplateSpent,
    kOtherNumberOfSpans,
    kOtherNumberOfMarkers,
    kTurnNotPrintedOnce,
    kThoughtNotPrintedOnce,
    kTurnChanged,
    kTurnReadTwoWays,
    kCallNotPrinted,
    kArgumentNotPrinted,
    kAnswerUnclear,
    kAnswerInsideTurn,
    kMarkerSpelledOut,
    kTurnRewritten,
    kRefusedWithTurnsReplaced,
    kTooManyTokens,
    kNoneOfFirstTrained,
    kNothingTrained,
    kLeftOutDuplicate,
    kLeftOutNearDuplicate,
    kLeftOutLeak,
    kLeftOutNearLeak,
    kLeftOutEmptyTurn,
    kLeftOutRow,
    // Of a row that training takes, in whole sentences.
    kSpellsSpecialToken,
    kTurnWithoutEnd,
    kTurnsWithoutEnd,
    kTurnOnlyEnd,
    kTurnsOnlyEnd,
    kNoBos,
    kTwoBos,
    kBecomesPieces,
    // What told a file's format.
    kHasColumn,
    kHasColumns,
    // Why a file of a folder is left out; they complete "it …".
    kHidden,
    kDescribesDataset,
    kTextBesideRows,
    kUnknownEnding,
    kNotInState,
    // Why a run on the data would not be started.
    kNoTrainedTokenAtAll,
    kTooLittleTrained,
    kRowsToLeaveOutGone,
};
constexpr std::array<const char*, 101> spellings(RowRemark) {
    return {
        "",
        "%1",
        "and all after it cannot be read: %1",
        "and %1 after it cannot be read: %2",
        "is longer than 64 MiB",
        "is cut off: the file ends within the array",
        "is followed by more text than the array",
        "and what follows is not read: the file is an object, of which one list holds rows, and others stand behind it",
        "is never closed: the file ends within the object",
        "has a quote that is never closed, or not within 64 MiB",
        "is not valid UTF-8: byte 0x%1 at position %2",
        "is not valid UTF-8: byte 0x%1 at position %2 of column '%3'",
        "holds a zero byte at position %1, as binary files and UTF-16 do",
        "holds a zero byte at position %1 of column '%2', as binary files and UTF-16 do",
        "does not have %1 columns, as the header does, but %2",
        "is nested deeper than %1 levels",
        "has an object of more than %1 fields",
        "is not valid JSON: it ends before a bracket or a quote is closed",
        "is not valid JSON: at character %1 stands %2, where a value should begin",
        "is not valid JSON: at character %1 stands %2, where a field's name in double quotes should",
        "is not valid JSON: at character %1 stands %2, where a ':' should follow the field's name",
        "is not valid JSON: at character %1 stands %2, where a ',' or a '}' should",
        "is not valid JSON: at character %1 stands %2, where a ',' or a ']' should",
        "is not valid JSON: at character %1 stands %2, behind the row's end",
        "is not valid JSON: at character %1 stands %2 within quotes, where it has to be written with a backslash (\\n, "
        "\\t)",
        "is not valid JSON: at character %1 begins an escape that JSON does not have",
        "is not valid JSON: at character %1 begins a number that is too large",
        "is not a JSON object",
        "has no field '%1'",
        "has a field '%1' that is not a string",
        "has a field '%1' that is not a list",
        "has a field '%1' that is neither a string nor messages",
        "has a field '%1' that is empty",
        "has no list '%1'",
        "has '%1': only text can be trained on",
        "has '%1': false, so its answer is one not to learn",
        "has a 'history' whose items are not pairs of strings",
        "has a segment %1 without a string 'text'",
        "has a segment %1 whose 'label' is neither true nor false",
        "has a message %1 whose content is neither a string nor a list of parts",
        "has a message %1 with a part that is not text",
        "has a message %1 whose tool_calls are not a list",
        "has a message %1 with a tool call that is not an object",
        "has a message %1 whose 'train' is neither true nor false",
        "has a message %1 whose '%2' is neither 0 nor 1",
        "has a message %1 whose '%2' is not a string",
        "has a message %1 from '%2', which is no role that we know",
        "has a message %1 with a function call that is not JSON",
        "has a message %1 with a function call without a name",
        "has a message %1 that is not an object",
        "has a message %1 without a role",
        "has a message %1 with the outdated 'function_call'; use 'tool_calls'",
        "has a message %1 without content",
        "has a message %1 without '%2'",
        "has an assistant's turn (message %1) that says nothing",
        "is plain text, which has no place for a system prompt (data.system_prompt)",
        "is of a format that has no prompt to fill in (data.prompt_template)",
        "has no assistant's turn",
        "is refused by the chat template, which asks for tools: give the row a field 'tools', [] where it has none",
        "is refused by the chat template: %1",
        "takes too long: %1",
        "cannot be masked turn by turn: the chat template marks %1 spans for %2 turns of the assistant",
        "cannot be masked: '%1' (data.turn_begin) stands %2 times in its text, but the assistant has %3 turns",
        "cannot be masked: the chat template does not print the assistant's turn once, in its place (message %1)",
        "cannot be masked: the chat template does not print the assistant's thought once, before its answer "
        "(message %1)",
        "cannot be masked: the chat template changes what stands around the assistant's turn (message %1)",
        "cannot be masked: the chat template can be read in two ways around the assistant's turn (message %1)",
        "cannot be masked: the chat template does not print the assistant's tool call (message %1)",
        "cannot be masked: the chat template does not print what the assistant calls a tool with (message %1)",
        "cannot be masked: where the chat template prints a tool's answer cannot be told (message %1)",
        "cannot be masked: the chat template prints a tool's answer within the assistant's turn, and no end before it",
        "cannot be masked: message %1 spells out '%2', and where it stands in the text cannot be told",
        "cannot be masked: the chat template rewrites the assistant's turn (message %1)",
        "cannot be masked: with its turns replaced, it %1",
        "has %1 tokens, more than %2",
        "has %1 tokens, and none of the first %2 is trained",
        "has no trained token",
        "is left out: the same as row %1 of '%2'",
        "is left out: nearly the same as row %1 of '%2'",
        "is left out: to validate on, and the same as row %1 of '%2'",
        "is left out: to validate on, and nearly the same as row %1 of '%2'",
        "is left out: it has a message that says nothing",
        "is left out: it was chosen itself",
        "Message %1 spells out %2, which becomes the special token itself.",
        "%1 of the trained turns has no special token at the end: the model does not learn to stop.",
        "%1 of the trained turns have no special token at the end: the model does not learn to stop.",
        "%1 of the trained turns has nothing but its end: the model learns to say nothing.",
        "%1 of the trained turns have nothing but their ends: the model learns to say nothing.",
        "The text has no %1 at its start, which the tokenizer puts before other texts.",
        "The text starts with two %1.",
        "The text becomes %1 pieces of at most %2 tokens; each but the first begins with %3 of the one before, as "
        "context.",
        "it has '%1'",
        "it has '%1' and '%2'",
        "is hidden",
        "describes a data set",
        "is a text beside files with rows",
        "has an ending that we do not know",
        "is not among the data files that its folder's state.json lists",
        "There is no trained token in the data.",
        "Only %1 of %2 tokens (%3 %) would be trained, less than %4 %.",
        "%1 of the rows to leave out (data.leave_out_rows) stand no longer in the data, '%2' for one."};
}

using Remark = CodedText<RowRemark>;

} // namespace roundpipe::session
