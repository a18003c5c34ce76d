// SPDX-License-Identifier: GPL-3.0-or-later
// Replies from outside: a user with a folder, and recorded replies. Against a real engine, node process and folder.
#include "core/engine/proposals/proposing.h"
#include "core/engine/replies/manual_reply_source.h"
#include "core/engine/replies/reply_folder.h"
#include "core/model/parent_change.h"
#include "core/model/requests/conversation.h"
#include "core/model/requests/repair_turns.h"
#include "core/model/requests/reply_outcome.h"
#include "core/model/spent_budget.h"
#include "core/model/tuning_record.h"
#include "core/proposer/recombiner.h"
#include "core/proposer/variation.h"
#include "core/store/session_reader.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/engine/person.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <algorithm>
#include <regex>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using std::chrono::milliseconds;

namespace {

NewSession sessionBy(const QString& path, const TaskPack& pack, const std::string& proposer, std::int64_t evaluations)
{
    NewSession session;
    session.path = path;
    session.pack = pack;
    session.settings.proposer = proposer;
    session.settings.budget.evaluations = evaluations;
    return session;
}

/// The diff from a program to the same one with a fault that the fake node knows; it takes the place of others.
std::string withFault(const std::string& program, const std::string& fault, int number = 0)
{
    const std::string plain = std::regex_replace(program, std::regex("constexpr int FAKE_[A-Z_]+\\d* = 1;\n"), "");
    return unifiedDiff(program,
        withLine(plain, "constexpr int " + fault + (number ? std::to_string(number) : "") + " = 1;"), "seed.cpp");
}

std::string withoutFaults(const std::string& program)
{
    const std::string plain = std::regex_replace(program, std::regex("constexpr int FAKE_[A-Z_]+\\d* = 1;\n"), "");
    return unifiedDiff(program, withLine(plain, "constexpr int MENDED = 1;"), "seed.cpp");
}

const Proposal* proposalOf(const RunState& run, ModelRequestId request)
{
    const auto found = std::ranges::find(run.proposals, request, &Proposal::modelRequest);
    return found == run.proposals.end() ? nullptr : &*found;
}

int countOpen(const RunState& run)
{
    return static_cast<int>(std::count_if(run.modelRequests.begin(), run.modelRequests.end(),
        [](const ModelRequest& modelRequest) { return modelRequest.state == ModelRequestState::Open; }));
}

} // namespace

class TestOutside : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aFileSettlesOnceItStoodStillAndIsNotEmpty()
    {
        Settling settling{milliseconds(100)};
        QVERIFY(!settling.settled({0, 1}, milliseconds(0)));
        QVERIFY(!settling.settled({0, 1}, milliseconds(500))); // made, not written yet
        QVERIFY(!settling.settled({10, 2}, milliseconds(510)));
        QVERIFY(!settling.settled({20, 3}, milliseconds(609)));
        QVERIFY(!settling.settled({20, 4}, milliseconds(700))); // touched again
        QVERIFY(!settling.settled({20, 4}, milliseconds(799)));
        QVERIFY(settling.settled({20, 4}, milliseconds(800)));
    }

    void numbersOfAFolderAreNeverGivenTwice()
    {
        QTemporaryDir folder;
        ReplyFolder box(folder.path());
        QCOMPARE(QString::fromStdString(box.reserve().value()), QStringLiteral("0001"));
        QCOMPARE(QString::fromStdString(box.reserve().value()), QStringLiteral("0002"));
        for (const char* name : {"0007.reply.md", "0005.prompt.md", "notes.md", "99.prompt.md", "0044.reply.md~"}) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QCOMPARE(QString::fromStdString(box.reserve().value()), QStringLiteral("0008"));
        ReplyFolder other(folder.path()); // of another run
        QCOMPARE(QString::fromStdString(other.reserve().value()), QStringLiteral("0009"));
        QVERIFY(other.put("0009", "theirs").has_value() && box.put("0008", "ours").has_value());
        QCOMPARE(QString::fromStdString(box.reserve().value()), QStringLiteral("0010"));
        QVERIFY(box.put("0008", "ours, after a restart").has_value());
        QFile prompt(folder.filePath(QStringLiteral("0008.prompt.md")));
        QVERIFY(prompt.open(QIODevice::ReadOnly));
        QCOMPARE(prompt.readAll(), QByteArray("ours"));
        ReplyFolder impossible(folder.filePath(QStringLiteral("notes.md/inside")));
        QCOMPARE(QString::fromStdString(impossible.reserve().error().code), QStringLiteral("manual/folder"));
    }

    void aReplyInTheFolderArrivesOnceAndWhole()
    {
        QTemporaryDir folder;
        ReplyFolder box(folder.path(), milliseconds(60));
        QVERIFY(box.put("0001", "question").has_value());
        QFile prompt(folder.filePath(QStringLiteral("0001.prompt.md")));
        QVERIFY(prompt.open(QIODevice::ReadOnly));
        QCOMPARE(prompt.readAll(), QByteArray("question"));
        QStringList places;
        QByteArray got;
        connect(&box, &ReplyFolder::arrived, this, [&](const std::string& place, const QByteArray& reply) {
            places << QString::fromStdString(place);
            got = reply;
        });
        const auto answer = [&](const char* place) {
            QFile file(folder.filePath(QLatin1String(place) + QStringLiteral(".reply.md")));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("noise") == 5);
        };
        answer("0002"); // nobody asked
        QFile reply(folder.filePath(QStringLiteral("0001.reply.md")));
        QVERIFY(reply.open(QIODevice::WriteOnly));
        // A later reply that is whole comes; the empty one was looked at by then, and is not written yet.
        QVERIFY(box.put("0003", "question").has_value());
        answer("0003");
        QVERIFY(QTest::qWaitFor([&] { return !places.isEmpty(); }, patience));
        QCOMPARE(places, QStringList{QStringLiteral("0003")});
        reply.write("an answer");
        reply.close();
        QVERIFY(QTest::qWaitFor([&] { return places.size() > 1; }, patience));
        QCOMPARE(got, QByteArray("an answer"));
        QVERIFY(box.put("0004", "question").has_value());
        answer("0004");
        QVERIFY(QTest::qWaitFor([&] { return places.size() > 2; }, patience));
        QCOMPARE(places, (QStringList{QStringLiteral("0003"), QStringLiteral("0001"), QStringLiteral("0004")}));
    }

    void aReplyThatSomebodyStillWritesIsNotReadHalf()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("0001.reply.md"));
        QFile reply(path);
        QVERIFY(reply.open(QIODevice::WriteOnly) && reply.write("the first half, ") > 0 && reply.flush());
        const Writers writers = writersOf(path);
        QVERIFY2(writers != Writers::None, "a file that is open for writing");
        if (writers == Writers::Unknown)
            QSKIP("this file system does not tell who writes");
        ReplyFolder box(folder.path(), milliseconds(30));
        std::map<std::string, QByteArray> got;
        connect(&box, &ReplyFolder::arrived, this,
            [&](const std::string& place, const QByteArray& text) { got[place] = text; });
        QVERIFY(box.put("0001", "question").has_value());
        // By the time that another reply has been settled ten times over, the open one would have been taken.
        for (int i = 2; i < 12; ++i) {
            const std::string place = QStringLiteral("%1").arg(i, 4, 10, QLatin1Char('0')).toStdString();
            QVERIFY(box.put(place, "question").has_value());
            QFile other(folder.filePath(QString::fromStdString(place) + QStringLiteral(".reply.md")));
            QVERIFY(other.open(QIODevice::WriteOnly) && other.write("whole") == 5);
            other.close();
            QVERIFY(QTest::qWaitFor([&] { return got.contains(place); }, patience));
            QVERIFY(!got.contains("0001"));
        }
        QVERIFY(reply.write("and the second") > 0);
        reply.close();
        QCOMPARE(writersOf(path), Writers::None);
        QVERIFY(QTest::qWaitFor([&] { return got.contains("0001"); }, patience));
        QCOMPARE(got["0001"], QByteArray("the first half, and the second"));
    }

    void aReplyThatChangesAfterItWasReadIsTold()
    {
        QTemporaryDir folder;
        ReplyFolder box(folder.path(), milliseconds(40));
        QStringList arrived, changed;
        connect(&box, &ReplyFolder::arrived, this,
            [&](const std::string& place, const QByteArray&) { arrived << QString::fromStdString(place); });
        connect(&box, &ReplyFolder::changedLater, this,
            [&](const std::string& place) { changed << QString::fromStdString(place); });
        QVERIFY(box.put("0001", "question").has_value());
        QFile reply(folder.filePath(QStringLiteral("0001.reply.md")));
        QVERIFY(reply.open(QIODevice::WriteOnly) && reply.write("half") == 4);
        reply.close();
        QVERIFY(QTest::qWaitFor([&] { return !arrived.isEmpty(); }, patience));
        QVERIFY(reply.open(QIODevice::Append) && reply.write(" and more") > 0);
        reply.close();
        QVERIFY(QTest::qWaitFor([&] { return !changed.isEmpty(); }, patience));
        QCOMPARE(changed, QStringList{QStringLiteral("0001")});
        QCOMPARE(arrived.size(), 1);
    }

    void aReplyThatIsNoneIsToldAndWaitedForAgain()
    {
        QTemporaryDir folder;
        ReplyFolder box(folder.path(), milliseconds(40));
        std::map<std::string, QStringList> told;
        QStringList places;
        connect(&box, &ReplyFolder::unreadable, this,
            [&](const std::string& place, const QString& reason) { told[place] << reason; });
        connect(&box, &ReplyFolder::arrived, this,
            [&](const std::string& place, const QByteArray&) { places << QString::fromStdString(place); });
        const auto pathOf
            = [&](const char* place) { return folder.filePath(QLatin1String(place) + QStringLiteral(".reply.md")); };
        for (const char* place : {"0001", "0002", "0003", "0004", "0005"})
            QVERIFY(box.put(place, "question").has_value());
        QVERIFY(QDir().mkdir(pathOf("0001")));
        QFile binary(pathOf("0005"));
        QVERIFY(binary.open(QIODevice::WriteOnly)
            && binary.write(QByteArray("\x7f"
                                       "ELF\x00\xff\xfe",
                   7))
                == 7);
        binary.close();
        QFile empty(pathOf("0002")), large(pathOf("0003"));
        QVERIFY(empty.open(QIODevice::WriteOnly) && large.open(QIODevice::WriteOnly));
        QVERIFY(large.resize(ReplyFolder::largestReply + 1));
        empty.close();
        QVERIFY(QFile::link(folder.filePath(QStringLiteral("nothing")), pathOf("0004")));
        QVERIFY(QTest::qWaitFor([&] { return told.size() == 5; }, patience));
        QCOMPARE(told["0001"], QStringList{QStringLiteral("it is a folder")});
        QCOMPARE(told["0002"], QStringList{QStringLiteral("it is empty")});
        QCOMPARE(told["0003"], QStringList{QStringLiteral("it is larger than 8 MiB")});
        QCOMPARE(told["0004"], QStringList{QStringLiteral("it is a broken link")});
        QCOMPARE(told["0005"].size(), 1);
        QVERIFY2(told["0005"].first().startsWith(
                     QStringLiteral("it is a binary file, not a text: line 1, byte offset 4: a zero byte")),
            qPrintable(told["0005"].first()));
        QVERIFY(places.isEmpty());
        QVERIFY(QDir().rmdir(pathOf("0001")));
        QFile mended(pathOf("0001"));
        QVERIFY(mended.open(QIODevice::WriteOnly) && mended.write("an answer") > 0);
        QVERIFY(empty.open(QIODevice::WriteOnly) && empty.write("another") > 0);
        mended.close();
        empty.close();
        QVERIFY(QTest::qWaitFor([&] { return places.size() == 2; }, patience));
        QCOMPARE(told["0002"].size(), 1); // told once
    }

    void twoRunsOnOneFolderHaveTheirOwnPrompts()
    {
        QTemporaryDir home;
        const QString folder = home.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) { return goodReply(prompt.program, prompt.number); });
        EngineDriver first, second;
        for (EngineDriver* driver : {&first, &second}) {
            driver->engine.setPrompts(plainPrompt);
            driver->engine.create(sessionBy(driver->path(), m_pack, "manual:" + folder.toStdString(), 8));
        }
        QVERIFY(QTest::qWaitFor([&] { return first.ends > 0 && second.ends > 0; }, patience));
        std::set<std::string> places;
        std::size_t asked = 0;
        for (const EngineDriver* driver : {&first, &second}) {
            QCOMPARE(driver->ended->run.phase, events::Phase::Finished);
            for (const ModelRequest& modelRequest : driver->ended->run.modelRequests) {
                places.insert(modelRequest.place);
                ++asked;
            }
        }
        QCOMPARE(places.size(), asked); // no number was given to both
    }

    void aPersonsRepliesBecomeCandidates()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        std::size_t most = 0;
        Person person(folder, [&](const ReadPrompt& prompt) {
            most = std::max<std::size_t>(most, static_cast<std::size_t>(countOpen(driver.run())));
            return goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 12));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(12));
        QCOMPARE(run.candidates.size()
                - static_cast<std::size_t>(std::count_if(
                    run.candidates.begin(), run.candidates.end(), [](const Candidate& c) { return c.migrated; })),
            std::size_t(12));
        QVERIFY(most >= 2 && most <= 4);
        std::set<std::pair<std::int64_t, std::int64_t>> draws;
        for (const ModelRequest& modelRequest : run.modelRequests) {
            QCOMPARE(modelRequest.state, ModelRequestState::Complete);
            QCOMPARE(QString::fromStdString(modelRequest.place),
                QStringLiteral("%1").arg(modelRequest.id.value, 4, 10, QLatin1Char('0')));
            QVERIFY(modelRequest.focus != Focus::Tune);
            QVERIFY(draws.emplace(modelRequest.island.value, modelRequest.ordinal).second); // no draw was made twice
        }
        for (const Proposal& proposal : run.proposals)
            if (proposal.proposer != "seed") {
                QCOMPARE(QString::fromStdString(proposal.proposer), QStringLiteral("manual"));
                QCOMPARE(proposal.state, ProposalState::Accepted);
                QVERIFY(proposal.modelRequest && proposal.attempt == 1 && proposal.part == 0);
            }
        auto reader = SessionReader::open(driver.path().toStdString());
        QCOMPARE(
            (*reader)->text(run.modelRequests[0].prompt).value(), person.prompts[0].text.substr(8)); // "SYSTEM\n\n"
        QVERIFY((*reader)->load().value() == run);
        QVERIFY((patchTallies(run).at("manual") == PatchTally{11, 0, 0}));
    }

    void aPromptWhoseProgramIsOvertakenIsWithdrawn()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        const std::string wide = "constexpr int NR = 32; // tune: 16 32\n";
        Person person(folder, [&](const ReadPrompt& prompt) {
            if (prompt.program.find(wide) != std::string::npos)
                return goodReply(prompt.program, prompt.number);
            std::string changed = prompt.program; // several times as fast
            changed.insert(changed.find("constexpr int TILE_ROWS"), wide);
            return prompt.number == 1 ? replyWith("wide", unifiedDiff(prompt.program, changed, "seed.cpp"))
                                      : std::string(); // not answered in time
        });
        NewSession session = sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 6);
        session.settings.tuning = 0;
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        int withdrawn = 0;
        for (const ModelRequest& request : run.modelRequests) {
            const bool isAboutSeed = request.parents.front() == CandidateId{1};
            QCOMPARE(request.state,
                isAboutSeed && request.id.value > 1 ? ModelRequestState::Failed : ModelRequestState::Complete);
            if (request.state != ModelRequestState::Failed)
                continue;
            ++withdrawn;
            QCOMPARE(QString::fromStdString(request.answer.rule), QStringLiteral("request/overtaken"));
            QVERIFY(request.answer.wasWithdrawn());
            const QString prompt = folder + QLatin1Char('/') + QString::fromStdString(request.place);
            QVERIFY(!QFile::exists(prompt + QStringLiteral(".prompt.md")));
        }
        QVERIFY(withdrawn >= ManualReplySource::mostOpen - 1); // and those that took the place of what was answered
        QVERIFY(std::ranges::any_of(run.log, [](const LogLine& line) {
            return line.text.starts_with(
                "an open request is cancelled: c-0001 is no longer close to the best program, c-");
        }));
    }

    void repliesOfAFolderAreMarkedByWhatCameOfThem()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            return prompt.number == 1 ? badReply() : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 6));
        QVERIFY(driver.waitForEnd());
        const RunState run = driver.ended->run;
        for (const ReplyOutcome& outcome : replyOutcomes(run, "manual", 100)) {
            const QString place = QString::fromStdString(run.modelRequest(outcome.modelRequest)->place);
            const auto written = [&] {
                QFile file(folder + QLatin1Char('/') + place + QStringLiteral(".result.txt"));
                return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
            };
            QTRY_COMPARE_WITH_TIMEOUT(written(), describe(run, outcome), patience);
        }
        QFile first(folder + QStringLiteral("/0001.result.txt"));
        QVERIFY(first.open(QIODevice::ReadOnly));
        const QByteArray refused = first.readAll();
        QVERIFY2(refused.startsWith("refused, patch/") && refused.contains("; asked again in "), refused.constData());
    }

    void aRefusedPatchEarnsARepairTurnThenARewriteThenIsGivenUp()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            const bool hopeless = prompt.number == 1 || prompt.focus == "repair" || prompt.focus == "rewrite";
            return hopeless ? badReply() : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 10));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        std::vector<Proposal> refused;
        for (const Proposal& proposal : run.proposals)
            if (proposal.state == ProposalState::Refused)
                refused.push_back(proposal);
        QCOMPARE(refused.size(), std::size_t(3));
        const std::vector<Focus> asked{refused[0].focus, Focus::Repair, Focus::Rewrite};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(refused[i].attempt, static_cast<int>(i) + 1);
            QCOMPARE(refused[i].focus, asked[i]);
            QCOMPARE(refused[i].repairOf, i == 0 ? ProposalId{} : refused[i - 1].id);
            QCOMPARE(refused[i].ordinal, refused[0].ordinal);
            QCOMPARE(refused[i].parents, refused[0].parents);
            QVERIFY(QString::fromStdString(refused[i].rule).startsWith(QStringLiteral("patch/")));
            QVERIFY(!refused[i].reply.isNull()); // kept
        }
        for (const ReadPrompt& prompt : person.prompts)
            if (prompt.focus == "repair" || prompt.focus == "rewrite")
                QVERIFY(prompt.text.find("RULE " + refused[0].rule) != std::string::npos
                    && prompt.text.find("REPAIR ") != std::string::npos);
        // Where the whole block is asked for nobody asks for a patch as well.
        for (const ReadPrompt& prompt : person.prompts)
            if (prompt.focus == "repair" || prompt.focus == "rewrite")
                QCOMPARE(prompt.text.find("complete corrected patch") != std::string::npos, prompt.focus == "repair");
    }

    void aProgramThatFailsGoesBackToWhoWroteIt()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            return prompt.number == 1      ? replyWith("a mistake", withFault(prompt.program, "FAKE_BUILD_ERROR"))
                : prompt.focus == "repair" ? replyWith("mended", withoutFaults(prompt.program))
                                           : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 10));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        const Candidate* failed = candidateOf(run, *proposalOf(run, ModelRequestId{1}));
        QVERIFY(failed);
        QCOMPARE(failed->outcome, Outcome::BuildFailed);
        const auto repair = std::ranges::find(run.modelRequests, failed->proposal, &ModelRequest::repairOf);
        QVERIFY(repair != run.modelRequests.end());
        QCOMPARE(repair->focus, Focus::Repair);
        QCOMPARE(repair->parents, std::vector{failed->id});
        const Candidate* mended = candidateOf(run, *proposalOf(run, repair->id));
        QVERIFY(mended && mended->isRanked());
        // It is judged beside the program that the failed one was made from, and costs both requests.
        QCOMPARE(versusParent(run, *mended)->parent, failed->parents.front());
        QCOMPARE(callsOf(run, mended->proposal), (std::vector{ModelRequestId{1}, repair->id}));
    }

    void aProgramIsGivenUpWhenItsTurnsAreSpentOrItFailsAlike_data()
    {
        QTest::addColumn<QStringList>("faults"); // of the first reply and each repair of it
        QTest::addColumn<int>("turns");
        const QString build = QStringLiteral("FAKE_BUILD_ERROR"), wrong = QStringLiteral("FAKE_REFUSED");
        QTest::newRow("it fails in another way") << QStringList{build, wrong, build} << 2;
        QTest::newRow("it fails alike") << QStringList{build, build, build} << 1;
    }

    void aProgramIsGivenUpWhenItsTurnsAreSpentOrItFailsAlike()
    {
        QFETCH(QStringList, faults);
        QFETCH(int, turns);
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        int repairs = 0;
        Person person(folder, [&](const ReadPrompt& prompt) {
            if (prompt.number > 1 && prompt.focus != "repair")
                return goodReply(prompt.program, prompt.number);
            const int turn = prompt.number == 1 ? 0 : ++repairs;
            return replyWith("a mistake", withFault(prompt.program, faults.value(turn).toStdString(), 10 * turn));
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 14));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(repairs, turns);
    }

    void aRunEndsWithItsReplies()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) { return goodReply(prompt.program, prompt.number); });
        driver.engine.setPrompts(plainPrompt);
        NewSession session = sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 0);
        session.settings.budget.replies = 5;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.phaseReason, std::string("reply budget exhausted"));
        QCOMPARE(repliesSpent(run), std::int64_t(5));
        QCOMPARE(countOpen(run), 0);
        QCOMPARE(run.evaluationsDone, std::int64_t(6)); // what was paid for is measured
    }

    void aProgramWithTunablesIsTunedBeforeItIsJudged()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            const std::string tunables = "constexpr int UNROLL = 4; // tune: 1 2 4 8\n"
                                         "constexpr int AHEAD = 1; // tune: 1 2 4 8";
            return prompt.number == 1
                ? replyWith("constants", unifiedDiff(prompt.program, withLine(prompt.program, tunables), "seed.cpp"))
                : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        NewSession session = sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 14);
        session.settings.tuning = 24;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        const Candidate* base = candidateOf(run, *proposalOf(run, ModelRequestId{1}));
        QVERIFY(base && base->isRanked());
        const TuningRecord record = tuningOf(run, base->id);
        QCOMPARE(record.tried, std::int64_t(4)); // less than a third of 16
        QVERIFY(record.best);
        std::int64_t versions = 0, living = 0;
        for (const Candidate& candidate : run.candidates) {
            const bool isVersion = candidate.tunedFrom == base->id;
            versions += isVersion;
            if (isVersion)
                QCOMPARE(run.proposal(candidate.proposal)->proposer, std::string("tuner"));
        }
        for (const Island& island : run.islands)
            living += std::ranges::count_if(
                island.members, [&](CandidateId id) { return tuningBase(run, id) == base->id; });
        QCOMPARE(versions, record.tried);
        QVERIFY2(living <= 1, "one version of a program lives on its island");
    }

    void aSuccessfulEditIsTriedOnOtherProgramsWithoutAReply_data()
    {
        QTest::addColumn<std::string>("strategy");
        QTest::newRow("evolve") << std::string("evolve");
        QTest::newRow("a strategy for comparison") << std::string("best-of-n");
    }

    void aSuccessfulEditIsTriedOnOtherProgramsWithoutAReply()
    {
        QFETCH(std::string, strategy);
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        // Each reply applies the first moves that fit and were not sent yet: most make the program faster.
        std::set<std::string> sent;
        Person person(folder, [&](const ReadPrompt& prompt) {
            for (const Move& move : m_pack.moves)
                if (const auto with = withMove({prompt.program, {}, {}, {}}, move);
                    with && sent.insert(move.name).second)
                    return replyWith(move.title, unifiedDiff(prompt.program, with->text, "seed.cpp"));
            return goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        NewSession session = sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 0);
        session.settings.budget.replies = 12;
        session.settings.recombinations = 2;
        session.settings.strategies.assign(static_cast<std::size_t>(session.settings.islands), strategy);
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(repliesSpent(run), std::int64_t(12));
        std::map<CandidateId, int> triesOf;
        std::set<Hash> programs;
        int ranked = 0;
        for (const Candidate& candidate : run.candidates) {
            const Proposal& proposal = *run.proposal(candidate.proposal);
            if (candidate.migrated || proposal.proposer != recombinerName)
                continue;
            QVERIFY(!proposal.modelRequest && candidate.parents.size() == 2);
            const Candidate& donor = *run.candidate(candidate.parents[1]);
            const auto change = versusParent(run, donor);
            QVERIFY(change && change->ratio.value > 1);
            QVERIFY(run.proposal(donor.proposal)->modelRequest);
            ++triesOf[donor.id];
            QVERIFY(programs.insert(candidate.program).second);
            ranked += candidate.isRanked();
        }
        QCOMPARE(ranked > 0, strategy == "evolve");
        for (const auto& [donor, tries] : triesOf)
            QVERIFY(tries <= 2);
    }

    void aRewriteTellsTheIdeaThoughTheRepairWasOnlyTalk()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            return prompt.number == 1      ? badReply()
                : prompt.focus == "repair" ? std::string("What is it that you want?\n")
                                           : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts([](const ProposalRequest& request, const std::optional<FailedReply>& failed,
                                     const ProposerView& view, const PromptRoom& room) {
            auto prompt = plainPrompt(request, failed, view, room);
            prompt->user = (failed ? "REPLY " + failed->reply + "\n" : "") + prompt->user;
            return prompt;
        });
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 8));
        QVERIFY(driver.waitForEnd());
        const auto rewrite = std::ranges::find(person.prompts, "rewrite", &ReadPrompt::focus);
        QVERIFY(rewrite != person.prompts.end());
        QVERIFY(rewrite->text.find("int nowhere_to_be_found = 7;") != std::string::npos);
        QVERIFY(rewrite->text.find("What is it that you want?") == std::string::npos);
        QVERIFY(rewrite->text.starts_with("This continues "));
    }

    void aRepairThatAppliesIsACandidateOfTheSameParent()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            return prompt.number == 1 ? badReply() : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 8));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        const auto repaired = std::find_if(
            run.proposals.begin(), run.proposals.end(), [](const Proposal& p) { return p.focus == Focus::Repair; });
        QVERIFY(repaired != run.proposals.end());
        QCOMPARE(repaired->state, ProposalState::Accepted);
        QCOMPARE(repaired->parents, run.proposal(repaired->repairOf)->parents);
        QCOMPARE(run.outcomes.at("patch_refused"), std::int64_t(1));
    }

    void oneReplyMayHoldSeveralProposals()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            std::string reply;
            for (int i = 0; i < 3; ++i)
                reply += prompt.focus == "repair" || (prompt.number == 1 && i == 1)
                    ? badReply()
                    : goodReply(prompt.program, prompt.number * 10 + i, "direction " + std::to_string(i));
            return reply;
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 30));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(30));
        std::vector<Proposal> ofFirst;
        for (const Proposal& proposal : run.proposals)
            if (proposal.modelRequest == ModelRequestId{1})
                ofFirst.push_back(proposal);
        QCOMPARE(ofFirst.size(), std::size_t(3));
        for (int i = 0; i < 3; ++i) {
            const Proposal& proposal = ofFirst[static_cast<std::size_t>(i)];
            QCOMPARE(proposal.part, i + 1);
            QCOMPARE(proposal.reply, ofFirst[0].reply);
            QCOMPARE(proposal.state, i == 1 ? ProposalState::Refused : ProposalState::Accepted);
            if (i != 1)
                QCOMPARE(QString::fromStdString(proposal.reasoning), QStringLiteral("direction %1").arg(i));
        }
        // Another program of the reply got a place: the one that did not apply is not asked for again.
        const auto isPlaced = [&](const Candidate& each) {
            return (each.proposal == ofFirst[0].id || each.proposal == ofFirst[2].id) && !each.cell.empty();
        };
        QVERIFY(std::any_of(run.candidates.begin(), run.candidates.end(), isPlaced));
        QVERIFY(std::none_of(run.modelRequests.begin(), run.modelRequests.end(),
            [&](const ModelRequest& modelRequest) { return modelRequest.repairOf == ofFirst[1].id; }));
    }

    void openPromptsAreFoundAgainAndAnsweredWhileNobodyLooked()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright")),
                      letters = folder.filePath(QStringLiteral("letters"));
        Person silent(letters, [](const ReadPrompt&) { return std::string(); });
        {
            EngineDriver driver({}, path);
            driver.engine.setPrompts(plainPrompt);
            driver.engine.create(sessionBy(path, m_pack, "manual:" + letters.toStdString(), 9));
            QVERIFY(QTest::qWaitFor([&] { return silent.prompts.size() == 4; }, patience));
            QVERIFY(driver.close());
        }
        const std::vector<ReadPrompt> open = silent.prompts;
        silent.write(QStringLiteral("0002"), goodReply(open[1].program, 2));
        QVERIFY(QFile::remove(QDir(letters).filePath(QStringLiteral("0003.prompt.md"))));
        EngineDriver driver({}, path);
        driver.engine.setPrompts(plainPrompt);
        driver.engine.open(path);
        QCOMPARE(countOpen(driver.run()), 4);
        driver.execute(commands::Run{});
        QVERIFY(QTest::qWaitFor(
            [&] { return driver.run().modelRequest({2})->state == ModelRequestState::Complete; }, patience));
        QFile again(QDir(letters).filePath(QStringLiteral("0003.prompt.md")));
        QVERIFY(again.open(QIODevice::ReadOnly));
        QVERIFY(again.readAll().toStdString().ends_with("-->\n\n" + open[2].text)); // written again, to the byte
        Person awake(letters, [&](const ReadPrompt& prompt) {
            return prompt.number == 2 ? std::string() : goodReply(prompt.program, prompt.number);
        });
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsStarted, std::int64_t(9));
        for (const ModelRequest& modelRequest : driver.ended->run.modelRequests)
            QCOMPARE(modelRequest.state, ModelRequestState::Complete);
        QCOMPARE(driver.ended->run.proposals.size(), driver.ended->run.modelRequests.size() + 1); // and the seed
    }

    void aPersonAnswersWithoutAFolder()
    {
        EngineDriver driver;
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual", 6));
        QVERIFY(
            QTest::qWaitFor([&] { return driver.engine.snapshot()->status.openModelRequests.size() == 4; }, patience));
        QVERIFY(driver.engine.snapshot()->status.answersByHand);
        driver.execute(commands::AnswerRequest{ModelRequestId{77}, "to nobody"});
        driver.execute(commands::AnswerRequest{ModelRequestId{1}, ""});
        QCOMPARE(driver.failures, (QStringList{QStringLiteral("inquiry/not-open"), QStringLiteral("inquiry/empty")}));
        const auto textOf = [&](const Hash& hash) { return driver.text(hash); };
        std::map<ModelRequestId, std::string> given;
        while (driver.ends == 0) {
            const SnapshotPtr now = driver.engine.snapshot();
            for (const ModelRequestId id : now->status.openModelRequests)
                if (!given.contains(id)) {
                    const ReadPrompt prompt
                        = readPrompt(static_cast<int>(id.value), textOf(driver.run().modelRequest(id)->prompt));
                    given[id] = goodReply(prompt.program, prompt.number);
                    driver.execute(commands::AnswerRequest{id, given[id]});
                }
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return driver.ends > 0
                        || std::ranges::any_of(driver.engine.snapshot()->status.openModelRequests,
                            [&](ModelRequestId id) { return !given.contains(id); });
                },
                patience));
        }
        const SnapshotPtr last = driver.ended;
        QCOMPARE(last->run.evaluationsStarted, std::int64_t(6));
        // What a candidate came from is to be had to the byte.
        const std::vector<Turn> turns = turnsOf(last->run, CandidateId{2});
        QCOMPARE(turns.size(), std::size_t(1));
        QCOMPARE(textOf(turns[0].reply), given.at(turns[0].modelRequest));
        QCOMPARE(textOf(turns[0].system), std::string("SYSTEM"));
        QVERIFY(textOf(turns[0].prompt).starts_with("FOCUS "));
        QVERIFY(turnsOf(last->run, CandidateId{1}).empty());
        const auto& models = last->statistics->byModel;
        const auto manual = std::ranges::find(models, "manual", &PromptStatistics::model);
        QVERIFY(manual != models.end());
        QVERIFY(manual->asked >= 5 && manual->applied == 5 && manual->built == 5 && manual->meanGain);
    }

    void aPersonsWordsStandInEveryPromptFromThenOn()
    {
        EngineDriver driver;
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual", 40));
        const auto prompts = [&] {
            const RunState& run = driver.run();
            return std::vector{driver.text(run.modelRequests[run.modelRequests.size() - 1].prompt)};
        };
        QVERIFY(
            QTest::qWaitFor([&] { return driver.engine.snapshot()->status.openModelRequests.size() == 4; }, patience));
        QVERIFY(prompts().at(0).find("Mind the gap") == std::string::npos);
        driver.execute(commands::WriteInsights{"Mind the gap between packing and blocking."});
        driver.execute(commands::AnswerRequest{ModelRequestId{1}, goodReply(m_pack.seed(), 1)});
        QVERIFY(QTest::qWaitFor([&] { return driver.run().modelRequests.size() >= 5; }, patience));
        QVERIFY(prompts().at(0).find("Mind the gap") != std::string::npos);
        QCOMPARE(QString::fromStdString(driver.run().insights[0].author), QStringLiteral("person"));
        driver.execute(commands::WriteInsights{""});
        QVERIFY(!driver.run().personsInsight());
    }

    void theStatisticsWriteTheMemoryWhereNoModelDoes()
    {
        EngineDriver driver;
        driver.create(m_pack, 60);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.insights.size(), std::size_t(2)); // after 25 and 50
        QCOMPARE(QString::fromStdString(run.newestInsight()->author), QStringLiteral("statistics"));
        QVERIFY(!run.newestInsight()->text.isNull() && run.newestInsight()->evaluations >= 50);
    }

    void aFolderThatCannotBeUsedPausesTheRunWithItsReason()
    {
        EngineDriver driver;
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + driver.path().toStdString() + "/letters", 5));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("manual/folder"));
        QCOMPARE(driver.ended->run.evaluationsStarted, std::int64_t(1)); // what flew was finished
    }

    void thePromptsOfARunAreWrittenFromTheTemplates()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        std::vector<std::string> texts;
        Person person(folder, [&](const ReadPrompt& prompt) {
            texts.push_back(prompt.text);
            return prompt.number == 1 ? badReply() : goodReply(m_pack.seed(), prompt.number);
        });
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 8));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QVERIFY(run.evaluationsStarted > 2);
        std::set<std::string> names;
        for (const ModelRequest& modelRequest : run.modelRequests) {
            names.insert(modelRequest.promptName);
            QVERIFY(!modelRequest.promptVersion.isNull());
        }
        QVERIFY(names.contains("explore") && names.contains("repair"));
        for (const std::string& text : texts)
            QVERIFY(text.find("EVOLVE-BLOCK-START") != std::string::npos);
    }

    void aReplayOfARunEndsInTheSameCandidates()
    {
        EngineDriver recorded;
        recorded.create(m_pack, 40, 3);
        QVERIFY(recorded.waitForEnd());
        EngineDriver replayed({QStringLiteral("--builders"), QStringLiteral("1")});
        replayed.engine.create(sessionBy(replayed.path(), m_pack, "replay:" + recorded.path().toStdString(), 0));
        QVERIFY(replayed.waitForEnd());
        const RunState &before = recorded.ended->run, &after = replayed.ended->run;
        QCOMPARE(after.phase, events::Phase::Finished);
        QVERIFY2(after.phaseReason.find("recorded replies were used") != std::string::npos, after.phaseReason.c_str());
        QCOMPARE(programsMade(after), programsMade(before));
        std::vector<const Candidate*> left, right;
        for (const auto& [run, list] : {std::pair(&before, &left), std::pair(&after, &right)})
            for (const Candidate& candidate : run->candidates)
                if (!candidate.migrated)
                    list->push_back(&candidate);
        for (std::size_t i = 0; i < left.size(); ++i) {
            QCOMPARE(right[i]->moves, left[i]->moves);
            QCOMPARE(right[i]->island, left[i]->island);
            QCOMPARE(right[i]->source, left[i]->source);
        }
        QCOMPARE(after.tokensSpent, std::int64_t(0));
    }

    void aReplayThatWasCutOffGoesOnWhereItWas()
    {
        EngineDriver recorded;
        recorded.create(m_pack, 30, 5);
        QVERIFY(recorded.waitForEnd());
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("cut.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.engine.create(sessionBy(path, m_pack, "replay:" + recorded.path().toStdString(), 0));
            QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted >= 9; }, patience));
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        QVERIFY(driver.run().evaluationsStarted < 30);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(programsMade(driver.ended->run), programsMade(recorded.ended->run));
    }

    void aReplayRepeatsRepairsAndDirections()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [&](const ReadPrompt& prompt) {
            if (prompt.number == 1)
                return badReply();
            if (prompt.number == 2)
                return goodReply(prompt.program, 20) + badReply() + goodReply(prompt.program, 21);
            if (prompt.focus == "rewrite")
                return "```cpp\n" + readPrompt(0, "PROGRAM\n" + prompt.program).program + "int rewritten;\n```\n";
            return prompt.focus == "repair" ? badReply() : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 9));
        QVERIFY(driver.waitForEnd());
        EngineDriver replayed;
        replayed.engine.create(sessionBy(replayed.path(), m_pack, "replay:" + driver.path().toStdString(), 0));
        QVERIFY(replayed.waitForEnd());
        const RunState &before = driver.ended->run, &after = replayed.ended->run;
        QCOMPARE(programsMade(after), programsMade(before));
        QCOMPARE(after.proposals.size(), before.proposals.size());
        for (std::size_t i = 0; i < before.proposals.size(); ++i) {
            const Proposal &left = before.proposals[i], &right = after.proposals[i];
            QCOMPARE(right.state, left.state);
            QCOMPARE(right.rule, left.rule);
            QCOMPARE(right.attempt, left.attempt);
            QCOMPARE(right.part, left.part);
            QCOMPARE(right.repairs, left.repairs);
        }
        QVERIFY(after.modelRequests.empty());
    }

    void wrongNumbersOfAHunkMakeNoCandidateRisky()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [](const ReadPrompt& prompt) {
            std::string reply = goodReply(prompt.program, prompt.number);
            const std::size_t from = reply.find("@@ -"), to = reply.find('\n', from);
            return reply.replace(from, to - from, "@@ -900,9 +910,2 @@");
        });
        driver.engine.setPrompts(plainPrompt);
        NewSession session = sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 5);
        session.settings.review[{}] = ReviewPolicy::Risky;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, std::int64_t(5));
        QVERIFY(run.reviews.empty());
        QCOMPARE(patchTallies(run).at("manual").cleanRate(), std::optional(1.0));
    }

    void aReplayOfAFolderGivesEachReplyItsOwnParent()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [](const ReadPrompt& prompt) {
            return prompt.number == 2 ? badReply() : goodReply(prompt.program, prompt.number);
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 8));
        QVERIFY(driver.waitForEnd());
        const auto replay = [&](EngineDriver& replayed) {
            replayed.engine.create(sessionBy(replayed.path(), m_pack, "replay:" + folder.toStdString(), 0));
            QVERIFY(replayed.waitForEnd());
        };
        const auto sortedPrograms = [](const RunState& run) {
            std::vector<std::string> programs = programsMade(run);
            std::ranges::sort(programs);
            return programs;
        };
        EngineDriver replayed;
        replay(replayed);
        QCOMPARE(sortedPrograms(replayed.ended->run), sortedPrograms(driver.ended->run));
        const auto warning = [&] { return proposingBy("replay:" + folder.toStdString(), m_pack)->warning; };
        QCOMPARE(QString::fromStdString(warning()), QString());
        for (const QString& name : QDir(folder).entryList({QStringLiteral("*.prompt.md")}))
            QVERIFY(QFile::remove(QDir(folder).filePath(name)));
        QVERIFY(warning().find("that names their program") != std::string::npos);
    }

    void aTranslationIsAnsweredWithTheWholeBlock()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        Person person(folder, [](const ReadPrompt& prompt) {
            const std::string begin = "// EVOLVE-BLOCK-START\n", end = "// EVOLVE-BLOCK-END";
            const std::size_t from = prompt.program.find(begin) + begin.size();
            return "```cpp\n" + prompt.program.substr(from, prompt.program.find(end) - from) + "constexpr int WHOLE_"
                + std::to_string(prompt.number) + " = " + std::to_string(prompt.number) + ";\n```\n";
        });
        driver.engine.setPrompts([](const ProposalRequest& request, const std::optional<FailedReply>& failed,
                                     const ProposerView& view, const PromptRoom& room) {
            auto prompt = plainPrompt(request, failed, view, room);
            prompt->name = "translate";
            return prompt;
        });
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 6));
        QVERIFY(driver.waitForEnd());
        for (const Proposal& proposal : driver.ended->run.proposals)
            if (proposal.proposer != "seed") {
                QVERIFY2(proposal.state == ProposalState::Accepted, proposal.detail.c_str());
                QVERIFY(proposal.whole);
            }
        EngineDriver replayed;
        replayed.engine.create(sessionBy(replayed.path(), m_pack, "replay:" + driver.path().toStdString(), 0));
        QVERIFY(replayed.waitForEnd());
        QCOMPARE(programsMade(replayed.ended->run), programsMade(driver.ended->run));
    }

    void aFolderOfRepliesIsReplayedByNumber()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        QVERIFY(QDir().mkpath(folder));
        Person writer(folder, [](const ReadPrompt&) { return std::string(); });
        for (int number : {3, 1, 2})
            writer.write(QStringLiteral("%1").arg(number, 4, 10, QLatin1Char('0')), goodReply(m_pack.seed(), number));
        driver.engine.create(sessionBy(driver.path(), m_pack, "replay:" + folder.toStdString(), 0));
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(programsMade(run).size(), std::size_t(4));
        for (int number = 1; number <= 3; ++number) {
            const QString text
                = QString::fromStdString(driver.text(run.proposals[static_cast<std::size_t>(number)].reply));
            QVERIFY(text.contains(QStringLiteral("PERSON_%1").arg(number)));
        }
    }

    void aReplayIsHeardOutHoweverManyRepliesLeadToNothing()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        QVERIFY(QDir().mkpath(folder));
        Person writer(folder, [](const ReadPrompt&) { return std::string(); });
        for (int number = 1; number <= 41; ++number)
            writer.write(QStringLiteral("%1").arg(number, 4, 10, QLatin1Char('0')),
                number == 41 ? goodReply(m_pack.seed(), number) : "I have no idea.\n");
        driver.engine.create(sessionBy(driver.path(), m_pack, "replay:" + folder.toStdString(), 0));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.proposals.size(), std::size_t(42)); // the seed's among them
        QCOMPARE(programsMade(driver.ended->run).size(), std::size_t(2));
    }

    void everyFailedDirectionOfAReplyGetsItsTurns()
    {
        EngineDriver driver;
        const QString folder = driver.m_folder.filePath(QStringLiteral("letters"));
        int repairs = 0;
        Person person(folder, [&](const ReadPrompt& prompt) {
            const bool isRepair = prompt.focus == "repair";
            repairs += isRepair ? 1 : 0;
            if (isRepair)
                return goodReply(prompt.program, prompt.number);
            std::string reply;
            for (int part = 1; part <= 5; ++part)
                reply += "<reasoning>\nno. " + std::to_string(part)
                    + "\n</reasoning>\n<diff>\n@@ -1,1 +1,1 @@\n-nowhere " + std::to_string(part)
                    + "\n+there\n</diff>\n<expected_impact>\nnone\n</expected_impact>\n";
            return reply;
        });
        driver.engine.setPrompts(plainPrompt);
        driver.engine.create(sessionBy(driver.path(), m_pack, "manual:" + folder.toStdString(), 12));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsStarted, std::int64_t(12));
        QVERIFY(repairs >= 11);
    }

    void whatCannotBeReplayedSaysWhy()
    {
        QTemporaryDir folder;
        const auto codeOf = [&](const std::string& path, const TaskPack& pack) {
            const auto replies = recordedReplies(path, pack);
            return replies ? QString() : QString::fromStdString(replies.error().code);
        };
        QCOMPARE(codeOf(folder.path().toStdString(), m_pack), QStringLiteral("replay/empty"));
        QFile reply(folder.filePath(QStringLiteral("0001.reply.md")));
        QVERIFY(reply.open(QIODevice::WriteOnly)); // and stays empty
        const auto empty = recordedReplies(folder.path().toStdString(), m_pack);
        QVERIFY(empty.error().text.ends_with("0001.reply.md is empty") && !empty.error().hint.empty());
        QVERIFY(reply.remove() && QDir(folder.path()).mkdir(QStringLiteral("0001.reply.md")));
        const auto noFile = recordedReplies(folder.path().toStdString(), m_pack);
        QCOMPARE(QString::fromStdString(noFile.error().code), QStringLiteral("file/unreadable"));
        QVERIFY(!noFile.error().hint.empty());
        QCOMPARE(codeOf("/nowhere/at/all", m_pack), QStringLiteral("replay/missing"));
        QCOMPARE(codeOf("/etc/passwd", m_pack), QStringLiteral("session/not-a-session"));
        EngineDriver driver;
        driver.create(m_pack, 2);
        QVERIFY(driver.waitForEnd());
        TaskPack other = m_pack;
        other.files.at(other.task.sources.front()) += "int another;\n";
        QCOMPARE(codeOf(driver.path().toStdString(), other), QStringLiteral("replay/task"));
        QCOMPARE(codeOf(driver.path().toStdString(), m_pack), QString());
    }
};

TILEWRIGHT_TEST(TestOutside)
#include "test_outside.moc"
