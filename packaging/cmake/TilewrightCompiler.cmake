# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler floor, warnings, sanitizers and linker, for all targets alike.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old: Tilewright needs g++ 12 or newer (C++23 std::expected).")
endif()

# Two sets: what every target gets, and the same with sanitizers. The worker takes the first: its system-call filter
# leaves a sanitizer's runtime nothing to live on.
add_library(tilewright_plain_options INTERFACE)
add_library(tilewright_options INTERFACE)
target_link_libraries(tilewright_options INTERFACE tilewright_plain_options)
set(shadow -Wshadow)
if(CMAKE_UNITY_BUILD)
  set(shadow -Wshadow=local) # where files are put together, a local name may well be another file's
endif()
target_compile_options(tilewright_plain_options INTERFACE -Wall -Wextra ${shadow} -Wnon-virtual-dtor
  -Wimplicit-fallthrough)
if(TILEWRIGHT_WERROR)
  target_compile_options(tilewright_plain_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (CMAKE_BUILD_TYPE STREQUAL "Release" OR TILEWRIGHT_SANITIZE))
  # g++ 12 sees overlaps and unset members in std::string, std::regex and json code that are not there (PR 105329,
  # 105562, 105651).
  target_compile_options(tilewright_plain_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow
    -Wno-stringop-overread -Wno-array-bounds)
endif()
target_include_directories(tilewright_plain_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(tilewright_plain_options INTERFACE TILEWRIGHT_VERSION="${PROJECT_VERSION}")

if(TILEWRIGHT_SANITIZE)
  # What a sanitizer finds ends the test.
  target_compile_options(tilewright_options INTERFACE -fsanitize=${TILEWRIGHT_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(tilewright_options INTERFACE -fsanitize=${TILEWRIGHT_SANITIZE})
  if(TILEWRIGHT_SANITIZE_LESS)
    # A test's own lines are checked for memory errors alone then.
    target_compile_options(tilewright_options INTERFACE -fno-sanitize=${TILEWRIGHT_SANITIZE_LESS}
      $<$<BOOL:$<TARGET_PROPERTY:TILEWRIGHT_IS_TEST>>:-fno-sanitize=undefined>)
  endif()
endif()

find_program(TILEWRIGHT_MOLD mold)
if(TILEWRIGHT_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(tilewright_plain_options INTERFACE -fuse-ld=mold)
endif()
