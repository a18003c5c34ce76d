// SPDX-License-Identifier: GPL-3.0-or-later
// Every figure of the window equals what `tilewright-cli show --json` says of the same file: for the shipped demo, and
// for a run that the window itself made. Text is compared as it stands on the screen, plots by their data.
#include "core/store/packed_session.h"
#include "tests/e2e/stage.h"
#include "tests/patience.h"
#include "ui/devices/conditions_panel.h"
#include "ui/devices/device_card.h"
#include "ui/devices/devices_page.h"
#include "ui/devices/timeline_panel.h"
#include "ui/evolve/fitness_data.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/island_model.h"
#include "ui/models/log_model.h"
#include "ui/models/runs_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/plot/plot_view.h"
#include "ui/widgets/table.h"

#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;

namespace {

const QString none = u"–"_s;

QString timesOf(const QJsonValue& figure) { return figure.isDouble() ? times(figure.toDouble()) : none; }

bool isRanked(const QJsonObject& candidate)
{
    return candidate[u"outcome"] == u"ranked"_s && candidate[u"score"].isDouble();
}

bool hasFailed(const QJsonObject& candidate)
{
    return QStringList{u"refused"_s, u"build_failed"_s, u"run_failed"_s, u"quarantined"_s}.contains(
        candidate[u"outcome"].toString());
}

CandidateId idOf(const QJsonObject& candidate) { return candidateFromName(candidate[u"id"].toString().toStdString()); }

QString cell(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

template <typename Column> QString cell(const QAbstractItemModel& model, int row, Column column)
{
    return cell(model, row, static_cast<int>(column));
}

} // namespace

class TestWindowShowsTheRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The comparisons below write their figures by the same functions as the window; here is what these have to write.
    void figuresAreWrittenForPeople()
    {
        QCOMPARE(times(1.0), u"1.00×"_s);
        QCOMPARE(times(9.876), u"9.88×"_s);
        QCOMPARE(times(12.34), u"12.34×"_s);
        QCOMPARE(times(136.6), u"136.6×"_s);
        QCOMPARE(times(0.5), u"0.50×"_s);
        QCOMPARE(percent(0.0062), u"0.6 %"_s);
        QCOMPARE(percent(0.25), u"25.0 %"_s);
        QCOMPARE(percent(0), u"0.0 %"_s);
        QCOMPARE(signedPercent(1.0549), u"+5.5 %"_s);
        QCOMPARE(signedPercent(0.988), u"−1.2 %"_s);
        QCOMPARE(grouped(1234567), u"1\u202f234\u202f567"_s);
        QCOMPARE(duration(65'000'000'000), u"1 min 05 s"_s);
        QCOMPARE(duration(11'520'000'000'000), u"3 h 12 min"_s);
        QCOMPARE(shortTime(3'071'000), u"3.07 ms"_s);
    }

    void theDemoIsShownAsRecorded()
    {
        test::Stage stage;
        stage.window->openDemo(u"gemm-cpu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        const QJsonObject record = test::recordOf(stage);
        QVERIFY(record[u"candidate_count"].toInt() > 100);
        compare(stage, record);
    }

    void aRunOfTheWindowIsShownAsRecorded()
    {
        test::Stage stage;
        QVERIFY(stage.create(stage.file(u"mine.tilewright"_s), 60, u"start"_s));
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.phase == events::Phase::Finished, patience);
        const QJsonObject record = test::recordOf(stage);
        QCOMPARE(record[u"evaluations"].toInt(), 60);
        compare(stage, record);
    }

    void aRunThatGaveWayGoesOnWhereItWas()
    {
        test::Stage stage;
        const QString first = stage.file(u"first.tilewright"_s), second = stage.file(u"second.tilewright"_s);
        const auto runs = [&](const QString& file) {
            const EngineStatus& status = stage.window->session().snapshot().status;
            return text(status.sessionPath) == file && status.phase == events::Phase::Running;
        };
        const auto take = [&](const QString& said) {
            // What a node tells of its devices may stand before it.
            const auto* offer = stage.find<QPushButton>(u"messageOffer"_s);
            for (int looks = 0; looks < 400 && !(stage.message().contains(said) && offer->isVisible()); ++looks) {
                if (!stage.message().isEmpty() && !stage.message().contains(said))
                    stage.find<QToolButton>(u"messageDismiss"_s)->click();
                QTest::qWait(25);
            }
            QVERIFY2(stage.message().contains(said), qPrintable(stage.message()));
            stage.find<QPushButton>(u"messageOffer"_s)->click();
        };
        QVERIFY(stage.create(first, 100'000, u"start"_s));
        QTRY_VERIFY_WITH_TIMEOUT(runs(first) && stage.window->session().run().candidates.size() > 5, patience);
        QVERIFY(stage.create(second, 100'000, u"start"_s));
        QTest::qWait(50);
        QVERIFY(runs(first) && !QFile::exists(second));
        const auto* question = stage.find<QLabel>(u"startQuestionWords"_s);
        QVERIFY2(question->text().contains(u"first.tilewright is running"_s), qPrintable(question->text()));
        stage.find<QPushButton>(u"startAgree"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(runs(second), patience);
        take(u"is paused now"_s);
        take(u"second.tilewright is running"_s); // resuming is no silent end either
        QTRY_VERIFY_WITH_TIMEOUT(runs(first), patience);
        QVERIFY(stage.window->session().run().candidates.size() > 5);
        stage.window->session().execute(commands::PauseNow{});
        QTRY_VERIFY_WITH_TIMEOUT(!runs(first), patience);
    }

    void whatWasSeenOfAGpuIsShownAsRecorded()
    {
        test::Stage stage;
        stage.window->openDemo(u"gemm-h200"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        stage.window->showScreen(u"devices"_s);
        const QJsonArray seen = test::recordOf(stage)[u"work"][u"conditions"].toArray();
        QVERIFY(seen.size() > 100);
        QVERIFY(std::ranges::all_of(seen, [](const QJsonValue& each) { return each[u"temp_c"].isArray(); }));
        compareConditions(stage, seen);
        QVERIFY(stage.find<PlotView>(u"conditionsPlot"_s)->series().size() == 1);
    }

    void aCopySaysTheSame()
    {
        test::Stage stage;
        stage.window->openDemo(u"gemm-cpu"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().isOpen(), patience);
        // What the node says of its devices is an event: it has come before the copy is made.
        QTRY_VERIFY_WITH_TIMEOUT(stage.window->session().snapshot().status.builders > 0, patience);
        const QString copy = stage.file(u"copy.tilewright"_s);
        stage.window->session().execute(commands::SaveCopy{copy.toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(!stage.saidWith(copy).isEmpty(), patience);
        QJsonObject original = test::recordOf(stage), copied = test::shown(copy);
        QVERIFY(original[u"candidate_count"].toInt() > 100);
        for (QJsonObject* one : {&original, &copied})
            one->remove(u"session"_s);
        QCOMPARE(copied, original);
        stage.window->session().execute(commands::SaveCopy{pathOf(stage).toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(!stage.saidWith(u"is the session itself"_s).isEmpty(), patience);
    }

private:
    static QString pathOf(const test::Stage& stage)
    {
        return text(stage.window->session().snapshot().status.sessionPath);
    }

    void compare(test::Stage& stage, const QJsonObject& record)
    {
        compareFrame(stage, record);
        compareIslands(stage, record);
        comparePlot(stage, record);
        compareTable(stage, record);
        compareInspector(stage, record);
        compareDevices(stage, record);
    }

    void compareFrame(test::Stage& stage, const QJsonObject& record)
    {
        QCOMPARE(stage.window->session().run().lastSeq, record[u"events"].toInteger());
        const QJsonObject best = record[u"best"].toObject(), device = record[u"device"].toObject();
        const QJsonObject budget = record[u"settings"].toObject()[u"budget"].toObject();
        QString badge = u"%1 %2 baseline "_s.arg(best[u"id"].toString(), timesOf(best[u"score"]));
        if (best[u"vs_vendor"].isDouble())
            badge += u"│ %1 vendor library "_s.arg(timesOf(best[u"vs_vendor"]));
        QCOMPARE(stage.find<QWidget>(u"bestBadge"_s)->accessibleName(), badge);
        const qint64 done = record[u"evaluations"].toInteger(), begun = record[u"evaluations_begun"].toInteger();
        const auto meter = [&](const QString& name) { return stage.find<Meter>(name)->accessibleName(); };
        QVERIFY2(meter(u"evaluationsMeter"_s)
                     .startsWith(u"Evaluations: %1 of %2."_s.arg(
                         begun > done ? u"%1 + %2"_s.arg(grouped(done), grouped(begun - done)) : grouped(done),
                         grouped(budget[u"evaluations"].toInteger()))),
            qPrintable(meter(u"evaluationsMeter"_s)));
        const QString wall = duration(std::llround(record[u"wall_s"].toDouble() * 1e9));
        QVERIFY2(meter(u"wallMeter"_s).startsWith(u"Wall time: %1 of no limit."_s.arg(wall)),
            qPrintable(meter(u"wallMeter"_s)));
        const auto status = [&](const QString& name) { return stage.find<QLabel>(name)->text(); };
        const QJsonObject facts = device[u"facts"].toObject();
        QCOMPARE(status(u"statusDevice"_s), facts[u"name"].toString());
        QCOMPARE(status(u"statusIsolation"_s), u"isolation: "_s + facts[u"isolation"].toString());
        const double noise = device[u"noise_floor"].toDouble();
        const QJsonValue drift = device[u"score_drift"];
        QCOMPARE(status(u"statusNoise"_s),
            (noise > 0 ? u"noise floor ± %1"_s.arg(percent(noise)) : u"noise floor not measured yet"_s)
                + (drift.isObject() ? u", scores drifted "_s
                            + signedPercent(drift[u"again"].toDouble() / drift[u"confirmed"].toDouble())
                                    : QString()));
        const QString phase = record[u"phase"].toString(), reason = record[u"phase_reason"].toString();
        QCOMPARE(status(u"statusSummary"_s), reason.startsWith(phase) ? reason : phase + u" · "_s + reason);
        const auto* tabs = stage.find<QTabBar>(u"recordTabs"_s);
        QCOMPARE(tabs->tabText(0), u"Candidates  %1"_s.arg(record[u"candidate_count"].toInt()));
        QCOMPARE(tabs->tabText(1), u"Event log  %1"_s.arg(record[u"log_lines"].toInt()));
        QCOMPARE(stage.find<Table>(u"logTable"_s)->model()->rowCount(), record[u"log_lines"].toInt());
    }

    void compareDevices(test::Stage& stage, const QJsonObject& record)
    {
        stage.window->showScreen(u"devices"_s);
        const QJsonObject work = record[u"work"].toObject(), kinds = work[u"kinds"].toObject();
        const auto told = [&](const QString& kind, const QString& key) { return kinds[kind][key].toInteger(); };
        std::array<std::int64_t, activityCount> count{}, failed{};
        double ns = 0, recordedNs = 0;
        std::int64_t pieces = 0;
        for (const Lane& lane : stage.window->devices().timeline().lanes().lanes())
            for (const LaneSpan& span : lane.spans()) {
                ++count[static_cast<std::size_t>(span.activity)];
                failed[static_cast<std::size_t>(span.activity)] += span.failed;
                if (span.activity != Activity::Call) // an answer that is waited for is no work of this machine
                    ns += static_cast<double>(span.endNs - span.startNs);
            }
        const std::pair<Activity, QStringList> activities[] = {{Activity::Build, {u"build"_s}},
            {Activity::Check, {u"check"_s, u"check_all"_s}}, {Activity::Screen, {u"screen"_s}},
            {Activity::Confirm, {u"confirm"_s}}, {Activity::Noise, {u"noise"_s}}};
        for (const auto& [activity, names] : activities) {
            std::int64_t expected = 0, expectedFailed = 0;
            for (const QString& name : names) {
                expected += told(name, u"count"_s);
                expectedFailed += told(name, u"failed"_s);
                recordedNs += static_cast<double>(told(name, u"ns"_s));
            }
            QCOMPARE(count[static_cast<std::size_t>(activity)], expected);
            QCOMPARE(failed[static_cast<std::size_t>(activity)], expectedFailed);
            pieces += expected;
        }
        QVERIFY(pieces > 100);
        // Pieces of one lane that overlap by a moment are set side by side.
        QVERIFY2(ns <= recordedNs && ns > 0.98 * recordedNs, qPrintable(u"%1 of %2"_s.arg(ns).arg(recordedNs)));
        const auto* noise = stage.find<PlotView>(u"noisePlot"_s);
        const QJsonArray points = work[u"noise_floor"].toArray();
        QCOMPARE(noise->series().isEmpty() ? 0 : noise->series()[0].y.size(), points.size());
        for (qsizetype i = 0; i < points.size(); ++i)
            QCOMPARE(noise->series()[0].y[i], points[i][u"floor"].toDouble() * 100);
        const auto* card = stage.find<DeviceCard>(u"deviceCard1"_s);
        QCOMPARE(card->valueOf(u"Isolation"_s), record[u"device"][u"facts"][u"isolation"].toString());
        QVERIFY(card->valueOf(u"Restarts"_s)
                    .startsWith(u"measuring program %1,"_s.arg(work[u"node_ends"].toArray().size())));
        compareConditions(stage, work[u"conditions"].toArray());
        stage.window->showScreen(u"evolve"_s);
    }

    /// The table twin, the newest first; and of the plot each low and high reading, by the dots of all devices.
    void compareConditions(test::Stage& stage, const QJsonArray& seen)
    {
        const auto readings = [](const QJsonValue& ends) {
            if (!ends.isArray())
                return u"–"_s;
            const QString lo = grouped(std::llround(ends[0].toDouble())),
                          hi = grouped(std::llround(ends[1].toDouble()));
            return lo == hi ? lo : lo + u'–' + hi;
        };
        const QAbstractItemModel& table = *stage.find<Table>(u"conditionsTable"_s)->model();
        QCOMPARE(table.rowCount(), static_cast<int>(seen.size()));
        using Column = ConditionsModel::Column;
        qsizetype dots = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const QJsonValue each = seen[seen.size() - 1 - row];
            QCOMPARE(cell(table, row, Column::RunTime), duration(each[u"run_ns"].toInteger()));
            QCOMPARE(cell(table, row, Column::Candidate), each[u"candidate"].toString());
            QCOMPARE(cell(table, row, Column::Clock), readings(each[u"mhz"]));
            QCOMPARE(cell(table, row, Column::Temperature), readings(each[u"temp_c"]));
            QCOMPARE(cell(table, row, Column::Power), readings(each[u"power_w"]));
            QCOMPARE(cell(table, row, Column::Throttling),
                !each[u"throttling"].isObject()                ? u"–"_s
                    : each[u"throttling"].toObject().isEmpty() ? u"none"_s
                                                               : each[u"throttling"].toObject().keys().join(u", "_s));
            if (each[u"mhz"].isArray())
                dots += each[u"mhz"][0].toDouble() == each[u"mhz"][1].toDouble() ? 1 : 2;
        }
        qsizetype plotted = 0;
        for (const PlotSeries& series : stage.find<PlotView>(u"conditionsPlot"_s)->series())
            plotted += series.y.size();
        QCOMPARE(plotted, dots);
    }

    void compareIslands(test::Stage& stage, const QJsonObject& record)
    {
        using Column = IslandModel::Column;
        const QAbstractItemModel& model = *stage.find<Table>(u"islandTable"_s)->model();
        const QJsonArray islands = record[u"islands"].toArray();
        QCOMPARE(model.rowCount(), islands.size());
        for (int row = 0; row < model.rowCount(); ++row) {
            const QJsonObject island = islands[row].toObject();
            const auto value = [&](Column column) { return cell(model, row, column); };
            QCOMPARE(value(Column::Name), island[u"id"].toString() + u' ' + island[u"name"].toString());
            QCOMPARE(value(Column::Focus), island[u"focus"].toString());
            QCOMPARE(value(Column::Best), island[u"shown_best"].toString());
            QCOMPARE(value(Column::Score).remove(u"≈ "_s), timesOf(island[u"shown_best_score"]));
            QCOMPARE(value(Column::Population), QString::number(island[u"members"].toInt()));
            QStringList cells = island[u"niches"].toObject().keys(); // one without a feature is in no cell of the grid
            cells.removeIf([](const QString& key) { return key.contains(u"unknown"_s); });
            QCOMPARE(value(Column::Cells).section(u' ', 0, 0), QString::number(cells.size()));
            QCOMPARE(value(Column::Admissions), grouped(island[u"admissions"].toInteger()));
            QStringList names;
            int shares = 0;
            for (const QString& share : value(Column::Proposers).split(u", "_s)) {
                names << share.section(u' ', 0, 0);
                shares += share.section(u' ', 1, 1).toInt();
            }
            QStringList offered = island[u"proposers"].toObject().keys();
            offered.removeAll(u"seed"_s);
            offered.replaceInStrings(u"person"_s, u"user"_s); // as records call it
            offered.sort();
            QCOMPARE(names, offered);
            QCOMPARE(shares, 100);
        }
    }

    void comparePlot(test::Stage& stage, const QJsonObject& record)
    {
        const auto* plot = stage.find<PlotView>(u"fitnessPlot"_s);
        const QJsonArray islands = record[u"islands"].toArray(), candidates = record[u"candidates"].toArray();
        QCOMPARE(plot->series().size(), islands.size());
        qsizetype failures = 0;
        for (const QJsonValue& value : candidates)
            failures += hasFailed(value.toObject()) && value[u"result"].toInt() > 0;
        QCOMPARE(plot->rug().size(), failures);
        for (qsizetype i = 0; i < islands.size(); ++i) {
            std::vector<std::pair<double, double>> expected;
            for (const QJsonValue& value : candidates)
                if (const QJsonObject one = value.toObject(); isRanked(one) && !one[u"migrated"].toBool()
                    && one[u"result"].toInt() > 0 && one[u"island"] == islands[i][u"id"])
                    expected.emplace_back(one[u"result"].toDouble(), one[u"score"].toDouble());
            std::ranges::sort(expected);
            const PlotSeries& series = plot->series()[i];
            QCOMPARE(series.x.size(), static_cast<qsizetype>(expected.size()));
            for (std::size_t at = 0; at < expected.size(); ++at)
                QCOMPARE(std::pair(series.x[static_cast<qsizetype>(at)], series.y[static_cast<qsizetype>(at)]),
                    expected[at]);
            QVERIFY(!series.stepY.isEmpty());
            QCOMPARE(series.stepY.last(), islands[i][u"best_score"].toDouble());
        }
    }

    void compareTable(test::Stage& stage, const QJsonObject& record)
    {
        using Column = CandidateModel::Column;
        auto* table = stage.find<Table>(u"candidateTable"_s);
        table->sortByColumn(static_cast<int>(Column::Name), Qt::AscendingOrder);
        const QAbstractItemModel& model = *table->model();
        const QJsonArray candidates = record[u"candidates"].toArray();
        QCOMPARE(model.rowCount(), candidates.size());
        for (int row = 0; row < model.rowCount(); ++row) {
            const QJsonObject one = candidates[row].toObject();
            const auto value = [&](Column column) { return cell(model, row, column); };
            QCOMPARE(value(Column::Name), one[u"id"].toString());
            QCOMPARE(value(Column::Island), one[u"island"].toString());
            QCOMPARE(value(Column::Generation), QString::number(one[u"generation"].toInt()));
            const auto number = one[u"result"].toInteger();
            QCOMPARE(value(Column::Evaluation), number ? grouped(number) : none);
            const QString about = one[u"confirmed"].toBool() || row == 0 ? QString() : u"≈ "_s; // the seed is first
            QCOMPARE(value(Column::Score), isRanked(one) ? about + timesOf(one[u"score"]) : none);
            QCOMPARE(value(Column::Vendor),
                isRanked(one) && one[u"vs_vendor"].isDouble() ? about + timesOf(one[u"vs_vendor"]) : none);
            const bool isDisputed = one[u"disputed"].toBool(), isConfirmed = one[u"confirmed"].toBool();
            QCOMPARE(value(Column::State) == u"confirmed"_s, isConfirmed && !isDisputed);
            QCOMPARE(value(Column::State) == u"disputed"_s, isConfirmed && isDisputed);
            const QJsonObject change = one[u"versus_parent"].toObject();
            QCOMPARE(value(Column::Parent),
                change.isEmpty() || one[u"migrated"].toBool() ? none
                    : change[u"within_noise"].toBool()        ? u"within noise"_s
                                                              : signedPercent(change[u"ratio"][u"value"].toDouble()));
        }
    }

    void compareInspector(test::Stage& stage, const QJsonObject& record)
    {
        const auto label = [&](const QString& name) { return stage.find<QLabel>(name); };
        int compared = 0;
        for (const QJsonValue& value : record[u"candidates"].toArray()) {
            const QJsonObject one = value.toObject();
            stage.window->selection().select(idOf(one));
            QCOMPARE(label(u"candidateName"_s)->text(), one[u"id"].toString());
            compareShapes(stage, one);
            if (!isRanked(one)) {
                const QString rule = one[u"rule"].toString();
                const bool isWord = rule.startsWith(u"review/"_s) && rule != u"review/edited"_s; // a user's, no rule
                QCOMPARE(label(u"outcomeRule"_s)->text(), isWord ? QString() : rule);
                continue;
            }
            const QString about = one[u"confirmed"].toBool() ? QString() : u"≈ "_s;
            QCOMPARE(label(u"scoreFigure"_s)->text(), about + timesOf(one[u"score"]));
            QCOMPARE(label(u"vendorFigure"_s)->isVisible(), one[u"vs_vendor"].isDouble());
            if (one[u"vs_vendor"].isDouble())
                QCOMPARE(label(u"vendorFigure"_s)->text(), about + timesOf(one[u"vs_vendor"]));
            const bool heldout = one[u"confirmed"].toBool() && one[u"heldout_score"].isDouble();
            QCOMPARE(label(u"heldoutFigure"_s)->isVisible(), heldout);
            if (heldout)
                QCOMPARE(label(u"heldoutFigure"_s)->text(),
                    u"held-out: %1 baseline · %2 vendor library"_s.arg(
                        timesOf(one[u"heldout_score"]), timesOf(one[u"heldout_vs_vendor"])));
            compareChange(stage, one);
            ++compared;
        }
        QVERIFY2(compared > 10, qPrintable(QString::number(compared)));
    }

    void compareChange(test::Stage& stage, const QJsonObject& one)
    {
        const QJsonObject change = one[u"versus_parent"].toObject();
        auto* interval = stage.find<QLabel>(u"parentInterval"_s);
        QCOMPARE(interval->isVisible(), !change.isEmpty());
        if (change.isEmpty())
            return;
        const double value = change[u"ratio"][u"value"].toDouble(), lo = change[u"ratio"][u"lo"].toDouble(),
                     hi = change[u"ratio"][u"hi"].toDouble();
        QCOMPARE(stage.find<QLabel>(u"parentChange"_s)->text(),
            change[u"within_noise"].toBool() ? u"within noise"_s : signedPercent(value));
        QCOMPARE(interval->text(),
            hi > 10 ? u"[%1, %2]"_s.arg(times(lo), times(hi))
                    : u"[%1, %2]"_s.arg(signedPercent(lo).chopped(2), signedPercent(hi).chopped(2)));
        const QString note = stage.find<QLabel>(u"figuresNote"_s)->text().replace(QChar(QChar::Nbsp), u' ');
        QVERIFY2(
            note.contains((change[u"noise_assumed"].toBool() ? u"noise floor not measured at that time, ± %1 assumed"_s
                                                             : u"noise floor ± %1"_s)
                              .arg(percent(change[u"noise_floor"].toDouble()))),
            qPrintable(note));
        QCOMPARE(note.contains(u"measured side by side"_s), change[u"paired"].toBool());
        const int samples = one[u"latest"][u"samples"].toInt();
        QVERIFY2(samples == 0 || note.contains(grouped(samples) + u" sample"_s), qPrintable(note));
    }

    void compareShapes(test::Stage& stage, const QJsonObject& one)
    {
        using Column = ShapeModel::Column;
        const QAbstractItemModel& model = *stage.find<Table>(u"shapeTable"_s)->model();
        const QJsonArray shapes = one[u"latest"][u"shapes"].toArray();
        QCOMPARE(model.rowCount(), shapes.size());
        const auto any = [&](const QString& key) {
            return std::ranges::any_of(shapes, [&](const auto& shape) { return !shape.toObject()[key].isNull(); });
        };
        const QString against = any(u"vs_vendor"_s) ? u"vs_vendor"_s
            : any(u"vs_baseline"_s)                 ? u"vs_baseline"_s
                                                    : u"vs_incumbent"_s;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QJsonObject shape = shapes[row].toObject();
            QStringList sizes;
            for (const QJsonValue& size : shape[u"shape"].toArray())
                sizes << QString::number(size.toInteger());
            QCOMPARE(cell(model, row, Column::Shape), sizes.join(u'×'));
            QCOMPARE(cell(model, row, Column::Split), shape[u"split"] == u"train"_s ? u"train"_s : u"held"_s);
            QCOMPARE(cell(model, row, Column::Ratio), timesOf(shape[against][u"value"]));
            QCOMPARE(cell(model, row, Column::Time), shortTime(shape[u"candidate_ns"].toDouble()));
        }
    }
};

int main(int argc, char** argv)
{
    const auto data = tilewright::test::privateDataFolder();
    QApplication app(argc, argv);
    Theme::instance().apply(ThemeKind::Dark);
    TestWindowShowsTheRecord test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_shows_the_record.moc"
