// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot of many points paints is what stands there: dots, steps, and rings that move without the rest being
// painted anew.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_view.h"

#include <QTest>
#include <utility>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int dots = 20'000;

/// Rises from 1 to 50 by a step every ten dots; every dot lies a little below the step.
PlotSeries longSeries()
{
    PlotSeries one{u"all"_s, QColor(Qt::red), {}, {}, {}, {}, Qt::SolidLine};
    for (int i = 0; i < dots; ++i) {
        const double best = 1 + 49.0 * (i / 10 * 10) / dots;
        one.x << i;
        one.y << best * 0.6;
        if (i % 10 == 0) {
            one.stepX << i;
            one.stepY << best;
        }
    }
    return one;
}

struct PlotStage {
    explicit PlotStage(bool logarithmic, const PlotSeries& series = longSeries())
    {
        plot.setFocusPolicy(Qt::NoFocus); // of two plots one would have the ring of the focus
        plot.resize(900, 400);
        plot.setAxes(u"×"_s, u"evaluation"_s);
        plot.setLogarithmic(logarithmic);
        plot.setSeries({series});
        plot.show();
    }
    /// Once nothing of it changes any more.
    QImage picture()
    {
        QImage before = plot.grab().toImage();
        (void)QTest::qWaitFor(
            [&] {
                QCoreApplication::processEvents();
                const QImage now = plot.grab().toImage();
                return now == std::exchange(before, now);
            },
            patience);
        return before;
    }
    /// Whether the colour is seen within that many pixels of the value.
    bool shows(const QImage& picture, double x, double y, const QColor& colour, int within)
    {
        const QPoint at = plot.pixelOf(x, y);
        for (int dx = -within; dx <= within; ++dx)
            for (int dy = -within; dy <= within; ++dy)
                if (const QPoint here = at + QPoint(dx, dy);
                    picture.rect().contains(here) && picture.pixelColor(here).rgb() == colour.rgb())
                    return true;
        return false;
    }

    PlotView plot;
};

} // namespace

class TestPlotPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void everyDotAndStepIsWhereItsValueSays_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("linear") << false;
        QTest::newRow("logarithmic") << true;
    }
    void everyDotAndStepIsWhereItsValueSays()
    {
        QFETCH(bool, logarithmic);
        const PlotSeries series = longSeries();
        PlotStage stage(logarithmic, series);
        QVERIFY(QTest::qWaitForWindowExposed(&stage.plot, patience));
        const QImage picture = stage.picture();
        QCOMPARE(stage.plot.isLogarithmic(), logarithmic);
        for (int i = 0; i < dots; i += 97) {
            QVERIFY2(stage.shows(picture, series.x[i], series.y[i], series.colour, 2), qPrintable(u"dot %1"_s.arg(i)));
            const double best = series.stepY[i / 10];
            QVERIFY2(stage.shows(picture, series.x[i], best, series.colour, 2), qPrintable(u"step %1"_s.arg(i)));
        }
        QVERIFY(!stage.shows(picture, dots * 0.9, 5, series.colour, 1)); // far below all dots
    }

    void aLongLevelLineIsDrawnFromEndToEnd()
    {
        PlotSeries series{u"one"_s, QColor(Qt::red), {0, 1000}, {1, 3}, {0, 400, 1000}, {1, 2, 3}, Qt::SolidLine};
        PlotStage stage(false, series);
        QVERIFY(QTest::qWaitForWindowExposed(&stage.plot, patience));
        const QImage picture = stage.picture();
        for (int x = 10; x < 400; x += 30)
            QVERIFY2(stage.shows(picture, x, 1, series.colour, 1), qPrintable(QString::number(x)));
        for (const double y : {1.2, 1.5, 1.9}) // where it rises
            QVERIFY2(stage.shows(picture, 400, y, series.colour, 1), qPrintable(QString::number(y)));
        for (int x = 420; x < 1000; x += 30) {
            QVERIFY2(stage.shows(picture, x, 2, series.colour, 1), qPrintable(QString::number(x)));
            QVERIFY2(!stage.shows(picture, x, 1.5, series.colour, 1), qPrintable(QString::number(x)));
        }
    }

    void aRingThatMovesLeavesThePictureOfAPlotThatIsPaintedWithItThere()
    {
        const PlotSeries series = longSeries();
        const QPointF first(2000, series.y[2000]), second(15'000, series.y[15'000]);
        PlotStage moved(true), fresh(true);
        QVERIFY(QTest::qWaitForWindowExposed(&moved.plot, patience));
        const QImage without = moved.picture();
        QVERIFY(without == fresh.picture());
        moved.plot.setMarked(first, std::nullopt);
        const QImage there = moved.picture();
        QVERIFY(there != without);
        moved.plot.setMarked(second, first);
        const QImage then = moved.picture();
        fresh.plot.setMarked(second, first);
        QVERIFY(then != there);
        QVERIFY(then == fresh.picture());
        moved.plot.setMarked(std::nullopt, std::nullopt);
        QVERIFY(moved.picture() == without);
    }
};

TILEWRIGHT_TEST(TestPlotPictures)
#include "test_plot_pictures.moc"
