// SPDX-License-Identifier: GPL-3.0-or-later
// A session as a git repository and the blame of a program, from the command line.
#include "core/base/files.h"
#include "core/store/packed_session.h"
#include "tests/test_program.h"
#ifndef Q_MOC_RUN
#include "tests/cli/command_folder.h"
#endif

#include <QJsonArray>
#include <QTest>

using namespace tilewright;
using namespace Qt::StringLiterals;

class TestLineageCommand : public QObject, CommandFolder
{
    Q_OBJECT

    QByteArray namesOf(const QString& repository) const
    {
        return QByteArray::fromStdString(readFile(repository.toStdString() + "/packed-refs").value_or(std::string()));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(unpackSession(shippedDemo("gemm-cpu"), file("demo.tilewright").toStdString()).has_value());
        QVERIFY(unpackSession(shippedDemo("gemm-h200"), file("other.tilewright").toStdString()).has_value());
    }

    void aSessionBecomesARepositoryBesideIt()
    {
        const Run made = cli({u"lineage"_s, file("demo.tilewright")});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY2(made.out.contains("102 commits of admitted candidates, 8 of others, 110 of them new"),
            made.out.constData());
        const QByteArray names = namesOf(file("demo.git"));
        QVERIFY(names.contains(" refs/heads/best\n") && names.contains(" refs/tags/best-005-c-0035\n"));
        const Run again = cli({u"lineage"_s, file("demo.tilewright"), u"--json"_s});
        QCOMPARE(again.exitCode, 0);
        QCOMPARE(again.json().value(u"new"_s).toInt(), 0);
        QCOMPARE(again.json().value(u"admitted"_s).toInt(), 102);
        const Run elsewhere = cli({u"lineage"_s, file("demo.tilewright"), u"--to"_s, file("elsewhere")});
        QCOMPARE(elsewhere.exitCode, 0);
        QVERIFY(namesOf(file("elsewhere")) == names);
    }

    void whatCannotBeWrittenIsOneClearLine()
    {
        QVERIFY(saveFile(file("mine").toStdString(), "mine").has_value());
        QCOMPARE(cli({u"lineage"_s, file("demo.tilewright"), u"--to"_s, file("shared")}).exitCode, 0);
        const struct {
            QStringList arguments;
            int exitCode;
            const char* says;
        } calls[]{
            {{u"lineage"_s, u"/nowhere/a.tilewright"_s}, Run::missing, "no session file"},
            {{u"lineage"_s, u"/etc/passwd"_s}, Run::usage, "not a Tilewright session"},
            {{u"lineage"_s, file("demo.tilewright"), u"--to"_s, file("mine")}, Run::usage,
                "was not written by Tilewright"},
            {{u"lineage"_s, file("demo.tilewright"), u"--to"_s, m_folder.path()}, Run::usage, "nothing was written"},
            {{u"lineage"_s, file("demo.tilewright"), u"--to"_s, file("no/folder")}, Run::missing,
                "create the folder first"},
            {{u"lineage"_s, file("other.tilewright"), u"--to"_s, file("shared")}, Run::usage, "of another session"},
            {{u"blame"_s, u"/nowhere/a.tilewright"_s, u"best"_s}, Run::missing, "no session file"},
            {{u"blame"_s, file("demo.tilewright"), u"c-9999"_s}, Run::usage, "no candidate c-9999"},
            {{u"blame"_s, file("demo.tilewright"), u"--json"_s}, Run::usage, "blame needs: FILE CANDIDATE"},
        };
        for (const auto& call : calls) {
            const Run run = cli(call.arguments);
            QVERIFY2(run.exitCode == call.exitCode && run.out.isEmpty() && run.err.count('\n') == 1
                    && run.err.contains(call.says),
                run.err.constData());
        }
        QCOMPARE(readFile(file("mine").toStdString()).value_or(""), std::string("mine"));
    }

    void blameNamesACandidateForEachLine()
    {
        const Run json = cli({u"blame"_s, file("demo.tilewright"), u"best"_s, u"--json"_s});
        QVERIFY2(json.exitCode == 0, json.err.constData());
        const QJsonArray lines = json.json().value(u"lines"_s).toArray();
        const QJsonObject candidates = json.json().value(u"candidates"_s).toObject();
        QCOMPARE(json.json().value(u"candidate"_s).toString(), u"c-0035"_s);
        QVERIFY(lines.size() > 200 && candidates.size() == 4);
        for (const QJsonValue& line : lines)
            QVERIFY(candidates.contains(line[u"candidate"_s].toString()));
        const QJsonObject tuned = candidates.value(u"c-0007"_s).toObject();
        QCOMPARE(tuned.value(u"proposer"_s).toString(), u"tuner"_s);
        QCOMPARE(tuned.value(u"gain"_s)[u"over"_s].toString(), u"c-0003"_s);
        const Run text = cli({u"blame"_s, file("demo.tilewright"), u"best"_s});
        QCOMPARE(text.exitCode, 0);
        QCOMPARE(text.out.count('\n'), lines.size() + 1);
        QVERIFY2(text.out.contains("c-0035     mutator  –       –     +3.2 % (c-0007)     15  constexpr int NR = 48;"),
            text.out.constData());
    }

    void aRunCanWriteItsLineageWhileItGoesOn()
    {
        const Run run = cli({u"evolve"_s, u"--task"_s, m_task, u"--session"_s, file("live.tilewright"),
            u"--evaluations"_s, u"12"_s, u"--islands"_s, u"2"_s, u"--lineage"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("\nlineage: "), run.err.constData());
        QVERIFY(!namesOf(file("live.git")).isEmpty());
        const Run again = cli({u"lineage"_s, file("live.tilewright"), u"--json"_s});
        QVERIFY2(again.exitCode == 0 && again.json().value(u"new"_s).toInt() == 0, again.out.constData());
        QCOMPARE(cli({u"lineage"_s, file("live.tilewright"), u"--to"_s, file("anew.git")}).exitCode, 0);
        QVERIFY(namesOf(file("anew.git")) == namesOf(file("live.git")));
    }

    /// The run goes on; that its view could not be written is said at its end.
    void aFolderInTheWayCostsTheLineageAlone()
    {
        QVERIFY(saveFile(file("blocked.git").toStdString(), "mine").has_value());
        const Run run = cli({u"evolve"_s, u"--task"_s, m_task, u"--session"_s, file("blocked.tilewright"),
            u"--evaluations"_s, u"4"_s, u"--islands"_s, u"1"_s, u"--lineage"_s});
        QCOMPARE(run.exitCode, int(Run::usage));
        QVERIFY2(run.err.contains("was not written by Tilewright"), run.err.constData());
        QCOMPARE(readFile(file("blocked.git").toStdString()).value_or(""), std::string("mine"));
        const Run shown = cli({u"show"_s, file("blocked.tilewright"), u"--json"_s});
        QVERIFY(shown.json().value(u"evaluations"_s).toInt() >= 4);
    }
};

TILEWRIGHT_TEST(TestLineageCommand)
#include "test_lineage_command.moc"
