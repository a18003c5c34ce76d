// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: what is written comes back, projections follow from events, and bad files give a clear error.
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "core/store/sql.h"
#include "tests/store/recording.h"
#include "tests/test_program.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::testing;

class TestStore : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<DryRun> m_run;

    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    std::unique_ptr<SessionWriter> record(const std::string& file, std::size_t events = SIZE_MAX) const
    {
        return recorded(*m_run, file, events);
    }

    QStringList filesIn(const char* folder) const
    {
        return QDir(m_folder.filePath(QString::fromLatin1(folder))).entryList(QDir::Files | QDir::Hidden);
    }

    static QString codeOfOpening(const std::string& file)
    {
        auto reader = SessionReader::open(file);
        if (!reader)
            return QString::fromStdString(reader.error().code);
        auto state = (*reader)->load();
        return state ? QString() : QString::fromStdString(state.error().code);
    }

    static void put(const std::string& file, const char* text)
    {
        QFile out(QString::fromStdString(file));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(text), static_cast<qint64>(std::strlen(text)));
    }

    static QByteArray contentOf(const std::string& file)
    {
        QFile in(QString::fromStdString(file));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    void execOn(const std::string& file, const std::string& statement)
    {
        SqlConnection connection;
        QVERIFY(connection.open(file, OpenMode::ReadWrite));
        const auto done = execute(connection.database(), statement);
        QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_run = std::make_unique<DryRun>(gemmPack(), RunSettings{});
        m_run->runTo(25);
    }

    void eventsComeBackAsTheSameState()
    {
        const std::string file = path("same.tilewright");
        {
            QVERIFY(record(file));
        }
        auto reader = SessionReader::open(file);
        QVERIFY(reader.has_value());
        const auto state = (*reader)->load();
        QVERIFY(state.has_value());
        QCOMPARE(state->lastSeq, m_run->state().lastSeq);
        QVERIFY(state->candidates == m_run->state().candidates);
        QVERIFY(state->islands == m_run->state().islands);
        const auto pack = (*reader)->pack(*state);
        QVERIFY(pack && pack->task == m_run->pack().task);
        for (const Candidate& candidate : state->candidates) {
            const auto text = (*reader)->text(candidate.source);
            QVERIFY(text && *text == m_run->text(candidate.source));
        }
        QVERIFY(!(*reader)->text(sha256("never written")));
    }

    void projectionsRebuiltFromEventsAreTheSameToTheByte()
    {
        const std::string file = path("rebuild.tilewright");
        auto writer = record(file);
        QVERIFY(writer);
        const auto before = writer->projectionsHash();
        QVERIFY(before.has_value());
        writer.reset();
        execOn(file, "DELETE FROM candidate WHERE id % 3 = 0");
        execOn(file, "UPDATE island SET state = '{}'");
        auto again = SessionWriter::open(file);
        QVERIFY(again.has_value());
        QVERIFY((*again)->projectionsHash().value() != *before);
        QVERIFY((*again)->rebuildProjections().has_value());
        QCOMPARE((*again)->projectionsHash().value().hex(), before->hex());
    }

    void theFileHasExactlyTheTablesOfTheContract()
    {
        const std::string file = path("tables.tilewright");
        {
            QVERIFY(record(file));
        }
        SqlConnection connection;
        QVERIFY(connection.open(file, OpenMode::ReadOnly));
        const auto names = valueOf(connection.database(),
            "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name)");
        QCOMPARE(names->toString(),
            QStringLiteral(
                "blob candidate candidate_parent evaluation event island measurement model_call niche program "
                "proposal review run template"));
        QCOMPARE(valueOf(connection.database(), "PRAGMA application_id")->toInt(), 0x544C5752);
        QCOMPARE(valueOf(connection.database(), "PRAGMA user_version")->toInt(), newestMigration());
        QCOMPARE(valueOf(connection.database(), "PRAGMA journal_mode")->toString(), QStringLiteral("wal"));
        QCOMPARE(valueOf(connection.database(), "SELECT count(*) FROM candidate")->toLongLong(),
            static_cast<qlonglong>(m_run->state().candidates.size()));
    }

    void uncommittedEventsAreNotInTheFile()
    {
        const std::string file = path("uncommitted.tilewright");
        auto writer = record(file, 20);
        QVERIFY(writer);
        RunState state = writer->load().value();
        QVERIFY(apply(state, m_run->events()[20]));
        writer->append(m_run->events()[20], state);
        QVERIFY(writer->hasPending());
        QCOMPARE(SessionReader::open(file).value()->load()->lastSeq, std::int64_t(20));
        QVERIFY(writer->commit(state));
        QVERIFY(!writer->hasPending());
        QCOMPARE(SessionReader::open(file).value()->load()->lastSeq, std::int64_t(21));
    }

    void aSecondWriterIsToldWhoHoldsTheSession()
    {
        const std::string file = path("locked.tilewright");
        auto writer = record(file);
        QVERIFY(writer);
        const auto second = SessionWriter::open(file);
        QVERIFY(!second.has_value());
        QCOMPARE(QString::fromStdString(second.error().code), QStringLiteral("session/locked"));
        QCOMPARE(second.error().evidence.at("pid").get<long>(), static_cast<long>(::getpid()));
        QVERIFY(SessionReader::open(file).has_value());
        writer.reset();
        QVERIFY(SessionWriter::open(file).has_value());
    }

    void aCopyHoldsWhatTheSessionHoldsWhileItIsWritten()
    {
        const std::string file = path("original.tilewright"), copy = path("copy.tilewright");
        const auto writer = record(file);
        QVERIFY(writer);
        auto reader = SessionReader::open(file);
        QVERIFY(reader.has_value());
        const auto copied = (*reader)->copyTo(copy);
        QVERIFY2(copied.has_value(), copied ? "" : copied.error().line().c_str());
        auto second = SessionReader::open(copy);
        QVERIFY(second.has_value());
        const auto left = (*reader)->load(), right = (*second)->load();
        QVERIFY(left && right);
        QVERIFY(*left == *right);
        const Hash source = right->candidates[0].source;
        QCOMPARE((*second)->text(source).value(), (*reader)->text(source).value());
        second->reset();
        QVERIFY(SessionWriter::open(copy).has_value()); // a session like any other
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("copy.tilewright.*")}), QStringList());
        QVERIFY(!QFileInfo::exists(QString::fromStdString(copy + ".lock")));
    }

    void aSessionWhoseFileIsGoneSaysSoAndCanBeSavedElsewhere()
    {
        const std::string file = path("gone.tilewright"), aside = path("aside.tilewright"),
                          copy = path("rescued.tilewright");
        auto writer = record(file, 100);
        QVERIFY(writer);
        auto state = writer->load();
        QVERIFY(state.has_value());
        const auto go = [&](std::size_t event) {
            (void)apply(*state, m_run->events()[event]);
            writer->append(m_run->events()[event], *state);
            return writer->commit(*state);
        };
        QVERIFY(go(100).has_value());
        std::filesystem::rename(file, aside);
        const auto lost = go(101);
        QVERIFY(!lost.has_value());
        QCOMPARE(QString::fromStdString(lost.error().code), QStringLiteral("session/gone"));
        QVERIFY(lost.error().text.find(file) != std::string::npos && !lost.error().hint.empty());
        QVERIFY(writer->hasPending()); // nothing is forgotten
        std::filesystem::rename(aside, file);
        QVERIFY(writer->commit(*state).has_value()); // put back: all is well again
        std::filesystem::remove(file);
        put(file, "somebody else's");
        const auto replaced = go(102);
        QVERIFY(!replaced.has_value());
        QCOMPARE(QString::fromStdString(replaced.error().code), QStringLiteral("session/gone"));
        QVERIFY(writer->copyTo(copy, *state).has_value());
        QCOMPARE(contentOf(file), QByteArray("somebody else's"));
        const auto reader = SessionReader::open(copy);
        QVERIFY(reader.has_value());
        const auto read = (*reader)->load();
        QVERIFY(read.has_value());
        QCOMPARE(read->lastSeq, m_run->events()[102].seq);
    }

    void theFileAloneHoldsAllOnceItIsClosedThoughSomebodyReads()
    {
        const std::string file = path("folded.tilewright"), alone = path("alone.tilewright");
        auto writer = record(file, 100);
        QVERIFY(writer);
        const auto reader = SessionReader::open(file);
        QVERIFY(reader.has_value());
        const auto before = (*reader)->load();
        QVERIFY(before.has_value());
        writer.reset();
        std::filesystem::copy_file(file, alone);
        const auto copy = SessionReader::open(alone);
        QVERIFY(copy.has_value());
        QCOMPARE((*copy)->load()->lastSeq, before->lastSeq);
    }

    void readingChangesNothingAndLeavesNothing()
    {
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("alone")));
        const std::string file = path("alone/read.tilewright");
        QVERIFY(record(file));
        const QByteArray before = contentOf(file);
        {
            const auto reader = SessionReader::open(file);
            QVERIFY(reader.has_value());
            const auto state = (*reader)->load();
            QVERIFY(state.has_value());
            QVERIFY((*reader)->text(state->candidates[0].source).has_value());
            QCOMPARE(filesIn("alone"), QStringList(QStringLiteral("read.tilewright")));
        }
        QCOMPARE(filesIn("alone"), QStringList(QStringLiteral("read.tilewright")));
        QCOMPARE(contentOf(file), before);
    }

    void aReaderSeesWhatAWriterBringsThatCameLater()
    {
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("later")));
        const std::string file = path("later/s.tilewright");
        QVERIFY(record(file, 100));
        auto reader = SessionReader::open(file);
        auto other = SessionReader::open(file);
        QVERIFY(reader && other);
        QCOMPARE((*reader)->load()->lastSeq, m_run->events()[99].seq);
        auto writer = SessionWriter::open(file);
        QVERIFY(writer.has_value());
        auto state = (*writer)->load();
        const auto go = [&](std::size_t event) {
            (void)apply(*state, m_run->events()[event]);
            (*writer)->append(m_run->events()[event], *state);
            return (*writer)->commit(*state).has_value();
        };
        QVERIFY(go(100));
        QCOMPARE((*reader)->load()->lastSeq, m_run->events()[100].seq);
        QVERIFY(go(101));
        QCOMPARE((*reader)->load()->lastSeq, m_run->events()[101].seq);
        writer->reset();
        QCOMPARE((*reader)->load()->lastSeq, m_run->events()[101].seq);
        QCOMPARE((*other)->load()->lastSeq, m_run->events()[101].seq); // it slept meanwhile
        writer = SessionWriter::open(file);
        QVERIFY(writer.has_value());
        reader->reset(); // whose files these are stays with the writer
        QVERIFY(go(102));
        QCOMPARE((*other)->load()->lastSeq, m_run->events()[102].seq);
        writer->reset();
        other->reset(); // the last one out
        QCOMPARE(filesIn("later"), QStringList(QStringLiteral("s.tilewright")));
    }

    void aCopyReplacesNoSessionThatIsWrittenAndNotItself()
    {
        const std::string file = path("from.tilewright"), busy = path("busy.tilewright");
        QVERIFY(record(file));
        const auto writer = record(busy, 5);
        QVERIFY(writer);
        auto reader = SessionReader::open(file);
        QVERIFY(reader.has_value());
        const auto codeOf = [&](const std::string& to) {
            const auto copied = (*reader)->copyTo(to);
            return copied ? QString() : QString::fromStdString(copied.error().code);
        };
        QCOMPARE(codeOf(busy), QStringLiteral("session/locked"));
        QCOMPARE(codeOf(file), QStringLiteral("session/same"));
        QCOMPARE(codeOf(m_folder.path().toStdString()), QStringLiteral("session/read-only"));
        QCOMPARE(codeOf(path("no/such/folder/c.tilewright")), QStringLiteral("session/missing"));
        QCOMPARE(SessionReader::open(busy).value()->load()->lastSeq, std::int64_t(5));
    }

    void anExistingFileIsNotOverwritten()
    {
        const std::string file = path("exists.tilewright");
        {
            QVERIFY(record(file));
        }
        Event created = m_run->events().front();
        const auto again = SessionWriter::create(file, m_run->pack(), created);
        QVERIFY(!again.has_value());
        QCOMPARE(QString::fromStdString(again.error().code), QStringLiteral("session/exists"));
    }

    void unpackingADemoReplacesNoFile()
    {
        const std::filesystem::path packed = TILEWRIGHT_SOURCE_DIR "/resources/demo/gemm-cpu.tilewright.zst";
        const std::string file = path("mine.tilewright");
        put(file, "a letter");
        const auto refused = unpackSession(packed, file);
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().code), QStringLiteral("session/exists"));
        QCOMPARE(contentOf(file), QByteArray("a letter"));
        QVERIFY(QFile::remove(QString::fromStdString(file)));
        put(file + "-wal", "of another session");
        const auto unpacked = unpackSession(packed, file);
        QVERIFY2(unpacked.has_value(), unpacked ? "" : unpacked.error().line().c_str());
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("mine.tilewright*")}),
            QStringList(QStringLiteral("mine.tilewright")));
        QCOMPARE(codeOfOpening(file), QString());
    }

    void theLogOfADeletedSessionIsNotReadIntoANewOne()
    {
        const std::string file = path("cut.tilewright"), kept = path("kept.tilewright");
        {
            const auto writer = record(file);
            QVERIFY(writer);
            for (const char* beside : {"-wal", "-shm"}) // as a kill leaves them
                QVERIFY(QFile::copy(QString::fromStdString(file + beside), QString::fromStdString(kept + beside)));
        }
        QVERIFY(QFileInfo(QString::fromStdString(kept + "-wal")).size() > 0);
        auto fresh = record(kept, 3);
        QVERIFY(fresh);
        QCOMPARE(fresh->load()->lastSeq, std::int64_t(3));
        fresh.reset();
        QCOMPARE(SessionReader::open(kept).value()->load()->lastSeq, std::int64_t(3));
    }

    void aLinkToASessionLeadsToTheSameLock()
    {
        const std::string file = path("real.tilewright"), link = path("link.tilewright");
        const auto writer = record(file);
        QVERIFY(writer);
        QVERIFY(QFile::link(QString::fromStdString(file), QString::fromStdString(link)));
        const QString folder = m_folder.filePath(QStringLiteral("by-link"));
        QVERIFY(QFile::link(m_folder.path(), folder));
        for (const std::string& way : {link, folder.toStdString() + "/real.tilewright"}) {
            const auto second = SessionWriter::open(way);
            QVERIFY(!second.has_value());
            QCOMPARE(QString::fromStdString(second.error().code), QStringLiteral("session/locked"));
        }
        QCOMPARE(codeOfOpening(link), QString());
    }

    void aFileThatLooksLikeADraftIsKept()
    {
        const std::string file = path("draft.tilewright");
        put(file + ".new", "notes");
        QVERIFY(record(file, 3));
        QCOMPARE(contentOf(file + ".new"), QByteArray("notes"));
    }

    void aPaidReplyIsUrgentAndALogLineIsNot()
    {
        const auto writer = record(path("urgent.tilewright"), 3);
        QVERIFY(writer);
        RunState state = writer->load().value();
        const auto append = [&](EventBody body) {
            const Event event{RunId{1}, ++state.lastSeq, "2026-01-01T00:00:00.000Z", std::move(body)};
            writer->append(event, state);
            return writer->isUrgent();
        };
        QVERIFY(!append(events::Noted{"info", "a line", ""}));
        QVERIFY(append(events::BodyArrived{{1}, {1, 200, "openai-chat", sha256("b")}}));
    }

    void whateverAPersonDecidesIsUrgent()
    {
        const auto check = []<typename... Kinds>(std::variant<Kinds...>*) {
            QStringList lax;
            const auto one = [&]<typename Kind>() {
                if (!mustReachDisk(Kind{}))
                    lax << QString::fromStdString(kindOf(EventBody{Kind{}}));
            };
            (one.template operator()<Kinds>(), ...);
            return lax;
        };
        const QStringList lax = check(static_cast<EventBody*>(nullptr));
        // All kinds but those that a machine writes by itself.
        const QStringList machines{QStringLiteral("island_created"), QStringLiteral("device_found"),
            QStringLiteral("proposed"), QStringLiteral("proposal_refused"), QStringLiteral("candidate_made"),
            QStringLiteral("evaluation_started"), QStringLiteral("stage_reached"), QStringLiteral("evaluated"),
            QStringLiteral("admitted"), QStringLiteral("migrated"), QStringLiteral("noise_measured"),
            QStringLiteral("noted"), QStringLiteral("arm_changed"), QStringLiteral("tried_again"),
            QStringLiteral("review_asked"), QStringLiteral("feature_used"), QStringLiteral("work_done"),
            QStringLiteral("turns_waived"), QStringLiteral("grid_rebinned")};
        QCOMPARE(lax, machines);
    }

    void aMissingFileSaysSo()
    {
        QCOMPARE(codeOfOpening(path("nowhere.tilewright")), QStringLiteral("session/missing"));
    }

    void textThatIsNoDatabaseIsNoSession()
    {
        QFile file(m_folder.filePath(QStringLiteral("text.tilewright")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(5000, 'x'));
        file.close();
        QCOMPARE(codeOfOpening(file.fileName().toStdString()), QStringLiteral("session/not-a-session"));
    }

    void anEmptyFileAndAFolderAreNoSessions()
    {
        QFile file(m_folder.filePath(QStringLiteral("empty.tilewright")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QCOMPARE(codeOfOpening(file.fileName().toStdString()), QStringLiteral("session/not-a-session"));
        QCOMPARE(codeOfOpening(m_folder.path().toStdString()), QStringLiteral("session/not-a-session"));
    }

    void whatIsNoFileIsNotWaitedFor()
    {
        const auto makePipe = [](const std::string& name) { return ::mkfifo(name.c_str(), 0600) == 0; };
        const std::string pipe = path("pipe.tilewright");
        QVERIFY(makePipe(pipe));
        QCOMPARE(codeOfOpening(pipe), QStringLiteral("session/not-a-session"));
        QVERIFY(SessionReader::open(pipe).error().text.contains("is a pipe, not a session file"));
        QCOMPARE(codeOfOpening("/dev/zero"), QStringLiteral("session/not-a-session"));
        QCOMPARE(
            QString::fromStdString(SessionWriter::open(pipe).error().code), QStringLiteral("session/not-a-session"));
        const std::string link = path("link-to-pipe.tilewright");
        QVERIFY(::symlink(pipe.c_str(), link.c_str()) == 0);
        QCOMPARE(codeOfOpening(link), QStringLiteral("session/not-a-session"));

        // The same of what SQLite and the lock read beside a session.
        const std::string whole = path("beside.tilewright");
        QVERIFY(record(whole, 20));
        QVERIFY(makePipe(whole + ".lock"));
        QVERIFY(!SessionReader::open(whole).value()->isBeingWritten());
        for (const char* beside : {"-wal", "-shm"})
            ::unlink((whole + beside).c_str()); // the reader's, who is gone
        QVERIFY(makePipe(whole + "-wal"));
        QCOMPARE(codeOfOpening(whole), QStringLiteral("session/not-a-session"));
        QVERIFY(SessionReader::open(whole).error().text.contains("-wal beside it is a pipe"));
    }

    void anEmptyFileIsSaidToBeEmpty()
    {
        QFile file(m_folder.filePath(QStringLiteral("nothing.tilewright")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto opened = SessionReader::open(file.fileName().toStdString());
        QVERIFY(!opened);
        QCOMPARE(QString::fromStdString(opened.error().text),
            file.fileName() + QStringLiteral(" is empty: it contains no session"));
        QCOMPARE(file.size(), 0); // and it stays so
    }

    void aForeignDatabaseIsNoSessionAndStaysUntouched()
    {
        const std::string file = path("foreign.sqlite");
        execOn(file, "CREATE TABLE recipes(id INTEGER PRIMARY KEY)");
        QCOMPARE(codeOfOpening(file), QStringLiteral("session/not-a-session"));
        QVERIFY(!SessionWriter::open(file).has_value());
        SqlConnection connection;
        QVERIFY(connection.open(file, OpenMode::ReadOnly));
        QCOMPARE(valueOf(connection.database(), "PRAGMA journal_mode")->toString(), QStringLiteral("delete"));
    }

    void aNewerFormatIsRefused()
    {
        const std::string file = path("newer.tilewright");
        {
            QVERIFY(record(file));
        }
        execOn(file, "PRAGMA user_version = 99");
        QCOMPARE(codeOfOpening(file), QStringLiteral("session/newer"));
        QVERIFY(!SessionWriter::open(file).has_value());
    }

    void aGapInTheEventsIsFound()
    {
        const std::string file = path("gap.tilewright");
        {
            QVERIFY(record(file));
        }
        execOn(file, "DELETE FROM event WHERE seq = 30");
        QCOMPARE(codeOfOpening(file), QStringLiteral("event/order"));
    }

    void anUnknownEventAndANonsenseEventAreErrors()
    {
        const std::string file = path("unknown.tilewright");
        {
            QVERIFY(record(file));
        }
        execOn(file, "UPDATE event SET kind = 'dreamt' WHERE seq = 12");
        QCOMPARE(codeOfOpening(file), QStringLiteral("event/unknown-kind"));
        execOn(file, "UPDATE event SET kind = 'proposed', json = '[1,' WHERE seq = 12");
        QVERIFY(codeOfOpening(file).startsWith(QStringLiteral("event/")));
    }

    void aReadOnlyFolderStillLetsReadersIn()
    {
        if (::geteuid() == 0)
            QSKIP("root may write everywhere");
        const QString folder = m_folder.filePath(QStringLiteral("sealed"));
        QVERIFY(QDir().mkpath(folder));
        const std::string file = folder.toStdString() + "/a.tilewright";
        {
            QVERIFY(record(file));
        }
        ::chmod(file.c_str(), 0444);
        ::chmod(folder.toLocal8Bit().constData(), 0555);
        QCOMPARE(codeOfOpening(file), QString());
        const auto writer = SessionWriter::open(file);
        const auto made
            = SessionWriter::create(folder.toStdString() + "/b.tilewright", m_run->pack(), m_run->events().front());
        ::chmod(folder.toLocal8Bit().constData(), 0755);
        QVERIFY(!writer.has_value());
        QCOMPARE(QString::fromStdString(writer.error().code), QStringLiteral("session/read-only"));
        QVERIFY(!made.has_value());
        QCOMPARE(QString::fromStdString(made.error().code), QStringLiteral("session/read-only"));
    }

    void anUnmadeFolderIsNamed()
    {
        const auto made
            = SessionWriter::create(path("no/such/folder/a.tilewright"), m_run->pack(), m_run->events().front());
        QVERIFY(!made.has_value());
        QCOMPARE(QString::fromStdString(made.error().code), QStringLiteral("session/missing"));
    }

    void truncatedAndScrambledFilesNeverCrash()
    {
        const std::string file = path("whole.tilewright");
        {
            QVERIFY(record(file));
        }
        QFile whole(QString::fromStdString(file));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        int refused = 0;
        for (int round = 0; round < 120; ++round) {
            CounterRandom random(4711, 1, static_cast<std::uint64_t>(round));
            QByteArray damaged = bytes;
            if (round % 3 == 0)
                damaged.truncate(static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(bytes.size()))));
            else
                for (int hit = 0; hit < 1 + round % 40 * 8; ++hit)
                    damaged[static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(bytes.size())))]
                        = static_cast<char>(random.below(256));
            QFile copy(m_folder.filePath(QStringLiteral("damaged.tilewright")));
            QVERIFY(copy.open(QIODevice::WriteOnly | QIODevice::Truncate));
            copy.write(damaged);
            copy.close();
            auto reader = SessionReader::open(copy.fileName().toStdString());
            const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
            if (!state) {
                ++refused;
                QVERIFY(!state.error().code.empty() && !state.error().text.empty());
            } else {
                for (const Candidate& candidate : state->candidates)
                    (void)(*reader)->text(candidate.source);
            }
        }
        QVERIFY2(refused > 60, qPrintable(QString::number(refused)));
    }
};

TILEWRIGHT_TEST(TestStore)
#include "test_store.moc"
