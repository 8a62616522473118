# SPDX-License-Identifier: GPL-3.0-or-later
# Every library that we did not write, as SYSTEM targets: torch, torch_gpu, arrow, fmt, spdlog, json, CLI11, curl, OpenSSL, zlib,
# zstd, xxhash, yaml-cpp, libmicrohttpd, SQLite, GoogleTest.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(ROUNDPIPE_TESTS)
  find_package(GTest REQUIRED)
endif()

# Header-only, so that a stripped roundpipe runs on machines without Debian's libfmt and libspdlog.
add_library(roundpipe_fmt INTERFACE)
target_link_libraries(roundpipe_fmt INTERFACE fmt::fmt-header-only)
add_library(roundpipe_spdlog INTERFACE)
target_include_directories(roundpipe_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(roundpipe_spdlog INTERFACE SPDLOG_FMT_EXTERNAL) # not its target, which asks for the shared fmt
target_link_libraries(roundpipe_spdlog INTERFACE roundpipe_fmt)

find_package(SQLite3 REQUIRED) # SQLite::SQLite3

find_package(CURL REQUIRED) # CURL::libcurl
find_package(OpenSSL REQUIRED COMPONENTS Crypto) # OpenSSL::Crypto

find_package(ZLIB REQUIRED)
find_path(ROUNDPIPE_ZSTD_INCLUDE zstd.h REQUIRED)
find_library(ROUNDPIPE_ZSTD_LIBRARY zstd REQUIRED)
add_library(roundpipe_zstd INTERFACE)
target_include_directories(roundpipe_zstd SYSTEM INTERFACE "${ROUNDPIPE_ZSTD_INCLUDE}")
target_link_libraries(roundpipe_zstd INTERFACE "${ROUNDPIPE_ZSTD_LIBRARY}")

# Linked statically: Debian's and Ubuntu's shared ones have other names, and one package serves both.
find_path(ROUNDPIPE_YAML_INCLUDE yaml-cpp/yaml.h REQUIRED)
find_library(ROUNDPIPE_YAML_LIBRARY libyaml-cpp.a REQUIRED)
add_library(roundpipe_yaml INTERFACE)
target_include_directories(roundpipe_yaml SYSTEM INTERFACE "${ROUNDPIPE_YAML_INCLUDE}")
target_link_libraries(roundpipe_yaml INTERFACE "${ROUNDPIPE_YAML_LIBRARY}")

# Linked statically: of all commands only `serve` needs it, and the others run where it is not installed. Its TLS, which is not
# used, is GnuTLS's, which libcurl brings along.
find_path(ROUNDPIPE_MICROHTTPD_INCLUDE microhttpd.h)
find_library(ROUNDPIPE_MICROHTTPD_LIBRARY libmicrohttpd.a)
find_library(ROUNDPIPE_GNUTLS_LIBRARY gnutls)
if(NOT ROUNDPIPE_MICROHTTPD_INCLUDE OR NOT ROUNDPIPE_MICROHTTPD_LIBRARY OR NOT ROUNDPIPE_GNUTLS_LIBRARY)
  message(FATAL_ERROR "GNU libmicrohttpd is missing, which 'roundpipe serve' is made of. Run packaging/setup first, or install libmicrohttpd-dev.")
endif()
add_library(roundpipe_microhttpd INTERFACE)
target_include_directories(roundpipe_microhttpd SYSTEM INTERFACE "${ROUNDPIPE_MICROHTTPD_INCLUDE}")
target_link_libraries(roundpipe_microhttpd INTERFACE "${ROUNDPIPE_MICROHTTPD_LIBRARY}" "${ROUNDPIPE_GNUTLS_LIBRARY}" Threads::Threads)

find_path(ROUNDPIPE_XXHASH_INCLUDE xxhash.h REQUIRED) # used header-only
add_library(roundpipe_xxhash INTERFACE)
target_include_directories(roundpipe_xxhash SYSTEM INTERFACE "${ROUNDPIPE_XXHASH_INCLUDE}")

if(NOT IS_DIRECTORY "${ROUNDPIPE_SITE}/pyarrow")
  message(FATAL_ERROR "Arrow is not in '${ROUNDPIPE_SITE}/pyarrow'. Run packaging/setup first.")
endif()
add_library(roundpipe_arrow INTERFACE)
target_include_directories(roundpipe_arrow SYSTEM INTERFACE "${ROUNDPIPE_SITE}/pyarrow/include")
file(GLOB arrow_libraries "${ROUNDPIPE_SITE}/pyarrow/libarrow.so.*" "${ROUNDPIPE_SITE}/pyarrow/libparquet.so.*")
target_link_libraries(roundpipe_arrow INTERFACE ${arrow_libraries})
target_link_options(roundpipe_arrow INTERFACE "-Wl,-rpath,${ROUNDPIPE_SITE}/pyarrow")

if(ROUNDPIPE_ENGINE)
  # Own targets instead of find_package(Torch): the CPU and the CUDA half are linked apart (the CUDA half is loaded only
  # once a GPU is there), and none of the package's global flags leak in.
  set(torch_root "${ROUNDPIPE_SITE}/torch")
  if(NOT EXISTS "${torch_root}/lib/libtorch_cpu.so")
    message(FATAL_ERROR "LibTorch is not in '${torch_root}'. Run packaging/setup first, or configure with -DROUNDPIPE_ENGINE=OFF.")
  endif()
  add_library(roundpipe_torch INTERFACE)
  target_include_directories(roundpipe_torch SYSTEM INTERFACE "${torch_root}/include" "${torch_root}/include/torch/csrc/api/include")
  target_link_libraries(roundpipe_torch INTERFACE "${torch_root}/lib/libtorch_cpu.so" "${torch_root}/lib/libc10.so" Threads::Threads)
  target_link_options(roundpipe_torch INTERFACE "-Wl,-rpath,${torch_root}/lib")
  target_compile_definitions(roundpipe_torch INTERFACE AT_PER_OPERATOR_HEADERS) # its headers include those they need, not all

endif()

if(ROUNDPIPE_ENGINE AND ROUNDPIPE_CUDA)
  enable_language(CUDA)
  set(CMAKE_CUDA_ARCHITECTURES "${ROUNDPIPE_CUDA_ARCHITECTURES}")
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    include(roundpipe_gpu)
    roundpipe_gpu_architectures(CMAKE_CUDA_ARCHITECTURES "${CMAKE_CUDA_COMPILER}")
  endif()
  message(STATUS "GPU code: ${CMAKE_CUDA_ARCHITECTURES}")
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) # the one that LibTorch loads
  find_package(CUDAToolkit 13.0 REQUIRED)
  add_library(roundpipe_torch_gpu INTERFACE)
  target_compile_definitions(roundpipe_torch_gpu INTERFACE ROUNDPIPE_HAS_CUDA=1)
  target_link_libraries(roundpipe_torch_gpu INTERFACE roundpipe_torch "${torch_root}/lib/libc10_cuda.so" CUDA::cudart)
  target_link_options(roundpipe_torch_gpu INTERFACE "-Wl,-rpath,${CUDAToolkit_LIBRARY_DIR}" "-Wl,-rpath-link,${CUDAToolkit_LIBRARY_DIR}")

  # The cuDNN that LibTorch loads. Its library is a small one that opens the others when they are first used.
  set(cudnn_root "${ROUNDPIPE_SITE}/nvidia/cudnn")
  if(NOT EXISTS "${ROUNDPIPE_SITE}/include/cudnn_frontend.h")
    message(FATAL_ERROR "cuDNN's front end is not in '${ROUNDPIPE_SITE}/include'. Run packaging/setup first, or configure with -DROUNDPIPE_CUDA=OFF.")
  endif()
  add_library(roundpipe_cudnn INTERFACE)
  target_include_directories(roundpipe_cudnn SYSTEM INTERFACE "${ROUNDPIPE_SITE}/include" "${cudnn_root}/include")
  target_compile_definitions(roundpipe_cudnn INTERFACE CUDNN_FRONTEND_SKIP_JSON_LIB)
  target_link_libraries(roundpipe_cudnn INTERFACE "${cudnn_root}/lib/libcudnn.so.9")
  target_link_options(roundpipe_cudnn INTERFACE "-Wl,-rpath,${cudnn_root}/lib")
endif()
