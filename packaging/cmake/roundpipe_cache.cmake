# Where packaging/setup put the build tools and libraries. Sets ROUNDPIPE_CACHE, ROUNDPIPE_SITE (the Python
# site-packages that hold LibTorch, Arrow and NVIDIA's libraries) and, unless a toolkit is given, CMAKE_CUDA_COMPILER.
if(DEFINED ENV{ROUNDPIPE_CACHE})
  set(ROUNDPIPE_CACHE "$ENV{ROUNDPIPE_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(ROUNDPIPE_CACHE "$ENV{XDG_CACHE_HOME}/roundpipe")
else()
  set(ROUNDPIPE_CACHE "$ENV{HOME}/.cache/roundpipe")
endif()
file(GLOB ROUNDPIPE_SITE "${ROUNDPIPE_CACHE}/python/lib/python3.*/site-packages")

if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS "${ROUNDPIPE_CACHE}/cuda/bin/nvcc")
  set(CMAKE_CUDA_COMPILER "${ROUNDPIPE_CACHE}/cuda/bin/nvcc" CACHE FILEPATH "CUDA compiler")
  set(CUDAToolkit_ROOT "${ROUNDPIPE_CACHE}/cuda" CACHE PATH "CUDA toolkit")
endif()
