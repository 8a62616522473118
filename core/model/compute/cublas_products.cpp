// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_products.h"

#include "base/error.h"
#include "base/units.h"
#include "model/compute/cublas_library.h"

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

cudaDataType_t typeOf(DType dtype) {
    return dtype == DType::kBF16 ? CUDA_R_16BF : dtype == DType::kF16 ? CUDA_R_16F : CUDA_R_32F;
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
    bool operator==(const ProductShape&) const = default;
};

struct HashOfShape {
    std::size_t operator()(const ProductShape& shape) const {
        uint64_t hash = shape.hasBias ? 1 : 0;
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
        choose(handle, shape);
    }
    bool isThere() const { return m_isThere; }

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

private:
    Kernel& kernelOf(const ProductShape& shape) {
        const auto found = m_kernels.find(shape);
        if (found != m_kernels.end()) return found->second;
        if (m_kernels.size() == kKeptKernels) m_kernels.clear();
        return m_kernels.try_emplace(shape, m_handle, shape).first->second;
    }

    cudaStream_t m_stream;
    cublasLtHandle_t m_handle = nullptr;
    at::DataPtr m_workspace;
    std::unordered_map<ProductShape, Kernel, HashOfShape> m_kernels;
};

Products& productsOf(const Compute& compute) {
    thread_local std::map<std::pair<int, void*>, std::unique_ptr<Products>> all;
    std::unique_ptr<Products>& products = all[{compute.cudaIndex, compute.target.stream}];
    if (!products) products = std::make_unique<Products>(static_cast<cudaStream_t>(compute.target.stream));
    return *products;
}

} // namespace

bool cublasProduct(const Compute& compute, Operand a, Operand b, const void* bias, const Matrix& out, double alpha,
                   double beta) {
    const int64_t inner = a.transposed ? a.matrix.rows : a.matrix.cols;
    if (!compute.target.cuda || out.dtype == DType::kF64 || out.rows * out.cols * inner == 0) return false;
    return productsOf(compute).run(a, b, bias, out, alpha, beta);
}

} // namespace roundpipe::model
