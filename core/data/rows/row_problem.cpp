#include "data/rows/row_problem.h"

namespace roundpipe::data {

const char* toString(DropReason reason) {
    switch (reason) {
    case DropReason::kBadRow:
        return "bad row";
    case DropReason::kNoAssistant:
        return "no assistant turn";
    case DropReason::kTemplate:
        return "refused by the chat template";
    case DropReason::kMask:
        return "assistant's tokens unclear";
    case DropReason::kNoTrainedToken:
        return "no trained token";
    case DropReason::kTooLong:
        return "too long";
    }
    return "";
}

const char* adviceFor(DropReason reason) {
    if (reason != DropReason::kMask) return "";
    return "Give a template with {% generation %} tags (--chat-template), or the texts that stand around the "
           "assistant's "
           "turns (data.turn_begin and data.turn_end), or train on all tokens (data.train_on: all).";
}

} // namespace roundpipe::data
