// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor search: what it finds, writes, keeps to go on with, and refuses.
#include "tests/cli/command_folder.h"
#include "tests/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

class TestTensorSearch : public QObject, CommandFolder
{
    Q_OBJECT

private Q_SLOTS:
    void aSchemeOverTheIntegersIsFoundWrittenAndVerified()
    {
        const QString out = file("222.json");
        const Run run = search(QStringLiteral("--format 2,2,2 --rank 7 --ring z --threads 1 --json --out ") + out);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(run.json().value(QStringLiteral("rank")).toInt(), 7);
        QCOMPARE(run.json().value(QStringLiteral("ring")).toString(), QStringLiteral("Z"));
        QCOMPARE(cli({QStringLiteral("tensor"), QStringLiteral("verify"), out}).exitCode, 0);
        const Run again = search(QStringLiteral("--format 2,2,2 --rank 7 --out ") + out);
        QVERIFY2(again.exitCode == 2 && again.err.contains("exists"), again.err.constData());
    }

    void whatIsNotFoundInTimeIsKeptToGoOnWith()
    {
        const QString kept = file("search.json");
        const Run run
            = search(QStringLiteral("--format 2,2,2 --rank 6 --threads 1 --seconds 0.1 --json --resume ") + kept);
        QVERIFY2(run.exitCode == 4 && run.err.contains("was not found"), run.err.constData());
        const double flips = run.json().value(QStringLiteral("flips")).toDouble();
        QVERIFY(flips > 0);
        const Run further = search(QStringLiteral("--seconds 0.1 --json --resume ") + kept);
        QCOMPARE(further.exitCode, 4);
        QVERIFY(further.json().value(QStringLiteral("flips")).toDouble() > flips);
        const Run other = search(QStringLiteral("--rank 7 --resume ") + kept);
        QVERIFY2(other.exitCode == 2 && other.err.contains("searches for rank 6"), other.err.constData());
    }

    void badCallsAreRefusedBeforeTheSearch_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no rank") << QStringLiteral("--format 2,2,2") << QByteArray("--rank is missing");
        QTest::newRow("no format") << QStringLiteral("--rank 7") << QByteArray("--format is missing");
        QTest::newRow("a format that is too large")
            << QStringLiteral("--format 9,9,9 --rank 7") << QByteArray("64 entries");
        QTest::newRow("rank 0") << QStringLiteral("--format 2,2,2 --rank 0") << QByteArray("rank");
        QTest::newRow("another ring") << QStringLiteral("--format 2,2,2 --rank 7 --ring r")
                                      << QByteArray("--ring takes z2 or z");
        QTest::newRow("too many threads")
            << QStringLiteral("--format 2,2,2 --rank 7 --threads 9999") << QByteArray("threads");
        QTest::newRow("no search to go on with")
            << QStringLiteral("--resume ") + m_task + QStringLiteral("/task.json") << QByteArray("no search");
    }

    void badCallsAreRefusedBeforeTheSearch()
    {
        QFETCH(QString, options);
        QFETCH(QByteArray, says);
        const Run run = search(options);
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(says) && run.err.count('\n') == 1, run.err.constData());
    }

    void theHelpNamesEveryOption()
    {
        const Run run = search(QStringLiteral("--help"));
        QCOMPARE(run.exitCode, 0);
        for (const char* option :
            {"--format", "--rank", "--ring", "--seed", "--seconds", "--threads", "--out", "--resume", "--json"})
            QVERIFY2(run.out.contains(option), option);
    }

private:
    Run search(const QString& options) const
    {
        return cli(QStringList{QStringLiteral("tensor"), QStringLiteral("search")} + options.split(u' '));
    }
};

TILEWRIGHT_TEST(TestTensorSearch)
#include "test_tensor_search.moc"
