// SPDX-License-Identifier: GPL-3.0-or-later
// Every command that reads a text of the user's refuses what is no text by line and byte offset, and reads one with a
// byte order mark and foreign line ends.
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

/// The bytes of one kernel in the encodings that editors write, and what a message says of those that are refused.
struct Encoded {
    const char* name;
    QByteArray bytes;
    const char* says; ///< nullptr: it is read
};

QByteArray widened(const QByteArray& text, int zeroFirst)
{
    QByteArray wide;
    for (const char c : text)
        zeroFirst ? wide.append('\0').append(c) : wide.append(c).append('\0');
    return wide;
}

std::vector<Encoded> encodings()
{
    const QByteArray kernel = "#include <math.h>\nvoid gelu(const float* x, float* y, int n)\n{\n"
                              "    for (int i = 0; i < n; i++)\n        y[i] = 0.5f * x[i] * (1 + erff(x[i]));\n}\n";
    QByteArray crlf = kernel;
    crlf.replace("\n", "\r\n");
    QByteArray cr = kernel;
    cr.replace('\n', '\r');
    return {{"plain", kernel, nullptr}, {"mark", "\xef\xbb\xbf" + kernel, nullptr}, {"crlf", crlf, nullptr},
        {"mark and crlf", "\xef\xbb\xbf" + crlf, nullptr}, {"lone cr", cr, nullptr},
        {"comment in UTF-8", "// Gl\xc3\xa4ttung \xe4\xb8\xad\n" + kernel, nullptr},
        {"latin-1", "// Gl\xe4ttung f\xfcr Me\xdfwerte\n" + kernel, "line 1, byte offset 5"},
        {"latin-1 at the end", kernel + "// \xb5V\n", "line 7, byte offset"},
        {"gbk", "// \xd6\xd0\xce\xc4\n" + kernel, "line 1, byte offset 3"},
        {"shift-jis", "#include <math.h>\n// \x83J\x81[\x83l\x83\x8b\n" + kernel, "line 2, byte offset 21"},
        {"utf-16", "\xff\xfe" + widened(kernel, 0), "UTF-16 (little-endian)"},
        {"utf-16 the other way", "\xfe\xff" + widened(kernel, 1), "UTF-16 (big-endian)"},
        {"utf-16 without a mark", widened(kernel, 0), "binary"}, {"zero bytes", kernel + QByteArray(3, '\0'), "binary"},
        {"overlong", "// \xc0\xaf\n" + kernel, "overlong"}, {"surrogate", "// \xed\xa0\x80\n" + kernel, "surrogate"}};
}

} // namespace

class TestTextFiles : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Run cli(const QStringList& arguments) const { return runToItsEnd(environmentIn(m_folder), arguments, -1); }

    QString file(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("a file of the test cannot be written");
        return file.fileName();
    }

    const QByteArray m_latin = "// Gl\xe4tte\n";

private Q_SLOTS:
    void aKernelIsReadOrRefusedByItsEncoding_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        for (const Encoded& one : encodings())
            for (const char* ending : {".cpp", ".cu"}) {
                QByteArray bytes = one.bytes;
                if (ending == ".cu"_ba && one.says)
                    continue; // the same reader
                if (ending == ".cu"_ba)
                    bytes.replace("void gelu", "__global__ void gelu");
                QTest::addRow("%s%s", one.name, ending)
                    << QLatin1String(one.name) + QLatin1String(ending) << bytes << QByteArray(one.says ? one.says : "");
            }
    }

    void aKernelIsReadOrRefusedByItsEncoding()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, says);
        const QString kernel = file(name, bytes);
        const Run run = cli({u"task-from"_s, kernel, u"--list"_s});
        QCOMPARE(run.exitCode, says.isEmpty() ? Run::good : Run::usage);
        if (says.isEmpty())
            QVERIFY2(run.out.startsWith("gelu() in line 2") || run.out.startsWith("gelu() in line 3"), run.out);
        else
            QVERIFY2(run.err.contains(says) && run.err.contains(name.toUtf8()) && run.err.count('\n') == 1, run.err);
        QVERIFY(!QFile::exists(m_folder.filePath(u"data"_s))); // nothing was written
    }

    void everyTextOfTheUserIsRefusedByLine_data()
    {
        QTest::addColumn<QStringList>("arguments"); // LATIN stands for the file
        const auto row = [](const char* what, const QStringList& arguments) { QTest::newRow(what) << arguments; };
        const QString task = u"gemm-fp32-cpu"_s,
                      seed = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu/seed.cpp");
        row("task-from", {u"task-from"_s, u"LATIN"_s, u"--json"_s});
        row("reference",
            {u"task-from"_s, QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/examples/own-kernel/softmax.cpp"),
                u"--reference"_s, u"LATIN"_s});
        row("evaluate", {u"evaluate"_s, u"--task"_s, task, u"--source"_s, u"LATIN"_s});
        row("patch source", {u"patch"_s, u"--source"_s, u"LATIN"_s, u"--reply"_s, seed});
        row("patch reply", {u"patch"_s, u"--source"_s, seed, u"--reply"_s, u"LATIN"_s});
        row("shapes", {u"evolve"_s, u"--task"_s, task, u"--shapes"_s, u"LATIN"_s});
        row("models file", {u"evolve"_s, u"--task"_s, task, u"--proposer"_s, u"model:LATIN"_s});
        row("replies", {u"evolve"_s, u"--task"_s, task, u"--proposer"_s, u"replay:FOLDER"_s});
        row("task pack", {u"tasks"_s, u"--check"_s, u"PACK"_s});
    }

    void everyTextOfTheUserIsRefusedByLine()
    {
        QFETCH(QStringList, arguments);
        const QString latin = file(u"latin.txt"_s, "a line\n" + m_latin);
        QDir(m_folder.path()).mkpath(u"replies"_s);
        QDir(m_folder.path()).mkpath(u"pack"_s);
        file(u"replies/0001.reply.md"_s, "a line\n" + m_latin);
        file(u"pack/task.json"_s, "{\n" + m_latin);
        for (QString& argument : arguments) {
            argument.replace(u"LATIN"_s, latin).replace(u"FOLDER"_s, m_folder.filePath(u"replies"_s));
            argument.replace(u"PACK"_s, m_folder.filePath(u"pack"_s));
        }
        const Run run = cli(arguments);
        QVERIFY2(run.exitCode == Run::usage, run.err.constData());
        QVERIFY2(run.err.contains("is not UTF-8: line 2, byte offset "), run.err.constData());
    }

    void standardInputIsReadTheSameWay()
    {
        QProcess process;
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {u"patch"_s, u"--source"_s, u"-"_s, u"--reply"_s, file(u"reply.txt"_s, "nothing\n")});
        process.write(m_latin);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(-1));
        QCOMPARE(process.exitCode(), int(Run::usage));
        QVERIFY(process.readAllStandardError().contains("standard input is not UTF-8: line 1, byte offset 5"));
    }

    void aPatchKeepsTheMarkAndTheLineEndsOfItsSource()
    {
        const QByteArray marked = "\xef\xbb\xbf// EVOLVE-BLOCK-START\r\nint a = 1;\r\n// EVOLVE-BLOCK-END\r\n";
        const Run run = cli({u"patch"_s, u"--source"_s, file(u"marked.cpp"_s, marked), u"--reply"_s,
            file(u"reply.md"_s,
                "\xef\xbb\xbf<<<<<<< SEARCH\r\nint a = 1;\r\n=======\r\nint a = 2;\r\n>>>>>>> REPLACE\r\n")});
        QVERIFY2(run.exitCode == Run::good, run.err.constData());
        QCOMPARE(run.out, QByteArray(marked).replace("= 1", "= 2"));
    }

    void anArgumentThatIsNoTextIsNamed()
    {
        // QProcess would turn the argument into text: the shell hands it over as it is.
        const QByteArray command
            = "exec '" TILEWRIGHT_CLI "' evolve --task gemm-fp32-cpu --hint \"$(printf 'Gl\\344tte')\"";
        QProcess shell;
        shell.start(u"sh"_s, {u"-c"_s, QString::fromLatin1(command)});
        QVERIFY(shell.waitForFinished(-1));
        QCOMPARE(shell.exitCode(), int(Run::usage));
        const QByteArray said = shell.readAllStandardError();
        QVERIFY2(said.contains("argument 5 is not UTF-8: line 1, byte offset 2") && said.contains("Gl\xef\xbf\xbdtte"),
            said);
    }

    void whatIsNoFileIsNamed()
    {
        const QString folder = m_folder.path();
        const Run isFolder = cli({u"task-from"_s, folder});
        QVERIFY2(isFolder.exitCode == Run::usage && isFolder.err.contains("it is a folder — name a file in it"),
            isFolder.err);
        const QString large = file(u"large.cpp"_s, QByteArray((4 << 20) + 1, ' '));
        const Run isLarge = cli({u"task-from"_s, large});
        QVERIFY2(
            isLarge.exitCode == Run::usage && isLarge.err.contains("at most 4194304 are read — check"), isLarge.err);
        for (const QByteArray& text : {QByteArray(), QByteArray("\n \n")}) {
            const Run isEmpty = cli({u"task-from"_s, file(u"empty.cpp"_s, text)});
            QVERIFY2(isEmpty.exitCode == Run::usage && isEmpty.err.contains("empty.cpp is empty — name a file"),
                isEmpty.err);
        }
        const QString pipe = m_folder.filePath(u"pipe.cpp"_s);
        QVERIFY(mkfifo(QFile::encodeName(pipe).constData(), 0600) == 0);
        const Run isPipe = cli({u"task-from"_s, pipe}); // is not waited for
        QVERIFY2(isPipe.exitCode == Run::usage && isPipe.err.contains("is not a regular file"), isPipe.err);
        const QString hidden = file(u"hidden.cpp"_s, "void f() {}\n");
        QFile::setPermissions(hidden, {});
        if (geteuid() == 0)
            return; // who may read everything cannot see it
        const Run isHidden = cli({u"task-from"_s, hidden});
        QVERIFY2(isHidden.exitCode == Run::usage && isHidden.err.contains("Permission denied"), isHidden.err);
    }
};

TILEWRIGHT_TEST(TestTextFiles)
#include "test_text_files.moc"
