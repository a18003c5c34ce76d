// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli demo: unpacks a shipped session and tells its story: each new best as it came, then what it ended
// with.
#include "app/cli/cli_options.h"
#include "app/cli/report.h"
#include "app/cli/subcommands.h"
#include "core/base/format.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis demoSynopsis{"demo", " NAME [--to FILE]",
    "Unpack a recorded session and replay it: gemm-cpu, gemm-steps (one kernel in ten steps), or gemm-h200, recorded "
    "on "
    "an NVIDIA H200.",
    {{"--to", Value::Text, "FILE", "file to write (default: a new file in the data folder)"}},
    {{Done, "replayed"}, {Internal, "internal error"}, {Usage, "usage, or a damaged demo"},
        {Missing, "no such demo, or its folder is not writable"}},
    1};

void replay(const RunState& run)
{
    std::printf("recorded on %s: task %s, seed %llu, %lld evaluations\n",
        run.deviceFacts.is_object() ? run.deviceFacts.value("name", run.device).c_str() : run.device.c_str(),
        run.settings.taskName.c_str(), static_cast<unsigned long long>(run.settings.seed),
        static_cast<long long>(run.evaluationsDone));
    for (const auto& [evaluation, score] : run.bestTrace)
        std::printf("evaluation %4lld  new best  %6s times the baseline\n", static_cast<long long>(evaluation),
            fixedText(score, 2).c_str());
}

} // namespace

int demo(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(demoSynopsis, arguments);
    if (!options)
        return code;
    const std::string& name = options->positionals().front();
    const std::filesystem::path copy
        = options->has("--to") ? std::filesystem::path(options->text("--to")) : demoCopy(name);
    std::error_code problem;
    if (!std::filesystem::exists(shippedDemo(name), problem)) {
        std::string names;
        for (const auto& entry : std::filesystem::directory_iterator(shippedDemo(name).parent_path(), problem))
            if (const std::string file = entry.path().filename().string(); file.ends_with(".tilewright.zst"))
                names += (names.empty() ? "" : ", ") + file.substr(0, file.find('.'));
        const std::string folder = shippedDemo(name).parent_path().string();
        complain(Error{"file/missing", "there is no demo '" + name + "' in " + folder,
            names.empty() ? "the folder contains no demos: check that Tilewright is complete as built or unpacked"
                          : "there is " + names,
            nullptr});
        return Missing;
    }
    if (auto unpacked = unpackSession(shippedDemo(name), copy); !unpacked) {
        complain(unpacked.error());
        return exitCodeOf(unpacked.error().code);
    }
    auto reader = SessionReader::open(copy.string());
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state) {
        complain(state.error());
        return exitCodeOf(state.error().code);
    }
    replay(*state);
    std::fputs(showText(copy.string(), *state, topOf(*state, 5)).c_str(), stdout);
    return Done;
}

} // namespace tilewright::cli
