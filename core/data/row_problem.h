// SPDX-License-Identifier: GPL-3.0-or-later
// Why a row is not trained on. Nothing is dropped in silence: every dropped row is listed with its reason.
#pragma once

#include "base/error.h"
#include "session/row_remark.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace roundpipe::data {

using session::DropReason;
using session::Remark;
using session::RowRemark;

// Of a whole file, which has no rows, or by its first ones a format that we do not know: to whoever only looks at data,
// the same as one of which no row can be used.
class NothingUsable : public Error {
public:
    NothingUsable(ErrorKind kind, std::string message, std::string advice = {})
        : Error(kind, std::move(message), std::move(advice)) {}
};

// What can be done about rows that are dropped for it; empty where the rows themselves have to change.
const char* adviceFor(DropReason reason);

// Drops one row; never fatal by itself. `what()` completes "line 7 …".
class RowProblem : public std::runtime_error {
public:
    RowProblem(DropReason reason, Remark remark)
        : std::runtime_error(remark.text()), m_reason(reason), m_remark(std::move(remark)) {}
    DropReason reason() const { return m_reason; }
    const Remark& remark() const { return m_remark; }

private:
    DropReason m_reason;
    Remark m_remark;
};

} // namespace roundpipe::data
