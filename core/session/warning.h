// What a run warns of, as codes with arguments: the window says it in its user's language.
#pragma once

#include "base/coded_text.h"

#include <array>

namespace roundpipe::session {

enum class WarningCode {
    kNone, // worded where it arose
    kSimulated,
};
constexpr std::array<const char*, 2> spellings(WarningCode) {
    return {"",
            "This run is simulated for %1: times are what the planner predicts, nothing is trained, losses and answers "
            "are made up, nothing is saved."};
}
using Warning = CodedText<WarningCode>;

} // namespace roundpipe::session
