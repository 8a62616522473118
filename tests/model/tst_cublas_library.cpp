// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLASLt opened by its name, as on a GPU; describing a matrix needs none.
#include "base/set_up_libraries.h"
#include "model/compute/cublas_library.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

namespace roundpipe::model {
namespace {

TEST(CublasLibrary, isOpenedWhenItIsFirstAskedFor) {
    EXPECT_EQ(::dlopen("libcublasLt.so.13", RTLD_NOW | RTLD_NOLOAD), nullptr) << "the program is linked to it";
    openSetUpLibrary("nvidia/cu13/lib", "libcublasLt.so."); // which LibTorch's CUDA half does on a GPU
    cublasLtMatrixLayoutOpaque_t layout;
    EXPECT_EQ(cublas().initLayout(&layout, sizeof(layout), CUDA_R_16BF, 64, 32, 64), CUBLAS_STATUS_SUCCESS);
    EXPECT_STRNE(cublas().statusText(CUBLAS_STATUS_SUCCESS), cublas().statusText(CUBLAS_STATUS_NOT_SUPPORTED));
    EXPECT_NE(::dlopen("libcublasLt.so.13", RTLD_NOW | RTLD_NOLOAD), nullptr);
}

} // namespace
} // namespace roundpipe::model
