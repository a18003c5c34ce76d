// SPDX-License-Identifier: GPL-3.0-or-later
// The git view of a session: the same events lead to the same ids, git reads it, and what is not ours stays as it is.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/lineage/line_origins.h"
#include "core/lineage/lineage_repository.h"
#include "core/lineage/lineage_thread.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "tests/lineage/made_run.h"
#include "tests/test_program.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <set>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

namespace {

const fs::path source = TILEWRIGHT_SOURCE_DIR;

/// All events of a session and its texts.
struct Recorded {
    std::vector<Event> events;
    RunState state;
    std::unique_ptr<SessionReader> reader;

    TextOf textOf() const
    {
        return [this](const Hash& hash) { return reader->text(hash); };
    }
};

/// Feeds events into a repository and writes after each of these counts; the repository is opened anew each time.
Result<LineageReport> writtenInSteps(const fs::path& folder, const std::vector<Event>& events,
    const std::vector<std::size_t>& cuts, const TextOf& textOf)
{
    Result<LineageReport> report;
    for (const std::size_t cut : cuts) {
        auto lineage = LineageRepository::open(folder);
        if (!lineage)
            return std::unexpected(lineage.error());
        RunState state;
        for (std::size_t i = 0; i < cut; ++i) {
            if (auto applied = apply(state, events[i]); !applied)
                return std::unexpected(applied.error());
            (*lineage)->take(events[i], state);
        }
        report = (*lineage)->write(state, textOf);
        if (!report)
            return report;
    }
    return report;
}

Result<LineageReport> written(const fs::path& folder, const MadeRun& run)
{
    return writtenInSteps(folder, run.events(), {run.events().size()}, run.textOf());
}

RefNames namesIn(const fs::path& folder)
{
    return parsedRefs(readFile(folder / "packed-refs").value_or("")).value_or(RefNames());
}

/// What stands in a folder, by path: to see that nothing was changed.
std::map<std::string, std::string> contentOf(const fs::path& folder)
{
    std::map<std::string, std::string> content;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder))
        content[file.path().string()] = file.is_regular_file() ? readFile(file.path()).value_or("?") : "";
    return content;
}

/// A run of several islands, a crossover, a copy, a failure, a candidate that was not admitted, and a repair of it.
MadeRun variedRun()
{
    MadeRun run("a\nb\nc\n");
    const CandidateId second = run.add({{{1}}, "a\nB\nc\n", 1.5, "Vectorise b"});
    run.setTime("2026-11-23T23:00:27.000Z");
    const CandidateId third = run.add({{{1}}, "a\nb\nC\n", 1.3, "", "Unroll c. Then wait.", "model", "gpt-x"});
    run.confirm(second, 1.51);
    run.migrate(second, {2});
    run.add({{third, second}, "a\nB\nC\n", 2.0, "Both", "", "mutator", "", {2}});
    const CandidateId failed = run.add({{second}, "a\nB\nc\n!\n", 0, "Broken"});
    run.setTime("2026-11-23T22:00:00.000Z"); // the clock was set back
    run.add({{failed}, "a\nB\nc\nd\n", 1.8, "Mended"});
    run.add({{second}, "a\nB\nc\ne\n", 0.5, "Slow", "", "mutator", "", {1}, false});
    return run;
}

} // namespace

class TestLineage : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_number = 0;

    fs::path fresh() { return fs::path(m_folder.path().toStdString()) / ("view-" + std::to_string(++m_number)); }

    static QString git()
    {
        static const QString found = QStandardPaths::findExecutable(QStringLiteral("git"));
        return found;
    }

    struct Said {
        int code = -1;
        QString out, err;
    };
    static Said run(const QString& program, const QStringList& arguments, const fs::path& in)
    {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"})
            environment.remove(QString::fromLatin1(name));
        environment.insert(QStringLiteral("GIT_CONFIG_GLOBAL"), QStringLiteral("/dev/null"));
        environment.insert(QStringLiteral("GIT_PAGER"), QStringLiteral("cat"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(q(in.string()));
        process.start(program, arguments);
        process.waitForFinished(60'000);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
    }
    static Said git(const std::vector<std::string>& words, const fs::path& in)
    {
        QStringList arguments;
        for (const std::string& word : words)
            arguments << q(word);
        return run(git(), arguments, in);
    }

    Result<Recorded> recorded(const fs::path& packed)
    {
        const fs::path file = fs::path(m_folder.path().toStdString()) / packed.stem();
        if (!fs::exists(file))
            if (auto unpacked = unpackSession(packed, file); !unpacked)
                return std::unexpected(unpacked.error());
        Recorded session;
        auto reader = SessionReader::open(file.string());
        if (!reader)
            return std::unexpected(reader.error());
        session.reader = std::move(*reader);
        if (auto followed = session.reader->follow(
                session.state, [&](const Event& event, const RunState&) { session.events.push_back(event); });
            !followed)
            return std::unexpected(followed.error());
        return session;
    }

    /// What writing there is refused with; that nothing below `folder` changes is checked.
    std::string refusal(const fs::path& folder, const MadeRun& session)
    {
        const auto before = contentOf(folder);
        const auto report = written(folder, session);
        if (contentOf(folder) != before)
            return "something was written";
        return report ? "" : report.error().code;
    }

private Q_SLOTS:
    void theSameEventsLeadToTheSameIds_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"resources/demo/gemm-cpu", "tests/kept/models", "tests/kept/migration",
                 "tests/kept/tuner", "tests/kept/killed", "tests/kept/reviews"})
            QTest::newRow(name) << q((source / (std::string(name) + ".tilewright.zst")).string());
    }

    /// Written at once, and in steps by one process after another.
    void theSameEventsLeadToTheSameIds()
    {
        QFETCH(QString, file);
        const auto session = recorded(file.toStdString());
        QVERIFY2(session, session ? "" : session.error().line().c_str());
        const std::size_t count = session->events.size();
        const fs::path whole = fresh(), steps = fresh();
        const auto once = writtenInSteps(whole, session->events, {count}, session->textOf());
        QVERIFY2(once, once ? "" : once.error().line().c_str());
        std::vector<std::size_t> cuts;
        for (std::size_t cut = count % 97 + 20; cut < count; cut += 97)
            cuts.push_back(cut);
        cuts.insert(cuts.end(), {count, count});
        const auto last = writtenInSteps(steps, session->events, cuts, session->textOf());
        QVERIFY2(last, last ? "" : last.error().line().c_str());
        QVERIFY(namesIn(whole).size() > 20);
        QVERIFY(namesIn(whole) == namesIn(steps));
        QCOMPARE(last->fresh, 0);
        QCOMPARE(last->admitted + last->kept, once->fresh);
    }

    void aVariedRunLeadsToTheSameIdsFromEveryEventOn()
    {
        const MadeRun session = variedRun();
        const fs::path whole = fresh(), steps = fresh();
        QVERIFY(written(whole, session).has_value());
        std::vector<std::size_t> cuts;
        for (std::size_t cut = 1; cut <= session.events().size(); ++cut)
            cuts.push_back(cut);
        const auto last = writtenInSteps(steps, session.events(), cuts, session.textOf());
        QVERIFY2(last, last ? "" : last.error().line().c_str());
        QVERIFY(namesIn(whole) == namesIn(steps));
    }

    void everyCandidateHasItsParentsAndACopyIsNone()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        const auto report = written(folder, session);
        QVERIFY2(report, report ? "" : report.error().line().c_str());
        QCOMPARE(report->admitted, 5);
        QCOMPARE(report->kept, 2);
        QCOMPARE(report->branches, 3);
        QCOMPARE(report->bests, 1);
        const RefNames names = namesIn(folder);
        const auto id = [&](const char* name) { return names.at(std::string("refs/tilewright/c/") + name); };
        QCOMPARE(id("c-0004"), id("c-0002"));
        QCOMPARE(names.at("refs/heads/best"), id("c-0002"));
        QCOMPARE(names.at("refs/tags/best-001-c-0002"), id("c-0002"));
        QCOMPARE(names.at("refs/heads/island-B"), id("c-0002")); // the best of the run lives there as a copy
        if (git().isEmpty())
            QSKIP("git is not installed: what it reads is not checked");
        QCOMPARE(git({"fsck", "--strict", "--no-dangling"}, folder).err, QString());
        const auto line = [&](const std::string& name, const std::string& form) {
            return git({"log", "-1", "--format=" + form, "tilewright/c/" + name}, folder).out.trimmed();
        };
        QCOMPARE(line("c-0005", "%P"), q(id("c-0003") + " " + id("c-0002")));
        QCOMPARE(line("c-0005", "%s"), QStringLiteral("c-0005 Both (2.00×, +53.8 % vs c-0003)"));
        QCOMPARE(line("c-0007", "%P"), q(id("c-0006")));
        QCOMPARE(line("c-0006", "%s"), QStringLiteral("c-0006 Broken (not admitted)"));
        QCOMPARE(line("c-0003", "%an <%ae> %cn"), QStringLiteral("gpt-x <gpt-x@tilewright.invalid> Tilewright"));
        QCOMPARE(line("c-0003", "%s"), QStringLiteral("c-0003 Unroll c (1.30×)"));
        QCOMPARE(line("c-0003", "%(trailers:key=Tilewright-Prompt,valueonly)"), QStringLiteral("exploit shipped"));
        QCOMPARE(line("c-0003", "%(trailers:key=Tilewright-Cost,valueonly)"), QStringLiteral("0.0123 $"));
        QCOMPARE(line("c-0002", "%cI"), QStringLiteral("2026-11-23T23:00:25+00:00"));
        // Not before its parent, though the clock was set back in between.
        QCOMPARE(line("c-0007", "%cI"), QStringLiteral("2026-11-23T23:00:27+00:00"));
        QVERIFY(line("c-0002", "%N").contains(QStringLiteral("confirm: 1.510× [1.507, 1.513] of the baseline")));
        QVERIFY(line("c-0006", "%N").contains(QStringLiteral("build_failed (build/error)")));
        QCOMPARE(git({"show", "tilewright/c/c-0005:program.cpp"}, folder).out, q(session.text({5})));
        const Said log = git({"log", "--graph", "--notes", "--all"}, folder);
        QCOMPARE(log.code, 0);
        QVERIFY(log.out.contains(QStringLiteral("|\\")) && log.out.contains(QStringLiteral("Notes:")));
        // A clone has the best program checked out.
        const fs::path clone = fresh();
        QCOMPARE(git({"clone", "-q", folder.string(), clone.string()}, folder).code, 0);
        QCOMPARE(q(readFile(clone / "program.cpp").value_or("")), q(session.text({2})));
    }

    /// Lines whose text the program has once: among others git may choose differently.
    void gitBlamesTheSameCandidates()
    {
        if (git().isEmpty())
            QSKIP("git is not installed");
        const auto session = recorded(source / "resources/demo/gemm-h200.tilewright.zst");
        QVERIFY2(session, session ? "" : session.error().line().c_str());
        const fs::path folder = fresh();
        QVERIFY(writtenInSteps(folder, session->events, {session->events.size()}, session->textOf()).has_value());
        QCOMPARE(git({"fsck", "--strict", "--no-dangling"}, folder).err, QString());
        const RefNames names = namesIn(folder);
        std::map<std::string, CandidateId> made; // by commit
        for (const Candidate& candidate : session->state.candidates)
            if (const auto name = names.find("refs/tilewright/c/" + candidateName(candidate.id));
                name != names.end() && !candidate.migrated)
                made[name->second] = candidate.id;
        const Candidate& best = *session->state.best();
        const auto origins = lineOriginsOf(session->state, best.id, session->textOf());
        QVERIFY(origins.has_value());
        const std::vector<std::string_view> texts = splitLines(origins->text);
        const QStringList blamed
            = git({"blame", "-s", "-l", "--root", names.at("refs/heads/best"), "--", "program.cu"}, folder)
                  .out.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(static_cast<std::size_t>(blamed.size()), texts.size());
        int compared = 0;
        std::set<CandidateId> bringers;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (std::ranges::count(texts, texts[i]) > 1)
                continue;
            const auto id = made.find(blamed[static_cast<qsizetype>(i)].left(40).toStdString());
            QVERIFY(id != made.end());
            QCOMPARE(q(candidateName(id->second)), q(candidateName(origins->lines[i].candidate)));
            bringers.insert(id->second);
            ++compared;
        }
        QVERIFY2(compared > 100 && bringers.size() >= 3, std::to_string(compared).c_str());
    }

    void noIdentityIsNeeded()
    {
        const fs::path home = fresh();
        fs::create_directories(home);
        QVERIFY(saveFile(home / ".gitconfig", "[user\nnonsense").has_value());
        const QByteArray before = qgetenv("HOME");
        qputenv("HOME", QByteArray::fromStdString(home.string()));
        const auto report = written(fresh(), variedRun());
        qputenv("HOME", before);
        QVERIFY2(report, report ? "" : report.error().line().c_str());
    }

    void whatIsInTheWayStays()
    {
        const MadeRun session = variedRun();
        const fs::path file = fresh(), folder = fresh(), repository = fresh();
        QVERIFY(saveFile(file, "mine").has_value());
        QCOMPARE(writtenInSteps(file, session.events(), {5}, session.textOf()).error().code,
            std::string("lineage/not-ours"));
        QCOMPARE(readFile(file).value_or(""), std::string("mine"));
        fs::create_directories(folder);
        QVERIFY(saveFile(folder / "notes.txt", "mine").has_value());
        QCOMPARE(refusal(folder, session), std::string("lineage/not-ours"));
        fs::create_directories(repository / "objects");
        fs::create_directories(repository / "refs");
        QVERIFY(saveFile(repository / "HEAD", "ref: refs/heads/main\n").has_value());
        QCOMPARE(refusal(repository, session), std::string("lineage/not-ours"));
        QCOMPARE(refusal(fs::path(m_folder.path().toStdString()), session), std::string("lineage/not-ours"));
        QCOMPARE(written(fresh() / "deeper", session).error().code, std::string("lineage/missing"));
        QCOMPARE(written("/proc/lineage", session).error().code.substr(0, 8), std::string("lineage/"));
        fs::create_directories(folder / "empty"); // and an empty folder is taken
        QVERIFY(written(folder / "empty", session).has_value());
    }

    void aFolderOfAnotherUserIsRefused()
    {
        if (::geteuid() != 0)
            QSKIP("only root can give a folder away");
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        constexpr uid_t nobody = 65534;
        QCOMPARE(::chown(folder.c_str(), nobody, nobody), 0);
        QCOMPARE(refusal(folder, session), std::string("lineage/foreign-owner"));
    }

    void anotherSessionsRepositoryIsRefused()
    {
        const fs::path folder = fresh();
        QVERIFY(written(folder, variedRun()).has_value());
        QCOMPARE(
            refusal(folder, MadeRun("a\nb\nc\n", "2026-11-24T00:00:00.000Z")), std::string("lineage/other-session"));
    }

    /// As of a session that was replaced by its backup, or went another way since.
    void aSessionThatLacksWrittenEventsIsRefused()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        QCOMPARE(writtenInSteps(folder, session.events(), {session.events().size() - 1}, session.textOf()).error().code,
            std::string("lineage/diverged"));
        std::vector<Event> others = session.events();
        others.back().atUtc = "2026-11-24T00:00:00.000Z";
        QCOMPARE(writtenInSteps(folder, others, {others.size()}, session.textOf()).error().code,
            std::string("lineage/diverged"));
    }

    void whatAnotherProgramCommittedIsNotOverwritten()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        const std::string seed = namesIn(folder).at("refs/tilewright/c/c-0001");
        fs::create_directories(folder / "refs/heads");
        QVERIFY(saveFile(folder / "refs/heads/island-A", seed + "\n").has_value());
        QCOMPARE(refusal(folder, session), std::string("lineage/changed"));
        // Names of the user's own are kept, in a file or in packed-refs, and symbolic ones too.
        fs::rename(folder / "refs/heads/island-A", folder / "refs/heads/mine");
        fs::create_directories(folder / "refs/remotes/origin");
        QVERIFY(saveFile(folder / "refs/remotes/origin/HEAD", "ref: refs/heads/mine\n").has_value());
        QVERIFY(
            saveFile(folder / "packed-refs", readFile(folder / "packed-refs").value_or("") + seed + " refs/tags/mine\n")
                .has_value());
        QVERIFY(written(folder, session).has_value());
        QVERIFY(fs::exists(folder / "refs/heads/mine") && fs::exists(folder / "refs/remotes/origin/HEAD"));
        QCOMPARE(namesIn(folder).at("refs/tags/mine"), seed);
        QVERIFY(!namesIn(folder).contains("refs/remotes/origin/HEAD"));
        QVERIFY(saveFile(folder / "refs/heads/best", "ref: refs/heads/mine\n").has_value());
        QCOMPARE(refusal(folder, session), std::string("lineage/changed"));
    }

    void oneProcessWritesAtATime()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        const auto first = LineageRepository::open(folder);
        QVERIFY(first.has_value());
        QCOMPARE(LineageRepository::open(folder).error().code, std::string("lineage/locked"));
    }

    void aLockOfGitIsWaitedFor()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(writtenInSteps(folder, session.events(), {20}, session.textOf()).has_value());
        QVERIFY(saveFile(folder / "packed-refs.lock", "").has_value());
        const RefNames before = namesIn(folder);
        QCOMPARE(written(folder, session).error().code, std::string("lineage/locked"));
        QVERIFY(namesIn(folder) == before);
        fs::remove(folder / "packed-refs.lock");
        QVERIFY(written(folder, session).has_value());
    }

    void aRepositoryOfANewerProgramIsRefused()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        {
            auto store = GitStore::open(folder, "best");
            QVERIFY(store.has_value());
            RefNames names = (*store)->refs();
            names["refs/tilewright/state"] = (*store)->putBlob("{\"format\":99}\n", "state").value();
            QVERIFY((*store)->write(names, {"refs/"}).has_value());
        }
        QCOMPARE(refusal(folder, session), std::string("lineage/newer"));
    }

    void aDamagedRepositoryIsRefused()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh();
        QVERIFY(written(folder, session).has_value());
        const std::string names = readFile(folder / "packed-refs").value_or("");
        for (const std::string& bad : {names.substr(0, names.size() / 2), std::string("nonsense\n"),
                 std::string(40, 'g') + " refs/heads/best\n"}) {
            QVERIFY(saveFile(folder / "packed-refs", bad).has_value());
            const std::string code = refusal(folder, session);
            QVERIFY2(code == "lineage/damaged" || code == "lineage/changed", code.c_str());
        }
        QVERIFY(saveFile(folder / "packed-refs", names).has_value());
        fs::remove_all(folder / "objects" / "pack");
        QCOMPARE(LineageRepository::open(folder).error().code, std::string("lineage/damaged"));
    }

    /// A process that ended between making the folder and writing the first names.
    void aRepositoryThatWasBegunIsFinished()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh(), whole = fresh();
        fs::create_directories(folder);
        QVERIFY(saveFile(folder / "tilewright-lineage", "").has_value());
        QVERIFY(written(folder, session).has_value());
        QVERIFY(written(whole, session).has_value());
        QVERIFY(namesIn(folder) == namesIn(whole));
    }

    void manySmallWritesLeaveFewPacks()
    {
        const fs::path folder = fresh(), whole = fresh();
        MadeRun session("a\n");
        auto lineage = LineageRepository::open(folder);
        QVERIFY(lineage.has_value());
        RunState state;
        for (int i = 0; i < 60; ++i) {
            session.add({{{1}}, "a\n" + std::to_string(i) + "\n", 1.0 + i * 0.01, "Edit " + std::to_string(i)});
            while (state.lastSeq < session.state().lastSeq) {
                const Event& event = session.events()[static_cast<std::size_t>(state.lastSeq)];
                QVERIFY(apply(state, event).has_value());
                (*lineage)->take(event, state);
            }
            const auto report = (*lineage)->write(state, session.textOf());
            QVERIFY2(report, report ? "" : report.error().line().c_str());
        }
        int packs = 0;
        for (const fs::directory_entry& file : fs::directory_iterator(folder / "objects" / "pack"))
            packs += file.path().extension() == ".pack";
        QVERIFY2(packs >= 1 && packs <= 17, std::to_string(packs).c_str());
        QVERIFY(written(whole, session).has_value());
        QVERIFY(namesIn(folder) == namesIn(whole));
        if (!git().isEmpty())
            QCOMPARE(git({"fsck", "--strict", "--no-dangling"}, folder).err, QString());
    }

    void namesOfModelsAndTitlesCannotBreakACommit()
    {
        const fs::path folder = fresh();
        MadeRun session("a\n");
        const std::string hostile = "evil\nparent 0123 <x> \x01\x7f" + std::string(300, 'y');
        session.add({{{1}}, "b\n", 1.2, "Title\n\nTilewright-Score: 99\x1b[31m", "Tilewright-Score: 98\nwords", "model",
            hostile});
        session.add({{{1}}, "c\n", 1.3, "", "", "<>", "<>"});
        const auto report = written(folder, session);
        QVERIFY2(report, report ? "" : report.error().line().c_str());
        QCOMPARE(authorPerson(session.state(), *session.state().candidate({3})).name, std::string("unknown"));
        const GitPerson author = authorPerson(session.state(), *session.state().candidate({2}));
        QVERIFY(author.name.size() < 80 && author.name.find_first_of("<>\n") == std::string::npos);
        const std::string message = admittedMessage(session.state(), *session.state().candidate({2}));
        QVERIFY(message.find('\x1b') == std::string::npos);
        QVERIFY(message.find("\nTilewright-Score: 98") == std::string::npos);
        QVERIFY(message.find("\nTilewright-Score: 99") == std::string::npos);
        if (git().isEmpty())
            QSKIP("git is not installed: what it reads is not checked");
        QCOMPARE(git({"fsck", "--strict", "--no-dangling"}, folder).err, QString());
    }

    void aRunIsWrittenWhileItGoesOn()
    {
        const MadeRun session = variedRun();
        const fs::path folder = fresh(), whole = fresh();
        std::atomic<std::size_t> recorded = 5;
        class Feed : public RunSource
        {
        public:
            Feed(const MadeRun& run, const std::atomic<std::size_t>& count)
                : m_run(run)
                , m_count(count)
            {
            }
            Result<void> follow(RunState& state, const Each& each) override
            {
                while (static_cast<std::size_t>(state.lastSeq) < m_count) {
                    const Event& event = m_run.events()[static_cast<std::size_t>(state.lastSeq)];
                    if (auto applied = apply(state, event); !applied)
                        return applied;
                    each(event, state);
                }
                return {};
            }
            Result<std::string> text(const Hash& hash) override { return m_run.textOf()(hash); }

        private:
            const MadeRun& m_run;
            const std::atomic<std::size_t>& m_count;
        };
        const auto open
            = [&]() -> Result<std::unique_ptr<RunSource>> { return std::make_unique<Feed>(session, recorded); };
        {
            std::atomic<std::int64_t> seen = 0;
            std::atomic<int> ends = 0;
            LineageWatch watch;
            watch.written = [&seen](const LineageReport& report) { seen = report.seq; };
            watch.ended = [&ends](const std::optional<Error>& error) { ends += error ? 100 : 1; };
            LineageThread thread(folder, open, std::chrono::milliseconds(1), watch);
            QTRY_VERIFY(fs::exists(folder / "packed-refs")); // while the run is not over
            for (std::size_t count = 6; count <= session.events().size(); ++count) {
                recorded = count;
                thread.wake();
            }
            const auto report = thread.finish();
            QVERIFY2(report, report ? "" : report.error().line().c_str());
            QCOMPARE(report->seq, session.state().lastSeq);
            QVERIFY(!thread.failure());
            QCOMPARE(seen.load(), session.state().lastSeq);
            QCOMPARE(ends.load(), 1);
        }
        QVERIFY(written(whole, session).has_value());
        QVERIFY(namesIn(folder) == namesIn(whole));
        QVERIFY(saveFile(folder / "refs/heads/island-A", namesIn(folder).at("refs/tilewright/c/c-0001")).has_value());
        std::string ended;
        LineageWatch watch;
        watch.ended = [&ended](const std::optional<Error>& error) { ended = error ? error->code : "well"; };
        LineageThread refused(folder, open, std::chrono::milliseconds(1), watch);
        QCOMPARE(refused.finish().error().code, std::string("lineage/changed"));
        QCOMPARE(ended, std::string("lineage/changed")); // before finish() returns
    }

    void bisectFindsWhereSpeedWasLost_data()
    {
        QTest::addColumn<bool>("bare");
        QTest::newRow("in the repository") << true;
        QTest::newRow("in a clone") << false;
    }

    void bisectFindsWhereSpeedWasLost()
    {
        QFETCH(bool, bare);
        if (git().isEmpty())
            QSKIP("git is not installed");
        const fs::path folder = fresh();
        MadeRun session("line 0\n");
        constexpr std::int64_t length = 40, lost = 23, failed = 30;
        for (std::int64_t i = 2; i <= length; ++i) {
            const double noise = static_cast<double>(i % 3) * 0.01;
            session.add({{{i - 1}}, session.text({i - 1}) + "line " + std::to_string(i) + "\n",
                i == failed ? 0 : (i >= lost ? 1.4 : 2.0) + noise});
        }
        QVERIFY(written(folder, session).has_value());
        fs::path in = folder;
        const std::string slow = "tilewright/c/" + candidateName({length}), fast = "tilewright/c/c-0002";
        if (!bare) {
            in = fresh();
            QCOMPARE(git({"clone", "-q", "--mirror", folder.string(), (in / ".git").string()}, folder).code, 0);
            QCOMPARE(git({"config", "core.bare", "false"}, in).code, 0);
            QCOMPARE(git({"reset", "-q", "--hard"}, in).code, 0);
        }
        const std::string script = (source / "resources/lineage/bisect-speed").string();
        QCOMPARE(git({"bisect", "run", script}, in).code != 0, true); // nothing is bisected yet
        const auto start = [&](const std::string& bad, const std::string& good) {
            std::vector<std::string> words{"bisect", "start"};
            if (bare)
                words.push_back("--no-checkout");
            words.insert(words.end(), {bad, good});
            return git(words, in);
        };
        const Said begun = start(slow, fast);
        QVERIFY2(begun.code == 0, qPrintable(begun.err));
        const Said found = git({"bisect", "run", script}, in);
        QVERIFY2(found.code == 0, qPrintable(found.out + found.err));
        const std::string expected = namesIn(folder).at("refs/tilewright/c/" + candidateName({lost}));
        QVERIFY2(found.out.contains(q(expected + " is the first bad commit")), qPrintable(found.out + found.err));
        // The faster of the two has to be the good one.
        QCOMPARE(git({"bisect", "reset"}, in).code, 0);
        (void)start(fast, slow);
        const Said refused = git({"bisect", "run", script}, in);
        QVERIFY2(refused.code != 0, qPrintable(refused.out + refused.err));
    }
};

TILEWRIGHT_TEST(TestLineage)
#include "test_lineage.moc"
