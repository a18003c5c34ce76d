// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/vendor_lt.h"

#include <algorithm>
#include <dlfcn.h>

namespace tilewright {
namespace {

constexpr int real32 = 0, realBf16 = 14, compute32 = 68, compute32Pedantic = 69, maxWorkspace = 1;
constexpr int heuristicsAsked = 8, mostTimed = 9;
constexpr float enoughMs = 4; ///< of one proposal's launches, to tell it from the others

void* pointer(cu::Pointer address) { return reinterpret_cast<void*>(address); }

} // namespace

Result<std::unique_ptr<VendorLt>> VendorLt::load(const GpuFormats& formats)
{
    void* library = nullptr;
    for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so"})
        if (!library)
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail("vendor/missing", "cublasLt cannot be loaded: no comparison with the vendor library",
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

Result<VendorLt::Problem> VendorLt::describe(const ProductExtents& extents, int compute) const
{
    // Column-major eyes see the transposed: Cᵀ = Bᵀ Aᵀ.
    const auto rows = static_cast<std::uint64_t>(extents.rows), columns = static_cast<std::uint64_t>(extents.columns),
               depth = static_cast<std::uint64_t>(extents.depth);
    const auto type = [](GpuElement element) { return element == GpuElement::Bf16 ? realBf16 : real32; };
    const int in = type(m_formats.in), out = type(m_formats.out);
    Problem problem;
    const bool made = m_operationCreate(&problem.operation, compute, real32) == 0
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

std::vector<VendorLt::Problem> VendorLt::proposals(
    const Problem& problem, std::uint64_t workspaceBytes, int first) const
{
    Handle preference = nullptr;
    Heuristic proposed[heuristicsAsked] = {};
    int count = 0;
    m_preferenceCreate(&preference);
    m_preferenceSet(preference, maxWorkspace, &workspaceBytes, sizeof workspaceBytes);
    const int status = m_heuristics(m_library, problem.operation, problem.a, problem.b, problem.c, problem.c,
        preference, heuristicsAsked, proposed, &count);
    m_preferenceDestroy(preference);
    std::vector<Problem> usable;
    for (int i = 0; status == 0 && i < count; ++i)
        if (proposed[i].state == 0 && proposed[i].workspaceBytes <= workspaceBytes) {
            usable.push_back(problem);
            usable.back().algorithm = proposed[i].algorithm;
            usable.back().workspaceBytes = proposed[i].workspaceBytes;
            usable.back().number = first + i;
        }
    return usable;
}

Result<std::vector<VendorLt::Problem>> VendorLt::proposals(
    const ProductExtents& extents, std::uint64_t workspaceBytes) const
{
    // Of fp32 both are strict: TF32 has a type of its own. The library may know faster kernels for the one or the
    // other.
    std::vector<int> computes{compute32};
    if (m_formats.in == GpuElement::Fp32)
        computes.insert(computes.begin(), compute32Pedantic);
    std::vector<Problem> all;
    for (std::size_t i = 0; i < computes.size(); ++i) {
        const auto problem = describe(extents, computes[i]);
        if (!problem)
            return std::unexpected(problem.error());
        for (Problem& one : proposals(*problem, workspaceBytes, static_cast<int>(i) * heuristicsAsked))
            all.push_back(one);
    }
    if (all.empty())
        return fail("vendor/failed", "cublasLt has no algorithm for this product");
    return all;
}

std::optional<float> VendorLt::timed(const cu::Driver& driver, const Problem& problem, const BoundBuffers& buffers,
    const std::function<cu::Code()>& cool, cu::Stream stream) const
{
    cu::Event begin = nullptr, end = nullptr;
    driver.eventCreate(&begin, 0);
    driver.eventCreate(&end, 0);
    std::vector<float> all;
    float sum = 0;
    bool runs = true;
    // The first is not counted: it loads the library's kernel.
    for (int i = 0; runs && i <= mostTimed && (i < 2 || sum < enoughMs); ++i) {
        float milliseconds = 0;
        runs = cool() == 0 && driver.eventRecord(begin, stream) == 0 && run(problem, buffers, stream) == 0
            && driver.eventRecord(end, stream) == 0 && driver.streamSynchronize(stream) == 0
            && driver.eventElapsedTime(&milliseconds, begin, end) == 0;
        if (runs && i > 0) {
            all.push_back(milliseconds);
            sum += milliseconds;
        }
    }
    driver.eventDestroy(begin);
    driver.eventDestroy(end);
    if (!runs)
        return std::nullopt;
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    return all[all.size() / 2];
}

Result<int> VendorLt::prepare(const cu::Driver& driver, const ProductExtents& extents, const BoundBuffers& buffers,
    std::uint64_t workspaceBytes, int choice, const std::function<cu::Code()>& cool, cu::Stream stream)
{
    const Extents key{extents.rows, extents.columns, extents.depth};
    if (const auto known = m_problems.find(key); known != m_problems.end()) {
        m_current = &known->second;
        return m_current->number;
    }
    const auto usable = proposals(extents, workspaceBytes);
    if (!usable)
        return std::unexpected(usable.error());
    const auto chosen = std::ranges::find(*usable, choice, &Problem::number);
    std::optional<float> best;
    if (chosen != usable->end()) { // its kernel is loaded before it is timed
        if (cool() == 0 && run(*chosen, buffers, stream) == 0 && driver.streamSynchronize(stream) == 0) {
            m_problems[key] = *chosen;
            best = 0;
        }
    } else {
        for (const Problem& tried : *usable)
            if (const auto time = timed(driver, tried, buffers, cool, stream); time && (!best || *time < *best)) {
                best = *time;
                m_problems[key] = tried;
            }
    }
    if (!best)
        return fail("vendor/failed", "none of cublasLt's algorithms runs");
    m_current = &m_problems[key];
    return m_current->number;
}

cu::Code VendorLt::launch(const BoundBuffers& buffers, cu::Stream stream)
{
    return m_current ? run(*m_current, buffers, stream) : -1;
}

} // namespace tilewright
