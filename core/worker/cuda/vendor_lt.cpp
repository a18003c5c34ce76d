// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/cuda/vendor_lt.h"

#include <dlfcn.h>

namespace tilewright {
namespace {

constexpr int real32 = 0, realBf16 = 14, compute32 = 68, compute32Pedantic = 69, maxWorkspace = 1;
constexpr int heuristicsAsked = 8, timedRuns = 3;

void* pointer(cu::Pointer address) { return reinterpret_cast<void*>(address); }

} // namespace

Result<std::unique_ptr<VendorLt>> VendorLt::load(const GpuFormats& formats)
{
    void* library = nullptr;
    for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so"})
        if (!library)
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail("vendor/missing", "cublasLt cannot be loaded: no comparison with the vendor's library",
            "install the CUDA toolkit's cuBLAS");
    std::unique_ptr<VendorLt> vendor(new VendorLt(formats));
    bool complete = true;
    const auto bind = [&](const char* name, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        complete &= function != nullptr;
    };
    bind("cublasLtCreate", vendor->m_create);
    bind("cublasLtGetVersion", vendor->m_getVersion);
    bind("cublasLtMatmulDescCreate", vendor->m_operationCreate);
    bind("cublasLtMatrixLayoutCreate", vendor->m_layoutCreate);
    bind("cublasLtMatmulPreferenceCreate", vendor->m_preferenceCreate);
    bind("cublasLtMatmulPreferenceSetAttribute", vendor->m_preferenceSet);
    bind("cublasLtMatmulPreferenceDestroy", vendor->m_preferenceDestroy);
    bind("cublasLtMatmulAlgoGetHeuristic", vendor->m_heuristics);
    bind("cublasLtMatmul", vendor->m_matmul);
    if (!complete || vendor->m_create(&vendor->m_library) != 0)
        return fail("vendor/missing", "cublasLt cannot be started on this GPU");
    vendor->m_version = static_cast<int>(vendor->m_getVersion());
    return vendor;
}

Result<VendorLt::Problem> VendorLt::describe(const ProductExtents& extents) const
{
    // Column-major eyes see the transposed: Cᵀ = Bᵀ Aᵀ.
    const auto rows = static_cast<std::uint64_t>(extents.rows), columns = static_cast<std::uint64_t>(extents.columns),
               depth = static_cast<std::uint64_t>(extents.depth);
    const auto type = [](GpuElement element) { return element == GpuElement::Bf16 ? realBf16 : real32; };
    const int in = type(m_formats.in), out = type(m_formats.out);
    Problem problem;
    const bool made = m_operationCreate(&problem.operation, in == real32 ? compute32Pedantic : compute32, real32) == 0
        && m_layoutCreate(&problem.a, in, columns, depth, extents.columns) == 0
        && m_layoutCreate(&problem.b, in, depth, rows, extents.depth) == 0
        && m_layoutCreate(&problem.c, out, columns, rows, extents.columns) == 0;
    if (!made)
        return fail("vendor/failed", "cublasLt cannot describe this product");
    return problem;
}

cu::Code VendorLt::run(const Problem& problem, const BoundBuffers& buffers, cu::Stream stream) const
{
    const float one = 1, zero = 0;
    const int status = m_matmul(m_library, problem.operation, &one, pointer(buffers.address[1]), problem.a,
        pointer(buffers.address[0]), problem.b, &zero, pointer(buffers.address[2]), problem.c,
        pointer(buffers.address[2]), problem.c, &problem.algorithm, pointer(buffers.address[3]), problem.workspaceBytes,
        stream);
    return status == 0 ? 0 : -1;
}

Result<void> VendorLt::prepare(const cu::Driver& driver, const ProductExtents& extents, const BoundBuffers& buffers,
    std::uint64_t workspaceBytes, cu::Stream stream)
{
    const Extents key{extents.rows, extents.columns, extents.depth};
    if (const auto known = m_problems.find(key); known != m_problems.end()) {
        m_current = &known->second;
        return {};
    }
    auto problem = describe(extents);
    if (!problem)
        return std::unexpected(problem.error());
    Handle preference = nullptr;
    Heuristic proposals[heuristicsAsked] = {};
    int count = 0;
    m_preferenceCreate(&preference);
    m_preferenceSet(preference, maxWorkspace, &workspaceBytes, sizeof workspaceBytes);
    const int status = m_heuristics(m_library, problem->operation, problem->a, problem->b, problem->c, problem->c,
        preference, heuristicsAsked, proposals, &count);
    m_preferenceDestroy(preference);
    if (status != 0 || count == 0)
        return fail("vendor/failed", "cublasLt knows no way to compute this product");
    cu::Event begin = nullptr, end = nullptr;
    driver.eventCreate(&begin, 0);
    driver.eventCreate(&end, 0);
    float best = 0;
    for (int i = 0; i < count; ++i) {
        Problem tried = *problem;
        tried.algorithm = proposals[i].algorithm;
        tried.workspaceBytes = proposals[i].workspaceBytes;
        if (proposals[i].state != 0 || tried.workspaceBytes > workspaceBytes || run(tried, buffers, stream) != 0)
            continue;
        driver.eventRecord(begin, stream);
        for (int repeat = 0; repeat < timedRuns; ++repeat)
            run(tried, buffers, stream);
        driver.eventRecord(end, stream);
        float milliseconds = 0;
        if (driver.streamSynchronize(stream) != 0 || driver.eventElapsedTime(&milliseconds, begin, end) != 0)
            return fail("vendor/failed", "cublasLt's product does not run");
        if (best == 0 || milliseconds < best) {
            best = milliseconds;
            m_problems[key] = tried;
        }
    }
    if (best == 0)
        return fail("vendor/failed", "none of cublasLt's proposals runs");
    m_current = &m_problems[key];
    return {};
}

cu::Code VendorLt::launch(const BoundBuffers& buffers, cu::Stream stream)
{
    return m_current ? run(*m_current, buffers, stream) : -1;
}

} // namespace tilewright
