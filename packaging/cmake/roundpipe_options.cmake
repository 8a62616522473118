# How every target is compiled, and the three functions by which folders declare libraries and tests.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the engine travels as a shared library
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers need the sloppiness, or every translation unit that uses one misses the cache. Base directory
  # and no hashed directory: a fresh clone elsewhere, or another build folder, finds what the first one compiled.
  set(launcher "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
               "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1")
  if("$ENV{CCACHE_DIR}" STREQUAL "")
    list(APPEND launcher "CCACHE_DIR=${ROUNDPIPE_CACHE}/ccache" "CCACHE_MAXSIZE=5G")
  endif()
  list(APPEND launcher "${CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

add_library(roundpipe_options INTERFACE)
target_compile_options(roundpipe_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -fpch-preprocess>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ROUNDPIPE_WERROR}>>:-Werror>)
target_compile_definitions(roundpipe_options INTERFACE ROUNDPIPE_VERSION="${PROJECT_VERSION}"
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
foreach(sanitizer IN LISTS ROUNDPIPE_SANITIZE)
  target_compile_options(roundpipe_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer} -fno-omit-frame-pointer -g>)
  target_link_options(roundpipe_options INTERFACE -fsanitize=${sanitizer})
endforeach()

# roundpipe_library(NAME [SOURCES …] [PUBLIC deps …] [PRIVATE deps …] [PCH])
# One folder of core/: the static library roundpipe_NAME, known to others as roundpipe::NAME.
# PCH: the translation units share the precompiled LibTorch header.
function(roundpipe_library name)
  cmake_parse_arguments(arg "PCH" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(arg_SOURCES)
    add_library(roundpipe_${name} STATIC ${arg_SOURCES})
    target_include_directories(roundpipe_${name} PUBLIC "${CMAKE_SOURCE_DIR}/core")
    target_link_libraries(roundpipe_${name} PUBLIC ${arg_PUBLIC} PRIVATE roundpipe_options ${arg_PRIVATE})
    if(arg_PCH)
      target_precompile_headers(roundpipe_${name} REUSE_FROM roundpipe_torch_pch)
    endif()
  else()
    add_library(roundpipe_${name} INTERFACE)
    target_include_directories(roundpipe_${name} INTERFACE "${CMAKE_SOURCE_DIR}/core")
    target_link_libraries(roundpipe_${name} INTERFACE ${arg_PUBLIC})
  endif()
  add_library(roundpipe::${name} ALIAS roundpipe_${name})
endfunction()

# roundpipe_test(tst_NAME SOURCES … DEPS … [PCH] [TIMEOUT seconds] [LABELS …])
# One GoogleTest executable, run by ctest as a whole. Tests find the fixtures by testing/fixtures.h.
function(roundpipe_test name)
  cmake_parse_arguments(arg "PCH" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE roundpipe_options roundpipe_testing ${arg_DEPS} GTest::gtest_main)
  if(arg_PCH)
    target_precompile_headers(${name} REUSE_FROM roundpipe_torch_pch)
    target_compile_options(${name} PRIVATE -fPIC) # as the precompiled header was; executables would get -fPIE
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp")
endfunction()
