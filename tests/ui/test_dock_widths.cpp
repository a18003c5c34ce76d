// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of Evolve keep their places while a user looks at one thing after the other.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"

#include <QDockWidget>
#include <QTabBar>
#include <QTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

class TestDockWidths : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsLookedAtMovesNoDock_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1680x1050") << QSize(1680, 1050);
        QTest::newRow("2560x1440") << QSize(2560, 1440);
    }

    void whatIsLookedAtMovesNoDock()
    {
        QFETCH(QSize, size);
        Theatre stage(60);
        stage.window->resize(size);
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        settle(*stage.window);
        const auto places = [&] {
            QList<QRect> all;
            for (const QDockWidget* dock : stage.window->evolve().Workspace::docks())
                all << dock->geometry();
            return all;
        };
        const QList<QRect> before = places();
        const int records = stage.find<QTabBar>(u"recordTabs"_s)->count();
        for (int tab = 0; tab < 2 * records; ++tab) {
            stage.window->evolve().records().showTab(tab % records);
            settle(*stage.window);
            QCOMPARE(places(), before);
        }
        for (const Candidate& candidate : stage.run.state().candidates) {
            stage.window->selection().select(candidate.id);
            settle(*stage.window);
            QCOMPARE(places(), before);
        }
        stage.window->showScreen(u"review"_s);
        settle(*stage.window);
        stage.window->showScreen(u"evolve"_s);
        settle(*stage.window);
        QCOMPARE(places(), before);
    }

    void aWindowThatGrowsBackHasItsDocksAsTheyWere_data()
    {
        QTest::addColumn<QSize>("between");
        QTest::newRow("low") << QSize(1280, 800);
        QTest::newRow("slim") << QSize(900, 600);
    }

    void aWindowThatGrowsBackHasItsDocksAsTheyWere()
    {
        QFETCH(QSize, between);
        Theatre stage(60);
        const auto resizeTo = [&stage](const QSize& size) {
            stage.window->resize(size);
            settle(*stage.window);
            QTest::qWait(400); // docks are at rest
            settle(*stage.window);
        };
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        const QSize large(1660, 1000);
        resizeTo(large);
        stage.window->evolve().resetLayout();
        resizeTo(large);
        const auto sizes = [&stage] {
            QList<QSize> all;
            for (const QDockWidget* dock : stage.window->evolve().Workspace::docks())
                all << dock->size();
            return all;
        };
        const QList<QSize> before = sizes();
        resizeTo(between);
        QVERIFY(sizes() != before);
        resizeTo(large);
        const QList<QSize> after = sizes();
        for (qsizetype i = 0; i < before.size(); ++i) { // but for a pixel of rounding
            QVERIFY2(std::abs(after[i].width() - before[i].width()) <= 2, qPrintable(QString::number(i)));
            QVERIFY2(std::abs(after[i].height() - before[i].height()) <= 2, qPrintable(QString::number(i)));
        }
    }

    void theMiddleHasTheWholeHeight()
    {
        Theatre stage(20);
        stage.window->resize(1680, 1050);
        stage.open();
        stage.window->showScreen(u"evolve"_s);
        settle(*stage.window);
        int top = stage.window->evolve().height(), bottom = 0;
        for (const QString& name : {u"fitnessDock"_s, u"lineageDock"_s, u"recordsDock"_s}) {
            const QRect place = stage.find<QDockWidget>(name)->geometry();
            top = std::min(top, place.top());
            bottom = std::max(bottom, place.bottom());
        }
        QVERIFY2(top <= 8, qPrintable(QString::number(top))); // no more than what parts two docks
        QVERIFY(bottom >= stage.window->evolve().height() - 8);
    }
};

TILEWRIGHT_TEST(TestDockWidths)
#include "test_dock_widths.moc"
