# SPDX-License-Identifier: GPL-3.0-or-later
# QCustomPlot as Fedora ships it, without a CMake configuration: found by pkg-config, and in the compiler's and linker's
# command lines. The library is this machine's (LIBRARY, INCLUDE), its description is written here. `cmake --build
# WORK/build` compiles and links the program that uses it; the test leaves that out, as it takes minutes on a busy machine.
file(REMOVE_RECURSE ${WORK})
get_filename_component(folder ${LIBRARY} DIRECTORY)
get_filename_component(name ${LIBRARY} NAME_WE)
string(REGEX REPLACE "^lib" "" name ${name})
file(WRITE ${WORK}/pc/qcustomplot-qt6.pc "Name: qcustomplot-qt6\nDescription: plots\nVersion: 2.1.0\n"
  "Libs: -L${folder} -l${name}\nCflags: -I${INCLUDE} -DSAID_BY_PKG_CONFIG\n")
set(ENV{PKG_CONFIG_PATH} ${WORK}/pc)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/plots -B ${WORK}/build -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_DISABLE_FIND_PACKAGE_QCustomPlotQt6=ON
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cannot be configured: ${said}")
endif()
file(READ ${WORK}/build/build.ninja rules)
foreach(needed "${name}.so" "SAID_BY_PKG_CONFIG" "Qt6PrintSupport")
  string(FIND "${rules}" "${needed}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the commands say nothing of ${needed}")
  endif()
endforeach()
