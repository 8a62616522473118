// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_kernel.h"

#include "base/error.h"
#include "geometry/layout.h"
#include "model/compute/cublas_library.h"

#include <algorithm>
#include <string>

namespace roundpipe::model {
namespace {

// An address for scales that are not there yet, aligned as columns of FP8 products are at least.
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

// Rows of ours are columns to cuBLAS: what it reads is the transposed matrix.
cublasLtMatrixLayoutOpaque_t layoutOf(const MatrixShape& shape) {
    cublasLtMatrixLayoutOpaque_t layout;
    checkCublas(cublas().initLayout(&layout, sizeof(layout), typeOf(shape.dtype), static_cast<uint64_t>(shape.cols),
                                    static_cast<uint64_t>(shape.rows), shape.pitch),
                "describing a matrix");
    return layout;
}

// Its first rows and columns, as they stand in a product that may take it transposed.
MatrixShape cornerOf(MatrixShape shape, bool cutsRows, bool cutsCols) {
    if (shape.transposed) std::swap(cutsRows, cutsCols);
    if (cutsRows) shape.rows = std::min(shape.rows, CublasKernel::kCornerSide);
    if (cutsCols) shape.cols = std::min(shape.cols, CublasKernel::kCornerSide);
    return shape;
}

class Preference {
public:
    Preference() { checkCublas(cublas().initPreference(&m_preference, sizeof(m_preference)), "describing a choice"); }
    template <class T>
    void set(cublasLtMatmulPreferenceAttributes_t what, T value) {
        checkCublas(cublas().setPreference(&m_preference, what, &value, sizeof(value)), "describing a choice");
    }
    cublasLtMatmulPreference_t get() { return &m_preference; }

private:
    cublasLtMatmulPreferenceOpaque_t m_preference;
};

Preference preferenceFor(const ProductShape& shape) {
    Preference wanted;
    wanted.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kCublasWorkspaceBytes);
    // Parts of a sum are added in fp32 and in order.
    wanted.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
               static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<uint32_t>(shape.b.alignment));
    wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<uint32_t>(shape.a.alignment));
    wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, static_cast<uint32_t>(shape.out.alignment));
    wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<uint32_t>(shape.out.alignment));
    return wanted;
}

// 0 where there is no such attribute. Some are of 16 bits, which the library writes alone.
int32_t attributeOf(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t what) {
    for (const std::size_t size : {sizeof(int32_t), sizeof(int16_t)}) {
        int32_t value = 0;
        std::size_t written = 0;
        if (cublas().kernelAttribute(&algorithm, what, &value, size, &written) == CUBLAS_STATUS_SUCCESS) return value;
    }
    return 0;
}

KernelKind kindOf(const cublasLtMatmulAlgo_t& algorithm) {
    return {.algorithm = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_ID),
            .tile = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID),
            .stages = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID),
            .cluster = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID),
            .option = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION),
            .swizzle = attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING)};
}

bool addsUpInOnePart(const cublasLtMatmulAlgo_t& algorithm) {
    return attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM) <= 1 &&
           attributeOf(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME) == CUBLASLT_REDUCTION_SCHEME_NONE;
}

} // namespace

void checkCublas(cublasStatus_t status, const char* doing) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(ErrorKind::kDevice, std::string("cuBLAS failed: ") + doing + ": " + cublas().statusText(status),
                "This is a fault of the GPU, its driver or its libraries. Run 'roundpipe selftest', and "
                "packaging/setup again.");
}

MatrixShape::MatrixShape(const Matrix& matrix, bool isTransposed)
    : dtype(matrix.dtype)
    , transposed(isTransposed)
    , rows(matrix.rows)
    , cols(matrix.cols)
    , pitch(matrix.pitch)
    , alignment(
          std::min<int64_t>(256, reinterpret_cast<intptr_t>(matrix.data) & -reinterpret_cast<intptr_t>(matrix.data))) {}

std::size_t HashOfShape::operator()(const ProductShape& shape) const {
    uint64_t hash = (shape.hasBias ? 1u : 0u) + (shape.hasScales ? 2u : 0u);
    for (const MatrixShape* one : {&shape.a, &shape.b, &shape.out})
        for (const int64_t value : {static_cast<int64_t>(one->dtype), int64_t{one->transposed}, one->rows, one->cols,
                                    one->pitch, one->alignment})
            hash = (hash ^ static_cast<uint64_t>(value)) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return static_cast<std::size_t>(hash);
}

CublasKernel::CublasKernel(cublasLtHandle_t handle, const ProductShape& shape, int mostKinds)
    : m_shape(shape), m_a(layoutOf(shape.a)), m_b(layoutOf(shape.b)), m_out(layoutOf(shape.out)) {
    checkCublas(cublas().initProduct(&m_product, sizeof(m_product), CUBLAS_COMPUTE_32F, CUDA_R_32F),
                "describing a product");
    set(CUBLASLT_MATMUL_DESC_TRANSA, shape.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, shape.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    if (shape.hasBias) set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    if (shape.hasScales) {
        set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
        set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
        const auto* const some = static_cast<const float*>(kSomewhere); // a choice looks whether there are any
        setPointers({.scalesOfA = some, .scalesOfB = some});
    }
    choose(handle, mostKinds);
}

template <class T>
void CublasKernel::set(cublasLtMatmulDescAttributes_t what, T value) {
    checkCublas(cublas().setProduct(&m_product, what, &value, sizeof(value)), "describing a product");
}

void CublasKernel::setPointers(const ProductArrays& arrays) {
    if (m_shape.hasScales) {
        set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, arrays.scalesOfB);
        set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, arrays.scalesOfA);
    }
    if (arrays.bias != nullptr) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, arrays.bias);
}

void CublasKernel::choose(cublasLtHandle_t handle, int mostKinds) {
    std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(mostKinds));
    Preference wanted = preferenceFor(m_shape);
    int numFound = 0;
    const cublasStatus_t status = cublas().chooseKernel(handle, &m_product, &m_b, &m_a, &m_out, &m_out, wanted.get(),
                                                        mostKinds, found.data(), &numFound);
    if (status != CUBLAS_STATUS_SUCCESS || numFound == 0 || found[0].state != CUBLAS_STATUS_SUCCESS) return;
    found.resize(static_cast<std::size_t>(numFound));
    for (const cublasLtMatmulHeuristicResult_t& one : found) {
        const KernelKind kind = kindOf(one.algo);
        if (!m_kinds.empty()) { // the first in any case
            if (one.state != CUBLAS_STATUS_SUCCESS || kind.algorithm != m_kinds[0].algorithm) continue;
            if (!addsUpInOnePart(one.algo) || !addsUpInOnePart(m_algorithms[0])) continue;
            if (std::ranges::find(m_kinds, kind) != m_kinds.end()) continue;
        }
        m_algorithms.push_back(one.algo);
        m_kinds.push_back(kind);
    }
}

void CublasKernel::run(cublasLtHandle_t handle, std::size_t kind, const ProductArrays& arrays, void* workspace,
                       cudaStream_t stream) {
    setPointers(arrays);
    checkCublas(cublas().multiply(handle, &m_product, &arrays.alpha, arrays.b, &m_b, arrays.a, &m_a, &arrays.beta,
                                  arrays.out, &m_out, arrays.out, &m_out, &m_algorithms[kind], workspace,
                                  kCublasWorkspaceBytes, stream),
                "computing a product");
}

bool CublasKernel::runCorner(cublasLtHandle_t handle, std::size_t kind, const ProductArrays& arrays, void* corner,
                             void* workspace, std::size_t workspaceBytes, cudaStream_t stream) {
    MatrixShape outShape = cornerOf(m_shape.out, true, true);
    outShape.pitch = kCornerSide;
    auto a = layoutOf(cornerOf(m_shape.a, true, false)), b = layoutOf(cornerOf(m_shape.b, false, true));
    auto out = layoutOf(outShape);
    setPointers(arrays);
    const float beta = 0;
    return cublas().multiply(handle, &m_product, &arrays.alpha, arrays.b, &b, arrays.a, &a, &beta, corner, &out, corner,
                             &out, &m_algorithms[kind], workspace, workspaceBytes, stream) == CUBLAS_STATUS_SUCCESS;
}

} // namespace roundpipe::model
