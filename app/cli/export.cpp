// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli export: a confirmed candidate with its evidence as a folder for others.
#include "app/cli/cli_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommands.h"
#include "core/base/text.h"
#include "core/engine/ledger.h"
#include "core/exporting/exporting.h"
#include "core/exporting/signed_manifest.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis exportSynopsis{"export", " FILE CANDIDATE --to DIR",
    "Write a confirmed candidate (c-0012, or best) as a folder to hand over: its source, patches against seed and "
    "parent,\nthe task's pack, REPORT.html for a reviewer, report.json with the same content, a plain C interface "
    "(CPU), a harness that\nbuilds with one command and verifies and times the program again without Tilewright, and a "
    "manifest of SHA-256.\nIf the task has sealed shapes, the candidate is first measured on them, once, and the "
    "session records it.",
    {{"--to", Value::Text, "DIR", "folder to create; an existing folder must be empty"},
        {"--no-sealed", Value::None, nullptr, "do not measure sealed shapes; the report says so"},
        {"--no-harness", Value::None, nullptr, "omit the harness and its sources"},
        {"--sign", Value::Text, "KEY",
            "sign the manifest with this SSH key (ssh-keygen -Y sign, namespace tilewright-export)"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output: the written files"}},
    {{Done, "written"}, {Internal, "internal error"},
        {Usage, "usage, not a session file, no such candidate, or the folder exists already"},
        {RefusedByRule, "the candidate is not confirmed, or the manifest was not signed"},
        {BuildOrRunFailed, "sealed shapes could not be measured"},
        {Missing,
            "session file, folder, key or ssh-keygen missing, or the folder is not writable; for sealed shapes: "
            "another device, no compiler, or a machine too busy to time"},
        {Locked, "sealed shapes: another process writes the session"}, {Interrupted, "interrupted"}},
    2};

struct Finished {
    Exported exported;
    bool measuredSealedNow = false;
};

/// Measures the candidate on the task's sealed shapes and records it; the session is locked meanwhile.
Result<void> measureSealed(const std::string& path, CandidateId candidate)
{
    auto ledger = Ledger::open(path);
    if (!ledger)
        return std::unexpected(ledger.error());
    const RunState& state = (*ledger)->state();
    complain("measuring " + candidateName(candidate) + " on "
        + counted(static_cast<std::int64_t>((*ledger)->pack().task.sealed.size()), "sealed shape", "sealed shapes")
        + ", once for this session");
    auto measured = measuredOnSealed(
        state, (*ledger)->pack(), candidate, (*ledger)->text(state.candidate(candidate)->source), complaining());
    if (!measured)
        return std::unexpected(measured.error());
    (*ledger)->record(std::move(*measured));
    return (*ledger)->flush();
}

Result<Finished> exported(
    const std::string& session, const std::string& name, const std::optional<HarnessSources>& sources, bool isSealed)
{
    const auto plan = exportPlanIn(session, name);
    if (!plan)
        return std::unexpected(plan.error());
    const bool measures = plan->measuresSealed && isSealed;
    if (measures)
        if (auto measured = measureSealed(session, plan->candidate); !measured)
            return std::unexpected(aboutSealed(measured.error(), "--no-sealed exports without them"));
    auto made = exportedFrom(session, name, sources);
    if (!made)
        return std::unexpected(made.error());
    return Finished{std::move(*made), measures};
}

void printFinished(const Finished& finished, const std::string& folder, bool json)
{
    const Exported& exported = finished.exported;
    const ExportRecord& record = exported.record;
    if (json) {
        nlohmann::json files = nlohmann::json::array();
        for (const auto& [path, file] : exported.bundle)
            files.push_back(path);
        return printJson({{"folder", folder}, {"candidate", candidateName(record.candidate)},
            {"finding", nameOf(record.finding)}, {"finding_text", record.findingText},
            {"source_sha256", record.sourceHash}, {"sealed_measured_now", finished.measuredSealedNow},
            {"manifest", manifestFile}, {"files", std::move(files)}});
    }
    std::printf("%s: %s\n%zu files in %s; read REPORT.html first\n", candidateName(record.candidate).c_str(),
        printable(record.findingText).c_str(), exported.bundle.size() + 1, printable(folder).c_str());
}

} // namespace

int exportCandidate(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(exportSynopsis, arguments);
    if (!options)
        return code;
    if (!options->has("--to")) {
        complain("export needs --to DIR (see tilewright-cli export --help)");
        return Usage;
    }
    const std::string folder = options->text("--to");
    const auto possible = checkDestination(folder);
    std::optional<HarnessSources> sources;
    if (possible && !options->has("--no-harness")) {
        const auto found = findHarnessSources();
        if (!found) {
            complain(found.error());
            return exitCodeOf(found.error().code);
        }
        sources = *found;
    }
    const auto finished = possible
        ? exported(options->positionals()[0], options->positionals()[1], sources, !options->has("--no-sealed"))
        : Result<Finished>(std::unexpected(possible.error()));
    auto bundle = finished ? Result<Bundle>(finished->exported.bundle) : std::unexpected(finished.error());
    if (bundle && options->has("--sign"))
        bundle = signedBundle(std::move(*bundle), options->text("--sign"), Passphrase::Terminal);
    const auto written = bundle ? writeBundle(*bundle, folder) : std::unexpected(bundle.error());
    if (!written) {
        complain(written.error());
        return exitCodeOf(written.error().code);
    }
    printFinished(*finished, folder, options->has("--json"));
    return Done;
}

} // namespace tilewright::cli
