// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/selftest/cases.h"

namespace roundpipe::kernels {

void addLosses(Cases& cases) {
    for (const Size size : {Size{5, 17, 1}, Size{4, 4099, 0}, Size{3, 32000, 32}, Size{6, 256, 0}}) {
        std::vector<int64_t> labels;
        for (int64_t t = 0; t < size.rows; ++t)
            labels.push_back(t == 1 ? -100 : t * 7919 % size.cols);
        for (const double scale : {0.0, 0.125})
            cases.add((scale > 0 ? "crossEntropy with gradient" : "crossEntropy") + size.name(), 2,
                      {Cases::changed(cases.random(size, 10)), Cases::integers(labels),
                       Cases::output({1, size.rows, 0}, OperandKind::kStatistic)},
                      [scale](const Target& target, const std::vector<Matrix>& m) {
                          crossEntropy(target, m[0], static_cast<const int32_t*>(m[1].data), scale, m[2].data);
                      });
    }
    for (const int64_t count : {1, 511, 10007})
        cases.add("sumInto " + std::to_string(count), 1,
                  {cases.random({1, count, 0}, 1, OperandKind::kStatistic),
                   Cases::changed(cases.random({1, 1, 0}, 1, OperandKind::kTotal))},
                  [count](const Target& target, const std::vector<Matrix>& m) {
                      sumInto(target, m[0].data, m[0].dtype, count, static_cast<double*>(m[1].data));
                  });
}

} // namespace roundpipe::kernels
