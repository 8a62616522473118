// SPDX-License-Identifier: GPL-3.0-or-later
// Columns whose texts are looked at as bytes: checked in full, a cell that is not UTF-8 costs its row (cell_json.h)
// and not all rows beside it. Only this folder sees Arrow.
#pragma once

#include <arrow/array/data.h>

#include <memory>

namespace roundpipe::columnar {

// The same buffers. A column of a type that cannot be so looked at stays as it is.
std::shared_ptr<arrow::ArrayData> textsAsBytes(const arrow::ArrayData& column);

} // namespace roundpipe::columnar
