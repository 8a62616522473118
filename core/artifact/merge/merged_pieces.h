// SPDX-License-Identifier: GPL-3.0-or-later
// A merged tensor on its way into a file: rows are made by all processors, a few megabytes at a time, while the piece
// before is written.
#pragma once

#include "artifact/merge/merged_model.h"
#include "artifact/output/put_aside.h"
#include "base/thread_team.h"

#include <functional>

namespace roundpipe::artifact {

using BytesOfRows = std::function<std::size_t(int64_t rows)>;
// `rows` rows of `values` in the file's form; called from several threads.
using EncodeRows = std::function<void(const float* values, int64_t rows, std::byte* into)>;

void putInPieces(const MergedTensor& tensor, PutAside& out, ThreadTeam& team, const BytesOfRows& bytesOf,
                 const EncodeRows& encode);
// The same of rows in another order: row r of the file is row rowAt(r) of the tensor.
void putInPieces(const MergedTensor& tensor, PutAside& out, ThreadTeam& team, const BytesOfRows& bytesOf,
                 const EncodeRows& encode, const std::function<int64_t(int64_t)>& rowAt);

} // namespace roundpipe::artifact
