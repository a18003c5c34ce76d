// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of Review: the card that is read is seen whole, in its list and in the pane, until a user scrolls.
#include "tests/test_program.h"
#include "tests/ui/fits.h"
#include "tests/ui/painted_texts.h"
#include "tests/ui/review_stage.h"
#include "ui/models/display_text.h"
#include "ui/review/resource_bars.h"
#include "ui/theme/theme.h"

#include <QListView>
#include <QScrollBar>
#include <QWheelEvent>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

/// More wait, and more were decided, than either list has room for.
struct ListStage : ReviewStage {
    QListView *queue, *said;

    ListStage()
        : ReviewStage(30)
        , queue(find<QListView>(u"reviewQueue"_s))
        , said(find<QListView>(u"reviewDecided"_s))
    {
        for (std::size_t i = 15; i < 30; ++i)
            run.decide(waiting[i], Decision::Approved, "");
        waiting.resize(15);
        open();
        window->resize(1280, 720);
        settle(*window);
    }
    /// The card that is read.
    static bool isWhole(const QListView& list)
    {
        return list.currentIndex().isValid()
            && list.viewport()->visibleRegion().boundingRect().contains(list.visualRect(list.currentIndex()));
    }
    void turnWheel(const QListView& list, int steps) const
    {
        const QPointF at = list.viewport()->rect().center();
        QWheelEvent event(at, list.viewport()->mapToGlobal(at), {}, QPoint(0, -120 * steps), Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(list.viewport(), &event);
        settle(*window);
    }
    void note()
    {
        run.note("info", "something else happened");
        open();
        settle(*window);
    }
};

} // namespace

class TestReviewLists : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsOfResourcesSayWholeWhatTheyAreOf_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {120, 220, 290, 700})
            QTest::addRow("%d", width) << width;
    }

    /// However narrow they are: what "Registers per th…" and "Registe…" are of, nobody can tell.
    void rowsOfResourcesSayWholeWhatTheyAreOf()
    {
        QFETCH(const int, width);
        const std::vector<ResourceBar> rows{{u"Registers per thread"_s, {}, 168, 255, 160, 255},
            {u"Registers per block"_s, {}, 43008, 65536, 40960, 65536},
            {u"Shared memory"_s, u"B"_s, 98304, 232448, 73728, 232448}, {u"Occupancy"_s, u"%"_s, .25, 1, .25}};
        ResourceBars bars;
        bars.show(rows);
        bars.resize(px(width), bars.heightForWidth(px(width)));
        QString said;
        std::vector<PaintedText> texts = paintedTexts(bars);
        for (const PaintedText& each : texts) {
            said += each.text.trimmed() + u' ';
            QVERIFY2(QRectF(bars.rect()).contains(each.ink), qPrintable(each.text));
            for (const PaintedText& other : texts) {
                const QRectF both = other.ink & each.ink;
                QVERIFY2(&other == &each || both.width() < 2 || both.height() < 2,
                    qPrintable(each.text + u" lies upon "_s + other.text));
            }
        }
        QVERIFY2(!said.contains(u'…'), qPrintable(said));
        for (const QString& whole : {u"Registers per thread 160 → 168 of 255"_s,
                 u"Registers per block %1 → %2 of %3"_s.arg(grouped(40960), grouped(43008), grouped(65536)),
                 u"Shared memory 72 → 96 KiB of 227 KiB"_s, u"Occupancy 25.0 → 25.0 %"_s})
            QVERIFY2(said.contains(whole), qPrintable(said));
        // A wide one has a line for each row.
        QVERIFY(width < 700 || bars.height() == bars.minimumSizeHint().height());
    }

    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void theCardThatAKeyLeadsToIsSeenWhole()
    {
        ListStage stage;
        for (int i = 0; i < 15; ++i) {
            QVERIFY2(ListStage::isWhole(*stage.queue), qPrintable(QString::number(i)));
            stage.press(Qt::Key_J);
            settle(*stage.window);
        }
        stage.press(Qt::Key_K); // around to the last
        settle(*stage.window);
        QVERIFY(ListStage::isWhole(*stage.queue));
    }

    void theCardIsSeenWholeInWhicheverListItIs_data()
    {
        QTest::addColumn<int>("height");
        QTest::newRow("usual") << 720;
        QTest::newRow("low: the pane is scrolled as well") << 480;
    }

    void theCardIsSeenWholeInWhicheverListItIs()
    {
        QFETCH(int, height);
        ListStage stage;
        stage.window->resize(1280, height);
        settle(*stage.window);
        for (int row : {14, 0, 9}) {
            stage.said->setFocus();
            stage.said->setCurrentIndex(stage.said->model()->index(row, 0));
            settle(*stage.window);
            QVERIFY2(ListStage::isWhole(*stage.said), qPrintable(QString::number(row)));
            stage.page().choose(stage.waiting[static_cast<std::size_t>(14 - row)]);
            settle(*stage.window);
            QVERIFY2(ListStage::isWhole(*stage.queue), qPrintable(QString::number(row)));
        }
    }

    void theCardIsSeenWholeWhenTheListComesIntoSight()
    {
        ListStage stage;
        stage.window->showScreen(u"evolve"_s);
        stage.page().choose(stage.waiting[11]);
        settle(*stage.window);
        stage.window->showScreen(u"review"_s);
        settle(*stage.window);
        QVERIFY(ListStage::isWhole(*stage.queue));
        stage.window->resize(1280, 640); // with less room
        settle(*stage.window);
        QVERIFY(ListStage::isWhole(*stage.queue));
    }

    void theCardStaysInSightWhenItsPlaceIsAnother()
    {
        ListStage stage;
        stage.page().choose(stage.waiting[2]);
        settle(*stage.window);
        stage.decided(stage.waiting[2], Decision::Deferred); // behind the others
        settle(*stage.window);
        QCOMPARE(stage.page().chosen(), stage.waiting[2]);
        QCOMPARE(stage.queue->currentIndex().row(), 14);
        QVERIFY(ListStage::isWhole(*stage.queue));
        for (std::size_t i = 5; i < 15; ++i) // others go
            stage.run.decide(stage.waiting[i], Decision::Approved, "");
        stage.open();
        settle(*stage.window);
        QVERIFY(ListStage::isWhole(*stage.queue));
    }

    void whereARowIsCutThereIsALine()
    {
        const ListStage stage;
        const auto hasLines = [&](bool atTop, bool atBottom) {
            const QImage seen = stage.queue->viewport()->grab().toImage();
            const auto isLine = [&](int y) { return seen.pixelColor(seen.width() - 2, y) == tokens().border; };
            return isLine(0) == atTop && isLine(seen.height() - 1) == atBottom;
        };
        QVERIFY(hasLines(false, true));
        stage.turnWheel(*stage.queue, 1);
        QVERIFY(hasLines(true, true));
    }

    void whatAPersonScrolledToStays()
    {
        ListStage stage;
        stage.turnWheel(*stage.queue, 4);
        QVERIFY(!ListStage::isWhole(*stage.queue));
        const int at = stage.queue->verticalScrollBar()->value();
        stage.note();
        QCOMPARE(stage.queue->verticalScrollBar()->value(), at);
        stage.run.awaitReview({}); // the list grows
        stage.open();
        settle(*stage.window);
        QCOMPARE(stage.queue->verticalScrollBar()->value(), at);
        stage.press(Qt::Key_J);
        settle(*stage.window);
        QVERIFY(ListStage::isWhole(*stage.queue));
    }
};

TILEWRIGHT_TEST(TestReviewLists)
#include "test_review_lists.moc"
