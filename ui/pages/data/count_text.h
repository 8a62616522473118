// SPDX-License-Identifier: GPL-3.0-or-later
// Counts as people write them: "1,234,567" in English.
#pragma once

#include <QLocale>
#include <QString>

#include <cstdint>

namespace roundpipe::ui::pages {

inline QString countText(int64_t count) {
    return QLocale().toString(static_cast<qlonglong>(count));
}

} // namespace roundpipe::ui::pages
