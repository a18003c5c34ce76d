// SPDX-License-Identifier: GPL-3.0-or-later
// The lineage: its layout against the run it was made from, and what a user does with it in the window.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/painted_texts.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/evolve_page.h"
#include "ui/lineage/lineage_legend.h"
#include "ui/lineage/lineage_node.h"
#include "ui/lineage/lineage_view.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QContextMenuEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>
#include <array>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;
using test::Theatre;

namespace {

const LineageNode& nodeOf(const Lineage& lineage, CandidateId id)
{
    return lineage.nodes[static_cast<std::size_t>(lineage.nodeOf(id))];
}

/// A window on a run with its lineage in view.
struct LineageTheatre : Theatre {
    LineageView* view;

    explicit LineageTheatre(int candidates = 120)
        : Theatre(candidates)
        , view(find<LineageView>(u"lineageView"_s))
    {
        open();
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    const Lineage& lineage() const { return *view->scene().lineage; }
};

} // namespace

class TestLineage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coloursFollowTheRankOfTheScore()
    {
        FixtureRun run;
        run.grow(80);
        const Lineage lineage = lineageOf(run.state());
        std::vector<std::pair<double, float>> shades;
        for (const LineageNode& node : lineage.nodes)
            if (node.shade >= 0)
                shades.emplace_back(run.state().candidate(node.candidate)->score->value, node.shade);
        std::ranges::sort(shades);
        QVERIFY(shades.size() > 20);
        QCOMPARE(shades.front().second, 0.0F);
        QCOMPARE(shades.back().second, 1.0F);
        std::size_t levels = 1;
        for (std::size_t i = 1; i < shades.size(); ++i) {
            QCOMPARE(shades[i].second > shades[i - 1].second, shades[i].first > shades[i - 1].first);
            levels += shades[i].first > shades[i - 1].first ? 1 : 0;
        }
        for (std::size_t i = 1; i < shades.size(); ++i) // by rank: one step each, whatever the scores are apart
            QVERIFY(shades[i].second - shades[i - 1].second < 1.5F / static_cast<float>(levels - 1));
    }

    void theTableShowsWhatStandsOutInThePicture()
    {
        const LineageTheatre stage;
        auto* table = stage.find<Table>(u"lineageTable"_s);
        stage.window->evolve().setTableTwin(true);
        const int all = table->model()->rowCount();
        const auto& run = stage.window->session().run();
        const CandidateId best = run.best()->id;
        stage.window->selection().select(best);
        const auto choose = [&](int index) {
            stage.find<QWidget>(u"lineageEmphasis"_s)->findChildren<QPushButton*>().at(index)->click();
        };
        choose(1);
        const std::vector<int> ancestry = stage.lineage().ancestry(stage.lineage().nodeOf(best));
        QCOMPARE(table->model()->rowCount(), static_cast<int>(ancestry.size()));
        QVERIFY(table->model()->rowCount() < all);
        // A row among them is chosen: the rows stay.
        const CandidateId seed{1};
        stage.window->selection().select(seed);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(ancestry.size()));
        choose(2);
        QCOMPARE(table->model()->rowCount(),
            static_cast<int>(std::ranges::count(stage.lineage().nodes, true, &LineageNode::survives)));
        choose(0);
        QCOMPARE(table->model()->rowCount(), all);
    }

    void theLegendCanBeHidden()
    {
        const LineageTheatre stage;
        auto* button = stage.find<QToolButton>(u"lineageLegendButton"_s);
        auto* legend = stage.find<LineageLegend>(u"lineageLegend"_s);
        QVERIFY(button->isChecked() && legend->isVisible());
        button->click();
        QVERIFY(!legend->isVisible());
        button->click();
        QVERIFY(legend->isVisible());
    }

    void migrationsAreDashedAlsoWhereEdgesAreStraight()
    {
        LineageTheatre stage(700);
        LineageScene scene = stage.view->scene();
        QVERIFY(scene.lineage->edges.size() > mostCurves && scene.lineage->edges.size() < mostEdges);
        const auto inkOf = [&](EdgeKind kind) {
            auto all = std::make_shared<Lineage>(*scene.lineage);
            for (LineageEdge& edge : all->edges)
                edge.kind = kind;
            LineageScene of = scene;
            of.lineage = all;
            NodeSprites sprites;
            const QImage picture = paintLineage(of, stage.view->size(), 1, sprites);
            of.lineage = [&] {
                auto bare = std::make_shared<Lineage>(*all);
                bare->edges.clear();
                std::ranges::fill(bare->edgeStart, 0);
                bare->longEdges.clear();
                return bare;
            }();
            const QImage bare = paintLineage(of, stage.view->size(), 1, sprites);
            int ink = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    ink += picture.pixel(x, y) != bare.pixel(x, y) ? 1 : 0;
            return ink;
        };
        const int solid = inkOf(EdgeKind::Edit), dashed = inkOf(EdgeKind::Migration);
        QVERIFY2(dashed > 0 && dashed < solid * 9 / 10, qPrintable(u"%1 of %2"_s.arg(dashed).arg(solid)));
    }

    /// Rows are shown whole or not at all; what occurs in the lineage, and its scale, stay longest.
    void aLegendWithoutRoomSaysWhatItLeavesOut()
    {
        Lineage lineage;
        lineage.nodes.resize(2);
        lineage.nodes[0].look = NodeLook::Best;
        lineage.nodes[1].look = NodeLook::Rejected;
        lineage.scale = ScoreScale{31};
        LineageLegend legend;
        legend.setLineage(lineage);
        const int width = px(328), row = px(20);
        const auto textsAt = [&](int height) {
            legend.resize(width, height);
            QStringList texts;
            for (const auto& each : test::paintedTexts(legend))
                texts << each.text.trimmed();
            return texts;
        };
        legend.show();
        const int whole = legend.heightForWidth(width);
        const QStringList all = textsAt(whole);
        QVERIFY(legend.leftOut().isEmpty() && legend.toolTip().isEmpty());
        QVERIFY(all.contains(words(NodeLook::BuildFailed)) && all.contains(words(NodeMark::Pin)));
        const QStringList fewer = textsAt(whole - row);
        QVERIFY(!fewer.contains(words(NodeLook::BuildFailed)) && !fewer.contains(words(NodeMark::Pin)));
        QVERIFY(fewer.contains(words(NodeLook::Rejected)));
        if (legend.leftOut().isEmpty()) // what does not occur is named all the same
            QVERIFY2(legend.toolTip().startsWith(u"Not in this lineage: "_s), qPrintable(legend.toolTip()));
        QVERIFY2(legend.toolTip().contains(words(NodeLook::BuildFailed)), qPrintable(legend.toolTip()));
        const QStringList least = textsAt(2 * row - 1); // one row
        QVERIFY(!legend.leftOut().isEmpty());
        QVERIFY2(least.contains(u"%1 more …"_s.arg(legend.leftOut().size())), qPrintable(least.join(u'|')));
        QVERIFY2(!least.filter(times(31)).isEmpty(), qPrintable(least.join(u'|')));
        QVERIFY(legend.toolTip().contains(legend.leftOut().last()));
        QVERIFY(legend.toolTip().contains(words(NodeLook::BuildFailed)));
    }
    void everyNodeStandsOutFromItsGround();
    void theOverviewIsOfTheLineageThatIsShown();
    void everyCandidateStandsInItsBandAndColumn();
    void noTwoNodesShareAPlace();
    void everyParentHasAnEdgeAndNothingElseHas();
    void ancestryIsEveryoneACandidateCameFrom();
    void shapesSayTheOutcome();
    void theColoursSpanWhatWasMeasuredAlsoBeforeAnythingIsConfirmed();
    void whatWaitsForAPersonAndWhatTheyRejectedLookDifferent();
    void aProposalThatWasNotUsedIsAGhost();
    void aPointFindsTheNodeThatStandsThere();
    void anEmptyRunHasNoNodes();
    void zoomingKeepsThePointUnderThePointer();
    void thePlaneNeverLeavesTheView();
    void aClickSelectsEverywhere();
    void arrowsWalkFromNodeToNode();
    void draggingPansAndSelectsNothing();
    void aNodeHasTheMenuOfItsCandidate();
    void aDoubleClickComesCloserAndZeroShowsAll();
    void theTableTwinNamesTheSameParents();
    void withoutASessionTheViewSaysSo();
    void aGrownRunIsLaidOutAnew();
    void aLongRunIsLaidOutWithoutBlocking();
    void ancestryDimsTheOthers();
    void aClickOnAnIslandDimsTheOtherIslands();
    void everyAncestralEdgeInViewIsDrawnWhileTheyAreFew();
    void aLabelCoversAsFewNodesAsItCan();
    void withManyAncestorsTheFirstParentsAreDrawnAndTheTitleSaysSo();
};

/// The one of another session, which is empty at first, may be followed by one that lies at the same address.
/// The worst ones were nearly black on a dark ground.
void TestLineage::everyNodeStandsOutFromItsGround()
{
    for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Contrast}) {
        Theme::instance().apply(kind);
        for (const float shade : {0.0F, 0.1F, 0.5F, 0.9F, 1.0F})
            for (const NodeLook look : {NodeLook::Ranked, NodeLook::Best}) {
                QImage image(24, 24, QImage::Format_RGB32);
                image.fill(tokens().panel);
                QPainter painter(&image);
                drawNode(painter, {12, 12}, 8, look, shade, false);
                painter.end();
                double most = 0; // along the middle row: the edge, at least
                for (int x = 0; x < image.width(); ++x)
                    most = std::max(most, contrast(image.pixelColor(x, 12), tokens().panel));
                QVERIFY2(most >= 2.9, qPrintable(u"%1 at %2: %3"_s.arg(nameOf(kind)).arg(shade).arg(most)));
            }
    }
    Theme::instance().apply(ThemeKind::Dark);
}

void TestLineage::theOverviewIsOfTheLineageThatIsShown()
{
    FixtureRun run;
    run.grow(60);
    LineageView view;
    LineageMap map(&view);
    view.resize(600, 300);
    view.show(std::make_shared<const Lineage>());
    const QImage empty = map.grab().toImage();
    view.show(std::make_shared<const Lineage>()); // the first one is gone, and nothing was painted
    view.show(std::make_shared<const Lineage>(lineageOf(run.state())));
    view.fit();
    QVERIFY(map.grab().toImage() != empty);
    const QImage before = map.grab().toImage();
    LineageMap fresh(&view);
    QCOMPARE(before, fresh.grab().toImage());
}

void TestLineage::everyCandidateStandsInItsBandAndColumn()
{
    FixtureRun run;
    run.grow(400);
    const Lineage lineage = lineageOf(run.state());
    QCOMPARE(lineage.islands, 4);
    for (const Candidate& candidate : run.state().candidates) {
        const LineageNode& node = nodeOf(lineage, candidate.id);
        QCOMPARE(node.candidate, candidate.id);
        QCOMPARE(lineage.columnAt(node.x), candidate.generation);
        QCOMPARE(static_cast<std::int64_t>(node.y / lineage.bandHeight()) + 1, candidate.island.value);
        QCOMPARE(node.shade >= 0, candidate.isRanked());
    }
}

void TestLineage::noTwoNodesShareAPlace()
{
    FixtureRun run;
    run.grow(1500);
    const Lineage lineage = lineageOf(run.state());
    std::set<std::pair<float, float>> places;
    for (const LineageNode& node : lineage.nodes)
        places.emplace(node.x, node.y);
    QCOMPARE(places.size(), lineage.nodes.size());
}

void TestLineage::everyParentHasAnEdgeAndNothingElseHas()
{
    FixtureRun run;
    run.grow(400);
    const Lineage lineage = lineageOf(run.state());
    std::size_t migrations = 0, migrated = 0;
    for (const Candidate& candidate : run.state().candidates) {
        const auto to = static_cast<std::size_t>(lineage.nodeOf(candidate.id));
        std::vector<CandidateId> parents;
        for (int i = lineage.edgeStart[to]; i < lineage.edgeStart[to + 1]; ++i) {
            const LineageEdge& edge = lineage.edges[static_cast<std::size_t>(i)];
            parents.push_back(lineage.nodes[static_cast<std::size_t>(edge.from)].candidate);
            migrations += edge.kind == EdgeKind::Migration ? 1 : 0;
        }
        QCOMPARE(parents, candidate.parents);
        migrated += candidate.migrated ? 1 : 0;
    }
    QVERIFY(migrated > 0);
    QCOMPARE(migrations, migrated);
}

void TestLineage::ancestryIsEveryoneACandidateCameFrom()
{
    FixtureRun run;
    run.grow(400);
    const Lineage lineage = lineageOf(run.state());
    const Candidate& best = *run.state().best();
    std::set<CandidateId> wanted{best.id};
    for (std::vector<CandidateId> open{best.id}; !open.empty();) {
        const Candidate& one = *run.state().candidate(open.back());
        open.pop_back();
        for (const CandidateId parent : one.parents)
            if (wanted.insert(parent).second)
                open.push_back(parent);
    }
    std::set<CandidateId> found;
    for (const int node : lineage.ancestry(lineage.nodeOf(best.id)))
        found.insert(lineage.nodes[static_cast<std::size_t>(node)].candidate);
    QVERIFY(wanted.size() > 3);
    QCOMPARE(found, wanted);
}

void TestLineage::shapesSayTheOutcome()
{
    FixtureRun run;
    run.grow(400);
    const Lineage lineage = lineageOf(run.state());
    std::vector<double> highest(run.state().islands.size(), 0);
    std::set<NodeLook> seen;
    for (const Candidate& candidate : run.state().candidates) {
        const LineageNode& node = nodeOf(lineage, candidate.id);
        seen.insert(node.look);
        QCOMPARE(node.confirmed, candidate.confirmed);
        if (!candidate.isRanked()) {
            QCOMPARE(node.look == NodeLook::BuildFailed, candidate.outcome == Outcome::BuildFailed);
            QCOMPARE(node.look == NodeLook::Refused, candidate.outcome == Outcome::Refused);
            QCOMPARE(node.look == NodeLook::RunFailed, candidate.outcome == Outcome::RunFailed);
            continue;
        }
        double& best = highest[static_cast<std::size_t>(candidate.island.value - 1)];
        QCOMPARE(node.look, candidate.score->value > best ? NodeLook::Best : NodeLook::Ranked);
        best = std::max(best, candidate.score->value);
    }
    for (const NodeLook look :
        {NodeLook::Best, NodeLook::Ranked, NodeLook::BuildFailed, NodeLook::Refused, NodeLook::RunFailed})
        QVERIFY2(seen.contains(look), qPrintable(words(look)));
    QCOMPARE(lineage.best, lineage.nodeOf(run.state().best()->id));
    QCOMPARE(lineage.scale->top, run.state().best()->score->value);
}

void TestLineage::theColoursSpanWhatWasMeasuredAlsoBeforeAnythingIsConfirmed()
{
    FixtureRun run;
    run.grow(60);
    RunState state = run.state();
    state.incumbent = CandidateId{1}; // nothing but the seed is confirmed yet
    double top = 1;
    for (const Island& island : state.islands)
        if (const Candidate* best = state.candidate(island.best))
            top = std::max(top, best->score->value);
    QVERIFY(top > 1.5);
    const Lineage lineage = lineageOf(state);
    QCOMPARE(lineage.scale->top, top);
    std::set<float> shades;
    for (const LineageNode& node : lineage.nodes)
        if (node.shade >= 0)
            shades.insert(node.shade);
    QVERIFY(shades.size() > 10); // and not all at the upper end
    QVERIFY(std::ranges::count_if(shades, [](float shade) { return shade < 0.99F; }) > 10);
    QCOMPARE(lineageOf(FixtureRun().state()).scale, std::nullopt); // one score: there is nothing to tell apart
}

void TestLineage::whatWaitsForAPersonAndWhatTheyRejectedLookDifferent()
{
    FixtureRun run;
    run.grow(10);
    const CandidateId one = run.awaitReview({}), other = run.awaitReview({});
    run.decide(one, Decision::Rejected, "too clever");
    const Lineage lineage = lineageOf(run.state());
    QCOMPARE(nodeOf(lineage, one).look, NodeLook::Rejected);
    const CandidateId edited = run.awaitReview({}), made = run.awaitReview({});
    run.decide(edited, Decision::Edited, {}, made);
    QCOMPARE(nodeOf(lineageOf(run.state()), edited).look, NodeLook::Edited);
    QCOMPARE(nodeOf(lineage, other).look, NodeLook::Waiting);
}

void TestLineage::aProposalThatWasNotUsedIsAGhost()
{
    FixtureRun run;
    run.grow(10);
    const std::size_t before = lineageOf(run.state()).nodes.size();
    run.answer(run.ask("writer", "Make it fast."), "no patch in here", 0);
    const Lineage lineage = lineageOf(run.state());
    QCOMPARE(lineage.nodes.size(), before + 1);
    const auto ghost = std::ranges::find(lineage.nodes, NodeLook::NotApplied, &LineageNode::look);
    QVERIFY(ghost != lineage.nodes.end());
    QVERIFY(!ghost->candidate);
    QCOMPARE(ghost->proposal.value, static_cast<std::int64_t>(run.state().proposals.size()));
    QCOMPARE(ghost->generation, 1);
}

void TestLineage::aPointFindsTheNodeThatStandsThere()
{
    FixtureRun run;
    run.grow(700);
    const Lineage lineage = lineageOf(run.state());
    for (std::size_t i = 0; i < lineage.nodes.size(); ++i)
        QCOMPARE(lineage.nodeAt(lineage.nodes[i].x + 0.3F, lineage.nodes[i].y - 0.3F), static_cast<int>(i));
    QCOMPARE(lineage.nodeAt(-1, 1), -1);
    QCOMPARE(lineage.nodeAt(lineage.width() + 1, 1), -1);
    QCOMPARE(lineage.nodeAt(1, lineage.height() + 1), -1);
}

void TestLineage::anEmptyRunHasNoNodes()
{
    const Lineage lineage = lineageOf(RunState{});
    QVERIFY(lineage.empty());
    QCOMPARE(lineage.nodeAt(0, 0), -1);
    QCOMPARE(lineage.nodeOf(CandidateId{1}), -1);
    QVERIFY(lineage.ancestry(0).empty());
}

void TestLineage::zoomingKeepsThePointUnderThePointer()
{
    LineageCamera camera;
    camera.setSizes({600, 100}, {900, 250});
    QVERIFY(camera.isFitted());
    const QPointF at(420, 130), before = camera.unitAt(at);
    camera.zoom(4, at);
    QVERIFY((camera.unitAt(at) - before).manhattanLength() < 1e-9);
    QVERIFY(!camera.isFitted());
    for (int i = 0; i < 20; ++i)
        camera.zoom(0.5, at);
    QVERIFY(camera.isFitted());
    QCOMPARE(camera.seen(), QRectF(0, 0, 600, 100));
}

void TestLineage::thePlaneNeverLeavesTheView()
{
    LineageCamera camera;
    camera.setSizes({600, 100}, {900, 250});
    camera.zoom(6, {10, 10});
    for (const QPointF& by : {QPointF(1e6, 1e6), QPointF(-1e6, -1e6), QPointF(1e6, -1e6)}) {
        camera.pan(by);
        QVERIFY(QRectF(-1e-6, -1e-6, 600.001, 100.001).contains(camera.seen()));
    }
}

void TestLineage::aLabelCoversAsFewNodesAsItCan()
{
    LineageTheatre stage;
    const LineageScene& scene = stage.view->scene();
    const QSizeF size(44, 15);
    const auto covered = [&](const QRectF& box) {
        int count = 0;
        for (const LineageNode& other : scene.lineage->nodes) {
            const QPointF at = scene.pixelOf(other);
            count += box.intersects(
                QRectF(at.x() - scene.radius(), at.y() - scene.radius(), 2 * scene.radius(), 2 * scene.radius()));
        }
        return count;
    };
    int above = 0, placed = 0, misread = 0, misreadAbove = 0;
    for (int node = 0; node < static_cast<int>(scene.lineage->nodes.size()); ++node) {
        const LineageNode& its = scene.lineage->nodes[static_cast<std::size_t>(node)];
        const QPointF centre = scene.pixelOf(its);
        const QRectF box = scene.labelBox(node, size);
        QVERIFY(scene.area.contains(box));
        QVERIFY(!box.contains(centre)); // its own node is seen beside it
        QRectF over(QPointF(), size);
        over.moveCenter({centre.x(), centre.y() - scene.radius() - px(8) - size.height() / 2});
        if (!scene.area.contains(over))
            continue;
        misread += scene.isAmbiguous(node, box);
        misreadAbove += scene.isAmbiguous(node, over);
        above += covered(over);
        placed += covered(box);
        QVERIFY(covered(box) <= covered(over));
    }
    QVERIFY2(misread < misreadAbove, qPrintable(u"%1 of %2 are near to another"_s.arg(misread).arg(misreadAbove)));
    QVERIFY2(above > 0 && placed < above, qPrintable(u"%1 covered of %2"_s.arg(placed).arg(above)));
}

void TestLineage::aClickSelectsEverywhere()
{
    LineageTheatre stage;
    QVERIFY(stage.view->isVisible());
    for (const std::int64_t id : {7, 40, 90}) {
        QTest::mouseClick(stage.view, Qt::LeftButton, {}, stage.view->placeOf(CandidateId{id}));
        QCOMPARE(stage.window->selection().current().value, id);
    }
    stage.window->selection().back();
    QCOMPARE(stage.window->selection().current().value, 40);
}

void TestLineage::arrowsWalkFromNodeToNode()
{
    LineageTheatre stage;
    const Candidate& best = *stage.run.state().best();
    stage.window->selection().select(best.id);
    QTest::keyClick(stage.view, Qt::Key_Left);
    QCOMPARE(stage.window->selection().current(), best.parents.front());
    const int column = stage.run.state().candidate(best.parents.front())->generation;
    QTest::keyClick(stage.view, Qt::Key_Right);
    QCOMPARE(stage.run.state().candidate(stage.window->selection().current())->generation, column + 1);
    std::set<CandidateId> visited;
    for (int i = 0; i < 200; ++i)
        QTest::keyClick(stage.view, Qt::Key_Up);
    for (int i = 0; i < 200; ++i) {
        visited.insert(stage.window->selection().current());
        QTest::keyClick(stage.view, Qt::Key_Down);
    }
    std::set<CandidateId> wanted;
    for (const Candidate& candidate : stage.run.state().candidates)
        if (candidate.generation == column + 1)
            wanted.insert(candidate.id);
    QCOMPARE(visited, wanted); // all of a generation, over the islands
}

void TestLineage::aNodeHasTheMenuOfItsCandidate()
{
    LineageTheatre stage;
    const CandidateId id{7};
    const auto menu = [&stage] {
        const auto menus = stage.window->findChildren<QMenu*>(u"candidateMenu"_s);
        return menus.isEmpty() ? nullptr : menus.last();
    };
    const QPoint at = stage.view->placeOf(id);
    QContextMenuEvent click(QContextMenuEvent::Mouse, at, stage.view->mapToGlobal(at));
    QCoreApplication::sendEvent(stage.view, &click);
    QCOMPARE(stage.window->selection().current(), id);
    QVERIFY(menu());
    QVERIFY(menu()->isVisible());
    QVERIFY(menu()->accessibleName().contains(nameOfCandidate(id)));
    QVERIFY(menu()->actions().contains(&stage.window->actions()[u"candidate.ban"_s]));
    menu()->close();
    // By the keyboard: of the node that is selected.
    stage.window->selection().select(CandidateId{9});
    QContextMenuEvent key(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(stage.view, &key);
    QVERIFY(menu()->accessibleName().contains(nameOfCandidate({9})));
    menu()->close();
    // Beside the nodes there is none.
    const qsizetype menus = stage.window->findChildren<QMenu*>(u"candidateMenu"_s).size();
    QContextMenuEvent aside(QContextMenuEvent::Mouse, {1, 1}, stage.view->mapToGlobal(QPoint(1, 1)));
    QCoreApplication::sendEvent(stage.view, &aside);
    QVERIFY(stage.window->findChildren<QMenu*>(u"candidateMenu"_s).size() <= menus);
    QCOMPARE(stage.window->selection().current(), CandidateId{9});
}

void TestLineage::draggingPansAndSelectsNothing()
{
    LineageTheatre stage(600);
    const CandidateId before = stage.window->selection().current();
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(stage.view, Qt::Key_Plus);
    const QRectF seen = stage.view->scene().camera.seen();
    QVERIFY(seen.width() < stage.lineage().width());
    const QPoint middle = stage.view->rect().center();
    QTest::mousePress(stage.view, Qt::LeftButton, {}, middle);
    QTest::mouseMove(stage.view, middle + QPoint(30, 5));
    QTest::mouseMove(stage.view, middle + QPoint(60, 10));
    QTest::mouseRelease(stage.view, Qt::LeftButton, {}, middle + QPoint(60, 10));
    QVERIFY(stage.view->scene().camera.seen() != seen);
    QCOMPARE(stage.window->selection().current(), before);
    const QRectF dragged = stage.view->scene().camera.seen();
    QTest::keyClick(stage.view, Qt::Key_Left, Qt::ShiftModifier);
    QTest::keyClick(stage.view, Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(stage.view->scene().camera.seen() != dragged);
    QCOMPARE(stage.window->selection().current(), before);
}

void TestLineage::aDoubleClickComesCloserAndZeroShowsAll()
{
    LineageTheatre stage(600);
    const QRectF whole = stage.view->scene().camera.seen();
    QTest::mouseDClick(stage.view, Qt::LeftButton, {}, stage.view->rect().center());
    QVERIFY(stage.view->scene().camera.seen().height() < whole.height()
        || stage.view->scene().camera.seen().width() < whole.width());
    QTest::keyClick(stage.view, Qt::Key_0);
    QCOMPARE(stage.view->scene().camera.seen(), whole);
}

void TestLineage::theTableTwinNamesTheSameParents()
{
    LineageTheatre stage;
    stage.window->actions()[u"view.table"_s].trigger();
    auto* table = stage.find<Table>(u"lineageTable"_s);
    QVERIFY(table->isVisible());
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const auto cell = [&](CandidateModel::Column column) {
            return table->model()->index(row, static_cast<int>(column)).data().toString();
        };
        const Candidate& candidate
            = *stage.run.state().candidate(candidateFromName(cell(CandidateModel::Column::Name).toStdString()));
        QStringList parents;
        for (const CandidateId parent : candidate.parents)
            parents << nameOfCandidate(parent);
        QCOMPARE(cell(CandidateModel::Column::Parents), parents.isEmpty() ? u"–"_s : parents.join(u" × "_s));
        QCOMPARE(cell(CandidateModel::Column::Generation).toInt(), candidate.generation);
    }
    stage.run.grow(20);
    stage.open();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(stage.run.state().candidates.size()));
}

void TestLineage::withoutASessionTheViewSaysSo()
{
    Theatre stage(5);
    stage.window->showScreen(u"evolve"_s);
    auto* view = stage.find<LineageView>(u"lineageView"_s);
    const QImage none = view->grab().toImage();
    QVERIFY(view->scene().lineage->empty());
    stage.open();
    QVERIFY(!view->scene().lineage->empty());
    QVERIFY(view->grab().toImage() != none);
    stage.client.close();
    QTRY_VERIFY_WITH_TIMEOUT(view->scene().lineage->empty(), patience);
}

void TestLineage::aGrownRunIsLaidOutAnew()
{
    LineageTheatre stage(60);
    for (int i = 0; i < 5; ++i) {
        stage.run.grow(7);
        stage.open();
        std::size_t candidates = 0;
        for (const LineageNode& node : stage.lineage().nodes)
            candidates += node.candidate ? 1 : 0;
        QCOMPARE(candidates, stage.run.state().candidates.size());
    }
}

void TestLineage::aLongRunIsLaidOutWithoutBlocking()
{
    Theatre stage(2500);
    auto* view = stage.find<LineageView>(u"lineageView"_s);
    stage.open();
    QVERIFY(view->scene().lineage->empty()); // it is being made elsewhere
    QTRY_VERIFY_WITH_TIMEOUT(view->scene().lineage->nodeOf(CandidateId{2500}) >= 0, patience);
    stage.run.grow(30);
    stage.open();
    stage.run.grow(30);
    stage.open(); // while the one before is on its way: the newest is shown in the end
    const CandidateId last = stage.run.state().candidates.back().id;
    QTRY_VERIFY_WITH_TIMEOUT(view->scene().lineage->nodeOf(last) >= 0, patience);
}

void TestLineage::ancestryDimsTheOthers()
{
    LineageTheatre stage;
    stage.window->selection().select(stage.run.state().best()->id);
    const LineageScene& scene = stage.view->scene();
    stage.view->setEmphasis(Emphasis::Ancestry);
    const std::vector<int> kept = scene.lineage->ancestry(scene.lineage->nodeOf(stage.run.state().best()->id));
    for (int i = 0; i < static_cast<int>(scene.lineage->nodes.size()); ++i)
        QCOMPARE(scene.isDimmed(i), !std::ranges::binary_search(kept, i));
    stage.view->setEmphasis(Emphasis::Survivors);
    std::size_t bright = 0;
    for (int i = 0; i < static_cast<int>(scene.lineage->nodes.size()); ++i)
        bright += scene.isDimmed(i) ? 0 : 1;
    std::set<CandidateId> alive;
    for (const Island& island : stage.run.state().islands) {
        alive.insert(island.members.begin(), island.members.end());
        for (const auto& [cell, elite] : island.niches)
            alive.insert(elite);
    }
    QCOMPARE(bright, alive.size());
}

void TestLineage::aClickOnAnIslandDimsTheOtherIslands()
{
    LineageTheatre stage;
    const LineageScene& scene = stage.view->scene();
    const auto all = static_cast<int>(scene.lineage->nodes.size());
    const auto titleSays = [&stage, all](int shown) {
        const QString words = u"· %1 of %2 nodes"_s.arg(shown).arg(all);
        const QList<QLabel*> labels = stage.window->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().endsWith(words); });
    };
    QVERIFY(titleSays(all));
    stage.window->selection().select(CandidateId{1}); // without ancestry, which is not dimmed
    const QImage before = stage.view->grab().toImage();
    auto* islands = stage.find<QListView>(u"islandList"_s);
    const auto click = [islands](int row) {
        QTest::mouseClick(
            islands->viewport(), Qt::LeftButton, {}, islands->visualRect(islands->model()->index(row, 0)).center());
    };
    click(1);
    QCOMPARE(stage.window->selection().islands(), std::set{IslandId{2}});
    int shown = 0;
    for (int i = 0; i < all; ++i) {
        const bool isOfIt = scene.lineage->nodes[static_cast<std::size_t>(i)].island == IslandId{2};
        QCOMPARE(scene.isDimmed(i), !isOfIt);
        shown += isOfIt ? 1 : 0;
    }
    QVERIFY(shown > 0 && shown < all);
    QVERIFY(titleSays(shown));
    // In the picture the island's own band stays as it was, another one becomes fainter.
    const QImage filtered = stage.view->grab().toImage();
    const auto inkOfBand = [&scene](const QImage& picture, int band) {
        const double high = scene.area.height() / scene.lineage->islands;
        std::array<int, 256> pixels{};
        for (int y = static_cast<int>(scene.area.top() + band * high) + 3;
             y < static_cast<int>(scene.area.top() + (band + 1) * high) - 3; ++y)
            for (int x = static_cast<int>(scene.area.left()); x < static_cast<int>(scene.area.right()); ++x)
                ++pixels[static_cast<std::size_t>(qGray(picture.pixel(x, y)))];
        const auto ground = std::ranges::max_element(pixels) - pixels.begin();
        double ink = 0;
        for (int light = 0; light < 256; ++light)
            ink += std::abs(light - static_cast<int>(ground)) * pixels[static_cast<std::size_t>(light)];
        return ink;
    };
    QVERIFY(inkOfBand(filtered, 2) < inkOfBand(before, 2) * 0.7);
    QVERIFY(inkOfBand(filtered, 1) > inkOfBand(before, 1) * 0.8);
    // What else stands out is chosen among the nodes of the island.
    stage.view->setEmphasis(Emphasis::Survivors);
    for (int i = 0; i < all; ++i) {
        const LineageNode& node = scene.lineage->nodes[static_cast<std::size_t>(i)];
        QCOMPARE(scene.isDimmed(i), node.island != IslandId{2} || !node.survives);
    }
    stage.view->setEmphasis(Emphasis::All);
    click(1); // once more: all are back
    QVERIFY(titleSays(all));
    QCOMPARE(stage.view->grab().toImage(), before);
}

void TestLineage::everyAncestralEdgeInViewIsDrawnWhileTheyAreFew()
{
    LineageTheatre stage;
    stage.window->selection().select(stage.run.state().best()->id);
    QVERIFY(!stage.view->ancestry().firstParentsOnly);
    std::size_t wanted = 0;
    for (const int node : stage.lineage().ancestry(stage.lineage().nodeOf(stage.run.state().best()->id)))
        wanted += stage.run.state()
                      .candidate(stage.lineage().nodes[static_cast<std::size_t>(node)].candidate)
                      ->parents.size();
    QVERIFY(wanted > 0);
    QCOMPARE(stage.view->ancestry().edges.size(), wanted);
    stage.window->selection().select(CandidateId{1}); // the seed came from nobody
    QVERIFY(stage.view->ancestry().edges.empty());
}

void TestLineage::withManyAncestorsTheFirstParentsAreDrawnAndTheTitleSaysSo()
{
    Theatre stage(300);
    auto* view = stage.find<LineageView>(u"lineageView"_s);
    const auto snapshot = std::make_shared<Snapshot>(*stage.run.snapshot());
    for (std::size_t i = 2; i < snapshot->run.candidates.size(); ++i) { // everyone a child of the two before
        Candidate& candidate = snapshot->run.candidates.edit(i);
        const auto id = static_cast<std::int64_t>(i) + 1;
        candidate.parents = {CandidateId{id - 2}, CandidateId{id - 1}};
        candidate.generation = static_cast<int>(i);
    }
    stage.client.publish(snapshot);
    stage.window->selection().select(CandidateId{299});
    QVERIFY(view->ancestry().firstParentsOnly);
    QCOMPARE(view->ancestry().edges.size(), std::size_t{149}); // 297, 295, … 1
    const auto titleSaysSo = [&stage] {
        const QList<QLabel*> labels = stage.window->findChildren<QLabel*>();
        return std::ranges::any_of(
            labels, [](const QLabel* label) { return label->text().contains(u"ancestry: first parents"_s); });
    };
    QVERIFY(titleSaysSo());
    stage.window->selection().select(CandidateId{20});
    QVERIFY(!view->ancestry().firstParentsOnly);
    QCOMPARE(view->ancestry().edges.size(), std::size_t{2 * 18 + 1});
    QVERIFY(!titleSaysSo());
}

TILEWRIGHT_TEST(TestLineage)

#include "test_lineage.moc"
