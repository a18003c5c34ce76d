// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/runs_page.h"

#include "core/model/measurement/dispute.h"
#include "core/model/measurement/gpu_counters.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/models/score_words.h"
#include "ui/shapes/shapes_table.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/table.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double widestRunWords = 120;
} // namespace

RunsPage::RunsPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new Table(this))
    , m_note(new QLabel(this))
    , m_shapes(new ShapesTable(u"runShapes"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(6));
    column->addWidget(m_table);
    // In a low pane the figures scroll.
    auto* area = new QScrollArea(this);
    area->setObjectName(u"runFigures"_s);
    area->setProperty("role", u"plain"_s);
    area->setWidgetResizable(true);
    area->setMinimumHeight(px(24)); // more, and it would lie upon the table in the lowest pane
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* figures = new QWidget(area);
    figures->setProperty("role", u"plain"_s);
    auto* below = new QVBoxLayout(figures);
    below->setContentsMargins(px(8), 0, px(8), px(6));
    below->setSpacing(px(4));
    below->addWidget(m_note);
    below->addWidget(m_shapes);
    below->addStretch(1);
    area->setWidget(figures);
    column->addWidget(area, 1);
    m_table->setObjectName(u"runsTable"_s);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(&m_model);
    // number, purpose, shapes, outcome, verdict, score, agreement, samples, vendor, noise, took
    m_table->setColumns(
        {{38, 3}, {80}, {66, 1}, {76, 5}, {60, 2}, {108}, {82, 0, true}, {60, 1}, {66, 4}, {68, 6}, {62, 7}});
    m_table->setMinimumHeight(px(52));
    m_table->setMaximumHeight(px(26) * 6); // beyond five runs it scrolls
    m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // few runs are all seen at once
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_note->setObjectName(u"runNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setProperty("tone", u"secondary"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    // Beside the table of the figures that count.
    m_shapes->findChild<Table*>()->setObjectName(u"runShapeTable"_s);
    m_shapes->setVisible(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { showChosen(); });
}

void RunsPage::show(const Candidate& candidate)
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const bool isSame = m_candidate == candidate.id;
    const Evaluation* before = isSame ? m_model.at(m_table->currentIndex().row()) : nullptr;
    const EvaluationId chosen = before ? before->id : EvaluationId{};
    const int known = isSame ? m_model.rowCount() : 0;
    m_candidate = candidate.id;
    m_model.show(snapshot.run, candidate.id, snapshot.pack ? &snapshot.pack->task : nullptr);
    int wanted = 0; // a run that was added is the one to look at
    for (int row = 0; row < m_model.rowCount() && known == m_model.rowCount(); ++row)
        wanted = m_model.at(row)->id == chosen ? row : wanted;
    if (m_table->currentIndex().row() != wanted)
        m_table->selectRow(wanted);
    if (!isSame || known != m_model.rowCount())
        m_table->scrollToTop();
    m_table->growColumns(widestRunWords);
    m_table->updateGeometry();
    showChosen();
}

void RunsPage::showChosen()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const Candidate* candidate = snapshot.run.candidate(m_candidate);
    const Evaluation* chosen = m_model.at(m_table->currentIndex().row());
    const bool isCopy = candidate && !chosen && candidate->migrated;
    m_note->setVisible((candidate && chosen) || isCopy);
    m_shapes->setVisible(candidate && chosen);
    if (isCopy)
        m_note->setText(tr("It is a copy of %1: see there for its measurements.")
                            .arg(nameOfCandidate(originOf(snapshot.run, candidate->id))));
    if (!candidate || !chosen)
        return;
    const nlohmann::json& environment = chosen->result.environment;
    const std::string device = environment.is_object() ? environment.value("device", "") : "";
    QString note = tr("No. %1: against %2 on %3")
                       .arg(chosen->id.value)
                       .arg(nameOfCandidate(chosen->against), text(device.empty() ? chosen->device : device));
    if (const auto& score = chosen->result.score)
        note += u'\n'
            + (isBaseline(snapshot.run, *candidate)
                    ? tr("%1 samples per shape").arg(samplesOf(chosen->result))
                    : tr("95 % interval %1 to %2, from %3 samples per shape")
                          .arg(times(score->lo), times(score->hi), samplesOf(chosen->result)));
    if (const QString finding = m_model.findingAt(m_table->currentIndex().row()); !finding.isEmpty())
        note += u'\n' + finding;
    if (!chosen->result.rule.empty())
        note += u'\n' + tr("%1: %2").arg(text(chosen->result.rule), text(chosen->result.text));
    m_note->setText(note);
    m_shapes->show(*candidate, chosen, snapshot.pack ? &snapshot.pack->task : nullptr);
}

namespace {

QString wordIn(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? text(found->get<std::string>()) : QString();
}

/// "1,918 to 1,981 MHz" over the result's samples; empty where no clock was read.
QString clocksText(const nlohmann::json& environment)
{
    const auto mhz = environment.find("mhz");
    if (mhz == environment.end() || !mhz->is_array() || mhz->size() != 2 || !mhz->at(0).is_number()
        || !mhz->at(1).is_number())
        return {};
    const auto low = std::llround(mhz->at(0).get<double>()), high = std::llround(mhz->at(1).get<double>());
    if (high <= 0)
        return {};
    return low == high ? tr("%1 MHz").arg(grouped(high)) : tr("%1 to %2 MHz").arg(grouped(low), grouped(high));
}

QString auditText(const nlohmann::json& audit)
{
    if (audit.value("cleared", false))
        return tr("Audited: checked again in fresh processes, and passed");
    return tr("The audit was not passed: %1 %2").arg(wordIn(audit, "rule"), wordIn(audit, "text"));
}

} // namespace

QString environmentText(const EvaluationResult& result)
{
    const nlohmann::json& environment = result.environment;
    if (!environment.is_object())
        return {};
    QStringList lines, rules, device;
    if (const auto passed = environment.find("rules_passed"); passed != environment.end() && passed->is_array()) {
        for (const nlohmann::json& rule : *passed)
            if (rule.is_string())
                rules << text(rule.get<std::string>());
        lines << (rules.isEmpty() ? tr("No rule passed") : tr("Passed:"));
        for (const QString& words : passedWords(rules))
            lines << u"·  "_s + words;
    }
    for (const char* key : {"device", "compiler", "mode", "isolation"})
        if (const QString word = wordIn(environment, key); !word.isEmpty())
            device << word;
    if (const QString driver = wordIn(environment, "driver"); !driver.isEmpty())
        device << tr("driver %1").arg(driver);
    device << clocksText(environment);
    device.removeAll(QString());
    if (!device.isEmpty())
        lines << (result.score ? tr("Measured on %1") : tr("Checked on %1")).arg(device.join(u" · "_s));
    QStringList shortOnes;
    for (const nlohmann::json& shape : environment.value("near_event_floor", nlohmann::json::array()))
        shortOnes << text(shapeText(shape.get<Shape>()));
    if (!shortOnes.isEmpty())
        lines << tr(
            "Short timings: the interval of two consecutive events, %2, is more than a twentieth of the time on %1")
                     .arg(shortOnes.join(u", "_s), shortTime(environment.value("event_floor_ns", 0.0)));
    if (const auto audit = environment.find("audit"); audit != environment.end() && audit->is_object())
        lines << auditText(*audit);
    if (const QString why = wordIn(environment, "vendor_missing"); !why.isEmpty())
        lines << tr("No vendor library to compare with: %1").arg(why);
    if (const auto missed = environment.find("not_checked"); missed != environment.end() && missed->is_array())
        for (const nlohmann::json& why : *missed)
            if (why.is_string())
                lines << tr("Not checked: %1").arg(text(why.get<std::string>()));
    return lines.join(u'\n');
}

QString countersText(const EvaluationResult& counted)
{
    if (!counted.environment.is_object())
        return {};
    QStringList lines;
    const nlohmann::json counters = counted.environment.value("counters", nlohmann::json::object());
    for (const std::string& line : profileLines(counters))
        lines << tr("Counters from %1").arg(text(line));
    for (const std::string& sentence : boundSentences(counters))
        lines << text(sentence);
    for (const nlohmann::json& why : counted.environment.value("not_checked", nlohmann::json::array()))
        if (why.is_string() && why.get<std::string>().starts_with("ncu"))
            lines << tr("No counters: %1").arg(text(why.get<std::string>()));
    return lines.join(u'\n');
}

EnvironmentNote::EnvironmentNote(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(u"environmentNote"_s);
    setFont(fontOf(Type::Secondary));
    setProperty("tone", u"secondary"_s);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void EnvironmentNote::show(const Evaluation* evaluation, const Evaluation* counted)
{
    QString words = evaluation ? environmentText(evaluation->result) : QString();
    if (const QString counters = counted ? countersText(counted->result) : QString(); !counters.isEmpty())
        words += u'\n' + counters;
    setText(words);
    setVisible(!words.isEmpty());
}

EvidencePage::EvidencePage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_summary(new QLabel(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setObjectName(u"evidenceScroll"_s);
    area->setProperty("role", u"plain"_s);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget(area);
    inside->setProperty("role", u"plain"_s);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, px(6), 0, 0);
    column->setSpacing(px(6));
    m_summary->setObjectName(u"evidenceSummary"_s);
    m_summary->setFont(fontOf(Type::Secondary));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(px(8), 0, px(8), 0);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_summary);
    column->addWidget(m_checkTable = table(u"evidenceChecks"_s, tr("Checks, measured values and limits"), m_checks));
    column->addWidget(m_shapeTable = table(u"evidenceShapes"_s, tr("Results by shape with 95 % intervals"), m_shapes));
    column->addStretch(1);
    area->setWidget(inside);
    outer->addWidget(area);
    for (const auto wrapped : {CheckModel::Column::Measured, CheckModel::Column::Limit})
        m_checkTable->setItemDelegateForColumn(static_cast<int>(wrapped), new WrappingDelegate(m_checkTable));
    for (const auto wrapped : {ShapeIntervalModel::Column::Baseline, ShapeIntervalModel::Column::Vendor})
        m_shapeTable->setItemDelegateForColumn(static_cast<int>(wrapped), new WrappingDelegate(m_shapeTable));
    m_checkTable->setColumns({{124}, {80, 0, true}, {88}, {92}});
    m_shapeTable->setColumns({{104}, {60}, {96}, {80, 0, true}, {60, 1}});
}

Table* EvidencePage::table(const QString& name, const QString& accessibleName, QAbstractItemModel& model)
{
    auto* made = new Table(this);
    made->setObjectName(name);
    made->setAccessibleName(accessibleName);
    made->setModel(&model);
    made->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // the page scrolls, not each table
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    made->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fitRowsToWords(*made); // the dock is narrow
    return made;
}

void EvidencePage::show(const Candidate& candidate)
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const Evidence evidence = evidenceOf(snapshot.run, candidate, snapshot.pack ? &snapshot.pack->task : nullptr);
    m_summary->setText(evidenceSummary(evidence));
    m_checks.show(evidence.checks);
    m_shapes.show(evidence.shapes);
    for (Table* each : {m_checkTable, m_shapeTable}) {
        each->setVisible(each->model()->rowCount() > 0);
        each->resizeRowsToContents();
        each->updateGeometry();
    }
}

void EvidencePage::clear()
{
    m_summary->clear();
    m_checks.show({});
    m_shapes.show({});
    m_checkTable->hide();
    m_shapeTable->hide();
}

} // namespace tilewright::ui
