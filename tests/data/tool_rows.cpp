// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the rows of tst_tool_conversations, one JSON line each, for tool_reference.py.
#include "random_tool_rows.h"

#include <cstdio>

int main() {
    roundpipe::data::ToolRows rows(roundpipe::data::kToolRowSeed);
    for (int i = 0; i < roundpipe::data::kNumToolRows; ++i)
        std::printf("%s\n", rows.row().row.dump().c_str());
}
