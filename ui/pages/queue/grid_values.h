// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a grid as they are typed: "8; 16; 32".
#pragma once

#include "session/spec/run_spec_fields.h"

#include <QLocale>
#include <QString>

#include <vector>

namespace roundpipe::ui::pages {

// Semicolons stand between values, and commas, but for one between digits in a language that writes 0,5. Of lists the
// parts of a value have + between. Throws kInvalidInput, naming the field, where a value is none.
std::vector<session::FieldValue> gridValuesOf(const session::Field& field, const QString& typed,
                                              const QLocale& locale = QLocale());

} // namespace roundpipe::ui::pages
