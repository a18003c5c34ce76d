// SPDX-License-Identifier: GPL-3.0-or-later
// Theme, selection, actions, models and derived figures: what the window is made of, without the window.
#include "core/model/measurement/pair_ladder.h"
#include "tests/patience.h"
#include "tests/test_program.h"
#include "tests/ui/fixture.h"
#include "ui/diff/diff_lines.h"
#include "ui/evolve/figures_card.h"
#include "ui/evolve/fitness_data.h"
#include "ui/models/activity_words.h"
#include "ui/models/candidate_filter.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/island_model.h"
#include "ui/models/log_model.h"
#include "ui/models/rule_words.h"
#include "ui/models/runs_model.h"
#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"
#include "ui/shell/actions.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/room.h"

#include <QAbstractItemModelTester>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

/// Codes of errors and rules as the sources of core/ write them.
std::set<QString> codesOfCore()
{
    const QRegularExpression code(
        u"\"((?:audit|budget|build|device|llm|machine|node|patch|plan|proposer|protocol|replay|reply|rerun|run|"
        "source|static|task|time|tool|vendor|verify)/[a-z][a-z-]*[a-z])\"|[.]rule = \"([^\"]+)\""_s);
    std::set<QString> codes;
    const std::filesystem::path core = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "core";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(core)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
            continue;
        QFile file(text(entry.path().string()));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (auto all = code.globalMatch(QString::fromUtf8(file.readAll())); all.hasNext();) {
            const auto match = all.next();
            codes.insert(match.captured(1) + match.captured(2));
        }
    }
    return codes;
}

} // namespace

class TestUiValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Whoever asked may go while the work ends on its thread: nothing is posted to them any more.
    void aBuildWithoutALogSaysWithWhatAndWhatCameOfIt()
    {
        EvaluationResult result;
        QVERIFY(silentBuildWords(result, nullptr).isEmpty()); // nothing tells that it was built
        result.environment = {{"rules_passed", {"build", "written"}}, {"compiler", "NVRTC 13.0"}};
        result.resources = {{"kernels",
            {{{"kernel", "gemm<16>"}, {"registers", 241}, {"shared_bytes", 2048}, {"local_bytes", 0}, {"threads", 128},
                 {"blocks_per_sm", 1}, {"code_bytes", 1536}},
                {{"kernel", "add"}}}}};
        Task task;
        task.buildOptions = {"--use_fast_math", "-maxrregcount=64"};
        const QString words = silentBuildWords(result, &task);
        QVERIFY2(words.startsWith(u"Compiler output"_s), qPrintable(words));
        QVERIFY2(words.contains(u"\nCompiler: NVRTC 13.0\nOptions of the task: --use_fast_math -maxrregcount=64\n"_s),
            qPrintable(words));
        QVERIFY2(
            words.contains(
                u"gemm<16>\n    241 registers, 2 KiB shared memory\n    0 bytes local memory, 1.5 KiB machine code\n    128 threads per block, 1 block per SM"_s),
            qPrintable(words));
        result.environment["rules_passed"] = {"written"};
        QVERIFY(silentBuildWords(result, &task).isEmpty());
    }

    void aSparklineStaysInItsBoxThoughResultsWereTakenBack()
    {
        using Trace = std::vector<std::pair<std::int64_t, double>>;
        for (const Trace& trace : {Trace{{30, 1}, {32, 2}}, Trace{{30, 1}, {34, 2}, {29, 3}}, Trace{{40, 1}}}) {
            QImage image(300, 100, QImage::Format_RGB32);
            image.fill(Qt::black);
            const QRectF box(100, 30, 60, 40);
            QPainter painter(&image);
            drawSparkline(painter, box, trace, 25, 0, 4, Qt::white);
            painter.end();
            const QRect around = box.toAlignedRect().adjusted(-4, -4, 4, 4);
            int drawn = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) != QColor(Qt::black)) {
                        ++drawn;
                        QVERIFY2(around.contains(x, y), qPrintable(u"%1, %2"_s.arg(x).arg(y)));
                    }
            QVERIFY(drawn > 0);
        }
    }

    void whatIsDoneAsideIsTakenOnlyByWhoeverIsStillThere()
    {
        int taken = 0;
        for (int i = 0; i < 4000; ++i) {
            auto taker = std::make_unique<QObject>();
            std::atomic<bool> ends = false;
            doAside(
                taker.get(), [&ends] { return ends = true; }, [&taken](bool) { ++taken; });
            while (!ends)
                std::this_thread::yield();
            for (int wait = 0; wait < i % 20; ++wait)
                std::this_thread::yield();
            taker.reset();
            QCoreApplication::processEvents();
        }
        QCOMPARE(taken, 0);
        QObject stays;
        doAside(
            &stays, [] { return 42; }, [&taken](int made) { taken = made; });
        QTRY_COMPARE_WITH_TIMEOUT(taken, 42, patience);
    }

    /// Whatever code a candidate, an edit or a call can end with in the record.
    void everyCodeThatAnEndIsRecordedUnderHasWords()
    {
        const std::set<QString> codes = codesOfCore();
        QVERIFY(codes.contains(u"proposer/changed"_s) && codes.contains(u"llm/lost"_s) && codes.size() > 100);
        for (const QString& each : codes) {
            const QString words = ruleWords(each.toStdString());
            QVERIFY2(!words.contains(u'/') && !words.isEmpty(), qPrintable(each));
            QVERIFY2(words != each || each == u"cancelled"_s, qPrintable(each));
        }
        QVERIFY(ruleWords("llm/connection-lost") != ruleWords("llm/connect"));
        QVERIFY(ruleWords("proposer/changed") != ruleWords("proposer/parent"));
    }

    /// Who writes a program reads there what each rule says of it, in the words of the window.
    void theListOfVerdictsIsThatOfTheRules()
    {
        QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/README.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString readme = QString::fromUtf8(file.readAll());
        const QString section = readme.mid(readme.indexOf(u"## What a verdict says"_s)).section(u"\n## "_s, 0, 0);
        const QRegularExpression row(
            u"^[|] `([a-z-]+/[a-z-]*)(…?)` [|] (.*) [|] (.*) [|]$"_s, QRegularExpression::MultilineOption);
        std::map<QString, QString> listed;
        for (auto all = row.globalMatch(section); all.hasNext();) {
            const auto match = all.next();
            const std::string rule = (match.captured(1) + (match.captured(2).isEmpty() ? u""_s : u"x"_s)).toStdString();
            QCOMPARE(match.captured(3), ruleWords(rule));
            QCOMPARE(match.captured(4), ruleRemedy(rule));
            listed[match.captured(1)] = match.captured(3);
        }
        QVERIFY(listed.size() > 25);
        for (const QString& code : codesOfCore()) {
            const QString family = code.section(u'/', 0, 0);
            if (!QStringList{u"audit"_s, u"build"_s, u"plan"_s, u"run"_s, u"static"_s, u"time"_s, u"verify"_s}.contains(
                    family))
                continue;
            QString longest; // of the rows that stand for it
            for (const auto& [rule, words] : listed)
                if (code.startsWith(rule) && rule.size() > longest.size())
                    longest = rule;
            if (!longest.isEmpty() && listed[longest] == ruleWords(code.toStdString()))
                continue;
            QFAIL(qPrintable(code + u" is not listed: "_s + ruleWords(code.toStdString())));
        }
    }

    /// A rule's code is none of a user's words, and each rule's own family never hides behind another's.
    void whatEndedACandidateIsSaidInWords()
    {
        for (const char* rule : {"build/error", "build/limit", "build/plan", "static/clock", "plan/shared",
                 "verify/norm", "verify/elementwise", "verify/exact", "verify/nan", "verify/poison",
                 "verify/determinism", "verify/input-write", "verify/out-of-bounds-write", "verify/out-of-bounds-read",
                 "verify/memcheck", "verify/timed", "time/roofline", "time/uneven", "time/clock", "audit/vendor",
                 "run/timeout", "run/illegal-address", "run/killed", "build/killed", "build/no-entry",
                 "build/no-kernel", "device/lost", "node/crash", "node/killed", "machine/memory"}) {
            QVERIFY2(!ruleWords(rule).contains(u'/'), rule);
            QCOMPARE(ruleWithCode(rule), u"%1 (%2)"_s.arg(ruleWords(rule), text(rule)));
            QVERIFY2(ruleRemedy(rule).endsWith(u'.') || ruleRemedy(rule).endsWith(u'?'), rule);
        }
        QVERIFY(ruleWords("build/limit") != ruleWords("build/error"));
        QVERIFY(
            ruleWords("build/killed") != ruleWords("build/error") && ruleWords("run/killed") != ruleWords("run/crash"));
        QVERIFY(ruleWords("verify/out-of-bounds-write") != ruleWords("verify/out-of-bounds-read"));
        QCOMPARE(ruleWords("new/rule"), u"new/rule"_s);
        QVERIFY(ruleWithCode("").isEmpty() && ruleRemedy("new/rule").isEmpty());
        QCOMPARE(evidenceText({{"bound", 2e-05}, {"error", 2.0000000057903087}, {"inputs", "normal"},
                     {"shape", {1, 1, 7}}, {"index", {0, 5}}, {"want", 1.5}, {"got", "NaN"}, {"other_fact", 3}}),
            u"shape: 1×1×7\nelement: [0, 5]\nexpected: 1.5\ngot: NaN\nrelative error of the whole output: 2\nlimit: "
            u"2e-05\n"
            "inputs: normal\nother fact: 3"_s);
        QCOMPARE(evidenceText({{"ns", 1500.0}, {"floor_ns", 2500.0}}),
            u"time: %1\nleast possible time: %2"_s.arg(shortTime(1500), shortTime(2500)));
        QVERIFY(evidenceText(nullptr).isEmpty());
    }

    void everyThemeKeepsTextReadable_data();
    void everyThemeKeepsTextReadable();
    void islandColoursStandOut();
    void coloursOfScoresAreSeenInTheirOrder();
    void aMixIsShortenedByWholeParts();
    void aLabelTakesAShorterFormBeforeItCuts();
    void theWindowOpensNoLargerThanItsScreen();
    void everyActionHasAnIconThatExistsAndNoConflict();
    void backAndForwardWalkThroughTheVisited();
    void pinningAgainReleases();
    void aStaleTextIsDropped();
    void recentFilesAreNewestFirstUntilTheyAreTakenOff();
    void modelsStayConsistentWhileARunGrows();
    void theEventLogSaysWhereADayBegins();
    void aBatchOfCandidatesIsOneInsert();
    void theStarLeavesTheOldBestAsSoonAsThereIsANewOne();
    void manyCandidatesStayFast();
    void filterWantsEveryWord();
    void gainInsideTheNoiseFloorReadsWithinNoise();
    void parentChangeIsPairedOnlyAgainstTheParent();
    void heldoutShapesWaitForConfirmation();
    void fitnessStepsNeverFall();
    void figuresReadLikeFigures_data();
    void figuresReadLikeFigures();
    void aDiffFoldsWhatIsEqualAndMarksWords();
    void nicheAxesHaveReadableNames();
};

void TestUiValues::everyThemeKeepsTextReadable_data()
{
    QTest::addColumn<int>("kind");
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast})
        QTest::newRow(qPrintable(nameOf(kind))) << static_cast<int>(kind);
}

void TestUiValues::everyThemeKeepsTextReadable()
{
    QFETCH(int, kind);
    const ui::Tokens t = tokensOf(static_cast<ThemeKind>(kind));
    const auto readable = [](const char* what, const QColor& ink, const QColor& ground) {
        const double ratio = contrast(ink, ground);
        if (ratio < 4.5)
            QFAIL(qPrintable(
                u"%1: %2 on %3 is %4 : 1"_s.arg(QLatin1String(what), ink.name(), ground.name()).arg(ratio, 0, 'f', 2)));
    };
    for (const QColor& ground : {t.window, t.panel, t.raised, t.track, t.selected}) {
        readable("text", t.text, ground);
        readable("secondary", t.secondary, ground);
    }
    for (const QColor& ground : {t.panel, t.raised}) {
        readable("tertiary", t.tertiary, ground);
        readable("disabled", t.disabled, ground);
    }
    QVERIFY(contrast(t.disabled, t.text) >= 2); // what cannot be used looks it
    QVERIFY(contrast(t.disabled, t.secondary) >= 1.3);
    for (const QColor& ground : {t.panel, t.raised, t.selected, t.pill})
        readable("accent", t.accent, ground);
    readable("button", t.buttonText, t.button);
    for (const auto& [ink, pill] : {std::pair{t.good, t.goodPill}, {t.bad, t.badPill}, {t.warning, t.warningPill}}) {
        readable("state on its pill", ink, pill);
        for (const QColor& ground : {t.panel, t.raised, t.selected})
            readable("state", ink, ground);
    }
    for (const QColor& ground : {t.panel, t.addedLine, t.removedLine, t.addedWord, t.removedWord})
        readable("code", t.text, ground);
    for (const QColor& ink :
        {t.codeKeyword, t.codeType, t.codeNumber, t.codeFunction, t.codePreprocessor, t.codeComment})
        for (const QColor& ground : {t.panel, t.addedLine, t.removedLine})
            readable("coloured code", ink, ground);
}

void TestUiValues::aMixIsShortenedByWholeParts()
{
    const QStringList parts{u"manual 13 %"_s, u"mutator 70 %"_s, u"tuner 17 %"_s};
    const QFontMetricsF metrics(fontOf(Type::Tick));
    const QString all = parts.join(u", "_s);
    const double whole = metrics.horizontalAdvance(all);
    QCOMPARE(wholeParts(parts, metrics, whole), all);
    QCOMPARE(wholeParts(parts, metrics, whole - 1), u"manual 13 %, mutator 70 % +1 more"_s);
    QCOMPARE(wholeParts(parts, metrics, 1), u"manual 13 % +2 more"_s);
    QCOMPARE(wholeParts({}, metrics, whole), QString());
}

void TestUiValues::aLabelTakesAShorterFormBeforeItCuts()
{
    ElidedLabel label;
    const QStringList forms{u"geometric mean of 9 train shapes"_s, u"9 train shapes"_s, QString()};
    label.setForms(forms);
    for (const QString& form : forms) {
        label.resize(label.fontMetrics().horizontalAdvance(form) + 1, 20);
        QCOMPARE(label.shown(), form);
    }
    QCOMPARE(label.toolTip(), forms.first());
}

void TestUiValues::islandColoursStandOut()
{
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast}) {
        const ui::Tokens t = tokensOf(kind);
        for (int i = 1; i <= 5; ++i)
            QVERIFY2(contrast(islandColour(t, IslandId{i}), t.panel) >= 3, qPrintable(nameOf(kind)));
    }
}

void TestUiValues::coloursOfScoresAreSeenInTheirOrder()
{
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Contrast}) {
        const ui::Tokens t = tokensOf(kind);
        double before = 0;
        for (int i = 0; i <= 20; ++i) {
            const QColor colour = scoreColour(t, i / 20.0);
            const double light = contrast(colour, Qt::black);
            const QString which = u"%1 at %2"_s.arg(nameOf(kind)).arg(i / 20.0);
            QVERIFY2(light > before, qPrintable(which)); // lighter from one to the next, as viridis is
            QVERIFY2(kind == ThemeKind::Light || contrast(colour, t.panel) >= 1.99, qPrintable(which));
            before = light;
        }
        QCOMPARE(scoreColour(t, 1), viridis(1));
        QCOMPARE(scoreColour(t, 0.5), viridis(0.5)); // what is seen is left as it is
    }
    QCOMPARE(standingOut(Qt::white, Qt::black, 3), QColor(Qt::white));
    QVERIFY(contrast(standingOut(Qt::white, Qt::white, 3), Qt::white) >= 2.99);
}

void TestUiValues::theWindowOpensNoLargerThanItsScreen()
{
    const QSize wanted(1440, 900), laptop(1366, 720);
    const QSize there = openingSize(wanted, laptop);
    QVERIFY(there.width() <= laptop.width() && there.height() < laptop.height()); // a title bar stands above it
    QCOMPARE(openingSize(wanted, QSize(2560, 1440)), wanted);
}

void TestUiValues::everyActionHasAnIconThatExistsAndNoConflict()
{
    ActionRegistry actions;
    addActions(actions);
    QCOMPARE(actions.conflicts(), QStringList());
    QVERIFY(actions.all().size() > 20);
    for (const char* name : {"home", "evolve", "play", "pause", "step", "stop", "star", "check", "x", "warn", "info",
             "file", "folder", "copy", "search", "fit", "float", "pin", "compare", "ban", "cpu", "therm", "clock",
             "queue", "wave", "plus", "lock", "shield", "fork", "table", "back", "forward", "flask", "contrast",
             "keyboard", "redo", "dice", "hourglass", "logo"})
        QVERIFY2(!icon(QString::fromLatin1(name)).isNull(), name);
    actions.add({u"test.twin"_s, u"Twin"_s, {}, QKeySequence(u"F5"_s), {}});
    QCOMPARE(actions.conflicts().size(), 1);
}

void TestUiValues::backAndForwardWalkThroughTheVisited()
{
    SelectionContext selection;
    for (const int id : {1, 5, 9})
        selection.select(CandidateId{id});
    selection.back();
    QCOMPARE(selection.current().value, 5);
    selection.back();
    QVERIFY(!selection.canGoBack());
    selection.forward();
    QCOMPARE(selection.current().value, 5);
    selection.select(CandidateId{7});
    QVERIFY(!selection.canGoForward());
    selection.back();
    QCOMPARE(selection.current().value, 5);
}

void TestUiValues::pinningAgainReleases()
{
    SelectionContext selection;
    selection.setReference(CandidateId{3});
    QCOMPARE(selection.reference().value, 3);
    selection.setReference(CandidateId{3});
    QVERIFY(!selection.reference());
}

void TestUiValues::aStaleTextIsDropped()
{
    test::FixtureRun run;
    run.grow(3);
    test::RecordedClient client;
    client.fixture = &run;
    SessionClient session(client);
    client.publish(run.snapshot());
    TextSlot slot(session, this);
    QStringList texts;
    connect(&slot, &TextSlot::ready, this, [&texts](const QString& text) { texts << text; });
    slot.request(run.state().candidates[0].source);
    slot.request(run.state().candidates[2].source);
    QTRY_COMPARE_WITH_TIMEOUT(texts.size(), 1, patience); // the client answers in order: the stale one was there before
    QCOMPARE(texts.first(), run.text(run.state().candidates[2].source));
}

void TestUiValues::recentFilesAreNewestFirstUntilTheyAreTakenOff()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath(u"s.ini"_s));
    for (const QString& name : {u"a"_s, u"b"_s}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        settings.addRecentFile(file.fileName());
    }
    QCOMPARE(settings.recentFiles().size(), 2);
    QVERIFY(settings.recentFiles().first().endsWith(u"/b"_s));
    QFile::remove(folder.filePath(u"b"_s)); // a session that was moved is told, not forgotten
    QCOMPARE(settings.recentFiles().size(), 2);
    settings.removeRecentFile(folder.filePath(u"b"_s));
    QCOMPARE(settings.recentFiles(), QStringList{folder.filePath(u"a"_s)});
}

void TestUiValues::modelsStayConsistentWhileARunGrows()
{
    test::FixtureRun run;
    CandidateModel candidates;
    CandidateFilter filter;
    filter.setSourceModel(&candidates);
    filter.sort(static_cast<int>(CandidateModel::Column::Score), Qt::DescendingOrder);
    IslandModel islands;
    LogModel log;
    RunsModel runs;
    ShapeModel shapes;
    const auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
    for (QAbstractItemModel* model :
        std::initializer_list<QAbstractItemModel*>{&candidates, &filter, &islands, &log, &runs, &shapes})
        new QAbstractItemModelTester(model, fatal, model);
    for (int round = 0; round < 12; ++round) {
        run.grow(9);
        const SnapshotPtr snapshot = run.snapshot();
        candidates.show(snapshot);
        islands.show(snapshot);
        log.show(snapshot);
        filter.setQuery(CandidateQuery::parse(round % 3 == 2 ? u"provisional"_s : QString()));
        const Candidate& last = snapshot->run.candidates.back();
        runs.show(snapshot->run, last.id, snapshot->pack ? &snapshot->pack->task : nullptr);
        shapes.show(last, snapshot->run.evaluation(last.latest), snapshot->pack ? &snapshot->pack->task : nullptr);
        QCOMPARE(candidates.rowCount(), static_cast<int>(snapshot->run.candidates.size()));
    }
    test::FixtureRun other(2);
    candidates.show(other.snapshot());
    islands.show(other.snapshot());
    log.show(other.snapshot());
    QCOMPARE(candidates.rowCount(), 1);
}

void TestUiValues::theEventLogSaysWhereADayBegins()
{
    auto snapshot = std::make_shared<Snapshot>();
    for (const char* at : {"2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z", "2026-03-03T12:00:00Z"})
        snapshot->run.log.push_back({0, at, "info", {}, "a word"});
    LogModel log;
    log.show(snapshot);
    const auto said = [&log](int row, LogModel::Column column, int role) {
        return log.index(row, static_cast<int>(column)).data(role).toString();
    };
    const QString first = QLocale().toString(QDate(2026, 3, 1), QLocale::LongFormat),
                  last = QLocale().toString(QDate(2026, 3, 3), QLocale::LongFormat);
    QCOMPARE(said(0, LogModel::Column::Text, Qt::DisplayRole), first + u" · a word"_s);
    QCOMPARE(said(1, LogModel::Column::Text, Qt::DisplayRole), u"a word"_s);
    QCOMPARE(said(2, LogModel::Column::Text, Qt::DisplayRole), last + u" · a word"_s);
    QCOMPARE(said(1, LogModel::Column::Time, Qt::ToolTipRole), first);
}

void TestUiValues::aBatchOfCandidatesIsOneInsert()
{
    test::FixtureRun run;
    CandidateModel model;
    model.show(run.snapshot());
    QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    run.grow(40);
    model.show(run.snapshot());
    QCOMPARE(inserts.size(), 1);
    QCOMPARE(resets.size(), 0);
}

void TestUiValues::theStarLeavesTheOldBestAsSoonAsThereIsANewOne()
{
    test::FixtureRun run;
    run.grow(5);
    CandidateModel model;
    model.show(run.snapshot());
    const CandidateId before = run.state().best()->id;
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    for (int round = 0; round < 100 && run.state().best()->id == before; ++round) {
        changed.clear();
        run.grow(1);
        model.show(run.snapshot());
    }
    QVERIFY(run.state().best()->id != before);
    const int row = static_cast<int>(before.value) - 1;
    QVERIFY(std::ranges::any_of(changed, [row](const QList<QVariant>& told) {
        return told.at(0).toModelIndex().row() <= row && row <= told.at(1).toModelIndex().row();
    }));
}

void TestUiValues::manyCandidatesStayFast()
{
    test::FixtureRun run;
    run.grow(3000);
    CandidateModel model;
    CandidateFilter filter;
    filter.setSourceModel(&model);
    filter.sort(0, Qt::DescendingOrder);
    model.show(run.snapshot());
    QVERIFY(model.rowCount() > 3000);
    filter.setQuery(CandidateQuery::parse(u"refused"_s));
    QVERIFY(filter.rowCount() > 0 && filter.rowCount() < model.rowCount());
}

void TestUiValues::filterWantsEveryWord()
{
    test::FixtureRun run;
    run.grow(80);
    CandidateModel model;
    CandidateFilter filter;
    filter.setSourceModel(&model);
    model.show(run.snapshot());
    filter.setQuery(CandidateQuery::parse(u"c-0042"_s));
    QCOMPARE(filter.rowCount(), 1);
    filter.setQuery(CandidateQuery::parse(u"c-0042 nowhere"_s));
    QCOMPARE(filter.rowCount(), 0);
    filter.setQuery({});
    filter.setIslands({IslandId{2}});
    for (int row = 0; row < filter.rowCount(); ++row)
        QCOMPARE(filter.index(row, 0).data(CandidateModel::IslandRole).toLongLong(), 2);
}

void TestUiValues::gainInsideTheNoiseFloorReadsWithinNoise()
{
    const ParentChange inside{CandidateId{1}, {1.004, 1.001, 1.007}, true, 1, 0.006};
    const ParentChange crossing{CandidateId{1}, {1.03, 0.99, 1.07}, true, 1, 0.006};
    const ParentChange gain{CandidateId{1}, {1.03, 1.02, 1.04}, true, 1, 0.006};
    const ParentChange inTheMargin{
        CandidateId{1}, {1.03, 1.01, 1.05}, true, 1, 0.006}; // as the verdict of a comparison
    const ParentChange steady{CandidateId{1}, {1.004, 1.003, 1.005}, true, 1, 0.0017};
    QVERIFY(inside.isWithinNoise());
    QVERIFY(crossing.isWithinNoise());
    QVERIFY(inTheMargin.isWithinNoise());
    QVERIFY(steady.isWithinNoise());
    QVERIFY(!gain.isWithinNoise());
}

void TestUiValues::parentChangeIsPairedOnlyAgainstTheParent()
{
    test::FixtureRun run;
    run.grow(60);
    CandidateModel table;
    table.show(run.snapshot());
    const auto told = [&table](CandidateId id) {
        return table.index(static_cast<int>(id.value) - 1, static_cast<int>(CandidateModel::Column::Parent)).data();
    };
    for (const Candidate& candidate : run.state().candidates) {
        const auto change = versusParent(run.state(), candidate);
        QCOMPARE(told(candidate.id), told(originOf(run.state(), candidate.id)));
        if (!change)
            continue;
        const Candidate& made = *run.state().candidate(originOf(run.state(), candidate.id));
        const CandidateId parent = made.parents.front();
        QCOMPARE(change->parent, parent); // a copy is not compared with itself
        const bool besideTheBaseline = made.confirmed && originOf(run.state(), parent) == CandidateId{1};
        QCOMPARE(change->paired, besideTheBaseline || run.state().evaluation(made.latest)->against == parent);
        QVERIFY(change->ratio.lo <= change->ratio.value && change->ratio.value <= change->ratio.hi);
    }
}

void TestUiValues::heldoutShapesWaitForConfirmation()
{
    test::FixtureRun run;
    run.grow(60);
    const SnapshotPtr snapshot = run.snapshot();
    QVERIFY2(snapshot->pack, "the task pack gemm-fp32-cpu was not found");
    ShapeModel model;
    for (const Candidate& candidate : snapshot->run.candidates) {
        model.show(candidate, snapshot->run.evaluation(candidate.latest), &snapshot->pack->task);
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(candidate.confirmed || !model.index(row, 0).data(ShapeModel::HeldoutRole).toBool());
    }
}

void TestUiValues::fitnessStepsNeverFall()
{
    test::FixtureRun run;
    run.grow(200);
    for (const RunAxis axis : {RunAxis::Evaluation, RunAxis::Generation, RunAxis::WallTime}) {
        const FitnessData data
            = fitnessOf(run.state(), {axis, {}, {}, {}}, tokensOf(ThemeKind::Dark), {}, [](IslandId) { return true; });
        QCOMPARE(data.series.size(), 4);
        for (const PlotSeries& series : data.series) {
            QVERIFY(std::ranges::is_sorted(series.x));
            QVERIFY(std::ranges::is_sorted(series.stepX));
            QVERIFY(std::ranges::is_sorted(series.stepY));
        }
        QVERIFY(!data.failures.isEmpty());
        QCOMPARE(data.failed, data.failures.size());
        // Where nothing has a place, because nothing cost anything, they are counted all the same.
        const FitnessData unpriced = fitnessOf(
            run.state(), {RunAxis::Cost, {}, {}, {}}, tokensOf(ThemeKind::Dark), {}, [](IslandId) { return true; });
        QVERIFY(unpriced.failures.isEmpty());
        QCOMPARE(unpriced.failed, data.failed);
    }
}

void TestUiValues::figuresReadLikeFigures_data()
{
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("expected");
    QTest::newRow("speedup") << times(2.314) << u"2.31×"_s;
    QTest::newRow("speedup of two digits") << times(12.346) << u"12.35×"_s;
    QTest::newRow("share") << percent(0.0062) << u"0.6 %"_s;
    QTest::newRow("large speedup") << times(136.62) << u"136.6×"_s;
    QTest::newRow("gain") << signedPercent(1.0549) << u"+5.5 %"_s;
    QTest::newRow("loss has a minus sign") << signedPercent(0.988) << u"−1.2 %"_s;
    QTest::newRow("thousands") << grouped(12345) << u"12\u202f345"_s;
    QTest::newRow("microseconds") << shortTime(412'300) << u"412 µs"_s;
    QTest::newRow("less than a second") << duration(412'300'000) << u"0.41 s"_s;
    QTest::newRow("no time") << duration(0) << u"0 s"_s;
    QTest::newRow("hours") << duration(11'520'000'000'000) << u"3 h 12 min"_s;
    QTest::newRow("singular") << counted(1, u"%1 line"_s, u"%1 lines"_s) << u"1 line"_s;
}

void TestUiValues::figuresReadLikeFigures()
{
    QFETCH(QString, shown);
    QFETCH(QString, expected);
    QCOMPARE(shown, expected);
}

void TestUiValues::aDiffFoldsWhatIsEqualAndMarksWords()
{
    std::string before, after;
    for (int i = 0; i < 20; ++i) {
        before += "line " + std::to_string(i) + "\n";
        after += i == 10 ? "line ten here\n" : "line " + std::to_string(i) + "\n";
    }
    const auto& [lines, folds] = unifiedDiff(before, after);
    using Mark = CodeLine::Mark;
    QCOMPARE(folds, (std::vector<Fold>{{0, 7, 7}, {15, 6, 6}}));
    QCOMPARE(lines[10].mark, Mark::Removed);
    QCOMPARE(lines[10].number, 11);
    QCOMPARE(lines[11].mark, Mark::Added);
    QVERIFY(!lines[11].words.empty());
    QCOMPARE(lines[11].words.front().first, 5);
    QVERIFY(unifiedDiff(before, before).lines.empty());
}

void TestUiValues::nicheAxesHaveReadableNames()
{
    QCOMPARE(axisName("tunables:MC*NC*KC"), u"tile size"_s);
    QCOMPARE(axisTerm("tunables:MC*NC*KC"), u"MC·NC·KC"_s);
    QCOMPARE(axisName("tunables:UNROLL"), u"UNROLL"_s);
    QCOMPARE(axisName("code_bytes"), u"code length"_s);
}

TILEWRIGHT_TEST(TestUiValues)

#include "test_ui_values.moc"
