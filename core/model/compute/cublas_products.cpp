// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_products.h"

#include "base/error.h"
#include "geometry/layout.h"
#include "model/compute/cublas_kernel.h"
#include "model/compute/cublas_library.h"
#include "model/compute/cublas_trials.h"

#include <ATen/ops/ones.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace roundpipe::model {
namespace {

constexpr std::size_t kKeptKernels = 16384; // of batches that are never as long as one before

// What a thread needs for the products of one stream. Its workspace is the stream's: products of another one may run at
// the same time.
class Products {
public:
    explicit Products(cudaStream_t stream) : m_stream(stream) {
        checkCublas(cublas().create(&m_handle), "starting");
        m_workspace = c10::cuda::CUDACachingAllocator::get()->allocate(kCublasWorkspaceBytes);
    }
    ~Products() { cublas().destroy(m_handle); }
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    bool run(Operand a, Operand b, const void* bias, const Matrix& out, double alpha, double beta) {
        const ProductShape shape{{a.matrix, a.transposed}, {b.matrix, b.transposed}, {out, false}, bias != nullptr};
        Kept& kept = keptOf(shape);
        if (!kept.kernel.isThere()) return false;
        run(kept, shape,
            {.a = a.matrix.data,
             .b = b.matrix.data,
             .bias = bias,
             .out = out.data,
             .alpha = static_cast<float>(alpha),
             .beta = static_cast<float>(beta)});
        return true;
    }

    void runFp8(const Fp8Operand& x, const Fp8Operand& w, const void* bias, const Matrix& out, double beta,
                bool isScaled) {
        const ProductShape shape{{x.codes, false}, {w.codes, true}, {out, false}, bias != nullptr, isScaled};
        Kept& kept = keptOf(shape);
        if (!kept.kernel.isThere())
            throw Error(ErrorKind::kDevice,
                        "cuBLAS has no FP8 product of " + std::to_string(x.codes.rows) + " tokens with weights (" +
                            std::to_string(w.codes.rows) + ", " + std::to_string(w.codes.cols) + ") on this GPU.",
                        "Choose int8 for model.weights, which takes as much memory.");
        run(kept, shape,
            {.a = x.codes.data,
             .b = w.codes.data,
             .bias = bias,
             .scalesOfA = isScaled ? scalesOf(x) : nullptr,
             .scalesOfB = isScaled ? scalesOf(w) : nullptr,
             .out = out.data,
             .beta = static_cast<float>(beta)});
    }

private:
    struct Kept {
        CublasKernel kernel;
        std::optional<std::size_t> kind; // that is taken; none while kernels are tried
    };

    const float* scalesOf(const Fp8Operand& operand) {
        if (operand.scales != nullptr) return operand.scales;
        if (!m_ones.defined() || m_ones.numel() < operand.codes.rows)
            m_ones = at::ones({operand.codes.rows}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
        return m_ones.const_data_ptr<float>();
    }

    Kept& keptOf(const ProductShape& shape) {
        const auto found = m_kernels.find(shape);
        if (found != m_kernels.end()) return found->second;
        if (m_kernels.size() == kKeptKernels) m_kernels.clear();
        Kept kept{CublasKernel(m_handle, shape, isWorthTrying(shape) ? kMostKinds : 1), {}};
        if (kept.kernel.kinds().size() == 1) kept.kind = 0;
        return m_kernels.try_emplace(shape, std::move(kept)).first->second;
    }

    void run(Kept& kept, const ProductShape& shape, const ProductArrays& arrays) {
        if (kept.kind)
            kept.kernel.run(m_handle, *kept.kind, arrays, m_workspace.get(), m_stream);
        else
            kept.kind = m_trials.run(m_handle, kept.kernel, shape, arrays, m_workspace.get(), m_stream);
    }

    cudaStream_t m_stream;
    cublasLtHandle_t m_handle = nullptr;
    at::DataPtr m_workspace;
    at::Tensor m_ones; // of the stream, as the workspace is
    std::unordered_map<ProductShape, Kept, HashOfShape> m_kernels;
    CublasTrials m_trials;
};

Products& productsOf(const Compute& compute) {
    thread_local std::map<std::pair<int, void*>, std::unique_ptr<Products>> all;
    std::unique_ptr<Products>& products = all[{compute.cudaIndex, compute.target.stream}];
    if (!products) products = std::make_unique<Products>(static_cast<cudaStream_t>(compute.target.stream));
    return *products;
}

} // namespace

void cublasFp8Product(const Compute& compute, const Fp8Operand& x, const Fp8Operand& w, const void* bias,
                      const Matrix& out, double beta) {
    productsOf(compute).runFp8(x, w, bias, out, beta, compute.fp8 == Fp8Products::kScaled);
}

bool cublasHasFp8Product(int64_t rows, int64_t outs, int64_t ins, DType out, bool isScaled) {
    // An address for shapes of matrices that do not exist, aligned as columns of FP8 products are at least.
    void* const somewhere = reinterpret_cast<void*>(geometry::kFp8Multiple); // NOLINT(performance-no-int-to-ptr)
    const auto shapeOf = [&](DType dtype, int64_t numRows, int64_t cols, bool isTransposed) {
        return MatrixShape({somewhere, dtype, numRows, cols, cols}, isTransposed);
    };
    cublasLtHandle_t handle = nullptr;
    checkCublas(cublas().create(&handle), "starting");
    bool isThere = true;
    for (const bool hasBias : {false, true}) { // scaled afterwards, there is none in the product
        if (hasBias && !isScaled) continue;
        const ProductShape shape{shapeOf(DType::kU8, rows, ins, false), shapeOf(DType::kU8, outs, ins, true),
                                 shapeOf(out, rows, outs, false), hasBias, isScaled};
        isThere = isThere && CublasKernel(handle, shape, 1).isThere();
    }
    cublas().destroy(handle);
    return isThere;
}

bool cublasProduct(const Compute& compute, Operand a, Operand b, const void* bias, const Matrix& out, double alpha,
                   double beta) {
    const int64_t inner = a.transposed ? a.matrix.rows : a.matrix.cols;
    if (!compute.target.cuda || out.dtype == DType::kF64 || out.rows * out.cols * inner == 0) return false;
    return productsOf(compute).run(a, b, bias, out, alpha, beta);
}

} // namespace roundpipe::model
