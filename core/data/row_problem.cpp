#include "data/row_problem.h"

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

} // namespace roundpipe::data
