// SPDX-License-Identifier: GPL-3.0-or-later
// What a command is refused with has an exit code of its own: 1 says that the program is broken.
#include "app/cli/subcommand.h"
#include "tests/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tilewright::cli;

namespace {

/// Codes that stand in the record of a run, of an answer or of a node, and that no order is refused with.
const QStringList& recordedOnly()
{
    static const QStringList codes{u"person/withdrawn"_s, u"reply/too-many-proposals"_s, u"evaluation/field"_s,
        u"expression/syntax"_s, u"node/only-for-proofs"_s, u"audit/vendor"_s};
    return codes;
}

/// Every error code in the sources of what carries out orders, by the file that has it.
QMap<QString, QString> codesOfOrders()
{
    static const QRegularExpression literal(u"\"([a-z]+/[a-z-]+)\""_s);
    QMap<QString, QString> codes;
    for (const char* part : {"control", "engine", "compare", "evolve", "export", "lineage", "model", "tensor"}) {
        QDirIterator files(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/core/") + QLatin1String(part), {u"*.cpp"_s, u"*.h"_s},
            QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                qFatal("a source cannot be read");
            auto found = literal.globalMatch(QString::fromUtf8(file.readAll()));
            while (found.hasNext())
                codes[found.next().captured(1)] = files.fileName();
        }
    }
    return codes;
}

} // namespace

class TestExitCodes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noOrderIsRefusedAsAnInternalError()
    {
        const QMap<QString, QString> codes = codesOfOrders();
        QVERIFY(codes.size() > 80 && codes.contains(u"model/not-paused"_s) && codes.contains(u"island/last"_s));
        for (auto code = codes.begin(); code != codes.end(); ++code) {
            if (code.key().startsWith(u"kernels/"_s) || code.key().startsWith(u"interface/"_s)) // a folder
                continue;
            if (code.key().startsWith(u"kernel/"_s)) // of an exported program
                continue;
            if (code.key().startsWith(u"llm/"_s) || recordedOnly().contains(code.key()))
                continue; // of a call that a model did not answer
            if (code.key() == u"lineage/git"_s)
                continue; // of a call of libgit2 for which no cause is known
            QVERIFY2(
                exitCodeOf(code.key().toStdString()) != Internal, qPrintable(code.key() + u" of "_s + code.value()));
        }
    }

    void whatIsNotThereIsUsageAndWhatDoesNotFitNowIsARule()
    {
        QCOMPARE(exitCodeOf("model/unknown"), int(Usage));
        QCOMPARE(exitCodeOf("model/not-paused"), int(RefusedByRule));
        QCOMPARE(exitCodeOf("hint/long"), int(Usage));
        QCOMPARE(exitCodeOf("nonsense"), int(Internal));
    }
};

TILEWRIGHT_TEST(TestExitCodes)
#include "test_exit_codes.moc"
