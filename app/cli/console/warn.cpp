// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/warn.h"

#include <cstdio>

namespace roundpipe::cli {

void warn(const std::vector<session::SpecRemark>& remarks) {
    for (const session::SpecRemark& remark : remarks)
        std::fprintf(stderr, "warning: %s\n", remark.text.text().c_str());
}

} // namespace roundpipe::cli
