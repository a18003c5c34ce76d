// SPDX-License-Identifier: Apache-2.0
#include "core/node/disassembler.h"

#include "core/base/text.h"
#include "core/node/cuda_toolkit.h"
#include "core/node/listing_text.h"
#include "core/node/machine_trouble.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <vector>

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

namespace {

namespace fs = std::filesystem;

constexpr const char* nsightHome = "/opt/nvidia";

bool isBelow(const fs::path& path, const char* folder) { return path.string().starts_with(std::string(folder) + "/"); }

/// What of the system the tool needs: its own folder, where its libraries stand, or the toolkit that it is part of.
/// A toolkit's ncu is a script that looks for the real one where Nsight Compute puts itself.
std::vector<fs::path> foldersOfTool(const fs::path& tool)
{
    std::vector<fs::path> folders;
    std::error_code problem;
    if (fs::is_directory(nsightHome, problem))
        folders.emplace_back(nsightHome);
    for (const fs::path& root : toolkitFolders())
        if (const fs::path toolkit = fs::canonical(root, problem); !problem && isBelow(tool, toolkit.c_str())) {
            folders.push_back(toolkit);
            return folders;
        }
    folders.push_back(tool.parent_path());
    return folders;
}

} // namespace

fs::path findTool(const char* name)
{
    std::vector<fs::path> folders;
    for (const fs::path& root : toolkitFolders())
        for (const char* below : {"bin", "compute-sanitizer", "nsight-compute"})
            folders.push_back(root / below);
    std::error_code problem;
    for (const fs::directory_entry& version : fs::directory_iterator(fs::path(nsightHome) / "nsight-compute", problem))
        folders.push_back(version.path());
    const char* search = std::getenv("PATH");
    std::string_view left = search ? search : "";
    while (!left.empty()) {
        const std::string_view folder = left.substr(0, left.find(':'));
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
        if (folder.starts_with('/'))
            folders.emplace_back(folder);
    }
    for (const fs::path& folder : folders)
        if (const fs::path path = folder / name; access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, problem))
            return fs::canonical(path, problem);
    return {};
}

void addFoldersOf(const fs::path& tool, SandboxRequest& request)
{
    for (const fs::path& folder : foldersOfTool(tool))
        if (folder != "/usr" && !isBelow(folder, "/usr")) // which every sandbox has
            request.readOnly.emplace_back(folder, folder.string());
}

} // namespace tilewright
