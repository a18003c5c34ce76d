// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli compare: programs beside each other, from sessions and from files, by their records or measured anew.
#include "app/cli/cli_options.h"
#include "app/cli/progress.h"
#include "app/cli/subcommands.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/compare/comparison.h"
#include "core/engine/measuring/one_evaluation.h"
#include "core/protocol/device_names.h"
#include "core/source/program_text.h"
#include "core/source/saved_program.h"
#include "core/store/session_reader.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

using Kind = ComparedProgram::Kind;

const Synopsis compareSynopsis{"compare", " A B [C ...] [options]",
    "Compare 2 to 6 programs: how much faster each is than one of them, by shape, with 95 % intervals,\nand whether "
    "that is better, worse or not distinguishable. A, B, ... are candidates (c-0012, or best), baseline and\nvendor of "
    "--session, the same of another session as FILE.tilewright:c-0012, or files with a program.\nFigures of other "
    "devices, protocol versions or clocks are not compared; --measure times the programs side by side.",
    {{"--session", Value::Text, "FILE", "session of names without a file"},
        {"--task", Value::Text, "T", "task of the program files if no session is named: a name or a folder"},
        {"--to", Value::Text, "X", "compare with this program (default: the first)"},
        {"--measure", Value::None, nullptr,
            "build, check and time the programs now: each in turns with the reference, like a confirmation"},
        {"--device", Value::Text, "D", "with --measure: cpu, cuda:N or a GPU's UUID; default: the first that fits"},
        {"--only-differences", Value::None, nullptr, "show only properties that differ"},
        {"--csv", Value::Text, "FILE", "also write the figures as CSV"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "compared"}, {Internal, "internal error"},
        {Usage, "usage, another number of programs, programs of different tasks, not a session, or no such candidate"},
        {RefusedByRule, "a rule refused one of the programs"}, {BuildOrRunFailed, "a program does not build or run"},
        {Missing, "session, file, device, compiler or node missing, or the machine is too busy to time"}},
    2, 4};

/// A session that programs of the comparison are from.
struct Session {
    std::string path, name;
    std::unique_ptr<SessionReader> reader;
    RunState run;
    std::optional<TaskPack> pack;
};

class Collection
{
public:
    explicit Collection(const Options& options)
        : m_options(options)
    {
    }

    Result<void> collect()
    {
        for (const std::string& word : m_options.positionals())
            if (auto added = add(word); !added)
                return added;
        if (!m_pack)
            return fail("usage", "the task of these programs is unknown", "name it with --task, or a --session");
        for (std::size_t i = 0; i < programs.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (programs[i].kind == programs[j].kind && programs[i].name == programs[j].name
                    && programs[i].session == programs[j].session && programs[i].text == programs[j].text)
                    return fail("compare/twice", programs[i].name + " is named twice");
        for (ComparedProgram& program : programs)
            if (program.kind == Kind::File)
                program.seed = programIdentity(m_pack->seed());
        return {};
    }

    const TaskPack& pack() const { return *m_pack; }
    Result<std::size_t> reference() const
    {
        if (!m_options.has("--to"))
            return 0;
        const std::string wanted = m_options.text("--to");
        const auto& words = m_options.positionals();
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] == wanted || programs[i].name == wanted)
                return i;
        return fail("compare/reference", "--to names '" + printable(wanted) + "', which is not one of the programs",
            "write it as in the list of programs");
    }
    std::vector<SideBySide> recordedPairs() const
    {
        std::vector<SideBySide> pairs;
        for (const auto& session : m_sessions)
            std::ranges::copy(sideBySideIn(session->run, session->name, programs), std::back_inserter(pairs));
        return pairs;
    }

    std::vector<ComparedProgram> programs;

private:
    Result<void> add(const std::string& word)
    {
        const std::size_t colon = word.rfind(':');
        const std::string before = colon == std::string::npos ? "" : word.substr(0, colon);
        if (!before.empty() && std::filesystem::exists(before))
            return addOf(before, word.substr(colon + 1));
        const bool isName = word == "best" || word == "baseline" || word == "vendor" || candidateFromName(word);
        if (isName && m_options.has("--session"))
            return addOf(m_options.text("--session"), word);
        if (isName && !std::filesystem::exists(word))
            return fail(
                "usage", "'" + word + "' belongs to no session", "name it with --session, or write FILE:" + word);
        return addFile(word);
    }

    Result<void> addOf(const std::string& path, const std::string& name)
    {
        const auto session = opened(path);
        if (!session)
            return std::unexpected(session.error());
        Session& of = **session;
        if (auto same = setTask(*of.pack); !same)
            return same;
        if (name == "baseline" || name == "vendor") {
            const Candidate* by = measuredBeside(of.run);
            if (!by)
                return fail("session/empty", of.name + " contains no measurements yet");
            if (name == "vendor" && of.pack->task.vendor.empty())
                return fail("compare/vendor", "the task " + of.pack->task.name + " has no vendor library");
            programs.push_back(name == "baseline" ? comparedBaseline(of.run, *by, of.name, of.pack->seed())
                                                  : comparedVendor(of.run, *by, of.name, of.pack->task.vendor));
        } else {
            const Candidate* candidate = name == "best" ? of.run.best() : of.run.candidate(candidateFromName(name));
            if (!candidate)
                return fail("candidate/unknown",
                    name == "best" ? of.name + " has no confirmed best"
                                   : of.name + " has no candidate " + printable(name),
                    "'show FILE --all' lists them");
            const auto text = of.reader->text(candidate->source);
            if (!text)
                return std::unexpected(text.error());
            programs.push_back(comparedCandidate(of.run, *candidate, of.name, *text));
        }
        return {};
    }

    Result<void> addFile(const std::string& path)
    {
        const auto text = readText(path);
        if (!text)
            return std::unexpected(text.error());
        if (m_options.has("--task") && !m_pack) {
            auto pack = findTaskPack(m_options.text("--task"));
            if (!pack)
                return std::unexpected(pack.error());
            m_pack = std::move(*pack);
        }
        ComparedProgram program;
        program.kind = Kind::File;
        program.name = std::filesystem::path(path).filename().string();
        program.text = programInSaved(*text);
        program.tunables = valuesOf(tunablesOf(program.text));
        programs.push_back(std::move(program));
        return {};
    }

    Result<Session*> opened(const std::string& path)
    {
        for (const auto& session : m_sessions)
            if (session->path == path)
                return session.get();
        auto session = std::make_unique<Session>();
        session->path = path;
        session->name = std::filesystem::path(path).filename().string();
        auto reader = SessionReader::open(path);
        if (!reader)
            return std::unexpected(reader.error());
        session->reader = std::move(*reader);
        auto run = session->reader->load();
        if (!run)
            return std::unexpected(run.error());
        session->run = std::move(*run);
        auto pack = session->reader->pack(session->run);
        if (!pack)
            return std::unexpected(pack.error());
        session->pack = std::move(*pack);
        m_sessions.push_back(std::move(session));
        return m_sessions.back().get();
    }

    /// The first session's; what another one measures must be the same.
    Result<void> setTask(const TaskPack& pack)
    {
        if (!m_pack)
            m_pack = pack;
        if (const std::string why = whyNotOneTask(*m_pack, pack); !why.empty())
            return fail("compare/task", why);
        return {};
    }

    const Options& m_options;
    std::vector<std::unique_ptr<Session>> m_sessions;
    std::optional<TaskPack> m_pack;
};

SideBySide pairOf(std::size_t program, std::size_t over, const EvaluationResult& result, const Interval& ratio,
    std::optional<Interval> ShapeResult::*ofShape)
{
    SideBySide pair{program, over, ratio, {}, result.noiseFloor};
    for (const ShapeResult& shape : result.shapes)
        if (shape.*ofShape)
            pair.shapes.emplace_back(shape.shape, *(shape.*ofShape));
    return pair;
}

/// Measures all of them now, each in turns with the reference.
class Measuring
{
public:
    Measuring(std::vector<ComparedProgram>& programs, std::size_t reference, const TaskPack& pack, std::string device)
        : m_programs(programs)
        , m_reference(reference)
        , m_pack(pack)
        , m_device(std::move(device))
    {
    }

    std::vector<SideBySide> pairs;

    Result<void> run()
    {
        // The reference first: what the others are timed beside, and what times baseline and vendor.
        const ComparedProgram& reference = m_programs[m_reference];
        const bool isProgram = reference.kind == Kind::Candidate || reference.kind == Kind::File;
        if (isProgram)
            if (auto measured = measure(m_reference, std::nullopt); !measured)
                return measured;
        for (std::size_t i = 0; i < m_programs.size(); ++i)
            if (i != m_reference && (m_programs[i].kind == Kind::Candidate || m_programs[i].kind == Kind::File))
                if (auto measured = measure(i, isProgram ? std::optional(reference.text) : std::nullopt); !measured)
                    return measured;
        const auto carrier = std::ranges::find_if(m_programs, [](const ComparedProgram& program) {
            return (program.kind == Kind::Candidate || program.kind == Kind::File) && program.result
                && program.result->outcome == Outcome::Ranked;
        });
        for (ComparedProgram& program : m_programs)
            if ((program.kind == Kind::Baseline || program.kind == Kind::Vendor) && carrier != m_programs.end()) {
                program.result = carrier->result;
                program.confirmed = true;
                program.session.clear();
                program.candidate = {};
            }
        return {};
    }

private:
    Result<void> measure(std::size_t place, const std::optional<std::string>& opponent)
    {
        ComparedProgram& program = m_programs[place];
        complain("measuring " + program.name
            + (opponent ? " in turns with " + m_programs[m_reference].name : std::string()) + " ...");
        const auto evaluation
            = evaluated({m_pack, program.text, m_device, Purpose::Confirm, opponent, {}}, complaining());
        if (evaluation->error())
            return std::unexpected(*evaluation->error());
        program.result = evaluation->result();
        program.result->purpose = Purpose::Confirm;
        program.confirmed = program.result->outcome == Outcome::Ranked;
        program.session = {};
        program.candidate = {};
        program.dispute.clear(); // it is about figures of the record
        if (place == m_reference || program.result->outcome != Outcome::Ranked)
            return {};
        const EvaluationResult& result = *program.result;
        if (opponent && result.versusIncumbent)
            pairs.push_back(pairOf(place, m_reference, result, *result.versusIncumbent, &ShapeResult::versusIncumbent));
        if (m_programs[m_reference].kind == Kind::Baseline && result.score)
            pairs.push_back(pairOf(place, m_reference, result, *result.score, &ShapeResult::versusBaseline));
        if (m_programs[m_reference].kind == Kind::Vendor && result.vsVendor)
            pairs.push_back(pairOf(place, m_reference, result, *result.vsVendor, &ShapeResult::versusVendor));
        return {};
    }

    std::vector<ComparedProgram>& m_programs;
    std::size_t m_reference;
    const TaskPack& m_pack;
    std::string m_device;
};

/// Of what was measured now: the exit code of the first program that does not rank.
int codeOf(const Comparison& comparison)
{
    for (const ComparedProgram& program : comparison.programs) {
        if (!program.result || program.kind == Kind::Baseline || program.kind == Kind::Vendor)
            continue;
        if (program.result->outcome == Outcome::Refused || program.result->outcome == Outcome::Quarantined)
            return RefusedByRule;
        if (program.result->outcome == Outcome::BuildFailed || program.result->outcome == Outcome::RunFailed)
            return BuildOrRunFailed;
    }
    return Done;
}

int refuse(const Error& error)
{
    complain(error);
    return exitCodeOf(error.code);
}

} // namespace

int compare(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(compareSynopsis, arguments);
    if (!options)
        return code;
    Collection collection(*options);
    if (const auto collected = collection.collect(); !collected)
        return refuse(collected.error());
    const auto reference = collection.reference();
    if (!reference)
        return refuse(reference.error());
    const TaskPack& pack = collection.pack();
    std::vector<SideBySide> pairs = collection.recordedPairs();
    if (options->has("--measure")) {
        const bool isGpu = pack.task.target == Target::Cuda;
        const std::string device = options->text("--device", isGpu ? "cuda:0" : "cpu");
        if (const auto named = checkDeviceName(device); !named)
            return refuse(named.error());
        Measuring measuring(collection.programs, *reference, pack, device);
        if (const auto measured = measuring.run(); !measured)
            return refuse(measured.error());
        pairs = std::move(measuring.pairs);
    }
    const auto comparison = comparisonOf(std::move(collection.programs), pairs, *reference, pack.task);
    if (!comparison)
        return refuse(comparison.error());
    if (options->has("--csv"))
        if (const auto written = saveFile(options->text("--csv"), comparisonCsv(*comparison, pack.task)); !written)
            return refuse(written.error());
    if (options->has("--json"))
        printJson(toJson(*comparison, pack.task));
    else
        std::fputs(
            printable(comparisonText(*comparison, pack.task, options->has("--only-differences"))).c_str(), stdout);
    return options->has("--measure") ? codeOf(*comparison) : Done;
}

} // namespace tilewright::cli
