// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli listing on a session that nobody runs: what it prints, where to, and how it ends.
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

class TestListingCommand : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_unbuilt, m_refused;

    QString session() const { return m_folder.filePath(u"run.tilewright"_s); }

    Run cli(const QStringList& arguments, const QString& manners = {}) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TILEWRIGHT_NODE"_s, QStringLiteral(TILEWRIGHT_FAKE_NODE) + manners);
        environment.insert(u"XDG_DATA_HOME"_s, m_folder.path());
        return runToItsEnd(environment, arguments);
    }

    Run listing(const QStringList& words, const QString& manners = {}) const
    {
        return cli(QStringList{u"listing"_s, session()} + words, manners);
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Run run = cli({u"evolve"_s, u"--task"_s, QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"),
                                u"--session"_s, session(), u"--evaluations"_s, u"40"_s},
            u" --build-error 3 --refuse 5"_s);
        QVERIFY2(run.exitCode == 0, run.err);
        const QJsonObject shown = cli({u"show"_s, session(), u"--json"_s, u"--all"_s}).json();
        for (const QJsonValue& one : shown[u"candidates"].toArray()) {
            if (one[u"outcome"] == u"build_failed"_s)
                m_unbuilt = one[u"id"].toString();
            if (one[u"outcome"] == u"refused"_s)
                m_refused = one[u"id"].toString();
        }
        QVERIFY(!m_unbuilt.isEmpty() && !m_refused.isEmpty());
    }

    void theTextGoesToStandardOutputOrIntoAFile()
    {
        const Run plain = listing({u"c-0001"_s});
        QVERIFY2(plain.exitCode == 0, plain.err);
        QVERIFY2(plain.out.startsWith("; This is the synthetic code of what was measured.\n"), plain.out.left(200));
        QVERIFY2(plain.err.startsWith("instructions in it: mov "), plain.err);
        const QString file = m_folder.filePath(u"seed.s"_s);
        const Run written = listing({u"c-0001"_s, u"--out"_s, file, u"--form"_s, u"assembly"_s, u"--json"_s});
        QVERIFY2(written.exitCode == 0, written.err);
        QFile there(file);
        QVERIFY(there.open(QIODevice::ReadOnly));
        QCOMPARE(there.readAll(), plain.out);
        const QJsonObject json = written.json();
        QVERIFY(json[u"ok"].toBool() && json[u"is_as_built"].toBool());
        QCOMPARE(json[u"text"].toString().toUtf8(), plain.out);
        QCOMPARE(json[u"file"].toString(), file);
        QCOMPARE(json[u"made_by"].toString(), u"a separate node"_s);
        QCOMPARE(json[u"instructions"][0][0].toString(), u"mov"_s);
        QCOMPARE(json[u"lines"].toInteger(), plain.out.count('\n'));
        const Run nowhere = listing({u"c-0001"_s, u"--out"_s, u"/nowhere/at/all.s"_s});
        QCOMPARE(nowhere.exitCode, 6);
        QVERIFY2(nowhere.err.contains("/nowhere/at/all.s cannot be written"), nowhere.err);
    }

    void whatNeverBuiltSaysSoWithItsReason()
    {
        const Run unbuilt = listing({m_unbuilt, u"--json"_s});
        QCOMPARE(unbuilt.exitCode, 5);
        QVERIFY(!unbuilt.json()[u"ok"].toBool());
        QCOMPARE(unbuilt.json()[u"code"].toString(), u"listing/unbuilt"_s);
        QVERIFY2(unbuilt.err.contains("never built: build/error, candidate.cpp:1: error: synthetic"), unbuilt.err);
        QCOMPARE(listing({m_refused}).exitCode, 0); // wrong, but built
    }

    void badWordsAndMissingThingsEndWithTheirCodes()
    {
        QCOMPARE(listing({u"c-9999"_s}).exitCode, 2);
        QCOMPARE(listing({u"best"_s}).exitCode, 2);
        QCOMPARE(listing({}).exitCode, 2);
        QCOMPARE(listing({u"c-0001"_s, u"--form"_s, u"poem"_s}).exitCode, 2);
        const Run ptx = listing({u"c-0001"_s, u"--form"_s, u"ptx"_s});
        QCOMPARE(ptx.exitCode, 2);
        QVERIFY2(ptx.err.contains("has no PTX: it is for the CPU"), ptx.err);
        QCOMPARE(cli({u"listing"_s, m_folder.filePath(u"none.tilewright"_s), u"c-0001"_s}).exitCode, 6);
        const Run toolless = listing({u"c-0001"_s}, u" --no-disassembler"_s);
        QCOMPARE(toolless.exitCode, 6);
        QVERIFY2(toolless.err.contains("the package binutils"), toolless.err);
        const Run crashed = listing({u"c-0001"_s}, u" --crash-at-listing"_s);
        QCOMPARE(crashed.exitCode, 5);
        QVERIFY2(crashed.err.contains("the listing was not completed: the node crashed"), crashed.err);
        QCOMPARE(listing({u"c-0001"_s}, u"-that-is-not-there"_s).exitCode, 6);
        QCOMPARE(cli({u"listing"_s, u"--help"_s}).exitCode, 0);
    }

    void otherCodeIsCalledOtherCode()
    {
        const Run other = listing({u"c-0001"_s, u"--json"_s}, u" --other-code"_s);
        QVERIFY2(other.exitCode == 0, other.err);
        QVERIFY(other.json()[u"is_as_built"].isBool() && !other.json()[u"is_measured"].toBool());
        QVERIFY(other.json()[u"text"].toString().startsWith(u"; This is NOT"_s));
    }
};

TILEWRIGHT_TEST(TestListingCommand)
#include "test_listing_command.moc"
