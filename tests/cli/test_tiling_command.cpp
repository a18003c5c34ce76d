// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tiling sweep: what it refuses, and a map of two tiles from a node to its file.
#include "core/base/files.h"
#include "core/tiling/tile_sweep.h"
#include "tests/cli/command_folder.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace Qt::StringLiterals;

class TestTilingCommand : public QObject, private CommandFolder
{
    Q_OBJECT

    Run sweep(const char* out, const QStringList& more) const
    {
        return cli(QStringList{u"tiling"_s, u"sweep"_s, u"--out"_s, file(out)} + more);
    }

private Q_SLOTS:
    void whatCannotBeSweptIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const QStringList& arguments, const char* says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        row("no such tunable", {u"--rows"_s, u"XX=1"_s}, "has no tunable 'XX'");
        row("a value twice", {u"--rows"_s, u"MR=6,6"_s}, "stands twice");
        row("no number", {u"--columns"_s, u"NR=wide"_s}, "positive numbers");
        row("the same axis twice", {u"--rows"_s, u"NR=16"_s}, "both axes are NR");
        row("no value", {u"--set"_s, u"KC"_s}, "--set takes NAME=V");
        row("no shape", {u"--shape"_s, u"8x8"_s}, "is not a shape");
        row("no tunables", {u"--program"_s, QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu/seed.cpp")},
            "no tunable 'MR'");
    }
    void whatCannotBeSweptIsRefused()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, says);
        const Run run = sweep("none.json", arguments);
        QVERIFY2(run.exitCode == 2, run.err.constData());
        QVERIFY2(run.err.contains(says), run.err.constData());
        QCOMPARE(run.err.count('\n'), 1);
    }

    void aMapIsMeasuredAndGoesOnWhereItStopped()
    {
        const QStringList small{u"--shape"_s, u"48x96x64"_s, u"--rows"_s, u"MR=6"_s, u"--columns"_s, u"NR=8,16"_s};
        const Run run = sweep("map.json", small);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        auto map = sweepFrom(*readFile(file("map.json").toStdString()));
        QVERIFY(map);
        QVERIFY(map->isComplete());
        for (const SweepCell& cell : map->cells) {
            QVERIFY2(cell.isMeasured(), cell.text.c_str());
            QVERIFY(cell.samples > 0);
        }
        QVERIFY(!map->device.empty() && map->environment.contains("mode"));
        QCOMPARE(sweep("map.json", {}).exitCode, 2); // another sweep's file is left alone
        const SweepCell first = map->cells.front();
        map->cells.pop_back();
        QVERIFY(saveFile(file("map.json").toStdString(), sweepJson(*map)));
        const Run rest = sweep("map.json", small);
        QVERIFY2(rest.exitCode == 0, rest.err.constData());
        const auto whole = sweepFrom(*readFile(file("map.json").toStdString()));
        QVERIFY(whole && whole->isComplete());
        QCOMPARE(whole->cells.front(), first);
    }
};

TILEWRIGHT_TEST(TestTilingCommand)
#include "test_tiling_command.moc"
