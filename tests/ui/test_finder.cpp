// SPDX-License-Identifier: GPL-3.0-or-later
// The finder: what is found in a run, where choosing it leads, and that a search which nobody waits for ends.
#include "tests/test_program.h"
#include "tests/ui/theatre.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/evolve_page.h"
#include "ui/evolve/records_panel.h"
#include "ui/finder/finder_list.h"
#include "ui/finder/finder_query.h"
#include "ui/models/display_text.h"
#include "ui/shell/finder.h"
#include "ui/theme/theme.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <QTextBlock>
#include <set>

using namespace tilewright;
using namespace tilewright::ui;
using namespace tilewright::test;
using namespace Qt::StringLiterals;

namespace {

struct FinderStage : Theatre {
    Finder* finder = nullptr;

    explicit FinderStage(int candidates = 60)
        : Theatre(candidates)
    {
    }
    void look(const QString& typed)
    {
        if (!finder) {
            window->actions()[u"candidate.find"_s].trigger();
            finder = find<Finder>(u"finder"_s);
        }
        box().setText(typed);
    }
    QLineEdit& box() const { return *finder->findChild<QLineEdit*>(u"finderBox"_s); }
    FinderList& list() const { return *finder->findChild<FinderList*>(); }
    QString state() const { return finder->findChild<QLabel*>(u"finderState"_s)->text(); }
    bool ends() const
    {
        const auto* search = finder->findChild<FinderSearch*>();
        return QTest::qWaitFor([search] { return !search->isRunning(); }, 30'000);
    }
    std::vector<Found> rows(Found::Kind kind) const
    {
        std::vector<Found> found;
        for (int i = 0; i < list().count(); ++i)
            if (const QVariant data = list().item(i)->data(Qt::UserRole); data.isValid())
                if (const auto row = data.value<Found>(); row.kind == kind)
                    found.push_back(row);
        return found;
    }
    QStringList remarks() const
    {
        QStringList words;
        for (int i = 0; i < list().count(); ++i)
            if (!list().item(i)->data(Qt::UserRole).isValid())
                words << list().item(i)->text();
        return words;
    }
    /// Down to the first row of a kind, as a user would, and Enter.
    bool take(Found::Kind kind)
    {
        for (int i = 0; i < list().count(); ++i) {
            if (const auto chosen = list().chosen(); chosen && chosen->kind == kind) {
                QTest::keyClick(&box(), Qt::Key_Return);
                finder = nullptr;
                return true;
            }
            QTest::keyClick(&box(), Qt::Key_Down);
        }
        return false;
    }
};

/// Gives texts when it is told to.
class HoldingClient : public RecordedClient
{
    Q_OBJECT

public:
    std::vector<std::pair<quint64, Hash>> held;
    int asked = 0;

    void ask(quint64 tag, const Query& query) override
    {
        ++asked;
        held.emplace_back(tag, std::get<queries::Text>(query).hash);
    }
    void give()
    {
        for (const auto& [tag, hash] : std::exchange(held, {}))
            Q_EMIT answered(tag, fixture->text(hash));
    }
};

struct HeldStage {
    FixtureRun run;
    HoldingClient client;
    SessionClient session{client};
    FinderSearch search{session, nullptr};
    std::vector<Found> found;

    HeldStage()
    {
        run.grow(200);
        client.fixture = &run;
        client.publish(run.snapshot());
        QObject::connect(&search, &FinderSearch::found, &search,
            [this](const std::vector<Found>& rows) { found.insert(found.end(), rows.begin(), rows.end()); });
    }
    bool isAsking()
    {
        return QTest::qWaitFor([this] { return !client.held.empty(); }, 30'000);
    }
    bool ends()
    {
        return QTest::qWaitFor(
            [this] {
                client.give();
                return !search.isRunning();
            },
            30'000);
    }
};

/// The line of a text that holds these words; 0 if none does.
int lineWith(const QString& text, const QString& words)
{
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i)
        if (lines[i].contains(words))
            return static_cast<int>(i) + 1;
    return 0;
}

} // namespace

class TestFinder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(ThemeKind::Light); }

    void whatIsTypedIsUnderstood_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("scope");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("plain words") << u" tile rows "_s << 0 << u"tile rows"_s;
        QTest::newRow("a pattern") << u"/a.c"_s << 1 << u"a.c"_s;
        QTest::newRow("in code") << u"code: a.c"_s << 2 << u"a.c"_s;
        QTest::newRow("in logs") << u"LOG:a.c"_s << 3 << u"a.c"_s;
        QTest::newRow("a word that begins like a prefix") << u"codegen"_s << 0 << u"codegen"_s;
    }
    void whatIsTypedIsUnderstood()
    {
        QFETCH(QString, typed);
        QFETCH(int, scope);
        QFETCH(QString, wanted);
        const FinderQuery query = readFinderQuery(typed);
        QCOMPARE(static_cast<int>(query.scope), scope);
        QCOMPARE(query.wanted, wanted);
        QCOMPARE(query.problem, QString());
    }
    void plainWordsAreNoPattern()
    {
        const std::atomic<bool> cancelled = false;
        const auto count = [&](const QString& typed, const QString& text) {
            return matchesIn(text, readFinderQuery(typed).pattern, 9, cancelled).first.size();
        };
        QCOMPARE(count(u"A.C"_s, u"abc\nxa.cx"_s), std::size_t(1));
        QCOMPARE(count(u"/a.c"_s, u"abc\nxa.cx"_s), std::size_t(2));
        QCOMPARE(count(u"/A.C"_s, u"abc\nxa.cx"_s), std::size_t(0));
    }
    void aMatchIsALineWithItsNumber()
    {
        const std::atomic<bool> cancelled = false;
        const QRegularExpression ints(u"^\\s+int (\\w+)$"_s);
        const TextMatches found = matchesIn(u"int a\r\n  int b\r\n\tint c\n\nint d"_s, ints, 1, cancelled);
        QCOMPARE(found.first, (std::vector<TextMatch>{{.line = 2, .text = u"  int b"_s, .start = 0, .length = 7}}));
        QCOMPARE(found.more, 1);
        QCOMPARE(found.nextLine, 3);
        const TextMatches later = matchesIn(u"   x = sum;  "_s, QRegularExpression(u"sum"_s), 1, cancelled);
        QCOMPARE(later.first, (std::vector<TextMatch>{{.line = 1, .text = u"x = sum;"_s, .start = 4, .length = 3}}));
        const QString wide = u"a"_s.repeated(5000) + u"here"_s + u"b"_s.repeated(5000);
        const TextMatch near = matchesIn(wide, QRegularExpression(u"here"_s), 1, cancelled).first.at(0);
        QVERIFY(near.text.size() < 500);
        QCOMPARE(near.text.mid(near.start, near.length), u"here"_s);
    }
    void aPatternThatWouldTryForEverIsGivenUpLineByLine()
    {
        const std::atomic<bool> cancelled = false;
        const FinderQuery query = readFinderQuery(u"/^(a+)+$"_s);
        QCOMPARE(query.problem, QString());
        const QString line = u"a"_s.repeated(60);
        const TextMatches found
            = matchesIn(line + u"\n"_s + line + u"b\nb\n"_s + line + u"c"_s, query.pattern, 9, cancelled);
        QCOMPARE(found.first.size(), std::size_t(1));
        QCOMPARE(found.givenUp, 2);
        QCOMPARE(matchesIn(line + u'b', readFinderQuery(u"/^a+$"_s).pattern, 9, cancelled), TextMatches());
    }
    void anActionIsFoundByTheWordsThatPeopleUse_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("action");
        for (const auto& [words, action] : {std::pair("export", "candidate.save"), {"export", "file.copy"},
                 {"rerun", "candidate.rerun"}, {"rerun", "candidate.rerun-more"}, {"repeat", "candidate.rerun"},
                 {"save copy", "file.copy"}, {"Save a copy", "file.copy"}, {"save a copy...", "file.copy"},
                 {"save code", "candidate.save"}, {"Benchmark", "candidate.rerun"}, {"undo", "review.undo"}})
            QTest::addRow("%s: %s", words, action) << QString::fromLatin1(words) << QString::fromLatin1(action);
    }
    void anActionIsFoundByTheWordsThatPeopleUse()
    {
        QFETCH(QString, words);
        QFETCH(QString, action);
        FinderStage stage;
        stage.open();
        stage.look(words);
        std::vector<Found> rows = stage.rows(Found::Kind::Action);
        for (const Found& other : stage.rows(Found::Kind::NotNow))
            rows.push_back(other);
        QVERIFY(std::ranges::find(rows, action, &Found::action) != rows.end());
    }
    void whatCanBeExportedSaysOfWhatItIs()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"export"_s);
        std::set<QString> actions, names;
        for (const Found::Kind kind : {Found::Kind::Action, Found::Kind::NotNow})
            for (const Found& row : stage.rows(kind)) {
                actions.insert(row.action);
                names.insert(row.text);
            }
        QCOMPARE(actions,
            (std::set<QString>{
                u"candidate.export"_s, u"candidate.save"_s, u"file.copy"_s, u"session.export-winner"_s}));
        QCOMPARE(names.size(), actions.size());
    }
    void aCandidateIsFoundByNameIslandTagAndNote()
    {
        FinderStage stage;
        stage.open();
        Marks marks;
        marks.tags = {"oddfellow"};
        marks.note = "Look at the spills again";
        stage.run.record(events::Marked{CandidateId{7}, marks});
        stage.client.publish(stage.run.snapshot());
        for (const QString& words : {u"c-0007"_s, u"ODDFELLOW"_s, u"spills again"_s}) {
            stage.look(words);
            QVERIFY(stage.ends());
            const std::vector<Found> rows = stage.rows(Found::Kind::Candidate);
            QVERIFY2(!rows.empty(), qPrintable(words));
            QCOMPARE(rows[0].candidate, CandidateId{7});
            QCOMPARE(rows[0].island, stage.run.state().candidate(CandidateId{7})->island);
        }
        stage.look(u"island b"_s);
        QVERIFY(stage.ends());
        QVERIFY(!stage.rows(Found::Kind::Candidate).empty());
        for (const Found& row : stage.rows(Found::Kind::Candidate))
            QCOMPARE(row.island, IslandId{2});
        stage.look(u"oddfellow"_s);
        QVERIFY(stage.ends());
        stage.window->showScreen(u"prompts"_s);
        QVERIFY(stage.take(Found::Kind::Candidate));
        QCOMPARE(stage.window->selection().current(), CandidateId{7});
        QVERIFY(stage.window->actions()[u"mode.evolve"_s].isChecked());
    }
    void aCandidateStandsOnceAndTheBestMatchFirst()
    {
        FinderStage stage;
        Marks marks;
        marks.note = "like c-0007, but with c-0009's tiles";
        stage.run.record(events::Marked{CandidateId{3}, marks});
        stage.run.record(events::Marked{CandidateId{7}, marks});
        stage.open();
        stage.look(u"c-0007"_s);
        QVERIFY(stage.ends());
        std::vector<CandidateId> ids;
        for (const Found& row : stage.rows(Found::Kind::Candidate))
            ids.push_back(row.candidate);
        QCOMPARE(ids, (std::vector{CandidateId{7}, CandidateId{3}}));
        QCOMPARE(stage.rows(Found::Kind::Candidate)[0].length, 6); // the name is what matches
    }
    void theBestStandsFirstWhereItIsNamed()
    {
        FinderStage stage;
        Marks marks;
        marks.tags = {"best-of-b"};
        stage.run.record(events::Marked{CandidateId{3}, marks});
        stage.open();
        stage.look(u"best"_s);
        QVERIFY(stage.ends());
        const CandidateId best = stage.run.state().best()->id;
        QVERIFY(stage.list().chosen() && stage.list().chosen()->candidate == best); // above the actions
        const auto candidates = stage.rows(Found::Kind::Candidate);
        QCOMPARE(candidates[0].candidate, best);
        QCOMPARE(candidates[1].candidate, CandidateId{3});
    }
    void whatWasTakenBackComesLast()
    {
        FinderStage stage;
        const CandidateId copy{static_cast<std::int64_t>(stage.run.state().candidates.size()) + 1};
        Candidate placed = *stage.run.state().candidate(CandidateId{2});
        placed.id = copy;
        placed.migrated = true;
        stage.run.record(events::Placed{CandidateId{2}, placed, Placing::Copy, {}, false, {}});
        stage.run.record(events::PlacementUndone{copy});
        QVERIFY(stage.run.state().candidate(copy)->takenBack);
        Marks odd;
        odd.tags = {"oddfellow"};
        stage.run.record(events::Marked{copy, odd});
        const CandidateId later = stage.run.awaitReview({});
        Marks noted;
        noted.note = "like oddfellow";
        stage.run.record(events::Marked{later, noted});
        stage.open();
        stage.look(u"oddfellow"_s);
        QVERIFY(stage.ends());
        const auto found = stage.rows(Found::Kind::Candidate);
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].candidate, later);
        QCOMPARE(found[1].candidate, copy);
    }
    void theSizeOfTheTextIsFoundAsAFont()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"font"_s);
        QVERIFY(stage.ends());
        QVERIFY(stage.list().chosen());
        QCOMPARE(stage.list().chosen()->text, u"Text size"_s);
    }
    void aSettingOfThatNameStandsBeforeOneOfWhichItIsTold()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"motion"_s);
        stage.finder->setPlaces(
            {{u"Else"_s, u"Here"_s, u"slows motion"_s, [] {}}, {u"Motion"_s, u"There"_s, {}, [] {}}});
        QCOMPARE(stage.rows(Found::Kind::Place)[0].text, u"Motion"_s);
        QCOMPARE(stage.rows(Found::Kind::Place).size(), std::size_t(2));
    }
    void enterBeforeAnythingIsFoundTakesTheFirst()
    {
        FinderStage stage;
        Marks marks;
        marks.tags = {"oddfellow"};
        stage.run.record(events::Marked{CandidateId{9}, marks});
        stage.open();
        stage.look(u"oddfellow"_s);
        QTest::keyClick(&stage.box(), Qt::Key_Return);
        QTRY_COMPARE(stage.window->selection().current(), CandidateId{9});
    }
    void anActionIsFoundAndDone()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"as tabl"_s);
        QCOMPARE(stage.rows(Found::Kind::Action).size(), std::size_t(1));
        QVERIFY(stage.take(Found::Kind::Action));
        QVERIFY(stage.window->actions()[u"view.table"_s].isChecked());
    }
    void anActionThatIsNotPossibleNowIsFoundAsThat()
    {
        FinderStage stage;
        stage.look(u"step each island"_s); // without a session
        QVERIFY(stage.rows(Found::Kind::Action).empty());
        const auto rows = stage.rows(Found::Kind::NotNow);
        QVERIFY(!rows.empty());
        QVERIFY2(rows.front().text.contains(u"step"_s, Qt::CaseInsensitive), qPrintable(rows.front().text));
        QTest::keyClick(&stage.box(), Qt::Key_Return);
        QVERIFY(stage.finder->isVisible());
    }
    void theWayToAKernelOfOnesOwnIsFound()
    {
        FinderStage stage;
        stage.look(u"own kernel"_s);
        QCOMPARE(stage.rows(Found::Kind::Action).size(), std::size_t(1));
        QVERIFY(stage.take(Found::Kind::Action));
        QVERIFY(stage.find<QWidget>(u"ownKernelPage"_s)->isVisible());
    }
    void aSettingOfANewSessionIsGoneTo()
    {
        FinderStage stage;
        stage.find<QAbstractButton>(u"review:every"_s)->click(); // else nothing waits
        stage.open();
        stage.look(u"review limit"_s);
        QCOMPARE(stage.rows(Found::Kind::Place).size(), std::size_t(2)); // and that of the session that is open
        QVERIFY2(stage.rows(Found::Kind::Place)[0].aside.contains(u"New session"_s),
            qPrintable(stage.rows(Found::Kind::Place)[0].aside));
        QVERIFY(stage.take(Found::Kind::Place));
        QVERIFY(stage.window->actions()[u"mode.welcome"_s].isChecked());
        QCOMPARE(stage.window->focusWidget(), stage.find<QWidget>(u"reviewLimitChoice"_s));
    }
    void theOrdersOfIslandsAreFound()
    {
        FinderStage stage;
        stage.open();
        const auto named = [&](const QString& typed) {
            stage.look(typed);
            QStringList names;
            for (const Found& row : stage.rows(Found::Kind::Place))
                names << row.text;
            return names;
        };
        QVERIFY(named(u"merge"_s).filter(u"Merge into"_s).size() > 1);
        QCOMPARE(named(u"reset the weakest"_s), QStringList{u"Reset the weakest island"_s}); // once, not for each
        QCOMPARE(named(u"migration"_s).first(), u"Migration"_s);
        QVERIFY(stage.rows(Found::Kind::Place)[0].aside.contains(u"Islands"_s)); // of the run, before a new one's
        QCOMPARE(named(u"pause island"_s).first(), u"A Tiles › Pause island A"_s);
        QVERIFY(stage.take(Found::Kind::Place));
        QCOMPARE(std::get<commands::PauseIsland>(stage.client.orders.back()).island, IslandId{1});
    }
    void whatTheDoctorFoundIsGoneTo()
    {
        FinderStage stage;
        stage.look(u"doctor"_s);
        QCOMPARE(stage.rows(Found::Kind::Place).size(), std::size_t(1));
        QVERIFY(stage.take(Found::Kind::Place));
        QVERIFY(stage.window->actions()[u"mode.welcome"_s].isChecked());
        QVERIFY(stage.find<QAbstractButton>(u"machineMore"_s)->isChecked());
    }
    void aSettingOfTheRunOpensItsCard()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"wall time, min"_s);
        QVERIFY(stage.take(Found::Kind::Place));
        const auto* card = stage.find<QWidget>(u"budgetEditor"_s);
        QVERIFY(card && card->isVisible());
        QCOMPARE(card->focusWidget()->accessibleName(), u"Wall time, minutes, total"_s);
    }
    void anIslandsSettingsAndTheReviewPolicyAreFound()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"parent selection"_s);
        QCOMPARE(stage.rows(Found::Kind::Place).size(), stage.run.state().islands.size());
        QVERIFY(stage.take(Found::Kind::Place));
        const auto* card = stage.find<QWidget>(u"islandEditor"_s);
        QVERIFY(card && card->isVisible());
        QCOMPARE(card->focusWidget()->objectName(), u"selectionTemperature"_s);
        stage.find<QWidget>(u"islandEditor"_s)->close();
        stage.look(u"review policy"_s);
        QVERIFY(stage.take(Found::Kind::Place));
        QVERIFY(stage.window->actions()[u"mode.review"_s].isChecked());
        QCOMPARE(stage.window->focusWidget(), stage.find<QComboBox>(u"reviewPolicy"_s));
    }
    void aLineOfCodeIsFoundByARegularExpressionAndShown()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"code: ^// variant 1[0-3]$"_s);
        QVERIFY(stage.ends());
        const std::vector<Found> rows = stage.rows(Found::Kind::Code);
        QCOMPARE(rows.size(), std::size_t(4));
        QVERIFY(stage.rows(Found::Kind::Event).empty());
        const Candidate& candidate = *stage.run.state().candidate(rows[0].candidate);
        QCOMPARE(rows[0].island, candidate.island);
        QCOMPARE(rows[0].line, lineWith(stage.run.text(candidate.source), rows[0].text));
        QCOMPARE(rows[0].length, static_cast<int>(rows[0].text.size()));
        QVERIFY(stage.list().item(1)->text().contains(nameOfCandidate(candidate.id)));
        stage.window->showScreen(u"prompts"_s);
        QVERIFY(stage.take(Found::Kind::Code));
        QVERIFY(stage.window->actions()[u"mode.evolve"_s].isChecked());
        QCOMPARE(stage.window->selection().current(), candidate.id);
        QCOMPARE(stage.find<QTabBar>(u"inspectorTabs"_s)->currentIndex(), int(TextTabs::Code));
        auto* view = stage.find<CodeView>(u"codeView"_s);
        QTRY_COMPARE(view->textCursor().block().text(), rows[0].text);
        QVERIFY(view->lines()[static_cast<std::size_t>(rows[0].line - 1)].isChosen);
        QVERIFY(view->rect().contains(view->cursorRect().center()));
    }
    void aLineOfABuildLogIsFoundAndShown()
    {
        FinderStage stage(120);
        stage.open();
        stage.look(u"log:In function '(void )?multiply_\\w+"_s);
        QVERIFY(stage.ends());
        const std::vector<Found> rows = stage.rows(Found::Kind::BuildLog);
        QVERIFY(!rows.empty());
        QVERIFY(stage.rows(Found::Kind::Code).empty());
        QVERIFY(stage.take(Found::Kind::BuildLog));
        QCOMPARE(stage.window->selection().current(), rows[0].candidate);
        QCOMPARE(stage.find<QTabBar>(u"inspectorTabs"_s)->currentIndex(), int(TextTabs::BuildLog));
        auto* view = stage.find<CodeView>(u"buildLogView"_s);
        QTRY_VERIFY(view->textCursor().block().text().contains(rows[0].text));
        QCOMPARE(view->textCursor().block().blockNumber() + 1, rows[0].line);
    }
    void aLineOfTheEventLogIsFoundAndShown()
    {
        FinderStage stage;
        stage.run.note("warning", "The fan of cpu0 sings in B flat");
        stage.run.grow(20);
        stage.open();
        stage.look(u"log: sings in [A-H] (flat|sharp)"_s);
        QVERIFY(stage.ends());
        QCOMPARE(stage.rows(Found::Kind::Event).size(), std::size_t(1));
        QVERIFY(stage.take(Found::Kind::Event));
        QCOMPARE(stage.find<QTabBar>(u"recordTabs"_s)->currentIndex(), 1);
        const auto* table = stage.find<Table>(u"logTable"_s);
        QVERIFY(table->currentIndex().data().toString().contains(u"sings in B flat"_s));
    }
    /// Events are looked through before programs, and stand below them.
    void theFirstIsChosenAsMoreIsFoundUntilThePersonChoosesAnother()
    {
        const auto row = [](Found::Kind kind, const QString& words) {
            Found found;
            found.kind = kind;
            found.text = words;
            return std::vector{found};
        };
        const auto chosen = [](const FinderList& list) { return list.chosen() ? list.chosen()->text : QString(); };
        FinderList list(nullptr);
        list.add(row(Found::Kind::Event, u"a line"_s));
        list.refresh({}, {});
        QCOMPARE(chosen(list), u"a line"_s);
        list.add(row(Found::Kind::Code, u"a program"_s));
        list.refresh({}, {});
        QCOMPARE(chosen(list), u"a program"_s);
        list.step(1);
        list.add(row(Found::Kind::Candidate, u"a candidate"_s));
        list.refresh({}, {});
        QCOMPARE(chosen(list), u"a line"_s);
        list.restart();
        list.add(row(Found::Kind::Event, u"a line"_s));
        list.refresh({}, {});
        list.add(row(Found::Kind::Code, u"another program"_s));
        list.refresh({}, {});
        QCOMPARE(chosen(list), u"another program"_s);
    }
    void plainWordsFindCodeAndLogsToo()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"VARIANT 12"_s);
        QVERIFY(stage.ends());
        QCOMPARE(stage.rows(Found::Kind::Code).size(), std::size_t(1));
        QVERIFY(stage.state().contains(u"texts searched"_s));
    }
    void aPatternThatCannotBeReadSaysWhereAndWhy()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"/tile[0-"_s);
        QVERIFY2(stage.state().contains(u"cannot be read to its end"_s), qPrintable(stage.state()));
        QVERIFY(stage.state().contains(u"]"_s));
        QCOMPARE(stage.list().count(), 0);
        stage.look(u"/ab*c)de"_s);
        QVERIFY2(stage.state().contains(u"at character 5, “)de”"_s), qPrintable(stage.state()));
        QTest::keyClick(&stage.box(), Qt::Key_Return);
        QVERIFY(stage.finder->isVisible());
        stage.look(u"/// variant 12$"_s);
        QVERIFY(stage.ends());
        QCOMPARE(stage.rows(Found::Kind::Code).size(), std::size_t(1));
        QVERIFY(!stage.state().contains(u"cannot"_s));
    }
    void theSwitchAndThePrefixAreOne()
    {
        FinderStage stage;
        stage.open();
        stage.look(u"tile"_s);
        auto* scopes = stage.finder->findChild<Segments*>();
        QCOMPARE(scopes->current(), 0);
        Q_EMIT scopes->chosen(2);
        QCOMPARE(stage.box().text(), u"code:tile"_s);
        QCOMPARE(scopes->current(), 2);
        stage.look(u"log:tile"_s);
        QCOMPARE(scopes->current(), 3);
        Q_EMIT scopes->chosen(0);
        QCOMPARE(stage.box().text(), u"tile"_s);
    }
    void whatIsTooMuchIsCutAndToldSo()
    {
        FinderStage stage(400);
        stage.open();
        stage.look(u"code:."_s);
        QVERIFY(stage.ends());
        const std::vector<Found> rows = stage.rows(Found::Kind::Code);
        QVERIFY(std::ssize(rows) >= FinderSearch::mostOfKind);
        QVERIFY(std::ssize(rows) <= FinderSearch::mostOfKind + FinderSearch::mostOfText);
        QVERIFY(rows[FinderSearch::mostOfText].isMore);
        QVERIFY(rows[FinderSearch::mostOfText].text.startsWith(u"… "_s));
        QVERIFY(stage.remarks().last().startsWith(u"… more"_s));
        QVERIFY2(stage.state().contains(u"too many results"_s), qPrintable(stage.state()));
    }
    void theNewestRequestWins()
    {
        HeldStage stage;
        stage.search.start(readFinderQuery(u"code:// variant 1$"_s));
        QVERIFY(stage.isAsking());
        stage.search.start(readFinderQuery(u"code:// variant 2$"_s));
        QVERIFY(stage.ends());
        QCOMPARE(stage.found.size(), std::size_t(1));
        QVERIFY(stage.found[0].text.endsWith(u"variant 2"_s));
        QCOMPARE(stage.search.read(), stage.search.texts());
    }
    void fewTextsAreAskedForAtATime()
    {
        HeldStage stage;
        stage.search.start(readFinderQuery(u"code:variant"_s));
        QVERIFY(stage.isAsking());
        QVERIFY(stage.search.texts() > 100);
        QVERIFY(stage.client.asked <= 32);
        const auto first = stage.found.size();
        stage.client.give();
        QTRY_VERIFY(stage.found.size() > first); // long before all of them were read
        QVERIFY(stage.search.isRunning());
    }
    void theSearchEndsWithTheFinder()
    {
        FixtureRun run;
        run.grow(200);
        HoldingClient client;
        client.fixture = &run;
        QTemporaryDir folder;
        Settings settings(folder.filePath(u"settings.ini"_s));
        MainWindow window(client, settings);
        window.resize(1280, 800);
        window.show();
        client.publish(run.snapshot());
        client.give(); // what the inspector asked for
        window.actions()[u"candidate.find"_s].trigger();
        const QPointer<Finder> finder = window.findChild<Finder*>();
        finder->findChild<QLineEdit*>(u"finderBox"_s)->setText(u"code:variant"_s);
        QTRY_VERIFY(client.held.size() > 4);
        const int asked = client.asked;
        QTest::keyClick(finder->findChild<QLineEdit*>(u"finderBox"_s), Qt::Key_Escape);
        QVERIFY(!finder || !finder->isVisible());
        QVERIFY(!finder || !finder->findChild<FinderSearch*>()->isRunning());
        client.give();
        QTRY_VERIFY(finder.isNull());
        QCOMPARE(client.asked, asked);
    }
    void anotherSessionEndsTheSearch()
    {
        HeldStage stage;
        stage.search.start(readFinderQuery(u"code:variant"_s));
        QVERIFY(stage.isAsking());
        stage.client.publish(std::make_shared<const Snapshot>());
        QVERIFY(!stage.search.isRunning());
        stage.client.give();
        QVERIFY(stage.found.empty());
    }
};

TILEWRIGHT_TEST(TestFinder)

#include "test_finder.moc"
