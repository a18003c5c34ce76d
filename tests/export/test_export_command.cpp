// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli export: what it writes and prints, and one clear line for everything that stands in its way.
#include "tests/cli/cli_run.h"
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include "core/base/files.h"

#include <QDir>
#include <QJsonArray>
#include <QStandardPaths>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;

class TestExportCommand : public QObject
{
    Q_OBJECT

    std::unique_ptr<ExportedDemo> m_demo;

    QString path(const char* name) const { return m_demo->folder.filePath(QString::fromLatin1(name)); }
    Run exported(const QStringList& words) const
    {
        return runToItsEnd(environmentIn(m_demo->folder), QStringList{u"export"_s} + words);
    }
    static bool isOneLine(const Run& run) { return run.err.count('\n') == 1 && run.out.isEmpty(); }

private Q_SLOTS:
    void initTestCase() { m_demo = std::make_unique<ExportedDemo>(); }

    void theBestIsWrittenAndTheReceiptNamesEveryFile()
    {
        const Run run = exported({q(m_demo->file()), u"best"_s, u"--to"_s, path("best"), u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err);
        const QJsonObject receipt = run.json();
        QCOMPARE(receipt[u"candidate"].toString(), q(candidateName(m_demo->state.best()->id)));
        QCOMPARE(receipt[u"finding"].toString(), u"faster"_s);
        for (const QJsonValue& file : receipt[u"files"].toArray())
            QVERIFY2(QFile::exists(path("best") + u'/' + file.toString()), qPrintable(file.toString()));
        QVERIFY(damagedFilesIn(path("best").toStdString())->empty());
    }

    void whatStandsInTheWayIsOneLineAndNothingIsWritten_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        const QString session = q(m_demo->file());
        QTest::newRow("no folder named") << QStringList{session, u"best"_s} << 2 << QByteArray("--to DIR");
        QTest::newRow("no such candidate")
            << QStringList{session, u"c-9999"_s, u"--to"_s, u"@new"_s} << 2 << QByteArray("has no candidate c-9999");
        QTest::newRow("not confirmed") << QStringList{session, u"c-0003"_s, u"--to"_s, u"@new"_s} << 4
                                       << QByteArray("c-0003 has no confirmation");
        QTest::newRow("no session") << QStringList{u"@nothing"_s, u"best"_s, u"--to"_s, u"@new"_s} << 6
                                    << QByteArray("nothing");
        QTest::newRow("another file") << QStringList{u"@text"_s, u"best"_s, u"--to"_s, u"@new"_s} << 2
                                      << QByteArray("text");
        QTest::newRow("a folder in the way")
            << QStringList{session, u"best"_s, u"--to"_s, u"@taken"_s} << 2 << QByteArray("exists already");
        QTest::newRow("no folder above") << QStringList{session, u"best"_s, u"--to"_s, u"@no/new"_s} << 6
                                         << QByteArray("there is no folder");
        QTest::newRow("a file above") << QStringList{session, u"best"_s, u"--to"_s, u"@text/new"_s} << 6
                                      << QByteArray("there is no folder");
        QTest::newRow("a system folder") << QStringList{session, u"best"_s, u"--to"_s, u"/proc/new"_s} << 6
                                         << QByteArray("/proc");
    }

    void whatStandsInTheWayIsOneLineAndNothingIsWritten()
    {
        QFETCH(QStringList, words);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        QDir(m_demo->folder.path()).mkpath(u"taken/mine"_s);
        QFile text(path("text"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no session\n") > 0);
        text.close();
        for (QString& word : words)
            if (word.startsWith(u'@'))
                word = m_demo->folder.filePath(word.mid(1));
        const QDir folder(m_demo->folder.path());
        const auto entries = [&folder] { return folder.entryList(QDir::AllEntries | QDir::Hidden); };
        const QStringList before = entries();
        const Run run = exported(words);
        QCOMPARE(run.exitCode, exitCode);
        QVERIFY2(isOneLine(run) && run.err.contains(says), run.err);
        QCOMPARE(entries(), before);
    }

    void theManifestIsSignedWithAnSshKey()
    {
        if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
            QSKIP("OpenSSH is not installed here");
        QProcess maker;
        maker.start(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-f"_s, path("key")});
        QVERIFY(maker.waitForFinished(patience) && maker.exitCode() == 0);
        const Run run = exported(
            {q(m_demo->file()), u"best"_s, u"--to"_s, path("signed"), u"--no-harness"_s, u"--sign"_s, path("key")});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(damagedFilesIn(path("signed").toStdString())->empty());
        const auto key = readFile(path("key.pub").toStdString());
        QVERIFY(key && saveFile(path("signers").toStdString(), "reviewer@example.org " + *key));
        const auto isValid = [this] {
            QProcess checker;
            checker.setStandardInputFile(path("signed/MANIFEST.sha256"));
            checker.start(u"ssh-keygen"_s,
                {u"-Y"_s, u"verify"_s, u"-n"_s, QString::fromLatin1(signatureNamespace), u"-I"_s,
                    u"reviewer@example.org"_s, u"-f"_s, path("signers"), u"-s"_s, path("signed/MANIFEST.sha256.sig")});
            return checker.waitForFinished(patience) && checker.exitCode() == 0;
        };
        QVERIFY(isValid());
        QVERIFY(saveFile(path("signed/MANIFEST.sha256").toStdString(), "planted\n"));
        QVERIFY(!isValid());
    }

    void aKeyThatCannotSignWritesNothing()
    {
        QVERIFY(saveFile(path("no-key").toStdString(), "no key\n"));
        const QStringList words{
            q(m_demo->file()), u"best"_s, u"--to"_s, path("unsigned"), u"--no-harness"_s, u"--sign"_s};
        const Run missing = exported(words + QStringList{path("nowhere")});
        QCOMPARE(missing.exitCode, 6);
        QVERIFY2(isOneLine(missing), missing.err);
        if (!QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty()) {
            const Run refused = exported(words + QStringList{path("no-key")});
            QCOMPARE(refused.exitCode, 4);
            QVERIFY2(isOneLine(refused), refused.err);
        }
        QVERIFY(!QFile::exists(path("unsigned")));
    }

    void aDiskThatIsFullLeavesNothingBehind()
    {
        // A limit on the size of files stands in for a disk that is full: writing fails in the middle.
        QProcess shell;
        shell.setProcessEnvironment(environmentIn(m_demo->folder));
        shell.start(u"sh"_s,
            {u"-c"_s, u"trap '' XFSZ; ulimit -f 8; exec \"$0\" export \"$1\" best --to \"$2\""_s,
                QStringLiteral(TILEWRIGHT_CLI), q(m_demo->file()), path("limited")});
        QVERIFY(shell.waitForFinished(patience));
        const QByteArray words = shell.readAllStandardError();
        QCOMPARE(shell.exitCode(), 6);
        QVERIFY2(words.count('\n') == 1, words);
        const QDir folder(m_demo->folder.path());
        QVERIFY(folder.entryList({u"*limited*"_s}, QDir::AllEntries | QDir::Hidden).isEmpty());
    }
};

TILEWRIGHT_TEST(TestExportCommand)
#include "test_export_command.moc"
