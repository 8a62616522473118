// SPDX-License-Identifier: GPL-3.0-or-later
// A look at the first rows, while nobody knows yet whether the cache has them all. Internal to this folder.
#pragma once

#include "data/store/tokens/tokenised.h"

namespace roundpipe::data {

// Shows some hundred rows of the first file to the visitor, as tokenise() would, in a fraction of a second: fewer where
// they are long. None of a file that has none, or cannot be read: that is for tokenise() to say.
void showFirstRows(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                   RowVisitor& visitor);

} // namespace roundpipe::data
