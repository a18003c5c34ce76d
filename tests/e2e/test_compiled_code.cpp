// SPDX-License-Identifier: GPL-3.0-or-later
// The compiled code of a candidate in the window is what `tilewright-cli listing` shows of it: by the node for tests in
// a run that the window made, and by a real node of a program of the shipped demo.
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QStandardPaths>
#include <QTabBar>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

QJsonObject listed(const QString& file, const QString& candidate, const QString& node)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"TILEWRIGHT_NODE"_s, node);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TILEWRIGHT_CLI), {u"listing"_s, file, candidate, u"--json"_s});
    if (!process.waitForFinished(patience) || process.exitCode() != 0)
        qWarning("%s", process.readAllStandardError().constData());
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

/// Without the line that says where it came from.
QString codeOf(const QString& text) { return text.section(u'\n', 1).trimmed(); }

} // namespace

class TestCompiledCode : public QObject
{
    Q_OBJECT

    /// Opens the tab on the best candidate and holds it against the command line's answer.
    void compare(test::Stage& stage, const QString& node)
    {
        const auto* view = stage.find<CodeView>(u"listingText"_s);
        const Candidate* best = stage.window->session().run().best();
        QVERIFY(view && best);
        stage.window->showScreen(u"evolve"_s);
        stage.window->selection().select(best->id);
        QVERIFY(view->toPlainText().isEmpty()); // asked for when somebody looks
        stage.window->evolve().inspector().setTab(TextTabs::Compiled);
        QCOMPARE(stage.find<QTabBar>(u"inspectorTabs"_s)->tabText(TextTabs::Compiled), u"Asm"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(!view->toPlainText().isEmpty(), qPrintable(view->placeholderText()), patience);
        const QString file = text(stage.window->session().snapshot().status.sessionPath);
        const QJsonObject cli = listed(file, nameOfCandidate(best->id), node);
        QCOMPARE(codeOf(view->toPlainText()), codeOf(cli[u"text"].toString()));
        const QString facts = stage.find<QLabel>(u"listingFacts"_s)->text();
        const bool isMeasured = cli[u"is_as_built"].toBool();
        QVERIFY2(facts.startsWith(
                     isMeasured ? u"The code that was measured."_s : u"Differs from the code that was measured"_s),
            qPrintable(facts));
        QCOMPARE(view->toPlainText().section(u'\n', 0, 0).contains(u" NOT "_s), !isMeasured);
        const QJsonArray kinds = cli[u"instructions"].toArray();
        QVERIFY(!kinds.isEmpty());
        const QString first = u"Instructions: %1 %2"_s.arg(kinds[0][0].toString()).arg(kinds[0][1].toInteger());
        QVERIFY2(facts.contains(first), qPrintable(facts));
    }

private Q_SLOTS:
    void aRunOfTheWindowIsListedAsOnTheCommandLine()
    {
        test::Stage stage;
        QVERIFY(stage.create(stage.file(u"mine.tilewright"_s), 12, u"start"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.phase == events::Phase::Finished, patience);
        compare(stage, QStringLiteral(TILEWRIGHT_FAKE_NODE));
    }

    void aRealNodeListsAProgramOfTheDemo()
    {
        if (QStandardPaths::findExecutable(u"objdump"_s).isEmpty()
            || QStandardPaths::findExecutable(u"g++"_s).isEmpty())
            QSKIP("objdump and g++ are needed");
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        const QString node = QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node");
        test::Stage stage;
        stage.client->setNodeCommand({node});
        stage.window->openDemo(u"gemm-cpu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        compare(stage, node);
        const QString text = stage.find<CodeView>(u"listingText"_s)->toPlainText();
        QVERIFY2(text.contains(u"<tilewright_run>:"_s), qPrintable(text.left(400)));
    }
};

int main(int argc, char** argv)
{
    const auto data = tilewright::test::privateDataFolder();
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestCompiledCode test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_compiled_code.moc"
