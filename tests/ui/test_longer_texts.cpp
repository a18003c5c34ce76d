// SPDX-License-Identifier: GPL-3.0-or-later
// Translations are longer: every popup with texts a third longer than the English ones. Nothing may be cut off, nothing
// may lie upon its neighbour. Screens are walked by test_every_screen.cpp.
#include "tests/ui/fits.h"
#include "tests/ui/longer_texts.h"
#include "ui/evolve/candidate_actions.h"
#include "ui/evolve/hint_editor.h"
#include "ui/evolve/injection_editor.h"
#include "ui/evolve/island_actions.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/migration_editor.h"
#include "ui/evolve/rerun_editor.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/finder.h"
#include "ui/shell/message_log.h"
#include "ui/shell/proposer_editor.h"
#include "ui/theme/theme.h"
#include "ui/welcome/mix_editor.h"
#include "ui/widgets/ask_box.h"

#include <QApplication>
#include <QPushButton>
#include <QtTest>
#include <functional>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::misfits;
using test::setScene;
using test::settle;
using test::Theatre;

namespace {

struct Opening {
    const char* name;
    std::function<QWidget*(Theatre&)> open;
};

ViewContext contextOf(Theatre& stage) { return stage.window->context(); }

/// Whatever opens over the window.
const std::vector<Opening>& popups()
{
    static const std::vector<Opening> all{
        {"budget",
            [](Theatre& stage) { return new BudgetEditor(stage.window->session().snapshot(), stage.window.get()); }},
        {"finder", [](Theatre& stage) { return new Finder(contextOf(stage), stage.window.get()); }},
        {"shortcuts", [](Theatre& stage) { return new ShortcutPage(stage.window->actions(), stage.window.get()); }},
        {"injection",
            [](Theatre& stage) { return new InjectionEditor(contextOf(stage), CandidateId{3}, stage.window.get()); }},
        {"island",
            [](Theatre& stage) {
                return new IslandEditor(stage.run.state().islands[1], IslandEditor::Asks::Models, stage.window.get());
            }},
        {"hint",
            [](Theatre& stage) {
                return new HintEditor(stage.run.state(), IslandId{2}, stage.window->drafts(), stage.window.get());
            }},
        {"rerun",
            [](Theatre& stage) {
                return new RerunEditor(
                    stage.window->session().snapshot(), CandidateId{3}, CandidateId{2}, stage.window.get());
            }},
        {"proposer",
            [](Theatre& stage) { return new ProposerEditor(stage.window->session().snapshot(), stage.window.get()); }},
        {"mix of models",
            [](Theatre& stage) {
                const std::map<std::string, double> weights{{"writer", 1}, {"claude-sonnet-4-5-20250929", 2.5}};
                return new MixEditor(IslandId{2}, weights, weights, stage.window.get());
            }},
        {"messages",
            [](Theatre& stage) {
                auto* log = new MessageLog(stage.window.get());
                log->add(MessageMood::Error, stage.window->windowTitle(), QDateTime::currentDateTime());
                return new MessageLogPage(*log, stage.window.get());
            }},
        {"migration",
            [](Theatre& stage) {
                return new MigrationEditor({}, {{1}, {2}, {3}}, stage.window.get());
            }},
        {"question",
            [](Theatre& stage) {
                return new AskBox(CandidateActions::tr("Tags of %1, separated by blanks or commas").arg(u"c-0012"_s),
                    {}, CandidateActions::tr("Set tags"), AskBox::Lines::One, stage.window.get());
            }},
    };
    return all;
}

} // namespace

class TestLongerTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theInspectorsButtonsKeepTheirWords()
    {
        Theatre stage;
        setScene(stage);
        stage.window->showScreen(u"evolve"_s);
        for (const QSize& size : {QSize(1280, 800), QSize(1680, 1050), QSize(2560, 1440)}) {
            stage.window->resize(size);
            settle(*stage.window);
            for (const char* each : {"candidate.more", "candidate.inject"}) { // the longest one becomes its sign
                const auto* button = stage.find<QPushButton>(u"inspector:"_s + QLatin1String(each));
                QVERIFY2(button->isVisible() && !button->text().isEmpty(),
                    qPrintable(u"%1 at %2"_s.arg(QLatin1String(each)).arg(size.width())));
            }
        }
    }

    void popupsHaveRoom_data()
    {
        QTest::addColumn<int>("popup");
        for (std::size_t i = 0; i < popups().size(); ++i)
            QTest::newRow(popups()[i].name) << static_cast<int>(i);
    }

    void popupsHaveRoom()
    {
        QFETCH(int, popup);
        Theatre stage;
        setScene(stage);
        stage.window->resize(1280, 800);
        QWidget* widget = popups()[static_cast<std::size_t>(popup)].open(stage);
        widget->adjustSize();
        widget->show();
        settle(*widget);
        QVERIFY2(widget->width() <= 1280 && widget->height() <= 800,
            qPrintable(u"%1×%2"_s.arg(widget->width()).arg(widget->height())));
        const QStringList found = misfits(*widget);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        widget->close();
    }

    void theTextsAreLonger()
    {
        QCOMPARE(CandidateActions::tr("Set tags"), u"Set tags lo"_s);
        QVERIFY(CandidateActions::tr("Measure &again longer than that").size() >= 35);
        QCOMPARE(CandidateActions::tr("%1 %2"), u"%1 %2"_s);
    }
};

int main(int argc, char** argv)
{
    QTemporaryDir data; // the user's own sessions are not looked at
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    QApplication app(argc, argv);
    test::LongerTexts longer;
    QCoreApplication::installTranslator(&longer);
    Theme::instance().apply(ThemeKind::Dark);
    TestLongerTexts test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_longer_texts.moc"
