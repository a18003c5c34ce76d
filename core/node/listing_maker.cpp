// SPDX-License-Identifier: Apache-2.0
#include "core/node/listing_maker.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/node/listing_text.h"
#include "core/node/machine_trouble.h"
#include "core/protocol/gpu_trouble.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t mostKernels = 4096, longestKernelName = 200;

std::string shortOf(const Hash& hash) { return hash.hex().substr(0, 12); }

/// What the machine or the steering request is at fault for is told as it is; all else means that it cannot be built
/// again.
Error whyNotAgain(Error error)
{
    if (error.code == "cancelled" || lacksCompiler(error.code) || error.code == "run/start"
        || error.code.starts_with("device/") || isMachineTrouble(error.code))
        return error;
    error.text = "the program was built before, but does not build here: " + error.text;
    error.code = "listing/rebuild";
    return error;
}

std::string keptWords(const ListingRequest& request)
{
    return "This is the " + titleOf(request.form) + " of the code that was built: the same program ("
        + shortOf(request.artifact) + "), from the build cache"
        + (request.builtBy.empty() ? "." : ", built by " + request.builtBy + ".");
}

/// The end of a sentence about what was built.
std::string measuredWords(const ListingRequest& request)
{
    return request.builtBy.empty() ? "that was built elsewhere" : "that was built by " + request.builtBy;
}

/// The first line of what was built again: of the same code or of another, as the hashes say.
std::pair<ListedCode, std::string> heldAgainst(
    const ListingRequest& request, const Hash& recorded, const Hash& found, const std::string& by)
{
    const std::string title = titleOf(request.form);
    if (recorded.isNull())
        return {ListedCode::Unknown,
            "It is unknown whether this is the " + title
                + " of the code that was built: the session has no hash of it. It was built for this listing by " + by
                + "."};
    if (recorded == found)
        return {ListedCode::AsBuilt,
            "This is the " + title + " of the code that was built: built again by " + by + ", byte for byte the same ("
                + shortOf(found) + ")."};
    return {ListedCode::Other,
        "This is NOT the " + title + " of the code that was built: built again here by " + by + ", the result differs ("
            + shortOf(found) + ", not " + shortOf(recorded) + "); " + measuredWords(request) + "."};
}

/// The same for SASS of which only the PTX is recorded: other PTX is other code, the same PTX no proof.
std::pair<ListedCode, std::string> heldAgainstPtx(
    const ListingRequest& request, const Hash& found, const std::string& by)
{
    if (request.ptx != found)
        return heldAgainst(request, request.ptx, found, by);
    return {ListedCode::Unknown,
        "It is unknown whether this is the SASS of the code that was built: it was built again by " + by
            + ", and its PTX is byte for byte the same; the session has no hash of the machine code."};
}

bool isArchitecture(const std::string& text)
{
    return text.starts_with("sm_") && text.size() > 3 && text.size() < 10
        && std::ranges::all_of(text.substr(3), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); });
}

Listing signedBy(Listing listing, ListedCode code, std::string tool, std::string compiler)
{
    listing.code = code;
    listing.tool = std::move(tool);
    listing.compiler = std::move(compiler);
    return listing;
}

} // namespace

ListingMaker::ListingMaker(
    const Sandbox& sandbox, const Builder& builder, CudaBuilder& cudaBuilder, std::vector<int> cpus)
    : m_builder(builder)
    , m_cudaBuilder(cudaBuilder)
    , m_disassembler(sandbox, std::move(cpus))
{
}

Result<Listing> ListingMaker::make(
    const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    if (!std::ranges::count(listingFormsOf(task.target), request.form))
        return fail("listing/form", "a program of " + task.name + " has no " + titleOf(request.form));
    if (request.form != ListingForm::Ptx) // before anything is built for it
        if (const auto tool = Disassembler::toolFor(request.form); !tool)
            return std::unexpected(tool.error());
    if (request.form == ListingForm::Assembly)
        return assembly(request, task, source, cancelled);
    return request.form == ListingForm::Ptx ? ptx(request, task, source, cancelled)
                                            : sass(request, task, source, cancelled);
}

Result<Listing> ListingMaker::assembly(
    const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    ListedCode code = ListedCode::AsBuilt;
    std::string first = keptWords(request), by;
    auto path = request.artifact.isNull() ? fail("build/no-artifact", "") : m_builder.artifactPath(request.artifact);
    if (!path) {
        const BuildOutcome built = m_builder.buildCandidate(task, source, cancelled);
        if (!built.ok)
            return std::unexpected(whyNotAgain({built.rule, built.text, built.hint, built.evidence}));
        by = m_builder.compiler();
        std::tie(code, first) = heldAgainst(request, request.artifact, built.artifact, by);
        path = m_builder.artifactPath(built.artifact);
    }
    const auto object = path ? readFile(*path) : Result<std::string>(std::unexpected(path.error()));
    if (!object)
        return std::unexpected(object.error());
    auto shown = m_disassembler.disassembly(request.form, *object, cancelled);
    if (!shown)
        return std::unexpected(shown.error());
    return signedBy(listingOf(request.form, first, shown->text, shown->wasCut), code, shown->tool, by);
}

Result<KernelCode> ListingMaker::compiledAgain(
    const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    if (!isArchitecture(request.architecture))
        return fail("listing/record", "the session does not record which GPU the program was built for");
    if (request.kernels.empty() || request.kernels.size() > mostKernels
        || std::ranges::any_of(
            request.kernels, [](const std::string& name) { return name.empty() || name.size() > longestKernelName; }))
        return fail("listing/record", "the session does not record which kernels of the program were built");
    auto compiled = m_cudaBuilder.kernelsAgain(task, source, request.architecture, request.kernels, cancelled);
    if (!compiled)
        return std::unexpected(whyNotAgain(std::move(compiled.error())));
    return compiled;
}

Result<Listing> ListingMaker::ptx(
    const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    const auto compiled = compiledAgain(request, task, source, cancelled);
    if (!compiled)
        return std::unexpected(compiled.error());
    const std::string by = m_cudaBuilder.compiler() + " for " + request.architecture;
    const auto [code, first] = heldAgainst(request, request.ptx, sha256(compiled->ptx), by);
    return signedBy(
        listingOf(request.form, first, printable(compiled->ptx), false), code, "", m_cudaBuilder.compiler());
}

Result<Listing> ListingMaker::sass(
    const ListingRequest& request, const Task& task, const std::string& source, const Cancelled& cancelled) const
{
    const auto kept = m_cudaBuilder.artifact(request.artifact);
    ListedCode code = ListedCode::AsBuilt;
    std::string first = keptWords(request);
    std::string cubin = kept ? (*kept)->cubin : std::string();
    if (!kept) {
        auto compiled = compiledAgain(request, task, source, cancelled);
        if (!compiled)
            return std::unexpected(compiled.error());
        const std::string by = m_cudaBuilder.compiler() + " for " + request.architecture;
        std::tie(code, first) = heldAgainst(request, request.cubin, sha256(compiled->cubin), by);
        if (code == ListedCode::Unknown && !request.ptx.isNull())
            std::tie(code, first) = heldAgainstPtx(request, sha256(compiled->ptx), by);
        cubin = std::move(compiled->cubin);
    }
    const auto shown = m_disassembler.disassembly(request.form, cubin, cancelled);
    if (!shown)
        return std::unexpected(shown.error());
    return signedBy(listingOf(request.form, first, shown->text, shown->wasCut), code, shown->tool,
        kept ? "" : m_cudaBuilder.compiler());
}

} // namespace tilewright
