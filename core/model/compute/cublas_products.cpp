// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_products.h"

#include "base/error.h"
#include "base/units.h"
#include "geometry/layout.h"
#include "model/compute/cublas_library.h"

#include <ATen/ops/ones.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace roundpipe::model {
namespace {

constexpr std::size_t kWorkspaceBytes = 32 * kMiB; // what NVIDIA advises for Hopper, and LibTorch takes
constexpr std::size_t kKeptKernels = 16384;        // of batches that are never as long as one before

void check(cublasStatus_t status, const char* doing) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(ErrorKind::kDevice, std::string("cuBLAS failed: ") + doing + ": " + cublas().statusText(status),
                "This is a fault of the GPU, its driver or its libraries. Run 'roundpipe selftest', and "
                "packaging/setup again.");
}

// An address for shapes of matrices that do not exist, aligned as columns of FP8 products are at least.
void* const kSomewhere = reinterpret_cast<void*>(geometry::kFp8Multiple); // NOLINT(performance-no-int-to-ptr)

cudaDataType_t typeOf(DType dtype) {
    switch (dtype) {
    case DType::kBF16:
        return CUDA_R_16BF;
    case DType::kF16:
        return CUDA_R_16F;
    case DType::kU8: // codes
        return CUDA_R_8F_E4M3;
    default:
        return CUDA_R_32F;
    }
}

// Of what a matrix looks like, all that the choice of a kernel depends on.
struct Shape {
    DType dtype = DType::kF32;
    bool transposed = false;
    int64_t rows = 0, cols = 0, pitch = 0;
    int64_t alignment = 0; // of its address, 256 at most

    Shape() = default;
    Shape(const Matrix& matrix, bool isTransposed)
        : dtype(matrix.dtype)
        , transposed(isTransposed)
        , rows(matrix.rows)
        , cols(matrix.cols)
        , pitch(matrix.pitch)
        , alignment(std::min<int64_t>(256, reinterpret_cast<intptr_t>(matrix.data) &
                                               -reinterpret_cast<intptr_t>(matrix.data))) {}
    bool operator==(const Shape&) const = default;
};

struct ProductShape {
    Shape a, b, out;
    bool hasBias = false;
    bool hasScales = false; // of rows of a and of bᵀ
    bool operator==(const ProductShape&) const = default;
};

struct HashOfShape {
    std::size_t operator()(const ProductShape& shape) const {
        uint64_t hash = (shape.hasBias ? 1u : 0u) + (shape.hasScales ? 2u : 0u);
        for (const Shape* one : {&shape.a, &shape.b, &shape.out})
            for (const int64_t value : {static_cast<int64_t>(one->dtype), int64_t{one->transposed}, one->rows,
                                        one->cols, one->pitch, one->alignment})
                hash = (hash ^ static_cast<uint64_t>(value)) * 0x9E3779B97F4A7C15u + (hash >> 29);
        return static_cast<std::size_t>(hash);
    }
};

// Rows of ours are columns to cuBLAS: what it reads is the transposed matrix.
class Layout {
public:
    explicit Layout(const Shape& shape) {
        check(cublas().initLayout(&m_layout, sizeof(m_layout), typeOf(shape.dtype), static_cast<uint64_t>(shape.cols),
                                  static_cast<uint64_t>(shape.rows), shape.pitch),
              "describing a matrix");
    }
    cublasLtMatrixLayout_t get() { return &m_layout; }

private:
    cublasLtMatrixLayoutOpaque_t m_layout;
};

class Preference {
public:
    Preference() { check(cublas().initPreference(&m_preference, sizeof(m_preference)), "describing a choice"); }
    template <class T>
    void set(cublasLtMatmulPreferenceAttributes_t what, T value) {
        check(cublas().setPreference(&m_preference, what, &value, sizeof(value)), "describing a choice");
    }
    cublasLtMatmulPreference_t get() { return &m_preference; }

private:
    cublasLtMatmulPreferenceOpaque_t m_preference;
};

// A product of a shape, outᵀ = bᵀ aᵀ, with the kernel chosen for it.
class Kernel {
public:
    Kernel(cublasLtHandle_t handle, const ProductShape& shape) : m_a(shape.a), m_b(shape.b), m_out(shape.out) {
        check(cublas().initProduct(&m_product, sizeof(m_product), CUBLAS_COMPUTE_32F, CUDA_R_32F),
              "describing a product");
        set(CUBLASLT_MATMUL_DESC_TRANSA, shape.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_TRANSB, shape.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        if (shape.hasBias) set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
        if (shape.hasScales) {
            set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
            set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
            const auto* const some = static_cast<const float*>(kSomewhere); // a choice looks whether there are any
            setScales(some, some);
        }
        choose(handle, shape);
    }
    bool isThere() const { return m_isThere; }

    void setScales(const float* ofA, const float* ofB) {
        set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, ofB);
        set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, ofA);
    }

    void run(cublasLtHandle_t handle, const void* a, const void* b, const void* bias, void* out, float alpha,
             float beta, void* workspace, cudaStream_t stream) {
        if (bias != nullptr) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
        check(cublas().multiply(handle, &m_product, &alpha, b, m_b.get(), a, m_a.get(), &beta, out, m_out.get(), out,
                                m_out.get(), &m_algorithm, workspace, kWorkspaceBytes, stream),
              "computing a product");
    }

private:
    template <class T>
    void set(cublasLtMatmulDescAttributes_t what, T value) {
        check(cublas().setProduct(&m_product, what, &value, sizeof(value)), "describing a product");
    }

    void choose(cublasLtHandle_t handle, const ProductShape& shape) {
        Preference wanted;
        wanted.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspaceBytes);
        // Parts of a sum are added in fp32 and in order.
        wanted.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                   static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
        wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<uint32_t>(shape.b.alignment));
        wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<uint32_t>(shape.a.alignment));
        wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, static_cast<uint32_t>(shape.out.alignment));
        wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<uint32_t>(shape.out.alignment));
        cublasLtMatmulHeuristicResult_t found{};
        int numFound = 0;
        const cublasStatus_t status = cublas().chooseKernel(handle, &m_product, m_b.get(), m_a.get(), m_out.get(),
                                                            m_out.get(), wanted.get(), 1, &found, &numFound);
        m_isThere = status == CUBLAS_STATUS_SUCCESS && numFound == 1 && found.state == CUBLAS_STATUS_SUCCESS;
        m_algorithm = found.algo;
    }

    cublasLtMatmulDescOpaque_t m_product;
    Layout m_a, m_b, m_out;
    cublasLtMatmulAlgo_t m_algorithm{};
    bool m_isThere = false;
};

// What a thread needs for the products of one stream. Its workspace is the stream's: products of another one may run at
// the same time.
class Products {
public:
    explicit Products(cudaStream_t stream) : m_stream(stream) {
        check(cublas().create(&m_handle), "starting");
        m_workspace = c10::cuda::CUDACachingAllocator::get()->allocate(kWorkspaceBytes);
    }
    ~Products() { cublas().destroy(m_handle); }
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    bool run(Operand a, Operand b, const void* bias, const Matrix& out, double alpha, double beta) {
        const ProductShape shape{{a.matrix, a.transposed}, {b.matrix, b.transposed}, {out, false}, bias != nullptr};
        Kernel& kernel = kernelOf(shape);
        if (kernel.isThere())
            kernel.run(m_handle, a.matrix.data, b.matrix.data, bias, out.data, static_cast<float>(alpha),
                       static_cast<float>(beta), m_workspace.get(), m_stream);
        return kernel.isThere();
    }

    void runFp8(const Fp8Operand& x, const Fp8Operand& w, const void* bias, const Matrix& out, double beta,
                bool isScaled) {
        const ProductShape shape{{x.codes, false}, {w.codes, true}, {out, false}, bias != nullptr, isScaled};
        Kernel& kernel = kernelOf(shape);
        if (!kernel.isThere())
            throw Error(ErrorKind::kDevice,
                        "cuBLAS has no FP8 product of " + std::to_string(x.codes.rows) + " tokens with weights (" +
                            std::to_string(w.codes.rows) + ", " + std::to_string(w.codes.cols) + ") on this GPU.",
                        "Choose int8 for model.weights, which takes as much memory.");
        if (isScaled) kernel.setScales(scalesOf(x), scalesOf(w));
        kernel.run(m_handle, x.codes.data, w.codes.data, bias, out.data, 1, static_cast<float>(beta), m_workspace.get(),
                   m_stream);
    }

private:
    const float* scalesOf(const Fp8Operand& operand) {
        if (operand.scales != nullptr) return operand.scales;
        if (!m_ones.defined() || m_ones.numel() < operand.codes.rows)
            m_ones = at::ones({operand.codes.rows}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
        return m_ones.const_data_ptr<float>();
    }

    Kernel& kernelOf(const ProductShape& shape) {
        const auto found = m_kernels.find(shape);
        if (found != m_kernels.end()) return found->second;
        if (m_kernels.size() == kKeptKernels) m_kernels.clear();
        return m_kernels.try_emplace(shape, m_handle, shape).first->second;
    }

    cudaStream_t m_stream;
    cublasLtHandle_t m_handle = nullptr;
    at::DataPtr m_workspace;
    at::Tensor m_ones; // of the stream, as the workspace is
    std::unordered_map<ProductShape, Kernel, HashOfShape> m_kernels;
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
    const auto shapeOf = [](DType dtype, int64_t numRows, int64_t cols, bool isTransposed) {
        return Shape({kSomewhere, dtype, numRows, cols, cols}, isTransposed);
    };
    cublasLtHandle_t handle = nullptr;
    check(cublas().create(&handle), "starting");
    bool isThere = true;
    for (const bool hasBias : {false, true}) { // scaled afterwards, there is none in the product
        if (hasBias && !isScaled) continue;
        const ProductShape shape{shapeOf(DType::kU8, rows, ins, false), shapeOf(DType::kU8, outs, ins, true),
                                 shapeOf(out, rows, outs, false), hasBias, isScaled};
        isThere = isThere && Kernel(handle, shape).isThere();
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
