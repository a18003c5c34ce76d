// SPDX-License-Identifier: Apache-2.0
#include "core/worker/vendor_blas.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace tilewright {
namespace {

// cblas.h: CBLAS_ORDER, CBLAS_TRANSPOSE
constexpr int rowMajor = 101, noTranspose = 111;
using Sgemm = void (*)(int order, int transposeA, int transposeB, int m, int n, int k, float alpha, const float* a,
    int lda, const float* b, int ldb, float beta, float* c, int ldc);

struct GemmArgs {
    int m, n, k;
    const float *a, *b;
    float* c;
};

Sgemm sgemm = nullptr;
void* loaded = nullptr;

void runVendor(const void* raw)
{
    const auto& args = *static_cast<const GemmArgs*>(raw);
    sgemm(rowMajor, noTranspose, noTranspose, args.m, args.n, args.k, 1, args.a, args.k, args.b, args.n, 0, args.c,
        args.n);
}

} // namespace

void (*loadVendorBlas(const char** why))(const void* args)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *why = dlerror();
        return nullptr;
    }
    sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
    if (!sgemm) {
        *why = "libopenblas.so.0 has no cblas_sgemm";
        return nullptr;
    }
    loaded = library;
    static float a[64 * 64], b[64 * 64], c[64 * 64]; // one call, so that the library's buffers exist
    const GemmArgs warmUp{64, 64, 64, a, b, c};
    runVendor(&warmUp);
    return runVendor;
}

void describeVendorBlas(char* text, unsigned long size)
{
    using Word = const char* (*)();
    const auto ask = [](const char* function) {
        const auto word = loaded ? reinterpret_cast<Word>(dlsym(loaded, function)) : nullptr;
        return word && word() ? word() : "";
    };
    std::snprintf(text, size, "%s\n%s", ask("openblas_get_config"), ask("openblas_get_corename"));
}

const char* vendorBlasName()
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    const auto name = library ? reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_config")) : nullptr;
    return name ? name() : "";
}

} // namespace tilewright
