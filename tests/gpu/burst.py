#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads one GPU as hard as cuBLAS can for some seconds, so that what is measured next is measured hot.

  CUDA_VISIBLE_DEVICES=UUID burst.py SECONDS

Prints one JSON object: products made, TFLOP/s, and what nvidia-smi told of clock, power and throttling at its end.
"""
import ctypes, glob, json, os, subprocess, sys, time

SIZE, BF16, FP32, COMPUTE_32F = 8192, 14, 0, 68
cuda = ctypes.CDLL("libcuda.so.1")


def cublas():
    names = ["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"]
    for name in names + sorted(glob.glob("/usr/local/cuda*/lib64/libcublas.so.*")):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    sys.exit("burst: no libcublas found")


def must(code, what):
    if code:
        sys.exit(f"burst: {what} failed with {code}")


def main():
    seconds = float(sys.argv[1])
    device, context = ctypes.c_int(), ctypes.c_void_p()
    must(cuda.cuInit(0), "cuInit")
    must(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    must(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    matrices = [ctypes.c_uint64() for _ in range(3)]
    for matrix in matrices:
        must(cuda.cuMemAlloc_v2(ctypes.byref(matrix), ctypes.c_size_t(2 * SIZE * SIZE)), "cuMemAlloc")
        must(cuda.cuMemsetD16_v2(matrix, ctypes.c_ushort(0x3F9A), ctypes.c_size_t(SIZE * SIZE)), "cuMemsetD16")
    library, handle = cublas(), ctypes.c_void_p()
    must(library.cublasCreate_v2(ctypes.byref(handle)), "cublasCreate")
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    a, b, c = (ctypes.c_void_p(matrix.value) for matrix in matrices)
    products, begun = 0, time.monotonic()
    while time.monotonic() - begun < seconds:
        for _ in range(20):
            must(library.cublasGemmEx(handle, 0, 0, SIZE, SIZE, SIZE, ctypes.byref(one), a, BF16, SIZE, b, BF16, SIZE,
                                      ctypes.byref(zero), c, BF16, SIZE, COMPUTE_32F, -1), "cublasGemmEx")
        must(cuda.cuCtxSynchronize(), "cuCtxSynchronize")
        products += 20
    took = time.monotonic() - begun
    query = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw,temperature.gpu,clocks_throttle_reasons.active",
             "--format=csv,noheader", "-i", os.environ.get("CUDA_VISIBLE_DEVICES", "0")]
    told = subprocess.run(query, capture_output=True, text=True).stdout.strip()
    print(json.dumps({"products": products, "tflops": round(products * 2 * SIZE**3 / took / 1e12, 1), "gpu": told}))


if __name__ == "__main__":
    main()
