// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the Hub or about it, to be read whole and copied.
#pragma once

class QLabel;

namespace roundpipe::ui::hub {

QLabel* wrappedLabel(const char* objectName); // the style's: "dim", "problem"

} // namespace roundpipe::ui::hub
