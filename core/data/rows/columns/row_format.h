// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of a row mean. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/rows/json/row_json.h"
#include "session/row_remark.h"

#include <string>
#include <vector>

namespace roundpipe::data {

// The row with each mapped field read from its column; a field whose column the row lacks is absent. A column may be a
// path into what it holds: "extra_info.answer", "instances.0.output".
Json withColumns(Json row, const std::vector<session::ColumnChoice>& columns);

// The same, and with the prompt of the settings in its field. Throws RowProblem where the format has none.
Json mappedRow(Json row, const RowFormat& format);

const Json* columnIn(const Json& row, const std::string& path); // as above; null where it has none

struct SniffedFormat {
    RowFormat
        format; // kAuto where the columns are those of no format; else what was wanted, guesses added to `columns`
    session::Remark reason;                       // "it has 'instruction' and 'output'"
    std::string advice;                           // what is wanted, where nothing was found
    std::vector<session::ColumnChoice> suggested; // then: what its columns may be meant as; empty: nothing tells
};

// By the names of the columns and the shape of lists; what is mapped decides before what is not.
SniffedFormat sniffFormat(const Json& row, const RowFormat& wanted);

} // namespace roundpipe::data
