# SPDX-License-Identifier: GPL-3.0-or-later
# The functions that every CMakeLists.txt of the tree uses: a room of core or ui, a program, tests.

# tilewright_precompile(TARGET KIND HEADERS…): has TARGET begin with these headers, which are compiled once, with the
# first target of its kind. Only where files are put together anyway: elsewhere a file that lacks an include is told.
option(TILEWRIGHT_PRECOMPILE "Compile the headers that most files begin with once" OFF)
set(TILEWRIGHT_COMMON_HEADERS <algorithm> <expected> <filesystem> <fstream> <functional> <map> <memory> <optional> <regex>
  <set> <string> <variant> <vector> <nlohmann/json.hpp>)
function(tilewright_precompile target kind)
  if(NOT TILEWRIGHT_PRECOMPILE)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # or ccache knows nothing again
  endif()
  get_property(first GLOBAL PROPERTY TILEWRIGHT_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY TILEWRIGHT_PRECOMPILED_${kind} ${target})
  endif()
endfunction()

# tilewright_library(NAME SOURCES … LINK … [QT] [PLAIN]): static library tilewright_NAME; QT switches moc on and the
# strict Qt rules, PLAIN leaves sanitizers out.
function(tilewright_library name)
  cmake_parse_arguments(ARG "QT;PLAIN" "" "SOURCES;LINK" ${ARGN})
  add_library(tilewright_${name} STATIC ${ARG_SOURCES})
  tilewright_options_for(options ${ARG_PLAIN})
  target_link_libraries(tilewright_${name} PUBLIC ${options} ${ARG_LINK})
  if(ARG_QT)
    tilewright_qt_rules(tilewright_${name})
  endif()
  if(name MATCHES "^ui_")
    tilewright_precompile(tilewright_${name} ui <QtCore> <QtWidgets> ${TILEWRIGHT_COMMON_HEADERS})
  elseif(NOT ARG_QT AND NOT ARG_PLAIN)
    tilewright_precompile(tilewright_${name} core ${TILEWRIGHT_COMMON_HEADERS})
  endif()
endfunction()

# Everything that a user starts, without the tests: what packaging/run builds.
add_custom_target(programs)

# tilewright_program(NAME SOURCES … LINK … [QT] [PLAIN]): executable NAME in bin/.
function(tilewright_program name)
  cmake_parse_arguments(ARG "QT;PLAIN" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  tilewright_options_for(options ${ARG_PLAIN})
  target_link_libraries(${name} PRIVATE ${options} ${ARG_LINK})
  if(ARG_QT)
    tilewright_qt_rules(${name})
  endif()
  add_dependencies(programs ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# tilewright_bench(NAME SOURCES … LINK … [QT]): a program that measures (tests/bench/README.md). Not a test: it is built
# by name, or with all others by the target "benches".
add_custom_target(benches)
function(tilewright_bench name)
  cmake_parse_arguments(ARG "QT" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tilewright_options ${ARG_LINK})
  if(ARG_QT)
    tilewright_qt_rules(${name})
  endif()
  add_dependencies(benches ${name})
endfunction()

# What the short half of the tests needs in a build without sanitizers: all programs, and the tests that the sanitizers
# have not run already (docs/tests.md).
add_custom_target(short-half)
add_dependencies(short-half programs)

# A test ends after this many seconds only if something in it hangs: machines are slow, and busy, and the sanitizers cost.
# Qt Test's own watchdog would end a test program after five minutes.
set(TILEWRIGHT_TEST_TIMEOUT 1500)
find_program(TILEWRIGHT_XVFB_RUN xvfb-run)
find_program(TILEWRIGHT_XVFB Xvfb)
set(TILEWRIGHT_TEST_ENVIRONMENT QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=/tmp LC_ALL=C.UTF-8 QTEST_FUNCTION_TIMEOUT=1400000)

# What is common to all programs that hold tests; their sources are compiled alike, with the same precompiled headers.
function(tilewright_as_test name qt)
  target_link_libraries(${name} PRIVATE tilewright_options ${qt})
  tilewright_qt_rules(${name})
  # Qt Test says in macros where a test is built and lies, other in each folder; only its finder of data wants to know.
  target_compile_options(${name} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  # It includes its own moc; what AUTOMOC adds is an empty file, which is compiled sooner than the headers are loaded.
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/mocs_compilation.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON)
  # What is tested is as fast as ever; making the test's own lines faster took a fifth of the compiler's time for them.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(${name} PROPERTIES TILEWRIGHT_IS_TEST ON)
  target_compile_definitions(${name} PRIVATE TILEWRIGHT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    TILEWRIGHT_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()

# tilewright_test_program(NAME SOURCES … LINK …)
function(tilewright_test_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  # The macros that Qt's modules define are part of what is precompiled: of each kind all tests have the same modules.
  set(kind tests)
  set(qt Qt6::Test Qt6::Network)
  if("${ARG_LINK}" MATCHES "tilewright_(ui|gui|e2e)")
    set(kind ui_tests)
    list(APPEND qt Qt6::Widgets Qt6::Concurrent Qt6::Sql Qt6::Svg)
  endif()
  # The headers belong to a program of their own: whoever shares a target's headers waits for all of that target.
  if(TILEWRIGHT_PRECOMPILE AND NOT TARGET precompiled-${kind})
    add_executable(precompiled-${kind} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/packaging/cmake/nothing.cpp)
    tilewright_as_test(precompiled-${kind} "${qt}")
    tilewright_precompile(precompiled-${kind} ${kind} <QtTest> ${TILEWRIGHT_COMMON_HEADERS})
  endif()
  add_executable(${name} ${ARG_SOURCES})
  tilewright_as_test(${name} "${qt}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  tilewright_precompile(${name} ${kind})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()

function(tilewright_in_short_half program labels)
  if(NOT "sanitized" IN_LIST labels AND NOT "long" IN_LIST labels)
    add_dependencies(short-half ${program})
  endif()
endfunction()

# tilewright_test(NAME SOURCES … LINK … [LABELS …] [TIMEOUT S] [ON_SCREEN]): a Qt Test program of one test, with a main() of
# its own, run offscreen by ctest; one that is to be ON_SCREEN runs on an X server of its own where there is Xvfb.
function(tilewright_test name)
  cmake_parse_arguments(ARG "ON_SCREEN" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  tilewright_test_program(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  set(environment ${TILEWRIGHT_TEST_ENVIRONMENT})
  if(ARG_ON_SCREEN AND TILEWRIGHT_XVFB_RUN AND TILEWRIGHT_XVFB)
    list(TRANSFORM environment REPLACE "^QT_QPA_PLATFORM=.*" QT_QPA_PLATFORM=xcb)
    add_test(NAME ${name} COMMAND ${TILEWRIGHT_XVFB_RUN} -a -s "-screen 0 1920x1200x24" $<TARGET_FILE:${name}>)
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${TILEWRIGHT_TEST_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "${environment}")
  tilewright_in_short_half(${name} "${ARG_LABELS}")
endfunction()

# tilewright_tests(PROGRAM TESTS … [SOURCES …] LINK … [LABELS …]): one program of several tests, each a file that ends with
# TILEWRIGHT_TEST (tests/test_program.h) and a test of ctest: NAME is test_NAME.cpp, run by `PROGRAM test-NAME`. SOURCES
# are what they share. Where files are put together, what they include is read once for several.
function(tilewright_tests program)
  cmake_parse_arguments(ARG "" "" "TESTS;SOURCES;LINK;LABELS" ${ARGN})
  set(files ${CMAKE_SOURCE_DIR}/tests/test_program.cpp)
  foreach(test ${ARG_TESTS})
    string(REGEX REPLACE "([^/]+)$" "test_\\1.cpp" file ${test})
    string(REPLACE - _ file ${file})
    list(APPEND files ${file})
  endforeach()
  tilewright_test_program(${program} SOURCES ${files} ${ARG_SOURCES} LINK ${ARG_LINK})
  if(TILEWRIGHT_PRECOMPILE) # a test's own types are of no other program, whatever file includes them
    target_compile_options(${program} PRIVATE -Wno-subobject-linkage)
  endif()
  set_target_properties(${program} PROPERTIES UNITY_BUILD ${TILEWRIGHT_PRECOMPILE} UNITY_BUILD_BATCH_SIZE 8)
  tilewright_in_short_half(${program} "${ARG_LABELS}")
  foreach(test ${ARG_TESTS})
    get_filename_component(name ${test} NAME)
    add_test(NAME test-${name} COMMAND ${program} test-${name})
    set_tests_properties(test-${name} PROPERTIES TIMEOUT ${TILEWRIGHT_TEST_TIMEOUT} LABELS "${ARG_LABELS}"
      ENVIRONMENT "${TILEWRIGHT_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

function(tilewright_options_for result plain)
  if(plain)
    set(${result} tilewright_plain_options PARENT_SCOPE)
  else()
    set(${result} tilewright_options PARENT_SCOPE)
  endif()
endfunction()

function(tilewright_qt_rules target)
  # By its whole path: moc writes the name as it stands here into its list of dependencies, and a file that ninja does not
  # find makes every build run every moc again.
  set_target_properties(${target} PROPERTIES AUTOMOC ON
    AUTOMOC_MOC_OPTIONS "--include;${CMAKE_SOURCE_DIR}/packaging/cmake/before_moc.h")
  target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_KEYWORDS
    QT_NO_FOREACH QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
endfunction()
