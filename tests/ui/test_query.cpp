// SPDX-License-Identifier: GPL-3.0-or-later
// The line that finds candidates, the columns and the kept views: what is shown against the run.
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/views_button.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::FixtureRun;
using test::Theatre;

namespace {

std::set<std::int64_t> found(const RunState& run, const QString& typed)
{
    const CandidateQuery query = CandidateQuery::parse(typed);
    std::set<std::int64_t> ids;
    for (const Candidate& candidate : run.candidates)
        if (query.accepts(run, candidate))
            ids.insert(candidate.id.value);
    return ids;
}

template <typename Rule> std::set<std::int64_t> wanted(const RunState& run, const Rule& rule)
{
    std::set<std::int64_t> ids;
    for (const Candidate& candidate : run.candidates)
        if (rule(candidate))
            ids.insert(candidate.id.value);
    return ids;
}

struct TableTheatre : Theatre {
    QueryBox* box = find<QueryBox>(u"candidateFilter"_s);
    Table* table = find<Table>(u"candidateTable"_s);
    QLabel* words = find<QLabel>(u"queryWords"_s);

    TableTheatre()
        : Theatre(200)
    {
        open();
    }
    void type(const QString& typed)
    {
        QSignalSpy read(box, &QueryBox::queryChanged);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, typed);
        QVERIFY(read.wait());
    }
    std::set<std::int64_t> shown() const
    {
        std::set<std::int64_t> ids;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            ids.insert(table->model()->index(row, 0).data(CandidateModel::IdRole).toLongLong());
        return ids;
    }
    /// The menu as it is when it opens.
    QMenu* menu() const
    {
        auto* made = find<QMenu>(u"viewsMenu"_s);
        Q_EMIT made->aboutToShow();
        return made;
    }
    QAction* entry(const QString& name) const
    {
        for (QAction* action : menu()->actions())
            if (action->text() == name)
                return action;
        return nullptr;
    }
};

} // namespace

class TestQuery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQuestionMarkHelpsAndATermThatCannotBeReadIsToldInOneLine()
    {
        TableTheatre stage;
        const auto tab = [&stage] { return stage.find<QTabBar>(u"recordTabs"_s)->tabText(0); };
        const QString all = tab();
        stage.type(u"island:C"_s);
        const auto shown = stage.shown().size();
        QVERIFY2(tab().contains(u"%1 of "_s.arg(shown)), qPrintable(tab()));
        stage.type(u"island:C score>?"_s);
        QCOMPARE(stage.words->text(), u"? is not a number. The filter uses only the conditions before the error."_s);
        QVERIFY2(tab().contains(u"%1 of "_s.arg(shown)), qPrintable(tab()));
        stage.type(u"score>?"_s);
        QCOMPARE(stage.words->text(), u"? is not a number. All candidates are shown."_s);
        QCOMPARE(tab(), all);
        stage.window->selection().setIslands({IslandId{1}});
        stage.type(u"score>??"_s); // not all are shown: an island is chosen
        QCOMPARE(stage.words->text(), u"?? is not a number. It is ignored."_s);
        stage.type(u"score>1 island:C"_s);
        QVERIFY2(stage.find<Table>(u"candidateTable"_s)
                     ->nothing()
                     .contains(u"matches the filter and the selection beside it"_s),
            qPrintable(stage.find<Table>(u"candidateTable"_s)->nothing()));
        stage.window->selection().setIslands({});
        stage.box->setText(u"?"_s); // pasted
        QTRY_VERIFY(stage.words->text().startsWith(u"score>30"_s));
        QVERIFY(stage.box->text().isEmpty());
        QCOMPARE(tab(), all);
    }

    void numbersAreCompared();
    void fieldsFindWhatTheRunHolds();
    void aNegatedTermFindsTheOthers();
    void quotesKeepBlanks();
    void mistakesAreToldWithTheirPlace_data();
    void mistakesAreToldWithTheirPlace();
    void islandsThatWereTakenBackAreNamedWhereTheyHoldCandidates();
    void theTableShowsWhatIsTyped();
    void aMistakeIsSaidAboveTheTable();
    void aQuestionMarkShowsTheHelpAndHidesItAgain();
    void aColumnThatIsNotWantedGoesAndStaysAway();
    void aKeptViewComesBack();
    void islandsThatWereChosenAtTheirCardsStandBesideTheQuery();
    void theColumnThatItIsSortedByStaysWhereThereIsNoRoomForAll();
    void anotherSessionStartsWithNothingTyped();
    void viewsSurviveTheFile();
};

void TestQuery::numbersAreCompared()
{
    FixtureRun run;
    run.grow(200);
    const RunState& state = run.state();
    QCOMPARE(found(state, u"score>1.5"_s),
        wanted(state, [](const Candidate& c) { return c.isRanked() && c.score->value > 1.5; }));
    QVERIFY(!found(state, u"score>1.5"_s).empty());
    QCOMPARE(found(state, u"gen<=2"_s), wanted(state, [](const Candidate& c) { return c.generation <= 2; }));
    QCOMPARE(found(state, u"gen>=2 gen<4"_s),
        wanted(state, [](const Candidate& c) { return c.generation >= 2 && c.generation < 4; }));
    QCOMPARE(found(state, u"eval=12"_s), wanted(state, [](const Candidate& c) { return c.resultNumber == 12; }));
    QCOMPARE(found(state, u"eval=12"_s).size(), std::size_t{1});
}

void TestQuery::fieldsFindWhatTheRunHolds()
{
    FixtureRun run;
    run.grow(200);
    const RunState& state = run.state();
    QCOMPARE(found(state, u"island:c"_s), wanted(state, [](const Candidate& c) { return c.island.value == 3; }));
    QCOMPARE(found(state, u"outcome:refused"_s),
        wanted(state, [](const Candidate& c) { return c.outcome == Outcome::Refused; }));
    QVERIFY(!found(state, u"outcome:refused"_s).empty());
    QCOMPARE(found(state, u"c-0042"_s), std::set<std::int64_t>{42});
    const Candidate& best = *state.best();
    const CandidateId parent = best.parents.front();
    QCOMPARE(found(state, u"parent:"_s + nameOfCandidate(parent)),
        wanted(state, [&](const Candidate& c) { return std::ranges::find(c.parents, parent) != c.parents.end(); }));
    for (const Candidate& candidate : state.candidates)
        if (!candidate.moves.empty()) {
            const std::string& move = candidate.moves.front();
            const auto ids = found(state, u"moves:"_s + text(move));
            QVERIFY(ids.contains(candidate.id.value));
            QVERIFY(ids.size() < state.candidates.size());
            break;
        }
}

void TestQuery::aNegatedTermFindsTheOthers()
{
    FixtureRun run;
    run.grow(100);
    const auto with = found(run.state(), u"island:A"_s), without = found(run.state(), u"!island:A"_s);
    QCOMPARE(with.size() + without.size(), run.state().candidates.size());
    for (const std::int64_t id : with)
        QVERIFY(!without.contains(id));
}

void TestQuery::quotesKeepBlanks()
{
    const CandidateQuery query = CandidateQuery::parse(u"state:\"within noise\" fast"_s);
    QVERIFY(!query.problem);
    QCOMPARE(query.terms.size(), std::size_t{2});
    QCOMPARE(query.terms[0].word, u"within noise"_s);
    QCOMPARE(query.terms[1].field, QueryField::Text);
}

void TestQuery::mistakesAreToldWithTheirPlace_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("at");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown field") << u"gen>1 colour:red"_s << 6 << 6 << u"unknown field colour"_s;
    QTest::newRow("no number") << u"score>fast"_s << 6 << 4 << u"fast is not a number"_s;
    QTest::newRow("no value") << u"island:A score>="_s << 9 << 7 << u"score>= needs a value"_s;
    QTest::newRow("compared words") << u"island>A"_s << 6 << 1 << u"island can only be compared with :"_s;
    QTest::newRow("open quote") << u"gen<3 \"two words"_s << 6 << 10 << u"not closed"_s;
    QTest::newRow("negated") << u"!wrong:1"_s << 1 << 5 << u"unknown field wrong"_s;
}

void TestQuery::mistakesAreToldWithTheirPlace()
{
    QFETCH(QString, typed);
    QFETCH(int, at);
    QFETCH(int, length);
    QFETCH(QString, words);
    const CandidateQuery query = CandidateQuery::parse(typed);
    QVERIFY(query.problem.has_value());
    QCOMPARE(query.problem->at, at);
    QCOMPARE(query.problem->length, length);
    QVERIFY2(query.problem->text.contains(words), qPrintable(query.problem->text));
}

void TestQuery::islandsThatWereTakenBackAreNamedWhereTheyHoldCandidates()
{
    TableTheatre stage;
    stage.run.put(events::IslandCreated{{5}, "Mixed (copy of D)", "evolve"});
    stage.run.put(events::IslandChangeUndone{stage.run.state().newestIslandChange()->number});
    const auto said
        = [&stage](const QString& typed) { return unknownWords(stage.run.state(), CandidateQuery::parse(typed)); };
    QCOMPARE(said(u"island:Z"_s), u"Unknown island Z; islands are A, B, C, D."_s);
    QVERIFY(said(u"state:confirmed"_s).isEmpty());
    QVERIFY(said(u"!state:zzz"_s).isEmpty());
    const QString states = said(u"state:zzz island:Y"_s);
    QVERIFY2(
        states.startsWith(u"Unknown island Y; islands are A, B, C, D. No candidate has the state zzz; states are "_s)
            && states.contains(u"confirmed"_s) && states.contains(u"provisional"_s),
        qPrintable(states));
    QCOMPARE(said(u"island:E"_s), u"Unknown island E; islands are A, B, C, D."_s);
    Candidate measured; // what was being measured was finished
    measured.id = {static_cast<std::int64_t>(stage.run.state().candidates.size()) + 1};
    measured.island = {5};
    measured.program = sha256("measured");
    stage.run.put(events::CandidateMade{measured});
    QCOMPARE(said(u"island:Z"_s), u"Unknown island Z; islands are A, B, C, D, E."_s);
    QVERIFY(said(u"island:E"_s).isEmpty());
}

void TestQuery::theTableShowsWhatIsTyped()
{
    TableTheatre stage;
    for (const QString& typed : {u"score>1.5 island:B"_s, u"outcome:refused"_s, u"!outcome:ranked gen>2"_s}) {
        stage.type(typed);
        QCOMPARE(stage.shown(), found(stage.run.state(), typed));
        QVERIFY(stage.words->isHidden());
    }
    stage.run.grow(30); // what comes later is looked at the same way
    stage.open();
    QCOMPARE(stage.shown(), found(stage.run.state(), u"!outcome:ranked gen>2"_s));
}

void TestQuery::aMistakeIsSaidAboveTheTable()
{
    TableTheatre stage;
    stage.type(u"island:B speed>3"_s);
    QVERIFY(stage.words->isVisible());
    QVERIFY(stage.words->text().contains(u"unknown field speed"_s));
    QVERIFY(stage.box->accessibleDescription().contains(u"unknown field speed"_s));
    QCOMPARE(stage.box->text(), u"island:B speed>3"_s);
    QCOMPARE(stage.shown(), found(stage.run.state(), u"island:B"_s));
    stage.type(u"island:B score>3"_s);
    QVERIFY(stage.words->isHidden());
}

void TestQuery::aQuestionMarkShowsTheHelpAndHidesItAgain()
{
    TableTheatre stage;
    QTest::keyClicks(stage.box, u"?"_s);
    QVERIFY(stage.words->isVisible());
    QCOMPARE(stage.words->text(), queryHelp());
    QVERIFY(stage.box->text().isEmpty());
    QTest::keyClicks(stage.box, u"?"_s);
    QVERIFY(stage.words->isHidden());
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) { // as it says
        QTest::keyClicks(stage.box, u"?"_s);
        QVERIFY(stage.words->isVisible());
        QTest::keyClick(stage.box, key);
        QVERIFY(stage.words->isHidden());
    }
}

void TestQuery::aColumnThatIsNotWantedGoesAndStaysAway()
{
    TableTheatre stage;
    const int state = static_cast<int>(CandidateModel::Column::State);
    QVERIFY(!stage.table->isColumnHidden(state));
    QAction* entry = stage.entry(u"State"_s);
    QVERIFY(entry && entry->isChecked());
    entry->trigger();
    QVERIFY(stage.table->isColumnHidden(state));
    MainWindow again(stage.client, stage.settings);
    QVERIFY(again.findChild<Table*>(u"candidateTable"_s)->isColumnHidden(state));
    stage.entry(u"State"_s)->trigger();
    QVERIFY(!stage.table->isColumnHidden(state));
}

void TestQuery::islandsThatWereChosenAtTheirCardsStandBesideTheQuery()
{
    TableTheatre stage;
    auto* chip = stage.find<QPushButton>(u"islandsChip"_s);
    QVERIFY(!chip->isVisible());
    stage.window->selection().setIslands({IslandId{3}});
    QVERIFY(chip->isVisible());
    QCOMPARE(chip->text(), u"island C"_s);
    stage.window->selection().setIslands({IslandId{1}, IslandId{3}});
    QCOMPARE(chip->text(), u"islands A, C"_s);
    QTest::mouseClick(chip, Qt::LeftButton);
    QVERIFY(stage.window->selection().islands().empty() && !chip->isVisible());
}

void TestQuery::theColumnThatItIsSortedByStaysWhereThereIsNoRoomForAll()
{
    TableTheatre stage;
    const int evaluation = static_cast<int>(CandidateModel::Column::Evaluation);
    stage.table->setFixedWidth(stage.table->width() / 2);
    QTRY_VERIFY(stage.table->isColumnHidden(evaluation));
    stage.table->sortByColumn(evaluation, Qt::AscendingOrder);
    QVERIFY(!stage.table->isColumnHidden(evaluation));
    stage.table->sortByColumn(static_cast<int>(CandidateModel::Column::Name), Qt::DescendingOrder);
    QVERIFY(stage.table->isColumnHidden(evaluation));
    stage.menu(); // which says why it is not there
    QVERIFY(stage.entry(u"Eval (hidden: too narrow)"_s) && stage.entry(u"Eval (hidden: too narrow)"_s)->isChecked());
    QVERIFY(stage.entry(u"State"_s));
}

void TestQuery::anotherSessionStartsWithNothingTyped()
{
    TableTheatre stage;
    stage.type(u"island:C"_s);
    SelectionContext& selection = stage.window->selection();
    selection.setIslands({IslandId{3}});
    selection.setRange(RunRange{RunAxis::Evaluation, 3, 20});
    const auto half = std::make_shared<Snapshot>(*stage.run.snapshot());
    half->status.opening = 0.5; // the same session, read further: what was typed meanwhile is still wanted
    stage.client.publish(half);
    stage.open();
    QCOMPARE(stage.box->text(), u"island:C"_s);
    QVERIFY(selection.range().has_value() && !selection.islands().empty());
    const auto other = std::make_shared<Snapshot>(*stage.run.snapshot());
    other->status.sessionPath = "/elsewhere/other.tilewright";
    stage.client.publish(other);
    QCOMPARE(stage.box->text(), QString());
    QVERIFY(!selection.range() && selection.islands().empty());
    QTRY_COMPARE_WITH_TIMEOUT(stage.shown().size(), stage.run.state().candidates.size(), patience);
}

void TestQuery::aKeptViewComesBack()
{
    TableTheatre stage;
    stage.type(u"island:C"_s);
    stage.table->sortByColumn(static_cast<int>(CandidateModel::Column::Score), Qt::DescendingOrder);
    auto* name = stage.menu()->findChild<QLineEdit*>(u"viewName"_s);
    QVERIFY(name);
    QTest::keyClicks(name, u"best of C"_s);
    QTest::keyClick(name, Qt::Key_Return);
    QVERIFY(stage.entry(u"All candidates"_s));
    stage.entry(u"All candidates"_s)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stage.shown().size(), stage.run.state().candidates.size(), patience);
    QVERIFY(stage.entry(u"best of C"_s));
    stage.entry(u"best of C"_s)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(stage.shown(), found(stage.run.state(), u"island:C"_s), patience);
    QCOMPARE(stage.box->text(), u"island:C"_s);
    double before = 1e300;
    for (int row = 0; row < stage.table->model()->rowCount(); ++row) {
        const Candidate& candidate = *stage.run.state().candidate(
            CandidateId{stage.table->model()->index(row, 0).data(CandidateModel::IdRole).toLongLong()});
        if (!candidate.isRanked())
            continue;
        QVERIFY(candidate.score->value <= before);
        before = candidate.score->value;
    }
    stage.menu();
    for (QAction* action : stage.find<QMenu>(u"viewsMenu"_s)->actions())
        if (action->menu() && action->text() == u"Delete"_s)
            action->menu()->actions().front()->trigger();
    QVERIFY(!stage.entry(u"best of C"_s));
}

void TestQuery::viewsSurviveTheFile()
{
    const std::vector<CandidateView> views{{{}, {}, {2, 5}, 3, Qt::AscendingOrder},
        {u"fast — \"C\""_s, u"score>3 \"two words\""_s, {}, 5, Qt::DescendingOrder}};
    QCOMPARE(viewsFrom(toJson(views)), views);
    QVERIFY(viewsFrom("not json").empty());
    QCOMPARE(viewsFrom(R"([{"name":"x","sort":"gone","unwanted":["gone","name","state"]}])"),
        (std::vector<CandidateView>{{u"x"_s, {}, {4}, 0, Qt::DescendingOrder}}));
}

TILEWRIGHT_TEST(TestQuery)

#include "test_query.moc"
