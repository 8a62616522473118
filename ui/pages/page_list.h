// SPDX-License-Identifier: GPL-3.0-or-later
// All pages of the window, in the order of the rail.
#pragma once

#include "ui/pages/contract/page.h"

namespace roundpipe::ui::pages {

// Owned by whoever gives them a parent.
std::vector<Page*> makePages(const Services& services);

} // namespace roundpipe::ui::pages
