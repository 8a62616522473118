// Why a row is not trained on. Nothing is dropped in silence: every dropped row is listed with its reason.
#pragma once

#include <stdexcept>
#include <string>

namespace roundpipe::data {

enum class DropReason {
    kBadRow,         // not JSON, or not the fields of its format
    kNoAssistant,    // nobody to learn from
    kTemplate,       // the chat template refuses the conversation
    kMask,           // what the assistant wrote cannot be told from the rest
    kNoTrainedToken, // nothing is left to train, after cutting to the length
    kTooLong,        // longer than the limit, and dropping was chosen
};
inline constexpr int kNumDropReasons = 6;
const char* toString(DropReason reason); // "bad row", "no assistant turn", …

// What can be done about rows that are dropped for it; empty where the rows themselves have to change.
const char* adviceFor(DropReason reason);

// Drops one row; never fatal by itself. `what()` completes "line 7 …".
class RowProblem : public std::runtime_error {
public:
    RowProblem(DropReason reason, const std::string& what) : std::runtime_error(what), m_reason(reason) {}
    DropReason reason() const { return m_reason; }

private:
    DropReason m_reason;
};

} // namespace roundpipe::data
