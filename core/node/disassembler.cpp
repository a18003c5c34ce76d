// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/disassembler.h"

#include "core/base/text.h"
#include "core/node/listing_text.h"
#include "core/node/machine_trouble.h"
#include "core/node/tool_places.h"

namespace tilewright {
namespace {

using namespace std::chrono_literals;

constexpr auto disassemblyLimit = 30s;
constexpr std::size_t mostDisassembly = std::size_t(64) << 20; ///< bytes that are read of it
constexpr std::size_t mostDisassemblerMemory = std::size_t(2) << 30;
constexpr int behindBuilds = 10; ///< niceness

std::vector<std::string> optionsOf(const std::filesystem::path& tool, ListingForm form)
{
    if (form == ListingForm::Sass)
        return {tool.filename() == "nvdisasm" ? "-c" : "-sass"};
    std::vector<std::string> options{"--disassemble", "--demangle", "--no-show-raw-insn"};
#if defined(__x86_64__)
    options.emplace_back("--disassembler-options=intel");
#endif
    return options;
}

/// ": what the tool says in its first line"; empty where it says nothing.
std::string firstWordsOf(std::string_view output)
{
    const std::string_view line = trimmed(trimmed(output).substr(0, 200));
    return line.empty() ? std::string() : ": " + printable(line.substr(0, line.find('\n')));
}

} // namespace

Result<RunResult> Disassembler::run(const std::filesystem::path& tool, const std::vector<std::string>& options,
    const std::string& program, const Cancelled& cancelled) const
{
    const auto scratch = ScratchFolder::make("tilewright-listing");
    if (!scratch)
        return std::unexpected(scratch.error());
    if (auto written = writeText("the temporary folder", scratch->path() / "program", program); !written)
        return std::unexpected(written.error());
    const std::string inside = m_sandbox.pathInside(scratch->path(), "/work");
    SandboxRequest request;
    request.command = {tool.string()};
    request.command.insert(request.command.end(), options.begin(), options.end());
    request.command.push_back(inside + "/program");
    addFoldersOf(tool, request);
    request.writable = scratch->path();
    request.environment = {{"PATH", tool.parent_path().string() + ":/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"},
        {"HOME", inside}, {"TMPDIR", inside}};
    ChildSetup setup;
    setup.command = m_sandbox.wrap(request);
    setup.cpus = m_cpus;
    setup.memoryBytes = mostDisassemblerMemory;
    setup.cpuSeconds = static_cast<int>(disassemblyLimit.count()) + 2;
    setup.niceness = behindBuilds;
    auto result = runToEnd(setup, disassemblyLimit, mostDisassembly, cancelled);
    if (result && result->cancelled)
        return fail("cancelled", "the listing was cancelled");
    if (result && result->status.timedOut)
        return fail("tool/timeout", tool.filename().string() + " did not end in time");
    return result;
}

Result<std::filesystem::path> Disassembler::toolFor(ListingForm form)
{
    for (const char* name : form == ListingForm::Sass ? std::vector{"nvdisasm", "cuobjdump"} : std::vector{"objdump"})
        if (std::filesystem::path tool = findTool(name); !tool.empty())
            return tool;
    if (form == ListingForm::Sass)
        return fail("tool/missing", "neither nvdisasm nor cuobjdump is installed on the machine of the node",
            "install the CUDA toolkit's package cuda-nvdisasm");
    return fail("tool/missing", "objdump is not installed on the machine of the node",
        "install the package binutils (Debian: apt install binutils)");
}

Result<Disassembly> Disassembler::disassembly(
    ListingForm form, const std::string& program, const Cancelled& cancelled) const
{
    const auto tool = toolFor(form);
    if (!tool)
        return std::unexpected(tool.error());
    const auto shown = run(*tool, optionsOf(*tool, form), program, cancelled);
    if (!shown)
        return std::unexpected(shown.error());
    const std::string name = form == ListingForm::Sass ? tool->filename().string() : "objdump"; // not its longer alias
    if (!shown->status.clean() && !shown->outputCut)
        return fail("tool/output",
            name + " could not read the program: it " + shown->status.text() + firstWordsOf(shown->output), "",
            {{"output", printable(shown->output.substr(0, 1000))}});
    auto text = form == ListingForm::Sass ? readSass(shown->output) : readObjdump(shown->output);
    if (!text)
        return std::unexpected(text.error());
    return Disassembly{std::move(*text), name, shown->outputCut};
}

} // namespace tilewright
