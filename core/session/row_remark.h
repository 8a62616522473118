// SPDX-License-Identifier: GPL-3.0-or-later
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
    kCallLost,       // the chat template does not print a tool call: silence would be learnt in its place
};
constexpr std::array<const char*, 9> spellings(DropReason) {
    return {"bad row",
            "no assistant turn",
            "refused by the chat template",
            "assistant's tokens unclear",
            "no trained token",
            "too long",
            "left out by choice",
            "rejected answer",
            "tool call not printed"};
}
// Of several such rows: "3 bad rows".
constexpr const char* manyOf(DropReason reason) {
    switch (reason) {
    case DropReason::kBadRow:
        return "bad rows";
    case DropReason::kRejected:
        return "rejected answers";
    case DropReason::kCallLost:
        return "tool calls not printed";
    default:
        return spellings(reason)[static_cast<std::size_t>(reason)];
    }
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
    kOthersBesideList,
    kObjectNeverClosed,
    kQuoteNeverClosed,
    kInvalidUtf8,
    kInvalidUtf8InColumn,
    kZeroByte,
    kZeroByteInColumn,
    kOtherColumns,
    kEscapedQuote,
    kTextBehindQuote,
    kNestedTooDeep,
    kTooManyFields,
    kJsonEndsEarly, // from here on in the order of JsonFault; %1: the character of the line, %2: what stands there
    kJsonNoValue,
    kJsonNoName,
    kJsonNoColon,
    kJsonNoComma,
    kJsonNoCommaInList,
    kJsonMore,
    kJsonUnquotable,
    kJsonEscape,
    kJsonNumber,
    kJsonComment,
    kJsonNoValueInLine, // the same of a row of several lines; %1: the line, from the row's first one
    kJsonNoNameInLine,
    kJsonNoColonInLine,
    kJsonNoCommaInLine,
    kJsonNoCommaInListInLine,
    kJsonMoreInLine,
    kJsonUnquotableInLine,
    kJsonEscapeInLine,
    kJsonNumberInLine,
    kJsonCommentInLine,
    kNoObject,
    kNoField,
    kFieldNoText,
    kFieldNoList,
    kFieldNoJson,
    kFieldNoTextNoMessages,
    kFieldEmpty,
    kFieldTwice,
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
    kMessageArgumentsNoJson,
    kMessageArgumentsNoObject,
    kMessageTrain,
    kMessageWeight,
    kMessageFieldNoText,
    kMessageTwoThoughts,
    kMessageThoughtBehind,
    kMessageTextBehindCall,
    kMessageThoughtOpen,
    kMessageThoughtEnds,
    kMessageRoleUnknown,
    kMessageCallNoJson,
    kMessageCallWithoutName,
    kMessageCallTwice,
    kMessageCallNotUnderstood,
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
    kTextTooLong,
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
    kSpellsMark,
    kEndsWithMark,
    kTurnWithoutEnd,
    kTurnsWithoutEnd,
    kTurnOnlyEnd,
    kTurnsOnlyEnd,
    kNoBos,
    kTwoBos,
    kBecomesPieces,
    kThoughtsOfLeftOut,
    kTextsOfLeftOut,
    kToolsOfLeftOut,
    kSystemOfLeftOut,
    kColumnsOfNotRead,
    kContradictionOf,
    kThoughtOpenOf,
    kAnswerSplitOf,
    kCallInWordsOf,
    kNotSplitOf,
    kDelimiterIdleOf,
    kHeaderIdleOf,
    kNoTemplateHere,
    kIsRenderedChat,
    kIsChatOfOtherForm,
    kIsChatWithoutEnds,
    kIsChatWithForeignEnd,
    kIsPromptOfOtherForm,
    // Of rows that training takes, but not all of them: they complete "not used: …".
    kThoughtsLeftOut,
    kTextsLeftOut,
    kToolsLeftOut,
    kSystemsLeftOut,
    kTagsLeftOut,
    kContradictionsLeftOut,
    kThoughtsLeftOpen,
    kAnswersSplit,
    kCallsInWords,
    kMarksAsLetters,
    kNotSplit,
    kDelimiterIdle,
    kHeaderIdle,
    kPromptsWithoutTemplate,
    kTextsWithoutTemplate,
    kRenderedChats,
    kChatsOfOtherForm,
    kChatsWithoutEnds,
    kChatsWithForeignEnd,
    kPromptsOfOtherForm,
    // What told a file's format.
    kHasColumn,
    kHasColumns,
    // Why a file of a folder is left out; they complete "it …".
    kHidden,
    kDescribesDataset,
    kTextBesideRows,
    kUnknownEnding,
    kNotInState,
    kEmptyFile,
    kForTesting,
    kOtherValidation,
    // Why a run on the data would not be started.
    kNoTrainedTokenAtAll,
    kTooLittleTrained,
    kRowsToLeaveOutGone,
};
constexpr std::array<const char*, 169> spellings(RowRemark) {
    return {
        "",
        "%1",
        "and all after it cannot be read: %1",
        "and %1 after it cannot be read: %2",
        "is longer than 64 MiB: a row is an object on a line, or in a list",
        "is cut off: the file ends within the array",
        "is followed by more text than the array",
        "and others are not read: the file is an object, of which one list holds rows, and others stand beside it",
        "is never closed: the file ends within the object",
        "has a quote that is never closed, or not within 64 MiB",
        "is not valid UTF-8: byte 0x%1 at position %2; save the file as UTF-8",
        "is not valid UTF-8: byte 0x%1 at position %2 of column '%3'; save the file as UTF-8",
        "holds a zero byte at position %1, as binary files and UTF-16 do",
        "holds a zero byte at position %1 of column '%2', as binary files and UTF-16 do",
        "has another number of columns (%2) than the header (%1); a cell that holds the delimiter stands in quotes",
        "has quotes in column %1 that are written with a backslash; CSV writes them twice",
        "has text behind the closing quote of column %1; a cell with quotes in it stands in quotes, and each of them "
        "is "
        "written twice",
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
        "has a number that is too large, %2 at character %1; in quotes it is a text",
        "is not valid JSON: at character %1 begins a comment, which JSON does not have",
        "is not valid JSON: in its line %1, at character %2, stands %3, where a value should begin",
        "is not valid JSON: in its line %1, at character %2, stands %3, where a field's name in double quotes should",
        "is not valid JSON: in its line %1, at character %2, stands %3, where a ':' should follow the field's name",
        "is not valid JSON: in its line %1, at character %2, stands %3, where a ',' or a '}' should",
        "is not valid JSON: in its line %1, at character %2, stands %3, where a ',' or a ']' should",
        "is not valid JSON: in its line %1, at character %2, stands %3, behind the row's end",
        "is not valid JSON: in its line %1, at character %2, stands %3 within quotes, where it has to be written with "
        "a "
        "backslash (\\n, \\t)",
        "is not valid JSON: in its line %1, at character %2, begins an escape that JSON does not have",
        "has a number that is too large, %3 in its line %1, at character %2; in quotes it is a text",
        "is not valid JSON: in its line %1, at character %2, begins a comment, which JSON does not have",
        "is not a JSON object",
        "has no field '%1'",
        "has a field '%1' that is not a string",
        "has a field '%1' that is not a list",
        "has a field '%1' that is not valid JSON from character %2 on",
        "has a field '%1' that is neither a string nor messages",
        "has a field '%1' that is empty",
        "has two fields '%1' that say different things; keep one of them",
        "has no list '%1'",
        "has '%1': only text can be trained on",
        "has '%1': %2, so its answer is one not to learn",
        "has a 'history' whose items are not pairs of strings",
        "has a segment %1 without a string 'text'",
        "has a segment %1 whose 'label' is neither true nor false",
        "has a message %1 whose content is neither a string nor a list of parts",
        "has a message %1 with a part that is not text",
        "has a message %1 whose tool_calls are not a list",
        "has a message %1 with a tool call that is not an object",
        "has a message %1 with a tool call whose arguments are not valid JSON from character %2 on; where there are "
        "none, they are {}",
        "has a message %1 with a tool call whose arguments are %2, not an object of their names and values; where "
        "there "
        "are none, they are {}",
        "has a message %1 whose 'train' is neither true nor false",
        "has a message %1 whose '%2' is neither 0 nor 1",
        "has a message %1 whose '%2' is not a string",
        "has a message %1 with two different thoughts, one in '%2' and one in '%3'; keep one of them",
        "has a message %1 with a thought behind other parts of its content; a thought stands before them",
        "has a message %1 with a text behind a call of a tool; give the text a message of its own",
        "has a message %1 with a thought that is never closed: a %2 and no %3 behind it",
        "has a message %1 with a '%2' in its '%3', where the thought would end; what is behind it is the content",
        "has a message %1 from '%2', which is no role that we know",
        "has a message %1 with a function call that is not valid JSON from character %2 on",
        "has a message %1 with a function call without a name",
        "has a message %1 with a tool call that says two things, in '%2' and in '%3'; keep one of them",
        "has a message %1 with a tool call without 'arguments', but with '%2', which is not understood; what the "
        "function "
        "is given stands in 'arguments', {} where it is given nothing",
        "has a message %1 that is not an object",
        "has a message %1 without a role",
        "has a message %1 with the outdated 'function_call'; use 'tool_calls'",
        "has a message %1 without content",
        "has a message %1 without '%2'",
        "has an assistant's turn (message %1) that says nothing",
        "is plain text, which has no place for a system prompt (data.system_prompt)",
        "is of a format that has no prompt to fill in (data.prompt_template)",
        "has no assistant's turn, but turns of: %1",
        "is refused by the chat template, which asks for tools: give the row a field 'tools', [] where it has none",
        "is refused by the chat template: %1",
        "takes too long: %1",
        "is too long for the model's tokenizer, which takes such a text only as a whole: split it into several rows",
        "cannot be masked turn by turn: the chat template marks %1 spans for %2 turns of the assistant",
        "cannot be masked: '%1' (data.turn_begin) stands %2 times in its text, but the assistant has %3 turns",
        "cannot be masked: the chat template does not print the assistant's turn once, in its place (message %1)",
        "cannot be masked: the chat template does not print the assistant's thought once, before its answer "
        "(message %1)",
        "cannot be masked: the chat template changes what stands around the assistant's turn (message %1)",
        "cannot be masked: the chat template can be read in two ways around the assistant's turn (message %1)",
        "has a tool call that the chat template does not print (message %1)",
        "has a tool call whose arguments the chat template does not print (message %1)",
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
        "Message %1 spells out %2, a mark of other models' chat templates: this model has no such token and takes it "
        "as letters.",
        "The text ends with %1, as other models end their turns: this model has no such token and takes it as letters.",
        "%1 of the trained turns has no special token at the end: the model does not learn to stop.",
        "%1 of the trained turns have no special token at the end: the model does not learn to stop.",
        "%1 of the trained turns has nothing but its end: the model learns to say nothing.",
        "%1 of the trained turns have nothing but their ends: the model learns to say nothing.",
        "The text has no %1 at its start, which the tokenizer puts before other texts.",
        "The text starts with two %1.",
        "The text becomes %1 pieces of at most %2 tokens; each but the first begins with %3 of the one before, as "
        "context.",
        "Not used: thoughts, as the chat template does not print them (message %1).",
        "Not used: texts, as the chat template does not print them (message %1).",
        "Not used: the tools, as the chat template does not print them.",
        "Not used: the system's words of the row's column, as its messages begin with words of the system.",
        "Not used: columns that nothing reads: %1.",
        "Not used: what stands beside 'role' or 'content' under another name, and says something else (message %1).",
        "Not used: <think> or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as "
        "the "
        "answer (message %1).",
        "Not used: </think> as words of an answer, as the chat template takes what stands before it as a thought "
        "(message %1).",
        "Not used: a call written out in words, as the same call stands in 'tool_calls': both are trained (message "
        "%1).",
        "Not used: splitting (data.over_length), as a part of the row is not trained: it is cut off.",
        "Not used: data.delimiter, as the row stands in no CSV or TSV file.",
        "Not used: data.header, as the row stands in no CSV or TSV file.",
        "Not used: the model's chat template, as the row is plain text.",
        "Not used: the turns of a chat that is rendered already, as all of its text is trained. To train the answers "
        "alone, set data.turn_begin to '%1' and data.turn_end to '%2'.",
        "Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. To "
        "train the answers alone, set data.turn_begin to '%2' and data.turn_end to '%3'.",
        "Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. Of "
        "its "
        "answers only the last has an end, that of the text: to train it alone, set data.turn_begin to '%2', "
        "data.turn_end "
        "to '%3' and data.train_on to 'last-assistant'.",
        "Not used: the turns of a chat that is rendered already, in the form of %1, as all of its text is trained. It "
        "ends with %2, which this model takes as letters, so no setting trains its answers with an end: give the chat "
        "as messages to a model with a chat template.",
        "Not used: the model's chat template, as the prompt is rendered already, in the form of %1.",
        "thoughts, as the chat template does not print them",
        "texts, such as those beside tool calls, as the chat template does not print them",
        "tools, as the chat template does not print them",
        "the system's words of a column, as the messages beside it begin with words of the system",
        "labels that do not say whether the answer is a good one, though those of other rows do; such rows are trained",
        "what stands beside a message's 'role' or 'content' under another name, and says something else",
        "<think> or [THINK] as the beginning of a thought, as nothing closes it; what follows is trained as the answer",
        "</think> as words of an answer, as the chat template takes what stands before it as a thought",
        "calls written out in words, as the same calls stand in 'tool_calls': both are trained",
        "marks of other models' chat templates, such as [INST] or </s>, as this model has no such tokens and takes "
        "them as letters",
        "splitting (data.over_length), as a part of each of these rows is not trained: they are cut off",
        "data.delimiter, as the rows stand in no CSV or TSV file",
        "data.header, as the rows stand in no CSV or TSV file",
        "the model's chat template, as prompt and completion are plain text; to make chats of them, set data.format to "
        "'alpaca' and data.columns to '%1'",
        "the model's chat template, as the rows are plain text",
        "the turns of chats that are rendered already, as all of their text is trained; to train the answers alone, "
        "set data.turn_begin to '%1' and data.turn_end to '%2'",
        "the turns of chats that are rendered already, in the form of %1, as all of their text is trained; to train "
        "the answers alone, set data.turn_begin to '%2' and data.turn_end to '%3'; a model with a chat template of its "
        "own is better given the chats as messages",
        "the turns of chats that are rendered already, in the form of %1, as all of their text is trained; of their "
        "answers "
        "only the last has an end, that of the text: to train it alone, set data.turn_begin to '%2', data.turn_end to "
        "'%3' "
        "and data.train_on to 'last-assistant', or give the chats as messages to a model with a chat template",
        "the turns of chats that are rendered already, in the form of %1, as all of their text is trained; they end "
        "with another model's mark of an end, which this model takes as letters, so no setting trains their answers "
        "with an end: give the chats as messages to a model with a chat template",
        "the model's chat template, as the prompts are rendered already, in the form of %1",
        "it has '%1'",
        "it has '%1' and '%2'",
        "is hidden",
        "describes a data set",
        "is a text beside files with rows",
        "has an ending that we do not know",
        "is not among the data files that its folder's state.json lists",
        "is empty",
        "is for testing, by its name",
        "is for validation, by its name, and data.validation_file names another",
        "There is no trained token in the data.",
        "Only %1 of %2 tokens (%3 %) would be trained, less than %4 %.",
        "%1 of the rows to leave out (data.leave_out_rows) stand no longer in the data, '%2' for one."};
}

using Remark = CodedText<RowRemark>;

} // namespace roundpipe::session
