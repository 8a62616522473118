// SPDX-License-Identifier: GPL-3.0-or-later
// A product of one shape, and the kernels of cuBLASLt that could compute it. Internal to the folder.
#pragma once

#include "base/matrix.h"
#include "model/compute/kernel_trials.h"

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::model {

constexpr std::size_t kCublasWorkspaceBytes = std::size_t{32} << 20; // NVIDIA's advice for Hopper, and LibTorch's

// Throws kDevice with what failed `doing`, and what to do.
void checkCublas(cublasStatus_t status, const char* doing);

// Of what a matrix looks like, all that the choice of a kernel depends on.
struct MatrixShape {
    DType dtype = DType::kF32;
    bool transposed = false;
    int64_t rows = 0, cols = 0, pitch = 0;
    int64_t alignment = 0; // of its address, 256 at most

    MatrixShape() = default;
    MatrixShape(const Matrix& matrix, bool isTransposed);
    bool operator==(const MatrixShape&) const = default;
};

struct ProductShape {
    MatrixShape a, b, out;
    bool hasBias = false;
    bool hasScales = false; // of rows of a and of bᵀ
    bool operator==(const ProductShape&) const = default;

    int64_t inner() const { return a.transposed ? a.rows : a.cols; }
    double multiplications() const {
        return static_cast<double>(out.rows) * static_cast<double>(out.cols) * static_cast<double>(inner());
    }
};

struct HashOfShape {
    std::size_t operator()(const ProductShape& shape) const;
};

// What one product is computed from and to. Null bias and scales: none.
struct ProductArrays {
    const void *a = nullptr, *b = nullptr, *bias = nullptr;
    const float *scalesOfA = nullptr, *scalesOfB = nullptr;
    void* out = nullptr;
    float alpha = 1, beta = 0;
};

// outᵀ = bᵀ aᵀ of a shape: cuBLAS's columns are rows of ours. One thread.
class CublasKernel {
public:
    // Looks for up to `mostKinds` kernels that add up in one order by what cuBLASLt says of them (the same algorithm,
    // sums in one part); the first is cuBLAS's own choice.
    CublasKernel(cublasLtHandle_t handle, const ProductShape& shape, int mostKinds);

    bool isThere() const { return !m_kinds.empty(); }
    std::span<const KernelKind> kinds() const { return m_kinds; }

    void run(cublasLtHandle_t handle, std::size_t kind, const ProductArrays& arrays, void* workspace,
             cudaStream_t stream);
    // The corner of a product, its first rows and columns (kCornerSide of each at most), by one of the kinds, to dense
    // memory of kCornerBytes. False where that kernel cannot.
    bool runCorner(cublasLtHandle_t handle, std::size_t kind, const ProductArrays& arrays, void* corner,
                   void* workspace, std::size_t workspaceBytes, cudaStream_t stream);

    static constexpr int64_t kCornerSide = 128;
    static constexpr std::size_t kCornerBytes = kCornerSide * kCornerSide * sizeof(float);

private:
    template <class T>
    void set(cublasLtMatmulDescAttributes_t what, T value);
    void setPointers(const ProductArrays& arrays);
    void choose(cublasLtHandle_t handle, int mostKinds);

    ProductShape m_shape;
    cublasLtMatmulDescOpaque_t m_product;
    cublasLtMatrixLayoutOpaque_t m_a, m_b, m_out;
    std::vector<cublasLtMatmulAlgo_t> m_algorithms;
    std::vector<KernelKind> m_kinds; // of these
};

} // namespace roundpipe::model
