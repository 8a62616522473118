// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a layer is updated on the host, beside how fast its memory copies: tests/bench/update_rate [MILLION
// ELEMENTS]. Bytes are those that the arrays have, read and written; what processors read only to write it over is not
// counted.
#include "optim/adamw.h"
#include "optim/clipping.h"
#include "optim/passes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace roundpipe;

constexpr int kTimes = 5;

// The best of a few.
double secondsOf(const std::function<void()>& work) {
    double best = 1e9;
    for (int time = 0; time < kTimes; ++time) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void print(const std::string& what, double seconds, int64_t count, int64_t bytesPerElement) {
    std::printf("  %-52s %6.3f ns an element  %2lld bytes  %6.1f GB/s\n", what.c_str(),
                seconds / static_cast<double>(count) * 1e9, static_cast<long long>(bytesPerElement),
                static_cast<double>(bytesPerElement * count) / seconds * 1e-9);
}

void measure(int64_t count, int numThreads) {
    ThreadTeam team(numThreads);
    std::printf("%d threads\n", numThreads);
    const auto size = static_cast<std::size_t>(count);
    std::vector<float> masters(size, 1.0F), gradients(size, 1e-3F), version(size);
    std::vector<uint16_t> halfGradients(size, 0x3a83);
    const std::vector<optim::LayerParameters> layers{{count}};
    print("copy", secondsOf([&] {
              team.split(count, 65536, [&](int64_t begin, int64_t end) {
                  std::memcpy(version.data() + begin, gradients.data() + begin,
                              static_cast<std::size_t>(end - begin) * 4);
              });
          }),
          count, 8);
    const auto update = [&](DType gradientType, DType versionType, DType momentType) {
        optim::AdamW adamw({}, DType::kF32, momentType, layers);
        const void* from = gradientType == DType::kF32 ? static_cast<const void*>(gradients.data())
                                                       : static_cast<const void*>(halfGradients.data());
        const double seconds = secondsOf([&] {
            adamw.update(LayerId(0), {masters.data(), from, gradientType, version.data(), versionType}, {1e-6, 1, 1},
                         team);
        });
        print(std::string("AdamW, gradients ") + toString(gradientType) + ", version " + toString(versionType) +
                  ", moments " + toString(momentType),
              seconds, count,
              static_cast<int64_t>(8 + 4 * sizeOf(momentType) + sizeOf(gradientType) + sizeOf(versionType)));
    };
    update(DType::kF32, DType::kF32, DType::kF32);
    update(DType::kF32, DType::kBF16, DType::kF32);
    update(DType::kBF16, DType::kBF16, DType::kF32);
    update(DType::kBF16, DType::kBF16, DType::kBF16);
    print("sum of squares F32", secondsOf([&] { optim::sumOfSquares(DType::kF32, gradients.data(), count, team); }),
          count, 4);
    print("sum of squares BF16",
          secondsOf([&] { optim::sumOfSquares(DType::kBF16, halfGradients.data(), count, team); }), count, 2);
}

// In the cache: what the instructions take.
void measureLevels() {
    constexpr int64_t kCount = 8192;
    std::printf("one thread, in the cache\n");
    std::vector<float> masters(kCount, 1.0F), first(kCount), second(kCount), gradients(kCount, 1e-3F), version(kCount);
    const optim::AdamWArrays arrays{DType::kF32, masters.data(),   first.data(), second.data(),  DType::kF32,
                                    0,           gradients.data(), DType::kF32,  version.data(), DType::kBF16};
    for (const optim::Passes* by : optim::passesHere())
        print(by->name, secondsOf([&] {
                  for (int time = 0; time < 1000; ++time)
                      by->adamw({1, 0.1, 0.999, 0.001, 1e-6, 1, 1e-8, 1}, arrays, 0, kCount);
              }),
              kCount * 1000, 30);
}

} // namespace

int main(int argc, char** argv) {
    const int64_t count = (argc > 1 ? std::atoll(argv[1]) : 64) * 1'000'000;
    measureLevels();
    const int most = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    for (int numThreads = 1; numThreads < most; numThreads *= 2)
        measure(count, numThreads);
    measure(count, most);
}
