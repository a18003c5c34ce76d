// SPDX-License-Identifier: GPL-3.0-or-later
// More islands than a row has room for: each is still seen, and told apart from the others.
#include "tests/ui/fixture.h"
#include "ui/evolve/fitness_data.h"
#include "ui/evolve/island_legend.h"
#include "ui/evolve/migration_footer.h"
#include "ui/theme/theme.h"

#include <QtTest>
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

QTEST_MAIN(TestManyIslands)
#include "test_many_islands.moc"
