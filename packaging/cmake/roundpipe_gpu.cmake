# SPDX-License-Identifier: GPL-3.0-or-later
# roundpipe_gpu_architectures(VARIABLE NVCC): which GPU code a build on this machine needs: that of its own GPUs. Where none is
# seen it is 8.0, the oldest that we support, which the driver translates for newer GPUs when a program first uses them.
# A plain number stands for code and for PTX, so that a newer card than these runs it too. CI compiles Hopper's code as well,
# so that what a package holds has been compiled.
function(roundpipe_gpu_architectures variable nvcc)
  set(found "")
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader RESULT_VARIABLE failed OUTPUT_VARIABLE gpus ERROR_QUIET)
  if(failed EQUAL 0)
    execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${gpus}")
    foreach(capability IN LISTS capabilities)
      string(REPLACE "." "" architecture "${capability}")
      if(architecture GREATER_EQUAL 80 AND known MATCHES "compute_${architecture}\n")
        list(APPEND found ${architecture})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES found)
  endif()
  if(NOT found)
    set(found 80)
    if(NOT "$ENV{CI}" STREQUAL "")
      list(APPEND found 90a-real)
    endif()
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()
