# SPDX-License-Identifier: GPL-3.0-or-later
# Where packaging/setup put the build tools and libraries. Sets ROUNDPIPE_CACHE, ROUNDPIPE_SITE (the Python
# site-packages that hold LibTorch, Arrow and NVIDIA's libraries), ROUNDPIPE_PYTHON (for tests), ROUNDPIPE_CARGO and
# ROUNDPIPE_RUSTC and, unless CUDACXX names one, CMAKE_CUDA_COMPILER.
if(NOT "$ENV{ROUNDPIPE_CACHE}" STREQUAL "")
  set(ROUNDPIPE_CACHE "$ENV{ROUNDPIPE_CACHE}")
elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(ROUNDPIPE_CACHE "$ENV{XDG_CACHE_HOME}/roundpipe")
else()
  set(ROUNDPIPE_CACHE "$ENV{HOME}/.cache/roundpipe")
endif()
file(GLOB ROUNDPIPE_SITE "${ROUNDPIPE_CACHE}/python/lib/python3.*/site-packages")

find_program(ROUNDPIPE_PYTHON NAMES python3 HINTS "${ROUNDPIPE_CACHE}/python/bin" DOC "Python of the tests")
find_program(ROUNDPIPE_CARGO NAMES cargo HINTS "${ROUNDPIPE_CACHE}/bin" "$ENV{HOME}/.cargo/bin" DOC "Rust's cargo")
find_program(ROUNDPIPE_RUSTC NAMES rustc HINTS "${ROUNDPIPE_CACHE}/bin" "$ENV{HOME}/.cargo/bin" DOC "Rust's compiler")

if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS "${ROUNDPIPE_CACHE}/cuda/bin/nvcc")
  set(CMAKE_CUDA_COMPILER "${ROUNDPIPE_CACHE}/cuda/bin/nvcc" CACHE FILEPATH "CUDA compiler")
  set(CUDAToolkit_ROOT "${ROUNDPIPE_CACHE}/cuda" CACHE PATH "CUDA toolkit")
endif()
