// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

#include "kernels/random.h"

namespace roundpipe::kernels {

// Inputs stay away from zero, so that one differing bit of the mask is an error far beyond the tolerance.
void addDropout(Cases& cases) {
    const std::vector<int64_t> starts = {0, 4, 4, 9, 40}, examples = {12, 99, int64_t{1} << 40, 3};
    std::vector<int64_t> positions, keys;
    for (int64_t t = 0; t < 40; ++t) {
        positions.push_back(t % 7);
        keys.push_back(static_cast<int64_t>(mixKey(static_cast<uint64_t>(t), 1, 2, 3)));
    }
    cases.add("makeRowKeys", 0,
              {Cases::integers(examples, OperandKind::kInt64), Cases::integers(starts), Cases::integers(positions),
               Cases::output({1, 40, 0}, OperandKind::kInt64)},
              [](const Target& target, const std::vector<Matrix>& m) {
                  makeRowKeys(target, 7, 123456789012, static_cast<const int64_t*>(m[0].data),
                              static_cast<const int32_t*>(m[1].data), 4, static_cast<const int32_t*>(m[2].data), 40,
                              static_cast<uint64_t*>(m[3].data));
              });
    for (const Size size : {Size{40, 1, 0}, Size{40, 127, 2}, Size{40, 256, 0}}) {
        CaseOperand x = cases.random(size, 1);
        std::vector<double> values = x.values;
        for (double& value : values)
            value = value < 0 ? value - 0.5 : value + 0.5;
        cases.add("dropout" + size.name(), 1,
                  {cases.given(size, values), Cases::integers(keys, OperandKind::kInt64), Cases::output(size)},
                  [](const Target& target, const std::vector<Matrix>& m) {
                      dropout(target, m[0], static_cast<const uint64_t*>(m[1].data), 0xABCDEF, 0.3, m[2]);
                  });
    }
}

} // namespace roundpipe::kernels
