// SPDX-License-Identifier: Apache-2.0
// Listings on demand: the code that was measured where the build cache still has it, else the program built once more,
// held against what the session recorded. A listing of anything else says so in its first line. Thread-safe.
#pragma once

#include "core/node/builder.h"
#include "core/node/cuda_builder.h"
#include "core/node/disassembler.h"

namespace tilewright {

class ListingMaker
{
public:
    /// cpus: where disassemblers may run; empty means anywhere.
    ListingMaker(const Sandbox& sandbox, const Builder& builder, CudaBuilder& cudaBuilder, std::vector<int> cpus);

    /// Errors: listing/form, listing/rebuild (it does not build here), tool/…, build/no-nvrtc, build/no-compiler,
    /// device/…, machine/…, cancelled.
    Result<Listing> make(
        const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const;

private:
    Result<Listing> assembly(
        const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const;
    Result<Listing> ptx(
        const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const;
    Result<Listing> sass(
        const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const;
    Result<KernelCode> compiledAgain(
        const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const;

    const Builder& m_builder;
    CudaBuilder& m_cudaBuilder;
    Disassembler m_disassembler;
};

} // namespace tilewright
