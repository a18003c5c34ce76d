// SPDX-License-Identifier: GPL-3.0-or-later
// `apply` and what comes through a pipe: a reply that is taken or refused with its code, and output that cannot be
// printed.
#include "tests/cli/command_folder.h"
#include "tests/test_program.h"

#include <QJsonObject>
#include <QProcess>
#include <QTest>

class TestApplyCommand : public QObject, CommandFolder
{
    Q_OBJECT

    /// As a shell pipes it.
    static Run piped(const QStringList& arguments, const QByteArray& input)
    {
        QProcess process;
        process.start(QStringLiteral(TILEWRIGHT_CLI), arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(patience))
            return {};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

private Q_SLOTS:
    void aReplyFromAPipeIsAppliedOrRefusedWithItsCode()
    {
        const QString source = file("program.cpp");
        QFile program(source);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\n// EVOLVE-BLOCK-END\n");
        program.close();
        const QStringList command{QStringLiteral("patch"), QStringLiteral("--source"), source,
            QStringLiteral("--reply"), QStringLiteral("-")};
        const Run applied = piped(command, "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n");
        QVERIFY2(applied.exitCode == 0, applied.err.constData());
        QCOMPARE(applied.out, QByteArray("// EVOLVE-BLOCK-START\nint a = 7;\nint b = 2;\n// EVOLVE-BLOCK-END\n"));
        const Run refused = piped(command, "I would rather not.");
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.startsWith("NO_DIFF: "), refused.err.constData());
        QVERIFY(refused.out.isEmpty());
    }

    void aPipeIsReadToItsEndAndAWaitForItIsTold()
    {
        const QString source = file("fifo.cpp"), reply = file("reply.txt");
        for (const auto& [path, text] : {std::pair(source, "// EVOLVE-BLOCK-START\nint a = 1;\n// EVOLVE-BLOCK-END\n"),
                 std::pair(reply, "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n")}) {
            QFile written(path);
            QVERIFY(written.open(QIODevice::WriteOnly));
            written.write(text);
        }
        // Nobody writes until the wait was told.
        const QString script = QStringLiteral("mkfifo \"$0/fifo\" || exit 99\n"
                                              "\"$1\" patch --source \"$2\" --reply \"$0/fifo\" 2> \"$0/told\" &\n"
                                              "run=$!\n"
                                              "for i in $(seq 600); do grep -q waiting \"$0/told\" && break; sleep "
                                              "0.1; done\n"
                                              "grep -q \"write to the pipe $0/fifo\" \"$0/told\" || exit 98\n"
                                              "cat \"$3\" > \"$0/fifo\"\n"
                                              "wait $run");
        QProcess process;
        process.start(QStringLiteral("sh"),
            {QStringLiteral("-c"), script, m_folder.path(), QStringLiteral(TILEWRIGHT_CLI), source, reply});
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardOutput().contains("int a = 7;"));
    }

    void everyFormThatARunTakesIsAppliedByHandAsWell()
    {
        const QString source = file("forms.cpp");
        QFile program(source);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("int f();\n// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\n// EVOLVE-BLOCK-END\n");
        program.close();
        const QStringList command{QStringLiteral("patch"), QStringLiteral("--source"), source,
            QStringLiteral("--reply"), QStringLiteral("-")};
        const QByteArray block = "```cpp\nint a = 3;\n```\n";
        const Run bare = piped(command, block); // a fence may be an aside: only the prompt tells
        QVERIFY(bare.exitCode == 3 && bare.err.startsWith("MALFORMED: "));
        const Run whole = piped(command + QStringList{QStringLiteral("--prompt"), QStringLiteral("rewrite")}, block);
        QVERIFY2(whole.exitCode == 0, whole.err.constData());
        QCOMPARE(whole.out, QByteArray("int f();\n// EVOLVE-BLOCK-START\nint a = 3;\n// EVOLVE-BLOCK-END\n"));

        QByteArray several;
        for (const char* value : {"7", "8"})
            several += QByteArray("<proposal>\n<reasoning>\nr\n</reasoning>\n<diff>\n@@\n-int a = 1;\n+int a = ")
                + value + ";\n</diff>\n</proposal>\n";
        const Run first = piped(command, several);
        QVERIFY2(first.exitCode == 0 && first.out.contains("int a = 7;"), first.err.constData());
        QVERIFY(first.err.contains("proposal: number 1 of 2\n"));
        const Run second = piped(command + QStringList{QStringLiteral("--proposal"), QStringLiteral("2")}, several);
        QVERIFY2(second.exitCode == 0 && second.out.contains("int a = 8;"), second.err.constData());
        const QJsonObject told = piped(command + QStringList{QStringLiteral("--json")}, several).json();
        QCOMPARE(told[QStringLiteral("proposals")].toInt(), 2);
        for (const char* wrong : {"--proposal=3", "--prompt=poem"})
            QCOMPARE(piped(command + QStringList{QString::fromLatin1(wrong)}, several).exitCode, 2);
    }

    void whatCannotBePrintedIsNotDone_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("overview") << QStringLiteral("--help");
        QTest::newRow("tasks") << QStringLiteral("tasks --json");
        QTest::newRow("patch") << QStringLiteral("patch --source %1 --reply %2");
        QTest::newRow("demo") << QStringLiteral("demo gemm-cpu --to %3");
    }

    void whatCannotBePrintedIsNotDone()
    {
        QFETCH(QString, command);
        for (const auto& [name, text] :
            {std::pair("full.cpp", "// EVOLVE-BLOCK-START\nint a = 1;\n// EVOLVE-BLOCK-END\n"),
                std::pair("full.md", "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n")}) {
            QFile out(file(name));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text);
        }
        command.replace(QStringLiteral("%1"), file("full.cpp"));
        command.replace(QStringLiteral("%2"), file("full.md"));
        command.replace(QStringLiteral("%3"), file("full.tilewright"));
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), ""));
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(TILEWRIGHT_CLI), command.split(u' '));
        QVERIFY(process.waitForFinished(patience));
        const QByteArray says = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1, says.constData());
        QCOMPARE(says.count("standard output could not be written"), 1);
    }
};

TILEWRIGHT_TEST(TestApplyCommand)
#include "test_apply_command.moc"
