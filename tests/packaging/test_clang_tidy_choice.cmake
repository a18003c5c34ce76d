# SPDX-License-Identifier: GPL-3.0-or-later
# A clang-tidy that is too old, absent or of a numbered name: what the preset makes of it. Run by ctest with -P; with CASE
# it is one choice, which the cases below start as a process of its own, since a refusal ends it.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/../../packaging/cmake/TilewrightClangTidy.cmake)

if(CASE)
  tilewright_choose_clang_tidy(chosen "clang-tidy;--quiet")
  message(STATUS "chosen ${chosen}")
  return()
endif()

# One folder a case, the only one that is searched; a program in it says which version it is.
function(expect case pattern programs)
  set(folder ${WORK}/${case})
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  foreach(program IN LISTS programs)
    string(REPLACE "=" ";" parts ${program})
    list(GET parts 0 name)
    list(GET parts 1 version)
    file(WRITE ${folder}/${name} "#!/bin/sh\necho 'LLVM version ${version}'\n")
    file(CHMOD ${folder}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endforeach()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env PATH=${folder} ${CMAKE_COMMAND} -DCASE=${case}
      -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(NOT said MATCHES "${pattern}")
    message(SEND_ERROR "${case}: expected '${pattern}', got: ${said}")
  endif()
endfunction()

expect(old "clang-tidy 19 or newer is needed for C\\+\\+23 with this library; this is 14\\.0\\.6\\."
  "clang-tidy=14.0.6")
expect(absent "clang-tidy 19 or newer is needed for C\\+\\+23 with this library; none is here\\." "")
expect(new "chosen [^ ]*/new/clang-tidy;--quiet" "clang-tidy=19.1.7")
expect(beside "chosen [^ ]*/beside/clang-tidy-22;--quiet" "clang-tidy=14.0.6;clang-tidy-19=19.1.7;clang-tidy-22=22.1.0")
expect(numbered-old "is needed for C\\+\\+23 with this library; this is 16\\.0\\.6\\."
  "clang-tidy=16.0.6;clang-tidy-14=14.0.6")
