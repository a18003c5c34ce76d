// SPDX-License-Identifier: GPL-3.0-or-later
// More islands than a row has room for: each is still seen, and told apart from the others.
#include "tests/test_program.h"
#include "tests/ui/fixture.h"
#include "ui/evolve/fitness_data.h"
#include "ui/evolve/migration_footer.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_view.h"

#include <QtTest>
#include <array>
#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;

namespace {

/// Pixels of exactly this colour.
int countOf(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == colour.rgb();
    return count;
}

/// CIE Lab of a colour (D65).
std::array<double, 3> labOf(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const double r = linear(colour.redF()), g = linear(colour.greenF()), b = linear(colour.blueF());
    const auto root = [](double v) { return v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116; };
    const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047),
                 y = root(0.2126 * r + 0.7152 * g + 0.0722 * b),
                 z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

} // namespace

class TestManyIslands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Dark); }

    void eightIslandsHaveColoursOfTheirOwnOnWhichTheirLettersCanBeRead()
    {
        for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Contrast}) {
            const Tokens t = tokensOf(kind);
            std::set<QRgb> colours;
            for (IslandId island{1}; island.value <= 8; ++island.value) {
                const QColor colour = islandColour(t, island);
                colours.insert(colour.rgb());
                QVERIFY2(contrast(colour, t.panel) >= 3, qPrintable(u"%1 %2"_s.arg(nameOf(kind)).arg(island.value)));
                QVERIFY2(
                    contrast(colour, t.badgeText) >= 3, qPrintable(u"%1 %2"_s.arg(nameOf(kind)).arg(island.value)));
            }
            QCOMPARE(colours.size(), std::size_t(8));
        }
    }

    /// As far apart as a look tells them, in CIE Lab.
    void theNearestTwoOfEightColoursAreFarApart()
    {
        for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Contrast})
            for (IslandId one{1}; one.value <= 8; ++one.value)
                for (IslandId other{1}; other.value < one.value; ++other.value) {
                    const Tokens t = tokensOf(kind);
                    const auto a = labOf(islandColour(t, one)), b = labOf(islandColour(t, other));
                    const double apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                    QVERIFY2(apart > 22,
                        qPrintable(
                            u"%1: %2 and %3, %4"_s.arg(nameOf(kind)).arg(one.value).arg(other.value).arg(apart)));
                }
    }

    void dotsLinesMarksAndLegendHaveOneColour_data()
    {
        QTest::addColumn<int>("kind");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Contrast, ThemeKind::Dark})
            QTest::newRow(qPrintable(nameOf(kind))) << static_cast<int>(kind);
    }
    void dotsLinesMarksAndLegendHaveOneColour()
    {
        QFETCH(int, kind);
        PlotView plot;
        plot.resize(900, 400);
        IslandLegend legend;
        std::vector<IslandLegend::Entry> entries;
        for (IslandId island{1}; island.value <= 8; ++island.value)
            entries.push_back({island, u"Mixed"_s});
        legend.show(entries);
        legend.resize(legend.sizeHint());
        Theme::instance().apply(static_cast<ThemeKind>(kind)); // what is there already follows
        const auto inkOf = [](int island) { return islandColour(tokens(), IslandId{island + 1}); };
        enum Part { Dots, Line, Mark };
        for (const Part part : {Dots, Line, Mark}) {
            QVector<PlotSeries> all;
            QVector<PlotMark> marks;
            for (int i = 0; i < 8; ++i) {
                PlotSeries one{{}, inkOf(i), {}, {}, {}, {}};
                const QVector<double> xs{10.0 * i, 10.0 * i + 6}, ys{1.0 + i, 1.0 + i};
                (part == Line ? one.stepX : one.x) = xs;
                (part == Line ? one.stepY : one.y) = ys;
                if (part == Mark)
                    one.colour = tokens().text, marks.append({10.0 * i + 3, {}, inkOf(i)});
                all << one;
            }
            plot.setMarks(marks);
            plot.setSeries(all);
            plot.fit();
            plot.grab();
            const QImage image = plot.grab().toImage();
            for (int i = 0; i < 8; ++i)
                QVERIFY2(countOf(image, inkOf(i)) >= 8, qPrintable(u"part %1 of island %2"_s.arg(part).arg(i + 1)));
        }
        const QImage badges = legend.grab().toImage();
        for (int i = 0; i < 8; ++i)
            QVERIFY2(countOf(badges, inkOf(i)) > 20, qPrintable(u"%1"_s.arg(i + 1)));
    }

    void theLegendShowsTheLineOfWhoSharesAColour()
    {
        const auto inkBehindTheBadge = [](IslandId island) {
            IslandLegend legend;
            legend.show({{island, u"Mixed"_s}});
            legend.resize(legend.sizeHint());
            const QImage image = legend.grab().toImage();
            return countOf(image.copy(px(15) + 1, 0, px(21), image.height()), islandColour(tokens(), island));
        };
        QCOMPARE(inkBehindTheBadge(IslandId{1}), 0);
        const int dashes = inkBehindTheBadge(IslandId{9}), dots = inkBehindTheBadge(IslandId{17});
        QVERIFY(dashes > 4 && dots > 4);
        QVERIFY2(dashes != dots, qPrintable(QString::number(dashes)));
    }

    void curvesOfOneColourHaveOtherLines()
    {
        FixtureRun run(12);
        run.grow(200);
        const FitnessData data = fitnessOf(run.state(), {}, tokens(), {}, [](IslandId) { return true; });
        std::set<std::pair<QRgb, int>> looks;
        for (const PlotSeries& series : data.series)
            looks.insert({series.colour.rgb(), static_cast<int>(series.line)});
        QCOMPARE(looks.size(), std::size_t(12));
    }

    void theMigrationRingShowsEveryIsland()
    {
        for (const int islands : {4, 9, 12, 16}) {
            FixtureRun run(islands);
            run.grow(20);
            MigrationFooter footer;
            footer.show(run.snapshot());
            footer.resize(280, footer.sizeHint().height());
            const QImage image = footer.grab().toImage();
            const int one = countOf(image, islandColour(tokens(), IslandId{1})) / ((islands + 7) / 8);
            for (int island = 1; island <= std::min(islands, 8); ++island) {
                const int sharers = (islands - island) / 8 + 1; // the ninth has the colour of the first
                const int found = countOf(image, islandColour(tokens(), IslandId{island}));
                QVERIFY2(found >= one * sharers / 2 && found > 20 * sharers,
                    qPrintable(u"%1 of %2: %3"_s.arg(island).arg(islands).arg(found)));
            }
        }
    }

    void drawnWaysAreSeenAndNobodyWithoutOneIsNext()
    {
        FixtureRun run(4);
        run.grow(20);
        const auto seen = [&](const MigrationPlan& plan) {
            run.record(events::MigrationPlanned{plan});
            MigrationFooter footer;
            footer.show(run.snapshot());
            footer.resize(280, footer.sizeHint().height());
            const QString next = footer.accessibleDescription().section(u"; "_s, 2);
            return std::pair(next, countOf(footer.grab().toImage(), tokens().secondary));
        };
        using enum MigrationPlan::Ways;
        const auto [one, inkOfOne] = seen({Drawn, {{{1}, {2}}}, 6});
        QVERIFY2(one.startsWith(u"next: A"_s), qPrintable(one));
        const auto [three, inkOfThree] = seen({Drawn, {{{1}, {2}}, {{2}, {1}}, {{1}, {4}}}, 6});
        QVERIFY2(three.startsWith(u"next: A"_s) || three.startsWith(u"next: B"_s), qPrintable(three));
        QVERIFY2(inkOfThree > inkOfOne, qPrintable(u"%1, %2"_s.arg(inkOfOne).arg(inkOfThree)));
    }

    void theLegendSaysHowManyItHasNoRoomFor()
    {
        IslandLegend legend;
        std::vector<IslandLegend::Entry> entries;
        for (IslandId island{1}; island.value <= 12; ++island.value)
            entries.push_back({island, u"Mixed"_s});
        legend.show(entries);
        legend.resize(160, legend.sizeHint().height());
        const QImage image = legend.grab().toImage();
        QVERIFY(countOf(image, islandColour(tokens(), IslandId{1})) > 20);
        QVERIFY(countOf(image, islandColour(tokens(), IslandId{4})) > 20);
    }
};

TILEWRIGHT_TEST(TestManyIslands)
#include "test_many_islands.moc"
