// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLASLt, opened when a GPU is first used: a program that is linked to it starts a tenth of a second later.
#pragma once

#include <cublasLt.h>

namespace roundpipe::model {

// Its functions that we call. The header's Init functions are inline and hide those named internal.
struct CublasLibrary {
    decltype(&cublasLtGetVersion) version;
    decltype(&cublasLtCreate) create;
    decltype(&cublasLtDestroy) destroy;
    decltype(&cublasLtGetStatusString) statusText;
    decltype(&cublasLtMatrixLayoutInit_internal) initLayout;
    decltype(&cublasLtMatmulPreferenceInit_internal) initPreference;
    decltype(&cublasLtMatmulPreferenceSetAttribute) setPreference;
    decltype(&cublasLtMatmulDescInit_internal) initProduct;
    decltype(&cublasLtMatmulDescSetAttribute) setProduct;
    decltype(&cublasLtMatmulAlgoGetHeuristic) chooseKernel;
    decltype(&cublasLtMatmulAlgoConfigGetAttribute) kernelAttribute;
    decltype(&cublasLtMatmul) multiply;
};

// Opened by the first call, and for good. LibTorch's CUDA half, which whoever makes a GPU's device loads, has brought
// the library along: so it is found by its name alone. Any thread. Throws kDevice where it or a function is missing.
const CublasLibrary& cublas();

} // namespace roundpipe::model
