// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor: what it prints, writes and refuses.
#include "tests/cli/command_folder.h"
#include "tests/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;

class TestTensorCommand : public QObject, private CommandFolder
{
    Q_OBJECT

    QString written(const char* name, const QByteArray& content) const
    {
        QFile file(this->file(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
        return file.fileName();
    }

    /// Refused with this code in one line that says so.
    void refused(const QStringList& arguments, int code, const char* says) const
    {
        const Run run = cli(QStringList{u"tensor"_s} + arguments);
        QVERIFY2(run.exitCode == code, run.err.constData());
        QVERIFY2(run.err.contains(says), run.err.constData());
        QCOMPARE(run.err.count('\n'), 1);
    }

private Q_SLOTS:
    void aSchemeGoesFromFormToForm()
    {
        for (const char* form : {"a.json", "a.npz", "a.exp"}) {
            const QString path = file(form);
            QCOMPARE(cli({u"tensor"_s, u"show"_s, u"winograd"_s, u"--out"_s, path}).exitCode, 0);
            const Run shown = cli({u"tensor"_s, u"show"_s, path, u"--json"_s});
            QCOMPARE(shown.exitCode, 0);
            QCOMPARE(shown.json()[u"rank"_s].toInt(), 7);
            QCOMPARE(shown.json()[u"additions"_s].toInt(), 24);
            QCOMPARE(shown.json()[u"additions_reduced"_s].toInt(), 15);
            QCOMPARE(shown.json()[u"growth_factor"_s].toDouble(), 18.0);
            QCOMPARE(shown.json()[u"products"_s].toArray().first().toString(), u"(a11)*(b11)*(c11+c12+c21+c22)"_s);
            refused({u"show"_s, u"strassen"_s, u"--out"_s, path}, 2, "exists already");
        }
    }

    void aSchemeModulo2IsLiftedAndMakesNoProgram()
    {
        const QString path = file("two.json");
        QCOMPARE(cli({u"tensor"_s, u"compose"_s, u"strassen"_s, u"--mod2"_s, u"--out"_s, path}).exitCode, 0);
        refused({u"code"_s, path}, 4, "modulo 2 only");
        const Run lift = cli({u"tensor"_s, u"lift"_s, path, u"--json"_s});
        QCOMPARE(lift.exitCode, 0);
        QCOMPARE(lift.json()[u"outcome"_s].toString(), u"lifted"_s);
        refused({u"lift"_s, u"strassen"_s}, 4, "nothing to lift");
        const Run code = cli({u"tensor"_s, u"code"_s, u"strassen"_s});
        QCOMPARE(code.exitCode, 0);
        QVERIFY(code.out.contains("tilewright_run") && code.out.contains("EVOLVE-BLOCK-START"));
    }

    void aSchemeBecomesATaskThatTheCommandsTake()
    {
        const QString folder = file("by-winograd");
        const QStringList made{
            u"task"_s, u"winograd"_s, u"--levels"_s, u"2"_s, u"--cutoff"_s, u"64"_s, u"--out"_s, folder};
        const Run task = cli(QStringList{u"tensor"_s} + made + QStringList{u"--json"_s});
        QVERIFY2(task.exitCode == 0, task.err.constData());
        QCOMPARE(task.json()[u"task"_s].toString(), u"by-winograd"_s);
        QCOMPARE(task.json()[u"work_share"_s].toDouble(), 49.0 / 64);
        QVERIFY(task.json()[u"rounding_factor"_s].toDouble() > 20);
        const Run checked = cli({u"tasks"_s, u"--check"_s, folder, u"--run"_s});
        QVERIFY2(checked.exitCode == 0, checked.err.constData());
        refused(made, 2, "exists already");
        refused({u"task"_s, u"winograd"_s}, 2, "--out FOLDER");
        refused({u"task"_s, u"strassen"_s, u"--levels"_s, u"4"_s, u"--out"_s, file("x")}, 2, "fewer levels");
    }

    void whatIsWrongIsRefusedInOneLine()
    {
        refused({u"verify"_s, written("wrong.exp", "(a11)*(b12)*(c11)\n")}, 4, "a11");
        refused({u"verify"_s, written("binary.json", QByteArray("\x00\xff\x01", 3))}, 2, "neither text nor");
        refused({u"verify"_s, file("absent.json")}, 6, "absent.json");
        refused({u"show"_s, u"100x100x100"_s}, 2, "100x100x100");
        refused({u"nonsense"_s}, 2, "unknown command");
        refused({u"lift"_s}, 2, "needs: SCHEME");
        refused({u"show"_s, u"strassen"_s, u"winograd"_s}, 2, "unexpected argument");
        refused({u"show"_s, u"strassen"_s, u"--levels"_s, u"2"_s}, 2, "is not an option of tensor show");
        refused({u"compose"_s, u"strassen"_s, u"--extend"_s, u"q=1"_s}, 2, "--extend");
    }

    void aGameIsPlayedByWords()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), ""));
        process.start(QStringLiteral(TILEWRIGHT_CLI), {u"tensor"_s, u"game"_s, u"1x2x1"_s, u"--json"_s});
        process.write("hint\n(a11)*(b11)*(c11)\nundo\nredo\ntake\nquit\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
        const QJsonObject end = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        QCOMPARE(end[u"solved"_s].toBool(), true);
        QCOMPARE(end[u"score"_s].toInt(), -2);
        QCOMPARE(end[u"moves"_s].toArray().size(), 2);
    }
};

TILEWRIGHT_TEST(TestTensorCommand)
#include "test_tensor_command.moc"
