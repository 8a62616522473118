// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/cublas_library.h"

#include "base/error.h"
#include "base/library_function.h"

#include <dlfcn.h>

#include <string>

namespace roundpipe::model {
namespace {

constexpr const char* kAdvice = "Run packaging/setup again.";

void* openLibrary() {
    const std::string name = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
    if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    throw Error(ErrorKind::kDevice, std::string("cuBLAS cannot be loaded: ") + ::dlerror(), kAdvice);
}

template <class Function>
void bind(void* library, const char* name, Function*& function) {
    if (!bindFunction(library, name, function))
        throw Error(ErrorKind::kDevice, std::string("cuBLAS lacks ") + name, kAdvice);
}

CublasLibrary load() {
    void* library = openLibrary();
    CublasLibrary all{};
    bind(library, "cublasLtGetVersion", all.version);
    bind(library, "cublasLtCreate", all.create);
    bind(library, "cublasLtDestroy", all.destroy);
    bind(library, "cublasLtGetStatusString", all.statusText);
    bind(library, "cublasLtMatrixLayoutInit_internal", all.initLayout);
    bind(library, "cublasLtMatmulPreferenceInit_internal", all.initPreference);
    bind(library, "cublasLtMatmulPreferenceSetAttribute", all.setPreference);
    bind(library, "cublasLtMatmulDescInit_internal", all.initProduct);
    bind(library, "cublasLtMatmulDescSetAttribute", all.setProduct);
    bind(library, "cublasLtMatmulAlgoGetHeuristic", all.chooseKernel);
    bind(library, "cublasLtMatmulAlgoConfigGetAttribute", all.kernelAttribute);
    bind(library, "cublasLtMatmul", all.multiply);
    return all;
}

} // namespace

const CublasLibrary& cublas() {
    static const CublasLibrary library = load();
    return library;
}

} // namespace roundpipe::model
