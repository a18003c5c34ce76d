# SPDX-License-Identifier: GPL-3.0-or-later
# CUDA is needed by nobody who builds: driver, NVRTC and cuBLAS are loaded at run time, where they are. What is said here
# is for the summary alone: whether GPU programs could be compiled on this machine. The same places, in the same order, as
# in core/node/cuda_toolkit.cpp.
file(GLOB cuda_versions LIST_DIRECTORIES true /usr/local/cuda-*)
list(SORT cuda_versions ORDER DESCENDING)
set(cuda_nvrtc)
set(cuda_headers)
foreach(root $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${cuda_versions} /opt/cuda /usr)
  foreach(folder lib64 lib targets/x86_64-linux/lib lib/x86_64-linux-gnu)
    foreach(name libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so)
      if(NOT cuda_nvrtc AND EXISTS ${root}/${folder}/${name})
        set(cuda_nvrtc ${root}/${folder}/${name})
      endif()
    endforeach()
  endforeach()
  foreach(folder include targets/x86_64-linux/include)
    if(NOT cuda_headers AND EXISTS ${root}/${folder}/cuda_fp16.h)
      set(cuda_headers ${root}/${folder})
    endif()
  endforeach()
endforeach()

add_feature_info("GPU worker" TRUE "always built: driver, NVRTC and cuBLAS are loaded at run time")
if(NOT cuda_nvrtc)
  add_feature_info("GPU tasks here" FALSE
    "no NVRTC was found on this machine: GPU programs cannot be compiled here (install the CUDA toolkit)")
elseif(NOT cuda_headers)
  add_feature_info("GPU tasks here" TRUE "${cuda_nvrtc}; no CUDA headers: programs that include them cannot be compiled")
else()
  add_feature_info("GPU tasks here" TRUE "${cuda_nvrtc}, headers in ${cuda_headers}")
endif()
