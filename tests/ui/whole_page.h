// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/contract/page.h"

namespace roundpipe::testing {

// A page that comes on show in pieces, with all of them.
inline void showAllOf(ui::pages::Page& page) {
    page.show();
    while (page.prepare()) {
    }
}

} // namespace roundpipe::testing
