// SPDX-License-Identifier: GPL-3.0-or-later
// The harness form: the node's own sources, put together so that one command builds them without Tilewright, CMake or
// Qt, and the scripts that build and run them.
#include "core/export/export_form.h"
#include "core/export/harness_sources.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Where a source belongs when programs are linked.
std::string groupOf(const std::string& path)
{
    for (const auto& [prefix, group] :
        {std::pair("app/harness/", "harness"), std::pair("app/node/", "node"), std::pair("core/node/", "node"),
            std::pair("app/worker/", "worker"), std::pair("app/cuda-worker/", "cuda-worker"),
            std::pair("core/worker/cuda/", "cuda-worker"), std::pair("core/worker/", "worker")})
        if (path.starts_with(prefix))
            return group;
    return "common";
}

std::string buildScript(const std::vector<HarnessProgram>& programs, const std::string& version)
{
    std::string links;
    for (const HarnessProgram& program : programs) {
        const std::string group = std::string(program.name).substr(std::string("tilewright-").size());
        // The worker runs candidates behind a filter of system calls: nothing more than its own files is in it.
        links += "link " + std::string(program.name) + " " + group + (group == "worker" ? "" : " common") + "\n";
    }
    return R"sh(#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the harness: needs g++ 12 or newer (or CXX), about three minutes of processor time, and no other package.
# The programs are in harness/out/bin; ./verify runs them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/harness/out
cxx=${CXX:-g++}
fail() { printf 'build: %s\n' "$1" >&2; exit 6; }
command -v "$cxx" >/dev/null 2>&1 || fail "there is no compiler '$cxx': install g++ 12 or newer, or set CXX"
case "$("$cxx" -dumpversion)" in
[1-9] | [1-9].* | 10 | 10.* | 11 | 11.*) fail "$cxx $("$cxx" -dumpversion) is too old: g++ 12 or newer is needed" ;;
esac
mkdir -p "$out/bin" "$out/objects" 2>/dev/null && [ -w "$out/objects" ] || fail "the folder $here cannot be written"
export cxx here out
ls "$here/harness/units" | xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" -I '{}' sh -c '
    object=$out/objects/{}.o
    [ -e "$object" ] && [ -z "$(find "$here/harness/src" "$here/harness/units" -newer "$object" | head -n 1)" ] && exit 0
    "$cxx" -std=c++23 -O2 -DNDEBUG -fPIC -w -DTILEWRIGHT_VERSION=\")sh"
        + version + R"sh(\" -I"$here/harness/src" -isystem "$here/harness/third-party" \
        -c "$here/harness/units/{}" -o "$object.new" && mv "$object.new" "$object" || exit 255
' || fail "a source does not compile; the compiler's lines stand above"
link() {
    program=$1
    shift
    objects=
    for group in "$@"; do
        for object in "$out/objects/$group"-*.o; do objects="$objects '$object'"; done
    done
    eval "\"$cxx\" $objects -pthread -ldl -o \"$out/bin/$program.new\"" || fail "$program does not link"
    mv "$out/bin/$program.new" "$out/bin/$program"
}
)sh" + links
        + "echo \"built: $out/bin\"\n";
}

constexpr std::string_view verifyScript = R"sh(#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the harness if it is not there yet, then verifies and times source/program.* (./verify --help).
# 0 right and as fast as recorded, 1 wrong, 2 usage or a damaged bundle, 3 slower, 6 not judged.
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/harness/out/bin/tilewright-harness" ] || "$here/build" >&2 || exit 6
exec "$here/harness/out/bin/tilewright-harness" --bundle "$here" "$@"
)sh";

constexpr std::string_view harnessReadme = R"md(<!-- SPDX-License-Identifier: Apache-2.0 -->
# Harness

The sources in `src/` are those of Tilewright's node and workers, unchanged; they are what measured the figures in
`report.json`. `../build` compiles them with g++ 12 or newer. `../verify` runs the result: it builds `source/program.*`,
checks it (poisoned outputs and workspace, guard pages, adversarial inputs, sizes that the task does not list) and times
it in pairs with the baseline and the vendor library, in fresh processes, with 95 % intervals.

| exit code | meaning |
|---|---|
| 0 | right, faster than the baseline, and as fast as recorded where this machine is of the recorded kind |
| 1 | wrong: it does not build, or a rule refused it |
| 2 | usage, or a damaged bundle |
| 3 | right, but slower: than the exported program side by side (where `source/program.*` or `--program` is another one), than the baseline, or by more than 5 % than recorded on a machine of the same kind |
| 6 | not judged: compiler, device or library missing, or the machine is too busy to time on |

- The program runs in a sandbox of bubblewrap (`bwrap`) where that is installed, else with *reduced isolation*
  (Landlock and seccomp); the first line of the output says which.
- The vendor library is loaded where it is found: OpenBLAS as `libopenblas.so.0` on a CPU, cublasLt on a GPU. Without it
  its column stays empty.
- `exported.*` is the program as it was exported. A program in its place is timed beside it.
- Lines "this machine differs" name what figures depend on and what is not as it was recorded. Recorded speed and speed
  here are then not compared.
- Inputs are drawn anew in each run, from a secret that is not kept.

Licences: `src/` and the scripts are under the Apache License 2.0, `third-party/nlohmann` under the MIT licence; the
texts are in `LICENSES/`.
)md";

} // namespace

Result<Bundle> harnessForm(const ExportInput& input)
{
    if (!input.sources)
        return Bundle();
    const std::filesystem::path& root = input.sources->root;
    std::vector<HarnessProgram> programs;
    std::vector<std::string> wanted{"kernels/include/tilewright/plan.h", planHeaderTemplate};
    for (const HarnessProgram& program : harnessPrograms())
        if (!program.isForGpu || input.pack.task.target == Target::Cuda) {
            programs.push_back(program);
            wanted.emplace_back(program.main);
        }
    auto sources = harnessClosure(root, wanted);
    auto headers = sources ? jsonHeaders(input.sources->json) : std::unexpected(sources.error());
    if (!headers)
        return std::unexpected(headers.error());
    const std::string plan
        = planHeaderSource(sources->at(planHeaderTemplate), sources->at("kernels/include/tilewright/plan.h"));
    sources->erase(planHeaderTemplate);
    (*sources)["core/source/plan_header.cpp"] = plan;

    Bundle bundle;
    const std::string folder = "harness/";
    for (auto& [unit, text] : harnessUnits(*sources, groupOf))
        bundle["harness/units/" + unit + ".cpp"] = {std::move(text)};
    for (auto& [path, text] : *sources)
        bundle["harness/src/" + path] = {std::move(text)};
    for (auto& [path, text] : *headers)
        bundle["harness/third-party/" + path] = {std::move(text)};
    for (const char* licence : {"Apache-2.0.txt", "MIT.txt"}) {
        auto text = readFile(root / "LICENSES" / licence);
        if (!text)
            return fail("export/no-harness",
                "the licence " + std::string(licence) + " is not in " + printable((root / "LICENSES").string()));
        bundle["harness/LICENSES/" + std::string(licence)] = {std::move(*text)};
    }
    const std::string extension = std::filesystem::path(input.pack.task.sources.front()).extension().string();
    bundle[folder + "exported" + extension] = {input.source};
    bundle["harness/README.md"] = {std::string(harnessReadme)};
    bundle["build"] = {buildScript(programs, input.record.source.version), true};
    bundle["verify"] = {std::string(verifyScript), true};
    return bundle;
}

std::vector<RepeatCommand> harnessCommands(const ExportInput& input)
{
    if (!input.sources)
        return {};
    return {
        {"Without Tilewright: build the harness (g++ 12 or newer), then verify and time the program again. Exit code "
         "0: right and as fast as recorded; 1: wrong; 3: slower; 6: not judged (harness/README.md):",
            "./build\n./verify"}};
}

} // namespace tilewright
