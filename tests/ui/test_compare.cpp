// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare mode as a user uses it: what is shown is what the comparison says, and what is measured is what was
// asked.
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/model/measurement/dispute.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/compare/chip_bar.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/heat_model.h"
#include "ui/compare/plot_pane.h"
#include "ui/compare/point_plot.h"
#include "ui/compare/program_chooser.h"
#include "ui/compare/program_picker.h"
#include "ui/diff/split_diff.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/segments.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

struct CompareStage : Theatre {
    explicit CompareStage(int candidates = 60)
        : Theatre(candidates)
    {
        open();
        window->showScreen(u"compare"_s);
    }
    ComparePage& page() { return window->compare(); }
    Comparing& comparing() { return page().comparing(); }
    const Comparison& comparison() { return *comparing().comparison(); }
    std::size_t placeOf(Kind kind)
    {
        const auto& all = comparing().choices();
        return static_cast<std::size_t>(std::ranges::find(all, kind, &ComparedChoice::kind) - all.begin());
    }
    std::size_t placeOf(CandidateId id)
    {
        const auto& all = comparing().choices();
        return static_cast<std::size_t>(std::ranges::find(all, id, &ComparedChoice::candidate) - all.begin());
    }
    const QAbstractItemModel& heat() { return *find<Table>(u"heatTable"_s)->model(); }
    QString cell(int row, std::size_t program)
    {
        return heat().index(row, HeatModel::firstProgram + static_cast<int>(program)).data().toString();
    }
    int rowOf(const QString& name)
    {
        for (int row = 0; row < heat().rowCount(); ++row)
            if (heat().index(row, 0).data().toString() == name)
                return row;
        return -1;
    }
    ProgramChip* chip(std::size_t place) { return find<ProgramChip>(u"chip%1"_s.arg(place + 1)); }
    /// A confirmed candidate that is not compared yet.
    CandidateId another()
    {
        for (const Candidate& candidate : run.state().candidates)
            if (candidate.confirmed && candidate.isRanked() && !candidate.migrated && candidate.id != CandidateId{1}
                && placeOf(candidate.id) == comparing().choices().size())
                return candidate.id;
        return {};
    }
};

} // namespace

class TestCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Light); }
    void init()
    {
        m_stage->comparing().setValue(Comparing::Value::Speedup);
        m_stage->window->showScreen(u"compare"_s);
    }

    void itBeginsWithTheBestAnotherVendorAndBaseline()
    {
        const RunState& run = m_stage->run.state();
        const auto& choices = m_stage->comparing().choices();
        QCOMPARE(choices.size(), 4U);
        QCOMPARE(choices[0].candidate, run.best()->id);
        QCOMPARE(choices[1].kind, Kind::Candidate);
        QVERIFY(choices[1].candidate != choices[0].candidate);
        QCOMPARE(choices[2].kind, Kind::Vendor);
        QCOMPARE(choices[3].kind, Kind::Baseline);
        QCOMPARE(m_stage->comparing().reference(), 2U);
        QVERIFY(m_stage->chip(3)->isVisible());
        QVERIFY(m_stage->chip(0)->accessibleName().startsWith(nameOfCandidate(run.best()->id)));
    }

    void theTableHoldsTheFiguresOfTheComparison()
    {
        const Comparison& comparison = m_stage->comparison();
        const QAbstractItemModelTester tester(
            const_cast<QAbstractItemModel*>(&m_stage->heat()), QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto expected = comparisonOf(comparison.programs,
            sideBySideIn(m_stage->run.state(), comparison.programs.front().session, comparison.programs),
            comparison.reference, m_stage->run.pack()->task);
        QVERIFY(expected && *expected == comparison);
        int shown = 0;
        for (const ComparedShape& shape : comparison.shapes) {
            const int row = m_stage->rowOf(text(shapeText(shape.shape)));
            for (std::size_t i = 0; i < comparison.programs.size() && row >= 0; ++i) {
                const auto& ratio = shape.figures[i].ratio;
                if (!ratio)
                    continue;
                const QString cell = m_stage->cell(row, i);
                const int digits = ratio->value < 0.1 ? 3 : ratio->value < 10 ? 2 : 1;
                QVERIFY2(cell.contains(text(fixedText(ratio->value, digits))), qPrintable(cell));
                QCOMPARE(cell.startsWith(u"≈"_s), !shape.figures[i].isSideBySide);
                ++shown;
            }
        }
        QVERIFY(shown > 8);
        const int verdicts = m_stage->rowOf(u"Verdict"_s);
        for (std::size_t i = 0; i < comparison.programs.size(); ++i)
            if (i != comparison.reference)
                QCOMPARE(m_stage->cell(verdicts, i), text(comparedWords(comparison.verdicts[i])));
    }

    void timesAndRatesAreThoseOfTheRecord()
    {
        const Comparison& comparison = m_stage->comparison();
        const ComparedShape& shape = comparison.shapes.front();
        const auto press = [&](const QString& words) {
            for (auto* button : m_stage->find<Segments>(u"compareValue"_s)->findChildren<QAbstractButton*>())
                if (button->text() == words)
                    QTest::mouseClick(button, Qt::LeftButton);
        };
        press(u"time"_s);
        const int row = m_stage->rowOf(text(shapeText(shape.shape)));
        QCOMPARE(m_stage->cell(row, 0), shortTime(shape.figures[0].ns));
        press(u"FLOP/s"_s);
        QCOMPARE(m_stage->cell(row, 0), rate(shape.flops / shape.figures[0].ns));
    }

    void anotherReferenceMakesOtherRatios()
    {
        Comparing& comparing = m_stage->comparing();
        const std::size_t baseline = m_stage->placeOf(Kind::Baseline), before = comparing.reference();
        auto* references = m_stage->find<Segments>(u"compareReference"_s);
        QTest::mouseClick(references->findChildren<QAbstractButton*>()[static_cast<int>(baseline)], Qt::LeftButton);
        QCOMPARE(comparing.reference(), baseline);
        QCOMPARE(m_stage->comparison().reference, baseline);
        QCOMPARE(m_stage->comparison().train[baseline].ratio->value, 1.0);
        QVERIFY(m_stage->comparison().train[0].ratio->value > 2);
        comparing.setReference(before);
    }

    void chipsAreAddedAndRemoved()
    {
        Comparing& comparing = m_stage->comparing();
        const CandidateId third = m_stage->another();
        QVERIFY(third);
        m_stage->window->showScreen(u"evolve"_s);
        m_stage->window->selection().select(third);
        m_stage->window->actions()[u"candidate.compare"_s].trigger();
        QVERIFY(m_stage->page().isVisible());
        const std::size_t place = m_stage->placeOf(third);
        QCOMPARE(comparing.choices().size(), 5U);
        QCOMPARE(comparing.choices()[comparing.reference()].kind, Kind::Vendor); // the same one
        QVERIFY(m_stage->chip(place)->accessibleName().startsWith(nameOfCandidate(third)));
        m_stage->window->actions()[u"candidate.compare"_s].trigger(); // it is there already
        QCOMPARE(comparing.choices().size(), 5U);
        m_stage->chip(place)->setFocus();
        QTest::keyClick(m_stage->chip(place), Qt::Key_Delete);
        QCOMPARE(comparing.choices().size(), 4U);
        QCOMPARE(m_stage->placeOf(third), 4U);
        // The list behind "Add": searched, then chosen by the keyboard.
        QTest::mouseClick(m_stage->find<QPushButton>(u"compareAdd"_s), Qt::LeftButton);
        auto* picker = m_stage->find<ProgramPicker>(u"programPicker"_s);
        QVERIFY(picker && picker->isVisible());
        auto* search = picker->findChild<QLineEdit*>(u"pickerSearch"_s);
        search->setText(nameOfCandidate(third));
        QCOMPARE(picker->findChild<QListWidget*>()->count(), 1);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(m_stage->placeOf(third), place);
        comparing.remove(place);
    }

    void markersStayWithTheirPrograms()
    {
        Comparing& comparing = m_stage->comparing();
        const CandidateId second = comparing.choices()[1].candidate, third = m_stage->another();
        m_stage->page().add(third);
        const Marker marker = comparing.markerOf(m_stage->placeOf(third));
        comparing.remove(m_stage->placeOf(second));
        QCOMPARE(comparing.markerOf(m_stage->placeOf(third)), marker);
        m_stage->page().add(second);
        QVERIFY(!(comparing.markerOf(m_stage->placeOf(second)) == marker));
        comparing.remove(m_stage->placeOf(third));
        QCOMPARE(comparing.choices().size(), 4U);
    }

    void onlyDifferencesHidesWhatIsTheSame()
    {
        m_stage->page().raise(u"propertiesDock"_s);
        auto* table = m_stage->find<Table>(u"propertiesTable"_s);
        const auto& properties = m_stage->comparison().properties;
        QCOMPARE(table->model()->rowCount(), static_cast<int>(properties.size()));
        auto* only = m_stage->find<QCheckBox>(u"onlyDifferences"_s);
        only->setChecked(true);
        QCOMPARE(table->model()->rowCount(),
            static_cast<int>(std::ranges::count_if(properties, &ComparedProperty::differs)));
        QVERIFY(table->model()->rowCount() > 0);
        only->setChecked(false);
    }

    void sideBySideMeasuresEachCandidateBesideTheReference()
    {
        Comparing& comparing = m_stage->comparing();
        auto* measure = m_stage->find<QPushButton>(u"compareMeasure"_s);
        QCOMPARE(comparing.choices()[comparing.reference()].kind, Kind::Vendor);
        QVERIFY(!measure->isEnabled()); // which nothing is measured beside on demand
        QVERIFY(!measure->toolTip().isEmpty());
        const CandidateId first = comparing.choices()[0].candidate, second = comparing.choices()[1].candidate;
        comparing.setReference(m_stage->placeOf(Kind::Baseline));
        QVERIFY(measure->isEnabled());
        m_stage->client.candidateCommands.clear();
        QTest::mouseClick(measure, Qt::LeftButton);
        QCOMPARE(m_stage->client.candidateCommands.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(std::get<commands::Rerun>(m_stage->client.candidateCommands[i])
                == (commands::Rerun{i == 0 ? first : second, pairedRepeats, CandidateId{1}}));
        comparing.setReference(0);
        m_stage->client.candidateCommands.clear();
        QTest::mouseClick(measure, Qt::LeftButton);
        QCOMPARE(m_stage->client.candidateCommands.size(), 1U);
        QVERIFY(std::get<commands::Rerun>(m_stage->client.candidateCommands[0])
            == (commands::Rerun{second, pairedRepeats, first}));
        comparing.setReference(m_stage->placeOf(Kind::Vendor));
    }

    void aPairThatWasMeasuredIsShownSideBySide()
    {
        Comparing& comparing = m_stage->comparing();
        const CandidateId first = comparing.choices()[0].candidate, second = comparing.choices()[1].candidate;
        const RunState& run = m_stage->run.state();
        const RerunId id{static_cast<std::int64_t>(run.reruns.size()) + 1};
        m_stage->run.record(events::RerunAsked{id, second, pairedRepeats, first});
        m_stage->open();
        comparing.setReference(0);
        QVERIFY(!m_stage->find<QPushButton>(u"compareMeasure"_s)->isEnabled()); // it waits already
        EvaluationResult result = run.evaluation(run.candidate(second)->latest)->result;
        result.purpose = Purpose::Rerun;
        result.versusIncumbent = Interval{0.8, 0.79, 0.81};
        for (ShapeResult& shape : result.shapes)
            shape.versusIncumbent = Interval{0.8, 0.78, 0.82};
        Evaluation evaluation{
            EvaluationId{static_cast<std::int64_t>(run.evaluations.size()) + 1}, second, first, "cpu0", result};
        m_stage->run.record(events::Evaluated{evaluation, 1});
        m_stage->open();
        const std::size_t place = m_stage->placeOf(second);
        QCOMPARE(m_stage->comparison().train[place].ratio->value, 0.8);
        QVERIFY(m_stage->comparison().train[place].isSideBySide);
        QCOMPARE(m_stage->cell(m_stage->rowOf(u"Verdict"_s), place), u"worse"_s);
        QVERIFY(m_stage->cell(m_stage->rowOf(u"Geometric mean"_s), place).startsWith(u"0.80"_s));
        comparing.setReference(m_stage->placeOf(Kind::Vendor));
    }

    void pinnedReferencesAreFollowed()
    {
        Comparing& comparing = m_stage->comparing();
        const CandidateId second = comparing.choices()[1].candidate;
        SelectionContext& selection = m_stage->window->selection();
        selection.setReference(second);
        QCOMPARE(comparing.reference(), m_stage->placeOf(second));
        QVERIFY(comparing.isPinned(m_stage->placeOf(second)));
        QVERIFY(m_stage->chip(m_stage->placeOf(second))->accessibleName().contains(u"pinned"_s));
        selection.setReference(second); // lets go of it
        QCOMPARE(comparing.choices()[comparing.reference()].kind, Kind::Vendor);
    }

    void plotsShowEveryProgramAndAreTables()
    {
        const Comparison& comparison = m_stage->comparison();
        const auto large = [](const PointScene& scene) {
            return std::ranges::count(scene.marks, PointMark::Size::Large, &PointMark::size);
        };
        auto* roofline = m_stage->find<PointPlot>(u"rooflinePlot"_s);
        QCOMPARE(large(roofline->scene()), std::ptrdiff_t(comparison.programs.size()));
        m_stage->page().raise(u"tradeOffDock"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_stage->find<PointPlot>(u"tradeOffPlot"_s)->isVisible(), patience);
        auto* tradeOff = m_stage->find<PointPlot>(u"tradeOffPlot"_s);
        QCOMPARE(large(tradeOff->scene()), 3); // not the vendor library
        QVERIFY(std::ranges::count(tradeOff->scene().marks, PointMark::Size::Quiet, &PointMark::size) > 5);
        QVERIFY(!tradeOff->scene().lines.empty());
        m_stage->page().raise(u"spreadDock"_s);
        auto* spread = m_stage->find<PointPlot>(u"spreadPlot"_s);
        QTRY_VERIFY_WITH_TIMEOUT(spread->isVisible(), patience);
        QVERIFY(spread->scene().nothing.contains(u"not recorded"_s));
        m_stage->window->actions()[u"view.table"_s].trigger();
        auto* table = m_stage->find<Table>(u"rooflinePlotTable"_s);
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), static_cast<int>(roofline->scene().rows.size()));
        m_stage->window->actions()[u"view.table"_s].trigger();
    }

    void keysLeadFromMarkToMarkAndReturnSelects()
    {
        auto* plot = m_stage->find<PointPlot>(u"rooflinePlot"_s);
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Right);
        QVERIFY(plot->pointedAt() >= 0);
        QSignalSpy chosen(plot, &PointPlot::chosen);
        for (std::size_t i = 0; i < plot->scene().marks.size() && chosen.isEmpty(); ++i) {
            QTest::keyClick(plot, Qt::Key_Return);
            QTest::keyClick(plot, Qt::Key_Right);
        }
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(m_stage->window->selection().current(), chosen.first().first().value<CandidateId>());
    }

    void quantilesAreDrawn()
    {
        Comparison comparison = m_stage->comparison();
        for (std::size_t i = 0; i < 21; ++i)
            for (ShapeResult& shape : comparison.programs[0].result->shapes)
                shape.quantilesNs.push_back(1e6 + 1e3 * static_cast<double>(i));
        const std::vector<ComparedLook> looks(comparison.programs.size(), ComparedLook{{}, u"x"_s, {}});
        const PointScene scene = spreadScene(comparison, looks, 0);
        QVERIFY(scene.nothing.isEmpty());
        QCOMPARE(scene.lines.size(), 1U);
        QCOMPARE(scene.lines[0].points.size(), 21);
        QCOMPARE(scene.lines[0].points[10].y(), 50.0);
        QCOMPARE(scene.lines[0].points[10].x() / scene.lines[0].points[0].x(), 1.01);
    }

    void textsOfTwoAreSideBySide()
    {
        m_stage->page().raise(u"textDock"_s);
        auto* diff = m_stage->find<SplitDiff>(u"comparedText"_s);
        QTRY_VERIFY_WITH_TIMEOUT(diff->isVisible() && diff->changes() > 0, patience);
        const QString name = m_stage->find<QComboBox>(u"textBefore"_s)->currentText();
        m_stage->find<QComboBox>(u"textAfter"_s)->setCurrentText(name);
        QTRY_COMPARE_WITH_TIMEOUT(diff->changes(), 0, patience);
        m_stage->page().raise(u"propertiesDock"_s);
    }

    void filesAreProgramsWithoutFigures()
    {
        Comparing& comparing = m_stage->comparing();
        const QString path = m_stage->folder.filePath(u"mine.cpp"_s);
        QVERIFY(saveFile(path.toStdString(), m_stage->run.pack()->seed() + "// mine\nint mine;\n"));
        m_stage->page().chooser().addFile(path);
        const std::size_t place = m_stage->placeOf(Kind::File);
        QVERIFY(place < comparing.choices().size());
        QVERIFY(m_stage->chip(place)->accessibleName().contains(u"not measured"_s));
        QVERIFY(m_stage->find<QLabel>(u"comparisonRemarks"_s)->text().contains(u"mine.cpp"_s));
        m_stage->client.candidateCommands.clear();
        QTest::mouseClick(m_stage->chip(place), Qt::LeftButton, {}, QPoint(10, 10));
        auto* menu = m_stage->find<QMenu>(u"chipMenu"_s);
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text().contains(u"your version"_s))
                action->trigger();
        menu->close();
        QCOMPARE(m_stage->client.candidateCommands.size(), 1U);
        QCOMPARE(
            std::get<commands::Inject>(m_stage->client.candidateCommands[0]).text, comparing.choices()[place].text);
        comparing.remove(place);
        QSignalSpy failed(&m_stage->page(), &ComparePage::failed);
        m_stage->page().chooser().addFile(m_stage->folder.filePath(u"missing.cpp"_s));
        QCOMPARE(failed.count(), 1);
        m_stage->page().chooser().addSession(m_stage->folder.filePath(u"missing.tilewright"_s));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, patience);
    }

    void whatIsShownIsExported()
    {
        const QString csv = m_stage->folder.filePath(u"out.csv"_s), json = m_stage->folder.filePath(u"out.json"_s);
        QSignalSpy saved(&m_stage->page(), &ComparePage::saved);
        m_stage->page().exportTo(ComparePage::Export::Csv, csv);
        m_stage->page().exportTo(ComparePage::Export::Json, json);
        const Task& task = m_stage->run.pack()->task;
        QCOMPARE(q(*readFile(csv.toStdString())), q(comparisonCsv(m_stage->comparison(), task)));
        QCOMPARE(nlohmann::json::parse(*readFile(json.toStdString())), toJson(m_stage->comparison(), task));
        for (const auto what : {ComparePage::Export::HeatTable, ComparePage::Export::Roofline,
                 ComparePage::Export::TradeOff, ComparePage::Export::Spread}) {
            const QString png = m_stage->folder.filePath(u"out.png"_s), svg = m_stage->folder.filePath(u"out.svg"_s);
            m_stage->page().exportTo(what, png);
            m_stage->page().exportTo(what, svg);
            QVERIFY(QImage(png).width() > 400);
            QVERIFY(readFile(svg.toStdString())->find("<text") != std::string::npos);
        }
        QCOMPARE(saved.count(), 10);
        QSignalSpy failed(&m_stage->page(), &ComparePage::failed);
        m_stage->page().exportTo(ComparePage::Export::Csv, m_stage->folder.filePath(u"no/such/folder.csv"_s));
        QCOMPARE(failed.count(), 1);
    }

    void heldoutGapsAreShownAndWarnedOf()
    {
        m_stage->page().raise(u"heldoutDock"_s);
        auto* plot = m_stage->find<PointPlot>(u"heldoutPlot"_s);
        QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible(), patience);
        const OverfittingMeter meter = overfittingOf(m_stage->run.state());
        QCOMPARE(plot->scene().marks.size(), meter.all.candidates.size());
        QCOMPARE(plot->scene().legend.size(), meter.islands.size());
        auto* groups = m_stage->find<Segments>(u"heldoutGroups"_s);
        QTest::mouseClick(groups->findChildren<QAbstractButton*>()[1], Qt::LeftButton);
        QCOMPARE(plot->scene().legend.size(), meter.proposers.size());
        // The fixture's candidates gain 3 % less on held-out shapes.
        QVERIFY(meter.all.isClear(m_stage->run.state().noiseFloor));
        auto* warning = m_stage->find<QLabel>(u"statusOverfitting"_s);
        QVERIFY(!warning->text().isEmpty());
        QVERIFY(warning->accessibleDescription().contains(u"held-out shapes gain"_s, Qt::CaseInsensitive));
    }

    void aHiddenPageDoesNoWork()
    {
        m_stage->window->showScreen(u"evolve"_s);
        QSignalSpy changed(&m_stage->comparing(), &Comparing::changed);
        m_stage->run.grow(10);
        m_stage->open();
        QCOMPARE(changed.count(), 0);
        m_stage->window->showScreen(u"compare"_s);
        QVERIFY(changed.count() > 0);
    }

    void withoutASessionThePageSaysSo()
    {
        m_stage->client.publish(std::make_shared<const Snapshot>());
        QVERIFY(m_stage->find<QLabel>(u"compareNothing"_s)->isVisible());
        QVERIFY(m_stage->comparing().choices().empty());
        m_stage->open();
        QCOMPARE(m_stage->comparing().choices().size(), 4U);
        // Pinned before the comparison is looked at: it is the reference.
        const CandidateId third = m_stage->another();
        m_stage->client.publish(std::make_shared<const Snapshot>());
        m_stage->window->showScreen(u"evolve"_s);
        m_stage->open();
        m_stage->window->selection().setReference(third);
        m_stage->window->showScreen(u"compare"_s);
        QCOMPARE(m_stage->comparing().reference(), m_stage->placeOf(third));
        m_stage->window->selection().setReference(third);
        m_stage->comparing().remove(m_stage->placeOf(third));
    }

    void tabComesToTheChipsFirst()
    {
        m_stage->window->centralWidget()->setFocus();
        QWidget* chip = m_stage->chip(0);
        QWidget* next = chip->nextInFocusChain();
        while (next->focusPolicy() == Qt::NoFocus)
            next = next->nextInFocusChain();
        QCOMPARE(next, static_cast<QWidget*>(m_stage->chip(1)));
    }

    /// Last: it changes the run.
    void figuresOfAnotherDeviceAreRefused()
    {
        Comparing& comparing = m_stage->comparing();
        const CandidateId ids[] = {comparing.choices()[0].candidate, comparing.choices()[1].candidate};
        for (const auto& [id, device] : {std::pair{ids[0], "EPYC 9654"}, {ids[1], "EPYC 7763"}}) {
            const RunState& run = m_stage->run.state();
            EvaluationResult again = run.evaluation(run.candidate(id)->latest)->result;
            again.environment["device"] = device;
            m_stage->run.record(events::Evaluated{{EvaluationId{static_cast<std::int64_t>(run.evaluations.size()) + 1},
                                                      id, CandidateId{1}, "cpu0", again},
                1});
        }
        m_stage->open();
        // A pair that was timed before says more than two devices.
        QVERIFY(m_stage->placeOf(ids[0]) == 0);
        comparing.setReference(m_stage->placeOf(Kind::Vendor)); // measured with the best
        const std::size_t place = m_stage->placeOf(ids[1]);
        QVERIFY(!m_stage->comparison().refusals[place].empty());
        QVERIFY(m_stage->find<QLabel>(u"comparisonRemarks"_s)
                    ->text()
                    .contains(text(m_stage->comparison().refusals[place])));
        QCOMPARE(m_stage->cell(m_stage->rowOf(u"Verdict"_s), place), u"not comparable"_s);
        const ComparedShape& shape = m_stage->comparison().shapes.front();
        QCOMPARE(
            m_stage->cell(m_stage->rowOf(text(shapeText(shape.shape))), place), shortTime(shape.figures[place].ns));
    }

private:
    std::unique_ptr<CompareStage> m_stage = std::make_unique<CompareStage>();
};

TILEWRIGHT_TEST(TestCompare)
#include "test_compare.moc"
