// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that earlier versions recorded (tests/kept) open, and read as they did.
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "core/store/sql.h"
#include "tests/store/state_hash.h"
#include "tests/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::test;

namespace {

const std::filesystem::path kept = TILEWRIGHT_SOURCE_DIR "/tests/kept";

} // namespace

class TestKeptSessions : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string unpacked(const std::string& name) const
    {
        const std::string file = m_folder.filePath(q(name + ".tilewright")).toStdString();
        if (!std::filesystem::exists(file) && !unpackSession(kept / (name + ".tilewright.zst"), file))
            return {};
        return file;
    }

private Q_SLOTS:
    void aKeptSessionReadsAsItDid_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("hash");
        const auto hashes = nlohmann::json::parse(readFile(kept / "hashes.json").value_or("{}"));
        QVERIFY(hashes.size() >= 6);
        for (const auto& [name, hash] : hashes.items())
            QTest::newRow(name.c_str()) << q(name) << q(hash.get<std::string>());
    }

    void aKeptSessionReadsAsItDid()
    {
        QFETCH(QString, name);
        QFETCH(QString, hash);
        const std::string file = unpacked(name.toStdString());
        QVERIFY(!file.empty());
        const auto before = readFile(file);
        {
            const auto reader = SessionReader::open(file);
            QVERIFY2(reader, reader ? "" : reader.error().line().c_str());
            const auto state = (*reader)->load();
            QVERIFY2(state, state ? "" : state.error().line().c_str());
            QCOMPARE(q(stateHash(*state).hex()), hash);
            QVERIFY((*reader)->pack(*state).has_value());
            for (const Candidate& candidate : state->candidates)
                QVERIFY2((*reader)->text(candidate.source).has_value(), qPrintable(name));
        }
        QVERIFY(readFile(file) == before);
        QCOMPARE(QDir(m_folder.path()).entryList({name + QStringLiteral(".*")}),
            QStringList(name + QStringLiteral(".tilewright")));
        // Who goes on with it begins with the same.
        const auto writer = SessionWriter::open(file);
        QVERIFY2(writer, writer ? "" : writer.error().line().c_str());
        const auto state = (*writer)->load();
        QVERIFY(state && q(stateHash(*state).hex()) == hash);
    }

    void anEventIsWrittenAsItWasRead_data() { aKeptSessionReadsAsItDid_data(); }
    /// To the byte: no key and no default of the file's format has changed.
    void anEventIsWrittenAsItWasRead()
    {
        QFETCH(QString, name);
        SqlConnection connection;
        QVERIFY(connection.open(unpacked(name.toStdString()), OpenMode::Immutable).has_value());
        QSqlQuery rows(connection.database());
        QVERIFY(rows.exec(QStringLiteral("SELECT kind, subject, json FROM event ORDER BY run, seq")));
        int events = 0;
        for (; rows.next(); ++events) {
            const std::string kind = rows.value(0).toString().toStdString();
            const std::string json = rows.value(2).toString().toStdString();
            const auto body = eventFromJson(kind, parsedJson(json));
            QVERIFY2(body, body ? "" : body.error().line().c_str());
            QCOMPARE(q(dumped(toJson(*body))), q(json));
            QCOMPARE(q(kindOf(*body)), q(kind));
            QCOMPARE(subjectOf(*body), rows.value(1).toLongLong());
        }
        QVERIFY(events > 100);
    }

    /// A hash that does not notice anything would keep nothing.
    void whatIsReadOtherwiseHasAnotherHash()
    {
        const auto reader = SessionReader::open(unpacked("reviews"));
        QVERIFY(reader.has_value());
        const auto state = (*reader)->load();
        QVERIFY(state && state->candidates.size() > 2 && !state->reviews.empty());
        std::set<Hash> hashes{stateHash(*state)};
        const auto differs = [&](const auto& change) {
            RunState other = *state;
            change(other);
            return hashes.insert(stateHash(other)).second;
        };
        QVERIFY(differs([](RunState& other) { other.candidates.edit(1).score = Interval{2, 1, 3}; }));
        QVERIFY(differs([](RunState& other) { other.candidates.edit(1).parents.push_back(CandidateId{1}); }));
        QVERIFY(differs([](RunState& other) { other.reviews.edit(0).decision = Decision::Rejected; }));
        QVERIFY(differs([](RunState& other) { other.reviews.edit(0).undone = !other.reviews.back().undone; }));
        QVERIFY(differs([](RunState& other) { other.settings.budget.evaluations += 1; }));
        QVERIFY(differs([](RunState& other) { other.islands[0].members.pop_back(); }));
        QVERIFY(differs([](RunState& other) { other.incumbent = CandidateId{other.incumbent.value + 1}; }));
        QVERIFY(differs([](RunState& other) { other.marks.clear(); }));
    }
};

TILEWRIGHT_TEST(TestKeptSessions)
#include "test_kept_sessions.moc"
