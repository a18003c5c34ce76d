// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli save: a candidate's program as a file that compiles without Tilewright.
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/source/saved_program.h"
#include "core/store/session_reader.h"

#include <QDate>
#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

const Synopsis saveSynopsis{"save", " FILE CANDIDATE [--out FILE]",
    "Write the program of a candidate (c-0012, or best) as a self-contained file: a heading that describes\nit, its "
    "header, and the program. 'evaluate' and 'control inject' accept such a file.",
    {{"--out", Value::Text, "FILE", "file to write; - for standard output (default)"}},
    {{Done, "written"}, {Internal, "internal error"}, {Usage, "usage, not a session file, or no such candidate"},
        {Missing, "session file or folder missing"}},
    2};

Result<std::string> programOf(const std::string& path, const std::string& name)
{
    auto reader = SessionReader::open(path);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = state ? (*reader)->pack(*state) : std::unexpected(state.error());
    if (!pack)
        return std::unexpected(pack.error());
    const Candidate* candidate = name == "best" ? state->best() : state->candidate(candidateFromName(name));
    if (!candidate)
        return name == "best"
            ? fail("candidate/unknown", "the session has no confirmed best", "name a candidate: c-0012")
            : fail(
                "candidate/unknown", "the session has no candidate " + printable(name), "'show FILE --all' lists them");
    const auto source = (*reader)->text(candidate->source);
    if (!source)
        return fail("session/corrupt", "the text of " + candidateName(candidate->id) + " is not in the session");
    return savedProgram(*state, *candidate, pack->task, *source,
        {std::filesystem::path(path).filename().string(), QDate::currentDate().toString(Qt::ISODate).toStdString()});
}

} // namespace

int save(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(saveSynopsis, arguments);
    if (!options)
        return code;
    const auto text = programOf(options->positionals()[0], options->positionals()[1]);
    const std::string file = options->text("--out", "-");
    const auto written = text && file != "-" ? saveFile(file, *text) : Result<void>();
    if (!text || !written) {
        const Error& error = text ? written.error() : text.error();
        complain(error);
        return exitCodeOf(error.code);
    }
    if (file == "-")
        std::fwrite(text->data(), 1, text->size(), stdout);
    return Done;
}

} // namespace tilewright::cli
