# SPDX-License-Identifier: GPL-3.0-or-later
# How every target is compiled, and the functions by which folders declare libraries and tests.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the engine travels as a shared library
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
foreach(language IN ITEMS C CXX CUDA) # the kernels, which gain by -O3, ask for it themselves
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -DNDEBUG")
endforeach()

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
  # -fPIC for programs too, which would get -fPIE: one precompiled header then serves them and the libraries.
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -fpch-preprocess -fPIC>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ROUNDPIPE_WERROR}>>:-Werror>)
target_compile_definitions(roundpipe_options INTERFACE ROUNDPIPE_VERSION="${PROJECT_VERSION}"
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
foreach(sanitizer IN LISTS ROUNDPIPE_SANITIZE)
  target_compile_options(roundpipe_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer} -fno-omit-frame-pointer>)
  target_link_options(roundpipe_options INTERFACE -fsanitize=${sanitizer})
endforeach()
if("address" IN_LIST ROUNDPIPE_SANITIZE) # gcc takes what the sanitizer reads for values that nobody has set
  target_compile_options(roundpipe_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()

# The headers that most files include, precompiled once: roundpipe_precompiled_NAME holds them and the given ones.
function(roundpipe_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;DEPS" ${ARGN})
  set(carrier "${CMAKE_BINARY_DIR}/precompiled/${name}.cpp")
  file(CONFIGURE OUTPUT "${carrier}" CONTENT "// carries a precompiled header\n")
  add_library(roundpipe_precompiled_${name} OBJECT EXCLUDE_FROM_ALL "${carrier}")
  target_link_libraries(roundpipe_precompiled_${name} PRIVATE roundpipe_options roundpipe_fmt nlohmann_json::nlohmann_json ${arg_DEPS})
  target_precompile_headers(roundpipe_precompiled_${name} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <deque> <exception> <filesystem>
    <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string>
    <string_view> <thread> <tuple> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>
    ${arg_HEADERS})
endfunction()

# roundpipe_compile(TARGET [PRECOMPILED common|test]): our options, a precompiled header, and files compiled together: those of
# a folder, by name, eight at a time. Reading the headers costs more than compiling most of our files.
function(roundpipe_compile target)
  cmake_parse_arguments(arg "" "PRECOMPILED" "" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED common)
  endif()
  target_link_libraries(${target} PRIVATE roundpipe_options roundpipe_fmt)
  target_precompile_headers(${target} REUSE_FROM roundpipe_precompiled_${arg_PRECOMPILED})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(number 0)
  set(last_room "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH room)
    if(NOT room STREQUAL last_room)
      set(number 0)
      set(last_room "${room}")
    endif()
    math(EXPR batch "${number} / 8")
    math(EXPR number "${number} + 1")
    string(MAKE_C_IDENTIFIER "${room}_${batch}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  list(LENGTH sources count)
  if(count GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# roundpipe_library(NAME [SOURCES …] [PUBLIC deps …] [PRIVATE deps …])
# One folder of core/: the static library roundpipe_NAME, known to others as roundpipe::NAME.
function(roundpipe_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(arg_SOURCES)
    add_library(roundpipe_${name} STATIC ${arg_SOURCES})
    target_include_directories(roundpipe_${name} PUBLIC "${CMAKE_SOURCE_DIR}/core")
    target_link_libraries(roundpipe_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    roundpipe_compile(roundpipe_${name})
  else()
    add_library(roundpipe_${name} INTERFACE)
    target_include_directories(roundpipe_${name} INTERFACE "${CMAKE_SOURCE_DIR}/core")
    target_link_libraries(roundpipe_${name} INTERFACE ${arg_PUBLIC})
  endif()
  add_library(roundpipe::${name} ALIAS roundpipe_${name})
endfunction()

# roundpipe_block_sources(VARIABLE NAME): the files of this name, one of each type of block (core/blocks/README.md).
function(roundpipe_block_sources variable name)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/core/blocks/*/${name}")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# roundpipe_test(tst_NAME SOURCES … DEPS … [TIMEOUT seconds] [LABELS …])
# One GoogleTest executable, run by ctest as a whole. Tests find the fixtures by testing/fixtures.h.
function(roundpipe_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE roundpipe_testing ${arg_DEPS} GTest::gtest_main)
  roundpipe_compile(${name} PRECOMPILED test)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp:allocator_may_return_null=1")
endfunction()
