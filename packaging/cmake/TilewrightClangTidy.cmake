# SPDX-License-Identifier: GPL-3.0-or-later
# The preset clang-tidy: the newest clang-tidy there is, and one clear line where none understands this code.
# libstdc++ offers std::expected to compilers with the concepts of C++20 (__cpp_concepts 202002), which clang has from 19 on.
set(TILEWRIGHT_CLANG_TIDY_FLOOR 19)

# tilewright_clang_tidy_version(RESULT PROGRAM): "19.1.7", or empty if the program tells none.
function(tilewright_clang_tidy_version result program)
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE status)
  set(${result} "" PARENT_SCOPE)
  if(status EQUAL 0 AND text MATCHES "version ([0-9]+(\\.[0-9]+)*)")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# tilewright_choose_clang_tidy(RESULT WANTED): WANTED (a program, options after it) if it is new enough, else one that has
# its version in its name (Debian). Ends with an error if there is none.
function(tilewright_choose_clang_tidy result wanted)
  list(POP_FRONT wanted name)
  find_program(plain NAMES ${name} NO_CACHE)
  set(found "none is here")
  if(plain)
    tilewright_clang_tidy_version(version ${plain})
    set(found "this is ${version}")
    if(version VERSION_GREATER_EQUAL TILEWRIGHT_CLANG_TIDY_FLOOR)
      set(${result} ${plain} ${wanted} PARENT_SCOPE)
      return()
    endif()
  endif()
  foreach(number RANGE 30 ${TILEWRIGHT_CLANG_TIDY_FLOOR} -1)
    list(APPEND names ${name}-${number})
  endforeach()
  find_program(numbered NAMES ${names} NO_CACHE)
  if(NOT numbered)
    message(FATAL_ERROR
      "clang-tidy ${TILEWRIGHT_CLANG_TIDY_FLOOR} or newer is needed for C++23 with this library; ${found}.")
  endif()
  set(${result} ${numbered} ${wanted} PARENT_SCOPE)
endfunction()

if(CMAKE_CXX_CLANG_TIDY)
  tilewright_choose_clang_tidy(CMAKE_CXX_CLANG_TIDY "${CMAKE_CXX_CLANG_TIDY}")
endif()
