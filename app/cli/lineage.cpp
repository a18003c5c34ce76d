// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli lineage: the session as a git repository.
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/base/text.h"
#include "core/exporting/session_source.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis lineageSynopsis{"lineage", " FILE [--to DIR] [--json]",
    "Write the session as a bare git repository, or update an existing one: each candidate is a commit\nwith its "
    "parents; branches island-A, island-B, ... and best; a tag for each best; all measurements as notes.",
    {{"--to", Value::Text, "DIR", "repository (default: beside the session, gemm.git for gemm.tilewright)"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "written"}, {Internal, "internal error"},
        {Usage, "usage, not a session file, or DIR is not a lineage repository or belongs to another session"},
        {RefusedByRule, "another program changed branches, tags or notes of the repository"},
        {Missing, "session file, folder or disk space missing"}, {Locked, "another process writes the repository"}},
    1};

Result<LineageReport> writeLineage(const std::string& session, const std::filesystem::path& folder)
{
    auto source = openRunSource(session);
    if (!source)
        return std::unexpected(source.error());
    auto lineage = LineageRepository::open(folder);
    if (!lineage)
        return std::unexpected(lineage.error());
    RunState state;
    auto followed
        = (*source)->follow(state, [&](const Event& event, const RunState& after) { (*lineage)->take(event, after); });
    if (!followed)
        return std::unexpected(followed.error());
    return (*lineage)->write(state, [&](const Hash& hash) { return (*source)->text(hash); });
}

} // namespace

int lineage(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(lineageSynopsis, arguments);
    if (!options)
        return code;
    const std::string& session = options->positionals().front();
    const std::string folder = options->text("--to", lineageFolder(session).string());
    const auto report = writeLineage(session, folder);
    if (!report) {
        complain(report.error());
        return exitCodeOf(report.error().code);
    }
    if (options->has("--json")) {
        printJson({{"repository", folder}, {"event", report->seq}, {"admitted", report->admitted},
            {"not_admitted", report->kept}, {"new", report->fresh}, {"branches", report->branches},
            {"bests", report->bests}});
        return Done;
    }
    std::printf("%s: %s of admitted candidates, %lld of others, %lld of them new; %s, %s; up to event %lld\n"
                "git -C %s log --graph --notes\n",
        folder.c_str(), counted(report->admitted, "commit", "commits").c_str(), static_cast<long long>(report->kept),
        static_cast<long long>(report->fresh), counted(report->branches, "branch", "branches").c_str(),
        counted(report->bests, "tagged best", "tagged bests").c_str(), static_cast<long long>(report->seq),
        shellQuoted(folder).c_str());
    return Done;
}

} // namespace tilewright::cli
