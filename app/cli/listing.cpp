// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli listing: what a candidate was compiled to. A session that a program runs is asked through that
// program, whose node lets its builds go first; any other is read, and a node is started for the listing alone.
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/base/files.h"
#include "core/control/address.h"
#include "core/control/edit_command.h"
#include "core/engine/measuring/listings.h"
#include "core/store/session_reader.h"

#include <QEventLoop>
#include <cstdio>

namespace tilewright::cli {
namespace {

constexpr std::chrono::minutes listingPatience{5}; ///< with the program that runs the session: its builds go first
constexpr std::size_t kindsTold = 12;

const Synopsis listingSynopsis{"listing", " FILE CANDIDATE [options]",
    "Show the compiled code of a candidate. The first line says whether it is the code that was built in the run.\nIf "
    "a program runs the session, that program is asked; otherwise a node is started.",
    {{"--form", Value::Text, "FORM",
         "ptx (default) or sass for GPU programs, assembly for CPU programs; sass needs nvdisasm or cuobjdump, "
         "assembly needs objdump"},
        {"--out", Value::Text, "FILE", "file to write; - for standard output (default)"},
        {"--json", Value::None, nullptr,
            "print one JSON object on standard output: the text, whether it is the code that was built in the run "
            "(is_as_built: true, false, or null if unknown), and the instructions it contains"}},
    {{Done, "shown"}, {Internal, "internal error"},
        {Usage, "usage, not a session file, no such candidate, or a form that its language does not have"},
        {RefusedByRule, "refused by a rule before the build, or not built yet"},
        {BuildOrRunFailed, "it never built, does not build here, or the disassembler failed"},
        {Missing, "session file, compiler, toolkit or disassembler missing"}},
    2};

struct Asked {
    CandidateId candidate;
    std::optional<ListingForm> form;
};

Result<Asked> askedOf(const Options& options)
{
    Asked asked;
    const std::string& name = options.positionals()[1];
    asked.candidate = candidateFromName(name);
    if (!asked.candidate)
        return fail("candidate/unknown", "'" + name + "' is not a candidate's name", "candidates are named as c-0012");
    if (!options.has("--form"))
        return asked;
    asked.form = listingFormFromName(options.text("--form"));
    if (!asked.form)
        return fail("usage", "--form takes ptx, sass or assembly, not '" + options.text("--form") + "'");
    return asked;
}

/// Of the program that runs the session. Errors: control/nobody where there is none, control/silent, and its own.
Result<Listing> byItsProgram(const std::string& path, const Asked& asked)
{
    nlohmann::json request{{"do", listingCommand}, {"candidates", {candidateName(asked.candidate)}}};
    if (asked.form)
        request["form"] = nameOf(*asked.form);
    const auto answer = tellSession(path, request, listingPatience);
    if (!answer)
        return std::unexpected(answer.error());
    if (!answer->value("ok", false))
        return fail(answer->value("code", ""), answer->value("text", ""), answer->value("hint", ""));
    try {
        return Listing::fromJson(answer->at("listing"));
    } catch (const nlohmann::json::exception&) {
        return fail("control/silent", "the program that runs " + path + " sent an unexpected reply",
            "check that it has the same version");
    }
}

/// Of a node of our own.
Result<Listing> byOurNode(SessionReader& reader, const Asked& asked)
{
    const auto state = reader.load();
    const auto pack = state ? reader.pack(*state) : std::unexpected(state.error());
    if (!pack)
        return std::unexpected(pack.error());
    const auto request = listingRequestFor(*state, pack->task, asked.candidate, asked.form);
    if (!request)
        return std::unexpected(request.error());
    NodeConnection node;
    Listings listings(node);
    QEventLoop loop;
    Result<Listing> listing;
    node.setCommand(defaultNodeCommand());
    node.setBlobSource([&](const Hash& hash) { return reader.text(hash).value_or(std::string()); });
    listings.ask(*request, [&](const Result<Listing>& made) {
        listing = made;
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &node, [&node] { node.start(); }, Qt::QueuedConnection);
    loop.exec();
    return listing;
}

int complained(const Error& error, bool asJson)
{
    if (asJson)
        printJson({{"ok", false}, {"code", error.code}, {"text", error.text}, {"hint", error.hint}});
    complain(error);
    return exitCodeOf(error.code);
}

} // namespace

int listing(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(listingSynopsis, arguments);
    if (!options)
        return code;
    const bool asJson = options->has("--json");
    const std::string& path = options->positionals().front();
    const auto asked = askedOf(*options);
    if (!asked)
        return complained(asked.error(), asJson);
    auto reader = SessionReader::open(path);
    if (!reader)
        return complained(reader.error(), asJson);
    auto made = (*reader)->isBeingWritten() ? byItsProgram(path, *asked) : fail("control/nobody", "");
    const bool isByItsProgram = made || made.error().code != "control/nobody";
    if (!isByItsProgram)
        made = byOurNode(**reader, *asked);
    if (!made)
        return complained(made.error(), asJson);
    const std::string file = options->text("--out", "-");
    if (file != "-")
        if (const auto written = saveFile(file, made->text); !written)
            return complained(written.error(), asJson);
    if (asJson) {
        nlohmann::json json = made->json();
        json["ok"] = true;
        json["session"] = path;
        json["candidate"] = candidateName(asked->candidate);
        json["made_by"] = isByItsProgram ? "the program that runs the session" : "a separate node";
        if (file != "-")
            json["file"] = file;
        printJson(json);
        return Done;
    }
    if (file == "-")
        std::fwrite(made->text.data(), 1, made->text.size(), stdout);
    if (!made->instructions.empty())
        std::fprintf(stderr, "instructions in it: %s\n", instructionWords(*made, kindsTold).c_str());
    return Done;
}

} // namespace tilewright::cli
