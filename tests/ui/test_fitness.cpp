// SPDX-License-Identifier: GPL-3.0-or-later
// The fitness plot: what its axes show against the run, the stretch that narrows the table, and what is kept of it.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fitness_of_run.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/fitness_changes.h"
#include "ui/evolve/fitness_data.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/plot/plot_labels.h"
#include "ui/widgets/table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>
#include <cmath>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::dataOf;
using test::FixtureRun;
using test::Theatre;

namespace {

/// A window with the plot in view.
struct FitnessStage : Theatre {
    PlotView* plot;
    Table* table;

    explicit FitnessStage(int candidates = 120)
        : Theatre(candidates)
        , plot(find<PlotView>(u"fitnessPlot"_s))
        , table(find<Table>(u"candidateTable"_s))
    {
        open();
        settle();
    }
    void settle()
    {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    void choose(const QString& name, int index)
    {
        auto* box = find<QComboBox>(name);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }
    /// With the mouse, over these values of the bottom axis.
    void drag(double from, double to, Qt::KeyboardModifiers with = Qt::NoModifier)
    {
        QWidget* canvas = plot->findChildren<QWidget*>().first();
        const int y = plot->area().center().y();
        const QPoint first(plot->pixelOf(from, 1).x(), y), last(plot->pixelOf(to, 1).x(), y);
        QTest::mousePress(canvas, Qt::LeftButton, with, first);
        for (int i = 1; i <= 4; ++i) {
            const QPointF at = QPointF(first) + QPointF(last - first) * i / 4;
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, with);
            QCoreApplication::sendEvent(canvas, &move);
        }
        QTest::mouseRelease(canvas, Qt::LeftButton, with, last);
    }
    const std::optional<RunRange>& range() { return window->selection().range(); }
};

} // namespace

class TestFitness : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueStandsWhereTheRunSays()
    {
        FixtureRun run;
        run.grow(150);
        const RunState& state = run.state();
        for (int value = 0; value < fitnessValues; ++value) {
            const FitnessLook look{RunAxis::Evaluation, static_cast<FitnessValue>(value), {}, {}};
            const FitnessData data = dataOf(state, look);
            int dots = 0;
            for (qsizetype s = 0; s < data.series.size(); ++s) {
                const PlotSeries& series = data.series[s];
                QVERIFY(std::ranges::is_sorted(series.x));
                if (look.value == FitnessValue::Time) // the best is the lowest
                    QVERIFY(std::ranges::is_sorted(series.stepY, std::ranges::greater()));
                else
                    QVERIFY(std::ranges::is_sorted(series.stepY));
                for (qsizetype i = 0; i < series.x.size(); ++i, ++dots) {
                    const Candidate& candidate
                        = *state.candidate(data.candidates[static_cast<std::size_t>(s)][static_cast<std::size_t>(i)]);
                    QCOMPARE(series.x[i], static_cast<double>(candidate.resultNumber));
                    QCOMPARE(series.y[i], heightOf(*fitnessOf(state, candidate, look.value), data));
                }
            }
            QVERIFY2(dots > 0, qPrintable(nameOf(look.value)));
            QVERIFY(!data.references.isEmpty());
        }
    }

    void theVendorStandsWhereItsOwnMeasurementsSayWhoeverIsBest()
    {
        FixtureRun run;
        run.grow(150);
        RunState state = run.state();
        // The two newest confirmations found the baseline slower, and faster, than the others did.
        std::vector<std::size_t> confirmations;
        for (std::size_t i = 0; i < state.evaluations.size(); ++i)
            if (state.evaluations[i].result.purpose == Purpose::Confirm)
                confirmations.push_back(i);
        QVERIFY(confirmations.size() >= 3);
        const auto scale = [&](std::size_t at, double by) {
            Interval& score = *state.evaluations.edit(at).result.score;
            score = {score.value * by, score.lo * by, score.hi * by};
        };
        scale(confirmations.back(), 0.87);
        scale(confirmations[confirmations.size() - 2], 1.14);
        const auto vendorLine = [](const RunState& of) {
            const FitnessData data = dataOf(of, {RunAxis::Evaluation, FitnessValue::Score, {}, {}});
            const auto found = std::ranges::find_if(
                data.references, [](const PlotReference& line) { return line.label.startsWith(u"vendor"_s); });
            return found == data.references.end() ? PlotReference() : *found;
        };
        const PlotReference line = vendorLine(state);
        QVERIFY2(std::abs(line.y / 52 - 1) < 0.01, qPrintable(line.label));
        QVERIFY(line.band && line.band->first < 52 * 0.875 && line.band->second > 52 * 1.135);
        QVERIFY2(line.label.contains(times(line.band->first)) && line.label.contains(times(line.band->second)),
            qPrintable(line.label));
        FitnessStage stage;
        stage.plot->grab();
        stage.settle();
        const auto hovered = [&](const QString& start) { // what stands beside the pointer on that name
            for (int x = stage.plot->area().left(); x < stage.plot->area().right(); x += 6)
                for (int y = stage.plot->area().top(); y < stage.plot->area().bottom(); y += 6) {
                    const int named = stage.plot->referenceNamedAt({x, y});
                    if (named < 0 || !stage.plot->references()[named].label.startsWith(start))
                        continue;
                    Q_EMIT stage.plot->referenceNamed(named, {x, y});
                    return stage.plot->findChild<PlotHover*>()->accessibleName();
                }
            return QString();
        };
        QVERIFY2(hovered(u"vendor"_s).contains(u"median of "_s), qPrintable(hovered(u"vendor"_s)));
        for (const CandidateId best : {CandidateId{1}, state.incumbent, CandidateId{}}) {
            RunState other = state;
            other.incumbent = best;
            QCOMPARE(vendorLine(other).label, line.label);
        }
        // Against the vendor stands who was measured against it, and nobody else.
        const FitnessData against = dataOf(state, {RunAxis::Evaluation, FitnessValue::VersusVendor, {}, {}});
        for (const std::vector<CandidateId>& ids : against.candidates)
            for (const CandidateId id : ids)
                QVERIFY(state.candidate(id)->vsVendor);
    }

    void theDotsOfALongRunFollowItAndThePersonsChoiceIsThereAtOnce()
    {
        FitnessStage stage(5500);
        const auto dots = [&stage] {
            qsizetype all = 0;
            for (const PlotSeries& series : stage.plot->series())
                all += series.x.size();
            return all;
        };
        const auto measured = [&stage] {
            qsizetype all = 0;
            for (const PlotSeries& series : dataOf(stage.run.state(), {}).series)
                all += series.x.size();
            return all;
        };
        QTRY_COMPARE_WITH_TIMEOUT(dots(), measured(), patience);
        stage.run.grow(30);
        stage.open();
        stage.run.grow(30);
        stage.open(); // while the one before may be on its way
        QTRY_COMPARE_WITH_TIMEOUT(dots(), measured(), patience);
        stage.run.grow(30);
        stage.open();
        stage.choose(u"fitnessAxis"_s, static_cast<int>(RunAxis::Generation));
        double last = 0;
        for (const PlotSeries& series : stage.plot->series())
            for (const double x : series.x)
                last = std::max(last, x);
        int deepest = 0;
        for (const Candidate& candidate : stage.run.state().candidates)
            deepest = std::max(deepest, candidate.generation);
        QVERIFY(deepest < 5000 && last < deepest + 1); // no evaluations any more
        QTRY_COMPARE_WITH_TIMEOUT(dots(), measured(), patience);
    }

    void aTimeIsTheGeometricMeanOfTheTrainingShapes()
    {
        FixtureRun run;
        run.grow(30);
        const RunState& state = run.state();
        for (const Candidate& candidate : state.candidates) {
            if (!candidate.isRanked())
                continue;
            double logs = 0;
            int shapes = 0;
            for (const ShapeResult& shape : state.evaluation(candidate.latest)->result.shapes)
                if (shape.split == ShapeSplit::Train)
                    logs += std::log(shape.candidateNs), ++shapes;
            const auto time = fitnessOf(state, candidate, FitnessValue::Time);
            QCOMPARE(time.has_value(), shapes > 0);
            if (time)
                QVERIFY(std::abs(*time / std::exp(logs / shapes) - 1) < 1e-12);
        }
        const FitnessData data = dataOf(state, {RunAxis::Evaluation, FitnessValue::Time, {}, {}});
        QVERIFY2(
            data.valueName.contains(u"ms"_s) || data.valueName.contains(u"µs"_s) || data.valueName.contains(u"ns"_s),
            qPrintable(data.valueName));
        double least = 1e300, most = 0; // a wide range is in the unit of its middle: no tick of 20 000 µs
        for (const PlotSeries& series : data.series)
            for (const double value : series.y)
                least = std::min(least, value), most = std::max(most, value);
        QVERIFY(std::sqrt(least * most) >= 1 && std::sqrt(least * most) < 1000);
    }

    void costIsWhatWasSpentUntilThen()
    {
        FixtureRun run;
        run.grow(20);
        QCOMPARE(
            RunPlaces(run.state(), RunAxis::Cost).of(run.state().candidates.back()), noPlace); // nothing was priced
        RunState state = run.state();
        for (int i = 0; i < 3; ++i) {
            ModelRequest modelRequest;
            modelRequest.id = {static_cast<std::int64_t>(state.modelRequests.size()) + 1};
            modelRequest.state = ModelRequestState::Complete;
            modelRequest.answeredNs = state.candidates[static_cast<std::size_t>(5 + 5 * i)].finishedNs;
            if (i != 1)
                modelRequest.answer.costMicroUsd = 20'000;
            state.modelRequests.push_back(modelRequest);
        }
        const RunPlaces places(state, RunAxis::Cost);
        double last = 0;
        for (const Candidate& candidate : state.candidates) {
            if (candidate.resultNumber == 0)
                continue;
            const double spent = (candidate.finishedNs >= state.modelRequests[0].answeredNs ? 0.02 : 0)
                + (candidate.finishedNs >= state.modelRequests[2].answeredNs ? 0.02 : 0);
            QCOMPARE(places.of(candidate), spent);
            last = std::max(last, spent);
        }
        QCOMPARE(last, 0.04);
        QVERIFY(!dataOf(state, {RunAxis::Cost, FitnessValue::Score, {}, {}}).series.first().x.isEmpty());
    }

    void aLookComesBackAsItWas()
    {
        FitnessLook look{RunAxis::WallTime, FitnessValue::Time, true, RunRange{RunAxis::Evaluation, 3.5, 20}};
        const FitnessLook back = fitnessLookFrom(toJson(look));
        look.migrations = false;
        QVERIFY(!fitnessLookFrom(toJson(look)).migrations);
        look.migrations = true;
        look.range = std::nullopt; // it is of this sitting
        QVERIFY(back == look);
        QVERIFY(fitnessLookFrom(toJson(FitnessLook())) == FitnessLook());
        for (const char* nonsense : {"", "[]", "{\"axis\":99,\"value\":-1,\"logarithmic\":3}", "\xff"})
            QVERIFY(fitnessLookFrom(nonsense) == FitnessLook());
        QVERIFY(fitnessLookName(u"/a/b.tilewright"_s) != fitnessLookName(u"/a/c.tilewright"_s));
    }

    void aStretchReadsLikeOne()
    {
        QCOMPARE(words(RunRange{RunAxis::Evaluation, 11.2, 40.9}), u"evaluation 12–40"_s);
        QCOMPARE(words(RunRange{RunAxis::Generation, 2.7, 3.3}), u"generation 3"_s);
        QCOMPARE(words(RunRange{RunAxis::WallTime, -1, 7.52}), u"0.0–7.5 min"_s);
        QCOMPARE(words(RunRange{RunAxis::Cost, 0.02, 0.311}), u"$0.02–$0.31"_s);
    }

    void labelsOfTicksStandInRows_data()
    {
        QTest::addColumn<QVector<double>>("ticks");
        QTest::addColumn<QVector<double>>("lefts"); // of the labels' boxes; -1: left out
        QTest::addColumn<QVector<int>>("rows");
        using Places = QVector<double>;
        using Rows = QVector<int>;
        // Labels are 40 wide, the plot goes from 100 to 300.
        QTest::newRow("apart") << Places{120, 200} << Places{120, 200} << Rows{0, 0};
        QTest::newRow("at the right edge") << Places{290} << Places{250} << Rows{0};
        QTest::newRow("near each other") << Places{120, 150} << Places{120, 150} << Rows{1, 0};
        QTest::newRow("at the left edge") << Places{105, 110} << Places{105, 110} << Rows{1, 0};
        QTest::newRow("outside") << Places{90, 310} << Places{-1, -1} << Rows{0, 0};
        QTest::newRow("at one place") << Places{200, 200, 200} << Places{200, 200, -1} << Rows{0, 1, 0};
        // A word between two ticks is of the left one: what has no room at its right is left out.
        QTest::newRow("three near each other") << Places{150, 180, 190} << Places{150, -1, 190} << Rows{1, 0, 0};
        QTest::newRow("near others at the right edge") << Places{240, 290} << Places{240, -1} << Rows{0, 0};
        QTest::newRow("beside what is taken") << Places{130} << Places{130} << Rows{1};
    }

    void namesAtTheEndsOfLinesStandAroundTheirCommonMiddle()
    {
        const auto placed = [](const QVector<double>& wanted) {
            QVector<double> found; // −1: none
            for (const auto& middle : placeEndLabels(wanted, 10, 0, 400))
                found << middle.value_or(-1);
            return found;
        };
        QCOMPARE(placed({}), QVector<double>());
        QCOMPARE(placed({100, 100, 100, 100, 100}), (QVector<double>{80, 90, 100, 110, 120})); // as five islands begin
        QCOMPARE(placed({105, 300, 100}), (QVector<double>{107.5, 300, 97.5}));
        QCOMPARE(placed({398, 399}), (QVector<double>{385, 395}));
        QCOMPARE(placed({2, 1}), (QVector<double>{15, 5}));
        QCOMPARE(placed(QVector<double>(9, 100)).count(-1), 2); // farther than three lines from their own
        QCOMPARE(placed({-100, 200}), (QVector<double>{-1, 200})); // out of what is seen
    }

    void labelsOfTicksStandInRows()
    {
        QFETCH(QVector<double>, ticks);
        QFETCH(QVector<double>, lefts);
        QFETCH(QVector<int>, rows);
        const bool hasTaken = QByteArray(QTest::currentDataTag()) == "beside what is taken";
        const QVector<QRectF> taken = hasTaken ? QVector<QRectF>{{100, 50, 60, 10}} : QVector<QRectF>();
        QVector<TickLabel> labels;
        for (const double tick : ticks)
            labels.append({tick, 40});
        const auto places = placeTickLabels(labels, QRectF(100, 50, 200, 100), {2, 12, 6}, taken);
        QCOMPARE(places.size(), ticks.size());
        for (int i = 0; i < places.size(); ++i) {
            QCOMPARE(places[i].has_value(), lefts[i] >= 0);
            if (places[i]) {
                QCOMPARE(places[i]->box, QRectF(lefts[i], 50 + 12 * rows[i], 40, 12));
                QVERIFY(places[i]->tickLength >= (rows[i] == 0 ? 6 : 24)); // down to its label
            }
        }
    }

    void noLabelOfThePlotLiesUponAnother_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1280, 800);
        QTest::newRow("large") << QSize(1680, 1050);
    }
    void noLabelOfThePlotLiesUponAnother()
    {
        QFETCH(QSize, size);
        FitnessStage stage;
        stage.window->resize(size);
        const double first = stage.plot->series().first().x.first(), last = stage.plot->series().first().x.last();
        QVector<PlotMark> marks;
        for (const double part : {0.0, 0.01, 0.02, 0.4, 0.43, 0.46, 0.97, 0.99, 1.0, 1.0})
            marks.append({first + part * (last - first), u"A paused by user"_s, Qt::white});
        for (const double vendor : {1.02, 1.6, 11.0}) { // beside the baseline, among the curves, above all
            stage.plot->setReferences({{1, u"baseline 1.00×"_s, true}, {vendor, u"vendor · cuBLASLt"_s, false}});
            stage.plot->setMarks(marks);
            stage.plot->setSeries(stage.plot->series());
            stage.plot->fit();
            stage.settle();
            stage.plot->grab();
            stage.settle();
            stage.plot->grab();
            const QVector<QRectF> boxes = stage.plot->labelBoxes();
            QVERIFY(boxes.size() >= 6);
            const QRectF room = QRectF(stage.plot->area()).adjusted(-2, -2, 2, 2);
            for (qsizetype i = 0; i < boxes.size(); ++i) {
                QVERIFY2(room.contains(boxes[i]),
                    qPrintable(u"%1 at %2, %3"_s.arg(vendor).arg(boxes[i].left()).arg(boxes[i].top())));
                for (qsizetype k = 0; k < i; ++k)
                    QVERIFY2(!boxes[i].adjusted(1, 2, -1, -2).intersects(boxes[k].adjusted(1, 2, -1, -2)),
                        qPrintable(u"%1: %2 and %3"_s.arg(vendor).arg(k).arg(i)));
            }
        }
    }

    void labelsThatWouldCrowdAreLeftOut()
    {
        PlotView plot;
        plot.resize(900, 400);
        plot.setAxes(u"×"_s, u"evaluation"_s);
        QVector<PlotSeries> all;
        for (int i = 0; i < 20; ++i) // twenty islands with the same best
            all << PlotSeries{u"%1 56.8×"_s.arg(i), Qt::red, {0, 60, 120}, {1, 30, 56.8}, {0, 60, 120}, {1, 30, 56.8}};
        plot.setSeries(all);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot, patience));
        plot.grab();
        QTRY_VERIFY_WITH_TIMEOUT(!plot.labelBoxes().isEmpty(), patience);
        // None is farther than three lines from the end of its own, above or below.
        QVERIFY2(plot.labelBoxes().size() <= 7, qPrintable(QString::number(plot.labelBoxes().size())));
        QVector<PlotMark> marks;
        for (int i = 0; i < 12; ++i)
            marks.append({10.0 * i, u"insights"_s, Qt::white});
        plot.setMarks(marks);
        plot.setSeries({all.first()});
        plot.fit();
        plot.grab();
        const auto names = [&] { return plot.labelBoxes().size() - 1; }; // but that of the line
        QTRY_VERIFY_WITH_TIMEOUT(names() >= 1, patience);
        QVERIFY2(names() <= 6, qPrintable(QString::number(names())));
    }

    void draggingWithShiftNarrowsTheTable()
    {
        FitnessStage stage;
        const QAbstractItemModelTester tester(stage.table->model());
        auto* chip = stage.find<QPushButton>(u"rangeChip"_s);
        const int all = stage.table->model()->rowCount();
        QVERIFY(!chip->isVisible());
        stage.drag(20, 60);
        QVERIFY(!stage.range()); // dragging alone pans
        stage.plot->fit();
        stage.settle();
        stage.drag(20, 60, Qt::ShiftModifier);
        QVERIFY(stage.range());
        QVERIFY(std::abs(stage.range()->from - 20) < 1 && std::abs(stage.range()->to - 60) < 1);
        QVERIFY(chip->isVisible());
        QCOMPARE(chip->text(), words(*stage.range()));
        const int left = stage.table->model()->rowCount();
        QVERIFY2(left > 30 && left < all, qPrintable(QString::number(left)));
        for (int row = 0; row < left; ++row) {
            const CandidateId id{stage.table->model()->index(row, 0).data(CandidateModel::IdRole).toLongLong()};
            const auto number = static_cast<double>(stage.run.state().candidate(id)->resultNumber);
            QVERIFY(number >= stage.range()->from && number <= stage.range()->to);
        }
        // It holds while the run grows, and a click on the chip lets go of it.
        stage.run.grow(5);
        stage.open();
        QCOMPARE(stage.table->model()->rowCount(), left);
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!stage.range());
        QVERIFY(!chip->isVisible());
        QCOMPARE(stage.table->model()->rowCount(), all + 5);
        // With the switch on, dragging alone does it.
        stage.find<QToolButton>(u"fitnessBrush"_s)->setChecked(true);
        stage.drag(30, 50);
        QVERIFY(stage.range());
    }

    void theStretchCanBeChosenByKeys()
    {
        FitnessStage stage;
        stage.plot->setFocus();
        QTest::keyClick(stage.plot, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(stage.range());
        const RunRange first = *stage.range();
        QTest::keyClick(stage.plot, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(stage.range()->to < first.to);
        QCOMPARE(stage.range()->from, first.from);
        QTest::keyClick(stage.plot, Qt::Key_Right, Qt::ShiftModifier | Qt::AltModifier);
        QVERIFY(stage.range()->from > first.from);
        QTest::keyClick(stage.plot, Qt::Key_Escape);
        QVERIFY(!stage.range());
    }

    void theScaleFollowsTheSwitch()
    {
        FitnessStage stage;
        auto* log = stage.find<QToolButton>(u"fitnessLog"_s);
        QCOMPARE(log->isChecked(), stage.plot->isLogarithmic()); // as the values ask for
        const bool before = stage.plot->isLogarithmic();
        QTest::mouseClick(log, Qt::LeftButton);
        QCOMPARE(stage.plot->isLogarithmic(), !before);
        QTest::mouseClick(log, Qt::LeftButton);
        QCOMPARE(stage.plot->isLogarithmic(), before);
    }

    void migrationsStandWhereTheyHappened()
    {
        FixtureRun run;
        run.grow(400); // one every 60 candidates that rank
        const RunState& state = run.state();
        QVERIFY(state.migrations.size() >= 2);
        const Tokens inks = tokensOf(ThemeKind::Dark);
        const auto all = [](IslandId) { return true; };
        const FitnessMigrations shown = migrationsOf(state, RunAxis::Evaluation, inks, all);
        QCOMPARE(shown.guides.size(), static_cast<qsizetype>(state.migrations.size()));
        const FitnessData data = dataOf(state, {});
        int rises = 0;
        for (std::size_t i = 0; i < state.migrations.size(); ++i) {
            const MigrationMark& migration = state.migrations[i];
            QVERIFY(state.candidate(migration.copy)->migrated);
            const PlotGuide& guide = shown.guides[static_cast<qsizetype>(i)];
            QCOMPARE(guide.x, static_cast<double>(migration.evaluations) + 0.5);
            QCOMPARE(guide.colour, islandColour(inks, migration.to));
            // The island's line rises on it, but where an evaluation that began before was better still.
            rises += migration.isBest && data.series[migration.to.value - 1].stepX.contains(guide.x) ? 1 : 0;
        }
        QVERIFY(rises > 0);
        QVERIFY(migrationsOf(state, RunAxis::Generation, inks, all).guides.isEmpty());
        QVERIFY(migrationsOf(state, RunAxis::Evaluation, inks, [](IslandId) { return false; }).guides.isEmpty());
        const MigrationMark& first = state.migrations[0];
        QVERIFY(migrationWords(state, first).startsWith(nameOfCandidate(first.from)));
    }

    /// By what it was, not by how its words end: those of a user may end in any way.
    void aLabelSaysWhatWasDoneToACandidate()
    {
        Theatre stage(20);
        const Candidate candidate = stage.run.state().candidates[5];
        const QString name = nameOfCandidate(candidate.id);
        const QString place = text(islandLetter(candidate.island)) + u' ' + name + u' ';
        const auto labelAfter = [&](EventBody body) {
            stage.run.put(std::move(body));
            return changeLabel(stage.run.state().changes.back());
        };
        const auto said = [&] { return changeSentence(stage.run.state().changes.back()); };
        const auto marked = [&](bool banned, bool pinned, double boost) {
            Marks marks;
            marks.banned = banned;
            marks.pinned = pinned;
            marks.boost = boost;
            return events::Marked{candidate.id, marks};
        };
        QCOMPARE(labelAfter(marked(true, false, 1)), place + u"banned"_s);
        QCOMPARE(labelAfter(marked(false, false, 1)), place + u"ban removed"_s);
        QCOMPARE(said(), name + u" ban removed (marks: banned → none)"_s);
        QCOMPARE(labelAfter(events::MarkUndone{candidate.id}), place + u"banned"_s); // as before the last word
        QCOMPARE(labelAfter(events::MarkUndone{candidate.id}), place + u"ban removed"_s);
        QCOMPARE(said(), name + u" ban removed (marks: banned → none, undone)"_s);
        QCOMPARE(labelAfter(marked(false, true, 2)), place + u"pinned"_s);
        QCOMPARE(labelAfter(marked(false, true, 3)), place + u"boosted"_s);
        QCOMPARE(labelAfter(marked(false, true, 1)), place + u"boost removed"_s);
        QCOMPARE(labelAfter(marked(true, false, 1)), place + u"banned"_s); // rather than that the pin went
        const std::string idea = "measuring what was taken back, and measuring";
        QCOMPARE(labelAfter(events::SteeringRequested{{{1}, candidate.id, 1, idea, 0, false}}),
            place + u"edits requested"_s);
        QCOMPARE(labelAfter(events::SteeringRequestCancelled{{1}}), place + u"request cancelled"_s);
        QCOMPARE(labelAfter(events::RerunAsked{{1}, candidate.id, 3, {}}), place + u"re-run"_s);
        QCOMPARE(labelAfter(events::RerunWithdrawn{{1}}), place + u"re-run cancelled"_s);
        QCOMPARE(labelAfter(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}}), u"B paused"_s);
        QCOMPARE(labelAfter(events::BudgetChanged{{500, 0, 0, 0}}), u"budget"_s);
        QCOMPARE(labelAfter(events::HintsChanged{{}, "of what was undone"}), u"hint"_s);
    }

    /// It stood on the axis as if it held.
    void aChangeThatWasTakenBackSaysSo()
    {
        FixtureRun run;
        run.grow(10);
        const CandidateId id = run.state().candidates[5].id;
        Marks banned;
        banned.banned = true;
        Marks pinned;
        pinned.pinned = true;
        run.put(events::Marked{id, pinned});
        run.put(events::Marked{id, banned});
        run.put(events::MarkUndone{id});
        run.put(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        run.put(events::IslandChangeUndone{run.state().newestIslandChange()->number});
        run.put(events::BudgetChanged{{500, 0, 0, 0}});
        const Tokens inks = tokensOf(ThemeKind::Dark);
        const FitnessChanges shown = changesOf(run.state(), RunAxis::Evaluation, inks, [](IslandId) { return true; });
        QStringList gone;
        for (const PlotMark& mark : shown.marks)
            if (mark.label.endsWith(u", undone"_s)) {
                gone << mark.label;
                QCOMPARE(mark.colour, inks.tertiary);
            }
        const QString name = nameOfCandidate(id);
        QCOMPARE(gone.size(), 2);
        QVERIFY2(gone.filter(name + u" banned, undone"_s).size() == 1, qPrintable(gone.join(u'|')));
        QVERIFY2(gone.contains(u"B paused, undone"_s), qPrintable(gone.join(u'|')));
        QVERIFY(std::ranges::any_of(shown.marks, [](const PlotMark& mark) { return mark.label == u"B resumed"_s; }));
    }

    /// Which of several of the same matter it was is in the record, not in how their words end.
    void ofTwoWishesThatOneIsTakenBackThatWas()
    {
        FixtureRun run;
        run.grow(10);
        const CandidateId id = run.state().candidates[5].id;
        const std::string idea = "what was tried before, undone";
        run.put(events::SteeringRequested{{{1}, id, 1, idea, 0, false}});
        run.put(events::SteeringRequested{{{2}, id, 1, idea, 0, false}});
        run.put(events::SteeringRequestCancelled{{1}});
        const auto& changes = run.state().changes;
        QCOMPARE(changes.size(), std::size_t(3));
        QCOMPARE(changes.back().takesBack, changes[0].seq);
        QVERIFY(takenBack(changes) == (std::vector<bool>{true, false, false}));
        run.put(events::HintsChanged{{}, "go on, undone"});
        QCOMPARE(changes.back().takesBack, std::int64_t(0));
        run.put(events::IslandStandingChanged{{2}, Standing::Paused, {}, {}, {}});
        const std::int64_t paused = changes.back().seq;
        run.put(events::IslandChangeUndone{run.state().newestIslandChange()->number});
        QCOMPARE(changes.back().takesBack, paused);
    }

    /// Where evaluations were withdrawn the count falls: what came later stands before what came earlier.
    void whatHappenedStandsInOrderOfItsPlace()
    {
        RunState state = FixtureRun().state();
        for (const std::int64_t evaluations : {3, 9, 7, 9, 5}) {
            RunChange change;
            change.what = "budget " + std::to_string(state.changes.size());
            change.evaluations = evaluations;
            state.changes.push_back(change);
            MigrationMark migration;
            migration.to = IslandId{1 + static_cast<std::int64_t>(state.migrations.size()) % 2};
            migration.evaluations = evaluations;
            state.migrations.push_back(migration);
        }
        const Tokens inks = tokensOf(ThemeKind::Dark);
        const auto all = [](IslandId) { return true; };
        const FitnessChanges changes = changesOf(state, RunAxis::Evaluation, inks, all);
        QVERIFY(std::ranges::is_sorted(changes.marks, {}, &PlotMark::x));
        QCOMPARE(changes.changes, (std::vector<std::size_t>{0, 4, 2, 1, 3}));
        const FitnessMigrations migrations = migrationsOf(state, RunAxis::Evaluation, inks, all);
        QVERIFY(std::ranges::is_sorted(migrations.guides, {}, &PlotGuide::x));
        QCOMPARE(migrations.migrations, (std::vector<std::vector<std::size_t>>{{0}, {4}, {2}, {1, 3}})); // one a moment
    }

    void wordsGoOnInTheNextLineOfThePlot()
    {
        const QFontMetricsF metrics(fontOf(Type::Prose));
        const auto widthOf = [&](const QString& words) { return metrics.horizontalAdvance(words); };
        QCOMPARE(brokenInto(widthOf(u"as in 3"_s) + 1, u"First\nas in 3 sessions"_s, metrics),
            u"First\nas in 3\nsessions"_s);
        QCOMPARE(brokenInto(5, u"whole words"_s, metrics), u"whole\nwords"_s);
        QCOMPARE(brokenInto(1000, u"as it is"_s, metrics), u"as it is"_s);
        const QString words = u"the machine is too busy to time: other programs take 3 of its 4 cores, and this waits "
                              u"until they are done"_s;
        for (const QSize& size : {QSize(320, 180), QSize(420, 200), QSize(900, 400)}) {
            PlotView plot;
            plot.setMessage(words);
            plot.resize(size);
            plot.grab();
            plot.grab(); // once it knows how wide it is
            QVERIFY(!plot.messageBox().isEmpty());
            QVERIFY2(QRectF(plot.area()).contains(plot.messageBox()),
                qPrintable(u"%1 of %2"_s.arg(plot.messageBox().width()).arg(plot.area().width())));
            QCOMPARE(plot.message(), words);
        }
    }

    /// Only the tick did, no dot was to be near, and what did not fit in a line was cut.
    void theNameOfAMarkTellsAllOfItToo()
    {
        FitnessStage stage;
        std::string hint = "stage both operands through shared memory";
        for (int i = 0; i < 12; ++i)
            hint += ", and keep the accumulators of tile " + std::to_string(i) + " in registers";
        stage.run.put(events::HintsChanged{{}, hint});
        stage.run.grow(30); // there is room for the name
        stage.open();
        stage.settle();
        stage.plot->grab();
        stage.settle();
        stage.plot->grab();
        const auto* card = stage.plot->findChild<PlotHover*>();
        const auto pointAt = [&stage](const QPoint& at) {
            QWidget* canvas = stage.plot->findChildren<QWidget*>().first();
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton, {});
            QCoreApplication::sendEvent(canvas, &move);
        };
        const QString sentence = changeSentence(stage.run.state().changes.back());
        QVERIFY(sentence.size() > 400);
        const PlotMark& mark = stage.plot->marks().last();
        const QPoint onTick(stage.plot->pixelOf(mark.x, 1).x(), stage.plot->area().top() + 2);
        QPoint onName;
        for (const QRectF& box : stage.plot->labelBoxes())
            if (const QPoint middle = box.center().toPoint();
                stage.plot->marksAt(middle).size() == 1 && std::abs(middle.x() - onTick.x()) < box.width())
                onName = middle;
        QVERIFY(!onName.isNull());
        for (const QPoint& at : {onTick, onName}) {
            pointAt(stage.plot->area().bottomRight());
            QVERIFY(!card->isVisible());
            pointAt(at);
            QVERIFY(card->isVisible());
            QVERIFY2(card->accessibleName().contains(sentence), qPrintable(card->accessibleName()));
            QVERIFY(stage.plot->rect().contains(card->geometry()));
        }
        // A migration tells who went where, wherever its line is free.
        stage.run.grow(400);
        stage.open();
        stage.settle();
        stage.plot->grab();
        stage.settle();
        const MigrationMark& migration = stage.run.state().migrations[0];
        const int x = stage.plot->pixelOf(stage.plot->guides().first().x, 1).x();
        QString told;
        for (int y = stage.plot->area().bottom() - 1; y > stage.plot->area().center().y() && told.isEmpty(); --y) {
            pointAt({x, y});
            if (card->isVisible() && card->accessibleName().contains(u"migration"_s))
                told = card->accessibleName();
        }
        QVERIFY2(told.contains(migrationWords(stage.run.state(), migration)), qPrintable(told));
    }

    void aCardWithManyLinesStaysInItsPlot()
    {
        QWidget plot;
        plot.resize(500, 200);
        PlotHover card(&plot);
        QStringList lines;
        for (int i = 0; i < 60; ++i)
            lines << u"change %1"_s.arg(i);
        card.show({}, u"60 changes"_s, {}, lines, QPoint(250, 10));
        QVERIFY2(plot.rect().contains(card.geometry()), qPrintable(QString::number(card.height())));
        QVERIFY(card.accessibleName().contains(u"change 59"_s)); // said all the same
    }

    void linesOfMigrationsCanBeSwitchedOff()
    {
        FitnessStage stage(400);
        auto* lines = stage.find<QToolButton>(u"fitnessMigrations"_s);
        QVERIFY(lines->isChecked());
        QVERIFY(stage.plot->longGuides() >= 2);
        const QPoint on(stage.plot->pixelOf(stage.plot->guides().first().x, 1).x(), stage.plot->area().center().y());
        QCOMPARE(stage.plot->guideAt(on), 0);
        QTest::mouseClick(lines, Qt::LeftButton);
        QVERIFY(stage.plot->guides().isEmpty());
        QTest::mouseClick(lines, Qt::LeftButton);
        QVERIFY(!stage.plot->guides().isEmpty());
        stage.choose(u"fitnessAxis"_s, static_cast<int>(RunAxis::Generation));
        QVERIFY(!lines->isEnabled());
        QVERIFY(stage.plot->guides().isEmpty());
    }

    void guidesWithoutRoomAreShort()
    {
        FitnessStage stage;
        const double first = stage.plot->series().first().x.first(), last = stage.plot->series().first().x.last();
        QVector<PlotGuide> guides;
        for (int i = 0; i < 400; ++i)
            guides.append({first + (last - first) * i / 400, Qt::white});
        stage.plot->setGuides(guides);
        stage.plot->setSeries(stage.plot->series());
        stage.settle();
        stage.plot->grab();
        QVERIFY(stage.plot->longGuides() > 10);
        QVERIFY(stage.plot->longGuides() <= stage.plot->area().width() / 10 + 1);
    }

    void aLogarithmicAxisShowsTheBulkAndCountsTheRest()
    {
        FitnessStage stage;
        PlotSeries series;
        series.colour = Qt::white;
        for (int i = 0; i < 100; ++i) {
            series.x.append(i);
            series.y.append(i % 25 == 3 ? 0.01 : 1 + i * 0.2); // four far below
        }
        const auto paint = [&stage] {
            stage.settle();
            stage.plot->grab();
            stage.settle();
            stage.plot->grab();
        };
        stage.plot->setReferences({{1, u"baseline 1.00×"_s, true}});
        stage.plot->setLogarithmic(true);
        stage.plot->setBulk(std::pair(1.0, 21.0));
        stage.plot->setSeries({series});
        stage.plot->fit();
        paint();
        QCOMPARE(stage.plot->outside(), std::pair(4, 0));
        const QRect room = stage.plot->area();
        QVERIFY(stage.plot->pixelOf(0, 0.01).y() > room.bottom());
        QVERIFY(stage.plot->pixelOf(0, 1).y() - stage.plot->pixelOf(0, 20).y() > room.height() / 2);
        QVERIFY(QRectF(room).contains(stage.plot->outsideBox()));
        for (int i = 0; i < 40; ++i) // the user's own way there
            QTest::keyClick(stage.plot, Qt::Key_Down);
        paint();
        QCOMPARE(stage.plot->outside().first, 0);
        stage.plot->fit();
        paint();
        QWidget* canvas = stage.plot->findChildren<QWidget*>().first();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, stage.plot->outsideBox().center().toPoint());
        paint();
        QCOMPARE(stage.plot->outside(), std::pair(0, 0));
        QVERIFY(stage.plot->pixelOf(0, 0.01).y() < room.bottom());
        stage.plot->setLogarithmic(false); // there the worst squeeze nobody
        stage.plot->fit();
        paint();
        QCOMPARE(stage.plot->outside(), std::pair(0, 0));
    }

    void whatIsOutOfViewLiesUponNoName_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1440, 900);
        QTest::newRow("large") << QSize(1680, 1050);
    }
    void whatIsOutOfViewLiesUponNoName()
    {
        QFETCH(QSize, size);
        FitnessStage stage;
        stage.window->resize(size);
        QVector<PlotSeries> series(2);
        for (int i = 0; i <= 100; ++i) {
            series[0].x.append(i);
            series[0].y.append(i >= 48 && i <= 52 ? 0.01 : 1 + i * 0.2); // in the middle some are far below
        }
        series[0].colour = Qt::white;
        series[1].colour = Qt::yellow;
        series[1].label = u"E 1.00×"_s; // its line ends low, at the right
        series[1].x = series[1].stepX = {0, 100};
        series[1].y = series[1].stepY = {1, 1};
        stage.plot->setReferences({{1, u"baseline 1.00×"_s, true}});
        stage.plot->setMarks({});
        stage.plot->setLogarithmic(true);
        stage.plot->setBulk(std::pair(0.7, 21.0));
        stage.plot->setSeries(series);
        stage.plot->fit();
        for (int i = 0; i < 2; ++i) {
            stage.settle();
            stage.plot->grab();
        }
        QCOMPARE(stage.plot->outside(), std::pair(5, 0));
        const QRectF count = stage.plot->outsideBox();
        QVERIFY(QRectF(stage.plot->area()).contains(count));
        const QVector<QRectF> names = stage.plot->labelBoxes(), marks = stage.plot->outsideMarks();
        QCOMPARE(names.size(), 2); // of the line and of the baseline
        QCOMPARE(marks.size(), 5);
        for (const QRectF& name : names) {
            QVERIFY(!name.intersects(count));
            for (const QRectF& mark : marks)
                QVERIFY(!name.intersects(mark));
        }
    }

    void theBulkReachesFromTheWorstTwentiethOrTheSeed()
    {
        FixtureRun run;
        run.grow(200);
        for (const FitnessValue value : {FitnessValue::Score, FitnessValue::Time}) {
            const FitnessData data = dataOf(run.state(), {RunAxis::Evaluation, value, {}, {}});
            QVERIFY(data.bulk.has_value());
            const double seed = heightOf(*fitnessOf(run.state(), *run.state().candidate({1}), value), data);
            QVERIFY(data.bulk->first <= seed && seed <= data.bulk->second);
            qsizetype all = 0, out = 0;
            for (const PlotSeries& series : data.series)
                for (const double y : series.y)
                    ++all, out += y < data.bulk->first || y > data.bulk->second ? 1 : 0;
            QVERIFY(out <= all / 20);
        }
    }

    void theLookIsKeptForItsSession()
    {
        FitnessStage stage;
        stage.choose(u"fitnessAxis"_s, static_cast<int>(RunAxis::WallTime));
        stage.choose(u"fitnessValue"_s, static_cast<int>(FitnessValue::Time));
        stage.window->selection().setRange(RunRange{RunAxis::WallTime, 0, 1e6});
        const auto other = std::make_shared<Snapshot>(*stage.run.snapshot());
        other->status.sessionPath = "/elsewhere/other.tilewright";
        stage.client.publish(std::make_shared<Snapshot>()); // closed
        stage.settle();
        stage.client.publish(other);
        QTRY_COMPARE_WITH_TIMEOUT(stage.find<QComboBox>(u"fitnessAxis"_s)->currentIndex(), 0, patience);
        QVERIFY(!stage.range());
        stage.client.publish(std::make_shared<Snapshot>());
        stage.settle();
        stage.open();
        QTRY_COMPARE_WITH_TIMEOUT(
            stage.find<QComboBox>(u"fitnessAxis"_s)->currentIndex(), static_cast<int>(RunAxis::WallTime), patience);
        QCOMPARE(stage.find<QComboBox>(u"fitnessValue"_s)->currentIndex(), static_cast<int>(FitnessValue::Time));
        QVERIFY(!stage.range()); // a stretch hides candidates
    }

    void withoutPricesTheCostAxisSaysSo()
    {
        FitnessStage stage;
        stage.choose(u"fitnessAxis"_s, static_cast<int>(RunAxis::Cost));
        stage.settle();
        QVERIFY(std::ranges::all_of(stage.plot->series(), [](const PlotSeries& one) { return one.x.isEmpty(); }));
    }

    void whereAllAnswersCostNothingThereIsNoAxisOfThem()
    {
        FitnessStage stage;
        const auto free = std::make_shared<Snapshot>(*stage.run.snapshot());
        ModelRequest modelRequest;
        modelRequest.id = {static_cast<std::int64_t>(free->run.modelRequests.size()) + 1};
        modelRequest.state = ModelRequestState::Complete;
        modelRequest.proposer = "manual";
        modelRequest.answer.costMicroUsd = 0;
        free->run.modelRequests.push_back(modelRequest);
        ++free->run.lastSeq;
        stage.client.publish(free);
        stage.choose(u"fitnessAxis"_s, static_cast<int>(RunAxis::Cost));
        stage.settle();
        QVERIFY(std::ranges::all_of(stage.plot->series(), [](const PlotSeries& one) { return one.x.isEmpty(); }));
        QVERIFY2(
            stage.plot->message().contains(u"No reply of this run had a cost"_s), qPrintable(stage.plot->message()));
    }
};

TILEWRIGHT_TEST(TestFitness)

#include "test_fitness.moc"
