// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/facts/example.h"

#include "data/encode/spans/token_mask.h"

namespace roundpipe::data {

int64_t Example::numTrained() const {
    return numTrainedOf(trained);
}

} // namespace roundpipe::data
