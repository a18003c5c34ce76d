# SPDX-License-Identifier: GPL-3.0-or-later
# The configuration tells that the GPU worker is built anyway, and which toolkit would serve it on this machine: here one
# that CUDA_HOME names.
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/toolkit/lib64/libnvrtc.so.12 "")
file(WRITE ${WORK}/toolkit/include/cuda_fp16.h "")
set(ENV{CUDA_HOME} ${WORK}/toolkit)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/cuda -B ${WORK}/build -G Ninja
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REGEX REPLACE ".*features have been enabled:" "" enabled "${said}")
string(REGEX REPLACE "features have been disabled:.*" "" enabled "${enabled}")
foreach(line "GPU worker, always built: driver, NVRTC and cuBLAS are loaded at run time"
    "GPU tasks here, ${WORK}/toolkit/lib64/libnvrtc.so.12, headers in ${WORK}/toolkit/include")
  string(FIND "${enabled}" "${line}" at)
  if(NOT status EQUAL 0 OR at EQUAL -1)
    message(SEND_ERROR "'${line}' is not among what is there: ${said}")
  endif()
endforeach()
