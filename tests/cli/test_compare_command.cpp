// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli compare: programs of sessions and of files, by their records and measured now.
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

class TestCompareCommand : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }

    Run cli(const QStringList& arguments, const QString& manners = {}) const
    {
        QProcessEnvironment environment = environmentIn(m_folder);
        environment.insert(u"TILEWRIGHT_NODE"_s, QStringLiteral(TILEWRIGHT_FAKE_NODE) + manners);
        return runToItsEnd(environment, arguments);
    }

    Run compare(const QStringList& words) const { return cli(QStringList{u"compare"_s} + words); }

    void record(const QString& name, const QString& manners = {})
    {
        const Run run = cli({u"evolve"_s, u"--task"_s, QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"),
                                u"--session"_s, path(name), u"--evaluations"_s, u"20"_s},
            manners);
        QVERIFY2(run.exitCode == 0, run.err);
    }

    static QJsonObject program(const Run& run, int place)
    {
        return run.json()[u"programs"].toArray()[place].toObject();
    }
    static double ratio(const Run& run, int place)
    {
        return program(run, place)[u"train"][u"ratio"][u"value"].toDouble();
    }

private Q_SLOTS:
    void initTestCase()
    {
        record(u"one.tilewright"_s);
        record(u"other.tilewright"_s, u" --device-name OtherCPU"_s);
    }

    void candidatesAreComparedByTheirRecords()
    {
        const QString csv = path(u"figures.csv"_s);
        const Run run = compare(
            {u"--session"_s, path(u"one.tilewright"_s), u"baseline"_s, u"best"_s, u"--json"_s, u"--csv"_s, csv});
        QVERIFY2(run.exitCode == Run::good, run.err);
        QCOMPARE(run.json()[u"reference"].toString(), u"baseline"_s);
        QCOMPARE(program(run, 1)[u"verdict"].toString(), u"better"_s);
        QVERIFY(program(run, 1)[u"train"][u"side_by_side"].toBool());
        QVERIFY(ratio(run, 1) > 1.5);
        QFile written(csv);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().startsWith("task,shape,split,program"));
        const Run turned = compare(
            {u"--session"_s, path(u"one.tilewright"_s), u"baseline"_s, u"best"_s, u"--json"_s, u"--to"_s, u"best"_s});
        QCOMPARE(program(turned, 0)[u"verdict"].toString(), u"worse"_s);
        QVERIFY(std::abs(ratio(turned, 0) * ratio(run, 1) - 1) < 1e-9);
    }

    void aFileIsMeasuredInTurnsWithTheReferenceAndTheArmsCanBeSwapped()
    {
        const QString mine = path(u"mine.cpp"_s), best = path(u"one.tilewright:best"_s);
        QVERIFY(cli({u"save"_s, path(u"one.tilewright"_s), u"c-0001"_s, u"--out"_s, mine}).exitCode == 0);
        const Run unmeasured = compare({best, mine, u"--json"_s});
        QVERIFY2(unmeasured.exitCode == Run::good, unmeasured.err);
        QCOMPARE(program(unmeasured, 1)[u"verdict"].toString(), u"not compared"_s);
        QVERIFY(!program(unmeasured, 1)[u"measured"].toBool());
        const Run there = compare({best, mine, u"--measure"_s, u"--json"_s});
        QVERIFY2(there.exitCode == Run::good, there.err);
        QCOMPARE(program(there, 1)[u"verdict"].toString(), u"worse"_s);
        QVERIFY(program(there, 1)[u"train"][u"side_by_side"].toBool());
        const Run back = compare({mine, best, u"--measure"_s, u"--json"_s});
        QCOMPARE(program(back, 1)[u"verdict"].toString(), u"better"_s);
        QVERIFY(std::abs(ratio(there, 1) * ratio(back, 1) - 1) < 0.01);
    }

    void aProgramThatBreaksARuleEndsWithItsExitCode()
    {
        const QString mine = path(u"wrong.cpp"_s), best = path(u"one.tilewright:best"_s);
        QVERIFY(cli({u"save"_s, path(u"one.tilewright"_s), u"c-0001"_s, u"--out"_s, mine}).exitCode == 0);
        QFile file(mine);
        QVERIFY(file.open(QIODevice::Append) && file.write("// FAKE_REFUSED\n") > 0);
        file.close();
        const Run run = compare({best, mine, u"--measure"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(program(run, 1)[u"outcome"].toString(), u"refused"_s);
        QCOMPARE(program(run, 1)[u"verdict"].toString(), u"not compared"_s);
        const Run asReference = compare({mine, best, u"--measure"_s, u"--json"_s});
        QVERIFY2(asReference.exitCode != Run::good, asReference.out);
    }

    void figuresOfAnotherDeviceAreNotCompared()
    {
        const Run run = compare({path(u"one.tilewright:best"_s), path(u"other.tilewright:best"_s), u"--json"_s});
        QVERIFY2(run.exitCode == Run::good, run.err);
        QVERIFY(program(run, 1)[u"refused"].toString().startsWith(u"measured on another device: "_s));
        QVERIFY(program(run, 1)[u"train"][u"ratio"].isNull());
    }

    void whatCannotBeComparedIsOneLine_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const QString best = path(u"one.tilewright:best"_s);
        QTest::newRow("one program") << QStringList{best} << int(Run::usage);
        QTest::newRow("twice") << QStringList{best, best} << int(Run::usage);
        QTest::newRow("no such candidate") << QStringList{best, path(u"one.tilewright:c-0999"_s)} << int(Run::usage);
        QTest::newRow("no session") << QStringList{u"c-0001"_s, u"c-0002"_s} << int(Run::usage);
        QTest::newRow("no task") << QStringList{path(u"one.tilewright"_s), QStringLiteral(__FILE__)} << int(Run::usage);
        QTest::newRow("no file") << QStringList{best, path(u"nowhere.cpp"_s)} << int(Run::missing);
        QTest::newRow("no reference") << QStringList{best, path(u"one.tilewright:c-0001"_s), u"--to"_s, u"c-0003"_s}
                                      << int(Run::usage);
        QTest::newRow("folder") << QStringList{best, path(u"one.tilewright:c-0001"_s), u"--csv"_s, path(u"no/a.csv"_s)}
                                << int(Run::missing);
    }

    void whatCannotBeComparedIsOneLine()
    {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const Run run = compare(words);
        QCOMPARE(run.exitCode, code);
        QVERIFY2(run.err.startsWith("tilewright-cli: ") && run.err.count('\n') == 1, run.err);
    }
};

TILEWRIGHT_TEST(TestCompareCommand)
#include "test_compare_command.moc"
