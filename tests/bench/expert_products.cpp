// SPDX-License-Identifier: GPL-3.0-or-later
// Products of experts on this machine's first GPU beside one dense product of as many rows and the same sizes, in
// bf16: TFLOP/s of both, in turns, medians. The rows are dealt to experts evenly, and as a random router would.
#include "base/dtype.h"
#include "kernels/kernels.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using namespace roundpipe;

namespace {

constexpr int kRepeats = 9, kCalls = 4;

struct Shape {
    const char* name;
    int64_t experts, perToken, tokens, in, out;
};

kernels::Target target() {
    return {true, at::cuda::getCurrentCUDAStream().stream()};
}
Matrix matrixOf(const at::Tensor& tensor, DType dtype) {
    return {tensor.data_ptr(), dtype, tensor.size(0), tensor.size(1), tensor.stride(0)};
}

// Of `rows`, ended by their number.
at::Tensor startsOf(const Shape& shape, bool even) {
    const int64_t rows = shape.tokens * shape.perToken;
    std::vector<int32_t> starts(static_cast<std::size_t>(shape.experts) + 1);
    if (even) {
        for (std::size_t e = 0; e < starts.size(); ++e)
            starts[e] = static_cast<int32_t>(rows * static_cast<int64_t>(e) / shape.experts);
    } else {
        std::mt19937 random(1);
        std::uniform_int_distribution<std::size_t> expert(1, static_cast<std::size_t>(shape.experts));
        for (int64_t row = 0; row < rows; ++row)
            ++starts[expert(random)];
        for (std::size_t e = 1; e < starts.size(); ++e)
            starts[e] += starts[e - 1];
    }
    return at::tensor(starts, at::kInt).cuda();
}

template <class Call>
double milliseconds(Call&& call) {
    at::cuda::CUDAEvent begin(cudaEventDefault), end(cudaEventDefault);
    begin.record();
    for (int i = 0; i < kCalls; ++i)
        call();
    end.record();
    end.synchronize();
    return static_cast<double>(begin.elapsed_time(end)) / kCalls;
}

double medianOf(std::vector<double>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

template <class Experts, class Dense>
void compare(const Shape& shape, const std::string& what, Experts&& experts, Dense&& dense) {
    experts();
    dense();
    std::vector<double> ours, theirs;
    for (int i = 0; i < kRepeats; ++i) {
        ours.push_back(milliseconds(experts));
        theirs.push_back(milliseconds(dense));
    }
    const double flops = 2e-9 * static_cast<double>(shape.tokens * shape.perToken * shape.in * shape.out);
    const double experted = flops / medianOf(ours), densely = flops / medianOf(theirs);
    std::printf("| %s | %s | %.0f | %.0f | %.2f |\n", shape.name, what.c_str(), experted, densely, experted / densely);
    std::fflush(stdout);
}

void measure(const Shape& s) {
    const int64_t rows = s.tokens * s.perToken;
    const auto bf16 = at::device(at::kCUDA).dtype(at::kBFloat16);
    const at::Tensor x = at::randn({rows, s.in}, bf16), y = at::randn({rows, s.out}, bf16);
    const at::Tensor weights = at::randn({s.experts * s.out, s.in}, bf16), one = weights.slice(0, 0, s.out);
    at::Tensor forward = at::empty({rows, s.out}, bf16), backward = at::empty({rows, s.in}, bf16);
    const kernels::ExpertRun run{matrixOf(one, DType::kBF16), s.out * s.in, 0, s.experts};
    for (const bool even : {true, false}) {
        const at::Tensor starts = startsOf(s, even);
        const auto* first = starts.const_data_ptr<int32_t>();
        const std::string dealt = even ? "even" : "random";
        compare(
            s, "x Wt, " + dealt,
            [&] {
                kernels::expertProduct(target(), matrixOf(x, DType::kBF16), first, run, true, 1, false,
                                       matrixOf(forward, DType::kBF16));
            },
            [&] { at::mm_out(forward, x, one.t()); });
        compare(
            s, "dy W, " + dealt,
            [&] {
                kernels::expertProduct(target(), matrixOf(y, DType::kBF16), first, run, false, 1, false,
                                       matrixOf(backward, DType::kBF16));
            },
            [&] { at::mm_out(backward, y, one); });
    }
    // Of all weights at once they take twice as many bytes as the weights themselves.
    at::Tensor gradients = at::empty({s.experts * s.out, s.in}, bf16.dtype(at::kFloat));
    at::Tensor whole = at::empty({s.out, s.in}, bf16);
    const at::Tensor starts = startsOf(s, false);
    const kernels::ExpertRun into{matrixOf(gradients.slice(0, 0, s.out), DType::kF32), s.out * s.in, 0, s.experts};
    compare(
        s, "dyt x, random",
        [&] {
            kernels::expertGradient(target(), matrixOf(y, DType::kBF16), matrixOf(x, DType::kBF16),
                                    starts.const_data_ptr<int32_t>(), 1, false, into);
        },
        [&] { at::mm_out(whole, y.t(), x); });
}

} // namespace

int main() {
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) { // which nothing here is linked to
        std::fprintf(stderr, "expert_products: %s\n", dlerror());
        return 1;
    }
    std::printf("| experts of | product | TFLOP/s | dense | of it |\n|---|---|---|---|---|\n");
    for (const Shape& shape : {Shape{"Qwen3-30B-A3B", 128, 8, 8192, 2048, 768},
                               {"Qwen3-235B-A22B", 128, 8, 8192, 4096, 1536},
                               {"gpt-oss-20b", 32, 4, 8192, 2880, 5760},
                               {"Mixtral-8x7B", 8, 2, 8192, 4096, 14336}})
        measure(shape);
}
