// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of screens with the application font that the environment names (9 pt, 11 and 14 are registered), in the
// smallest window. All of every screen is walked by test_every_screen.cpp.
#include "app/gui/pictures.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "ui/review/review_page.h"
#include "ui/settings/form_grid.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::gui;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::misfits;
using test::setScene;
using test::settle;
using test::Theatre;

namespace {

constexpr QSize smallest{1280, 800};

void show(const Theatre& stage, const QString& screen)
{
    stage.window->resize(smallest);
    for (const Picture& one : pictures())
        if (one.name == screen)
            one.show(*stage.window);
    settle(*stage.window);
}

} // namespace

class TestFontSizes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFontHasTheSizeThatWasAskedFor()
    {
        const double asked = qEnvironmentVariableIsSet("TILEWRIGHT_FONT_POINTS")
            ? qEnvironmentVariable("TILEWRIGHT_FONT_POINTS").toDouble()
            : 9;
        QCOMPARE(QApplication::font().pointSizeF(), asked);
    }

    void theBarOfDecisionsIsSeenWhateverThePanesNeed_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("leastLines"); // of the diff: what the word is on
        QTest::newRow("a laptop") << QSize(1366, 720) << 8;
        QTest::newRow("the smallest") << smallest << 5; // panes below the diff where the text is large
    }
    void theBarOfDecisionsIsSeenWhateverThePanesNeed()
    {
        QFETCH(QSize, size);
        QFETCH(int, leastLines);
        Theatre stage;
        setScene(stage);
        show(stage, u"review"_s);
        stage.window->resize(size);
        settle(*stage.window);
        const auto* bar = stage.find<QWidget>(u"decisionBar"_s);
        const auto isSeen = [&] { return bar->visibleRegion().boundingRect().height() == bar->height(); };
        QCOMPARE(stage.window->size(), size); // as large as the screen, and no larger
        QVERIFY(isSeen());
        for (const auto* mode : stage.window->findChildren<QAbstractButton*>())
            if (mode->objectName().startsWith(u"modeButton:"_s))
                QVERIFY2(mode->visibleRegion().boundingRect() == mode->rect(), qPrintable(mode->text()));
        const auto* diff = stage.find<QWidget>(u"reviewDiff"_s)->findChild<QPlainTextEdit*>(u"diffAfter"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->isVisible(), patience); // the texts are aligned elsewhere
        settle(*stage.window);
        const int lines = diff->viewport()->visibleRegion().boundingRect().height() / diff->cursorRect().height();
        QVERIFY2(lines >= leastLines, qPrintable(QString::number(lines)));
        for (auto* more : stage.window->findChildren<QAbstractButton*>(u"reviewReasoningMore"_s))
            more->setChecked(true);
        settle(*stage.window);
        QVERIFY(isSeen());
        stage.window->review().edit();
        settle(*stage.window);
        QVERIFY(isSeen());
    }

    void aSessionCanBeStartedInASmallWindow()
    {
        Theatre stage(0);
        stage.window->welcome().tasks().show(findTaskPacks());
        show(stage, u"new-session"_s);
        stage.window->resize(1024, 600);
        settle(*stage.window);
        QCOMPARE(stage.window->size(), QSize(1024, 600));
        const auto* start = stage.find<QPushButton>(u"start"_s);
        QVERIFY(start->isEnabled());
        QCOMPARE(start->visibleRegion().boundingRect(), start->rect());
        // The list of sections stands beside the choices where both have room.
        const auto* list = stage.find<QWidget>(u"sectionScroll"_s);
        QCOMPARE(list->isVisible(), QApplication::font().pointSizeF() < 14);
        stage.window->resize(smallest);
        settle(*stage.window);
        QVERIFY(list->isVisible());
        QCOMPARE(start->visibleRegion().boundingRect(), start->rect());
    }

    void figuresOfARunStandBelowTheTableOfRuns()
    {
        Theatre stage;
        setScene(stage);
        show(stage, u"evolve-runs"_s);
        const auto* table = stage.find<Table>(u"runsTable"_s);
        const auto* figures = stage.find<QWidget>(u"runFigures"_s);
        QVERIFY(table->isVisible() && figures->isVisible());
        QVERIFY(table->geometry().bottom() < figures->geometry().top());
        QVERIFY(figures->geometry().bottom() < figures->parentWidget()->height());
    }

    void aRemarkHasMoreThanAWordALine_data()
    {
        QTest::addColumn<QString>("screen");
        for (const QString& screen : {u"settings-models"_s, u"settings-model"_s, u"settings-limits"_s})
            QTest::newRow(qPrintable(screen)) << screen;
    }
    void aRemarkHasMoreThanAWordALine()
    {
        QFETCH(QString, screen);
        Theatre stage;
        show(stage, screen);
        int remarks = 0;
        for (const auto* form : stage.window->findChildren<FormGrid*>())
            for (const auto* label : form->findChildren<QLabel*>())
                if (label->isVisible() && label->wordWrap() && !label->text().isEmpty()) {
                    QVERIFY2(label->width() >= px(180), qPrintable(label->text()));
                    ++remarks;
                }
        QVERIFY(remarks > 2);
    }

    void theToolbarHasRoom_data()
    {
        QTest::addColumn<bool>("hasModels");
        QTest::newRow("with meters of models") << true;
        QTest::newRow("without") << false;
    }
    void theToolbarHasRoom()
    {
        QFETCH(bool, hasModels);
        Theatre stage;
        if (hasModels)
            setScene(stage);
        else
            stage.open();
        show(stage, u"evolve"_s);
        const auto* badge = stage.find<QAbstractButton>(u"bestBadge"_s);
        QVERIFY(badge->isVisible());
        const QString cut = misfits(*badge->parentWidget()).join(u'\n');
        QVERIFY2(cut.isEmpty(), qPrintable(cut));
    }

    void noColumnOfTheseTablesGoes_data()
    {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<QString>("table");
        QTest::newRow("versions of a template") << u"prompts"_s << u"templateVersions"_s;
        QTest::newRow("models") << u"devices"_s << u"callsTable"_s;
        QTest::newRow("queue") << u"devices"_s << u"queueTable"_s;
    }
    /// They fit, or what does not is reached by scrolling.
    void noColumnOfTheseTablesGoes()
    {
        QFETCH(QString, screen);
        QFETCH(QString, table);
        Theatre stage;
        setScene(stage);
        show(stage, screen);
        auto* shown = stage.find<Table>(table);
        QVERIFY(shown && shown->isVisible() && shown->model()->rowCount() > 0);
        for (int column = 0; column < shown->model()->columnCount(); ++column)
            QVERIFY2(!shown->isColumnHidden(column), qPrintable(QString::number(column)));
        const int beyond = shown->horizontalHeader()->length() - shown->viewport()->width();
        QCOMPARE(shown->horizontalScrollBar()->maximum(), std::max(beyond, 0));
        const QString cut = misfits(*shown->parentWidget()).join(u'\n');
        QVERIFY2(cut.isEmpty(), qPrintable(cut));
    }
};

TILEWRIGHT_TEST(TestFontSizes)

#include "test_font_sizes.moc"
