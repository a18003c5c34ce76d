// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/figures_card.h"

#include "core/model/claim.h"
#include "core/model/measurement/evidence.h"
#include "ui/evolve/candidate_delegate.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/models/score_words.h"
#include "ui/shapes/shape_claims.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/room.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QLabel* label(Type type, const QString& tone, const QString& name, QWidget* parent)
{
    auto* made = new QLabel(parent);
    made->setFont(fontOf(type));
    made->setObjectName(name);
    if (!tone.isEmpty())
        made->setProperty("tone", tone);
    return made;
}

QString howCompared(const ParentChange& change)
{
    return change.paired   ? FiguresCard::tr("measured side by side")
        : change.pairs > 0 ? counted(change.pairs, FiguresCard::tr("indirect, via %1 paired run"),
              FiguresCard::tr("indirect, via %1 paired runs"))
                           : FiguresCard::tr("from both scores");
}

/// Where the two scores tell another change than the pairs, why they do; else nothing.
QString scoresApart(const RunState& run, const Candidate& candidate, const ParentChange& change)
{
    const Candidate* parent = run.candidate(change.parent);
    if (!change.pairs || !parent || !parent->score || !candidate.score || parent->score->value <= 0)
        return {};
    const double byScores = candidate.score->value / parent->score->value;
    if (std::abs(std::log(byScores / change.ratio.value)) <= std::log1p(verdictMargin(change.noise)))
        return {};
    const std::int64_t apart = timeApart(run, candidate.latest, parent->latest);
    const QString figure = signedPercent(byScores);
    return apart > 0 ? FiguresCard::tr("%1 by the scores alone: the two were measured against the baseline %2 apart")
                           .arg(figure, duration(apart))
                     : FiguresCard::tr("%1 by the scores alone: the two were measured against the baseline at "
                                       "different times")
                           .arg(figure);
}

} // namespace

FiguresCard::FiguresCard(QWidget* parent)
    : QFrame(parent)
    , m_changeRow(new QWidget(this))
    , m_axis(new EffectAxis(m_changeRow))
    , m_shapeClaims(new ShapeClaims(this))
{
    setProperty("role", u"inset"_s);
    m_score = label(Type::Figure, {}, u"scoreFigure"_s, this);
    m_scoreWord = label(Type::Body, u"secondary"_s, u"scoreWord"_s, this);
    m_vendor = label(Type::Figure, {}, u"vendorFigure"_s, this);
    m_vendorWord = label(Type::Body, u"secondary"_s, u"vendorWord"_s, this);
    m_vendorLibrary = label(Type::Secondary, u"secondary"_s, u"vendorLibrary"_s, this);
    m_vendorLibrary->setWordWrap(true);
    m_heldout = label(Type::Secondary, u"secondary"_s, u"heldoutFigure"_s, this);
    m_heldoutWarning = label(Type::Secondary, u"warning"_s, u"heldoutWarning"_s, this);
    m_heldoutWarning->setWordWrap(true);
    m_change = label(Type::Strong, {}, u"parentChange"_s, m_changeRow);
    m_interval = label(Type::Secondary, u"secondary"_s, u"parentInterval"_s, m_changeRow);
    m_note = label(Type::Secondary, u"secondary"_s, u"figuresNote"_s, this);
    m_note->setWordWrap(true);
    m_notBest = label(Type::Secondary, u"secondary"_s, u"notBest"_s, this);
    m_notBest->setWordWrap(true);
    m_versusReference = label(Type::Secondary, u"secondary"_s, u"versusReference"_s, this);
    m_versusReference->setWordWrap(true);
    m_notBest->setToolTip(howBestIsChosen());
    m_claim = label(Type::Secondary, u"secondary"_s, u"claimedChange"_s, this);
    m_claim->setTextFormat(Qt::PlainText);
    m_claim->setWordWrap(true);
    m_heldout->setWordWrap(true); // the narrowest column has no room for it in one line

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(8), px(8), px(8), px(8));
    column->setSpacing(px(4));
    auto* figures = new QHBoxLayout;
    figures->setSpacing(px(2)); // two figures of five digits stand side by side
    figures->addWidget(m_score);
    figures->addWidget(m_scoreWord, 0, Qt::AlignBottom);
    figures->addSpacing(px(4));
    figures->addWidget(m_vendor);
    figures->addWidget(m_vendorWord, 0, Qt::AlignBottom);
    figures->addStretch(1);
    column->addLayout(figures);
    column->addWidget(m_vendorLibrary);
    column->addWidget(m_heldout);
    column->addWidget(m_heldoutWarning);
    column->addWidget(m_notBest);
    auto* change = new QHBoxLayout(m_changeRow);
    change->setContentsMargins(0, 0, 0, 0);
    change->setSpacing(px(8));
    m_beside = label(Type::Body, u"secondary"_s, u"comparedWith"_s, m_changeRow);
    change->addWidget(m_beside);
    change->addWidget(m_axis, 1);
    change->addWidget(m_change);
    change->addWidget(m_interval);
    column->addWidget(m_changeRow);
    column->addWidget(m_versusReference);
    column->addWidget(m_claim);
    column->addWidget(m_shapeClaims);
    column->addWidget(m_note);
    for (QLabel* word : {m_scoreWord, m_vendorWord})
        word->setContentsMargins(0, 0, 0, px(3));
}

void FiguresCard::compare(const RunState& run, const Candidate& candidate, CandidateId reference)
{
    const auto change = reference ? versusOther(run, candidate, reference) : std::nullopt;
    m_versusReference->setVisible(change.has_value());
    if (!change)
        return;
    const QString what = change->isWithinNoise() ? tr("within noise") : signedPercent(change->ratio.value);
    m_versusReference->setText(keptTogether(tr("vs %1, your reference: %2 [%3, %4] · %5")
                                                .arg(nameOfCandidate(reference), what, signedPercent(change->ratio.lo),
                                                    signedPercent(change->ratio.hi), howCompared(*change))));
}

void FiguresCard::show(const RunState& run, const Candidate& candidate, CandidateId reference)
{
    compare(run, candidate, reference);
    const QString about = candidate.confirmed ? QString() : u"≈ "_s;
    m_score->setText(candidate.score ? about + times(candidate.score->value) : u"–"_s);
    m_scoreWord->setText(candidate.confirmed ? tr("baseline") : tr("baseline, provisional"));
    m_vendor->setVisible(candidate.vsVendor.has_value());
    m_vendorWord->setVisible(candidate.vsVendor.has_value());
    if (candidate.vsVendor) {
        m_vendor->setText(about + times(candidate.vsVendor->value));
        m_vendorWord->setText(tr("vendor library")); // its name needs a line of its own
        m_vendorLibrary->setText(keptTogether(tr("vendor library: %1").arg(text(vendorWordsOf(run, candidate)))));
    }
    m_vendorLibrary->setVisible(candidate.vsVendor.has_value());
    QStringList heldout;
    if (candidate.confirmed && candidate.heldoutScore)
        heldout << tr("%1 baseline").arg(times(candidate.heldoutScore->value));
    if (candidate.confirmed && candidate.heldoutVsVendor)
        heldout << tr("%1 %2").arg(times(candidate.heldoutVsVendor->value), m_vendorWord->text());
    m_heldout->setText(heldout.isEmpty() ? QString() : tr("held-out: %1").arg(heldout.join(u" · "_s)));
    m_heldout->setVisible(!heldout.isEmpty());
    m_heldoutWarning->setText(keptTogether(heldoutWarning(candidate)));
    m_heldoutWarning->setVisible(!m_heldoutWarning->text().isEmpty());
    m_notBest->setText(keptTogether(notBestWords(run, candidate)));
    m_notBest->setVisible(!m_notBest->text().isEmpty());
    for (QLabel* scored : {m_score, m_scoreWord})
        scored->setToolTip(howScored(run, candidate));

    const std::optional<ParentChange> change = versusParent(run, candidate);
    m_changeRow->setVisible(change.has_value());
    m_beside->setText(
        candidate.migrated && change ? tr("vs %1").arg(nameOfCandidate(change->parent)) : tr("vs parent"));
    const Proposal* proposal = run.proposal(candidate.proposal);
    const auto claimed = proposal ? claimedRatio(proposal->claim) : std::nullopt;
    m_axis->show(change, claimed);
    m_claim->setVisible(proposal && !proposal->claim.empty());
    if (proposal) {
        const QString words = claimText(proposal->claim);
        m_claim->setText(
            keptTogether(claimed ? u"◇ "_s + claimWords(*claimed, change) : tr("predicted %1").arg(words)));
        m_claim->setToolTip(tr("Effect that the author expected: %1").arg(text(proposal->claim).simplified()));
    }
    m_shapeClaims->show(run, candidate);
    QStringList notes;
    if (candidate.migrated)
        notes << (change
                ? tr("%1; the change and the prediction are those of the original").arg(copyWords(run, candidate))
                : copyWords(run, candidate));
    if (change) {
        const bool noise = change->isWithinNoise();
        m_change->setText(noise ? tr("within noise") : signedPercent(change->ratio.value));
        const QString band = percent(verdictMargin(change->noise));
        for (QLabel* told : {m_change, m_interval})
            told->setToolTip(noise
                    ? tr("Inconclusive: the 95 % interval overlaps ± %1, twice the noise floor at that time").arg(band)
                    : tr("Significant: the whole 95 % interval lies beyond ± %1, twice the noise floor at that time")
                          .arg(band));
        restyle(m_change, "tone", noise ? u"secondary"_s : change->ratio.value > 1 ? u"good"_s : u"bad"_s);
        const auto bare = [](double ratio) { return signedPercent(ratio).chopped(2); };
        m_interval->setText(change->ratio.hi > 10 ? u"[%1, %2]"_s.arg(times(change->ratio.lo), times(change->ratio.hi))
                                                  : u"[%1, %2]"_s.arg(bare(change->ratio.lo), bare(change->ratio.hi)));
        notes << tr("grey band: ± %1, no change").arg(percent(verdictMargin(change->noise)))
              << (change->assumed ? tr("noise floor not measured at that time, ± %1 assumed") : tr("noise floor ± %1"))
                     .arg(percent(change->noise))
              << tr("95 % interval") << howCompared(*change);
        if (const QString apart = scoresApart(run, candidate, *change); !apart.isEmpty())
            notes << apart;
        if (const auto drift = change->movedSince > 0 ? scoreDriftOf(run) : std::nullopt)
            notes << tr("scores of the best candidates have drifted by %1 since this measurement: re-run the candidate "
                        "to confirm it")
                         .arg(driftFigure(*drift));
        if (change->clocks > 0)
            notes << tr("widened: clocks differ by %1").arg(percent(std::expm1(change->clocks)));
    }
    if (const Evaluation* evaluation = run.evaluation(candidate.latest)) {
        int samples = 0;
        for (const ShapeResult& shape : evaluation->result.shapes)
            samples += shape.samples;
        if (const auto library = vendorLibraryOf(evaluation->result))
            notes << text(describe(*library));
        if (samples)
            notes << counted(samples, tr("%1 sample"), tr("%1 samples"));
    }
    m_note->setText(keptTogether(notes.join(u" · "_s)));
    m_note->setVisible(!notes.isEmpty());
}

OutcomeCard::OutcomeCard(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(this))
    , m_rule(new QLabel(this))
    , m_text(new QLabel(this))
    , m_remedy(new QLabel(this))
    , m_evidence(new QLabel(this))
{
    setProperty("role", u"inset"_s);
    m_title->setFont(fontOf(Type::Strong));
    m_rule->setFont(fontOf(Type::Mono));
    m_evidence->setFont(fontOf(Type::Mono));
    m_rule->setObjectName(u"outcomeRule"_s);
    m_text->setObjectName(u"outcomeText"_s);
    m_remedy->setObjectName(u"outcomeRemedy"_s);
    m_evidence->setObjectName(u"outcomeEvidence"_s);
    m_evidence->setProperty("tone", u"secondary"_s);
    m_rule->setProperty("tone", u"secondary"_s);
    for (QLabel* label : {m_text, m_evidence, m_remedy}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(12), px(10), px(12), px(10));
    grid->setHorizontalSpacing(px(8));
    grid->setVerticalSpacing(px(4));
    grid->addWidget(m_icon, 0, 0);
    grid->addWidget(m_title, 0, 1);
    grid->addWidget(m_rule, 0, 2, Qt::AlignRight);
    grid->addWidget(m_text, 1, 1, 1, 2);
    grid->addWidget(m_evidence, 2, 1, 1, 2);
    grid->addWidget(m_remedy, 3, 1, 1, 2);
    grid->setColumnStretch(1, 1);
}

void OutcomeCard::show(const RunState& run, const Candidate& candidate)
{
    const bool failed = isFailure(candidate);
    const bool ended = isEndedByPerson(candidate);
    const StateSign sign = stateSignOf(candidate);
    m_icon->setPixmap(iconPixmap(sign.icon, sign.ink, px(16), devicePixelRatioF()));
    m_title->setText(failed ? words(candidate.outcome) : stateWords(run, candidate));
    m_icon->setAccessibleName(m_title->text());
    m_rule->setText(ended ? QString() : text(candidate.rule)); // there a user spoke, no rule
    QString finding = text(candidate.text);
    if (finding.size() > 600)
        finding = tr("%1 … see the build log for the whole text.").arg(finding.left(600));
    if (finding.isEmpty() && ended)
        finding = tr("No reason was given.");
    else if (finding.isEmpty() && !failed)
        finding = tr("Figures appear when it has been measured.");
    m_text->setText(finding);
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    const QString evidence = evaluation ? evidenceText(evaluation->result.evidence) : QString();
    m_evidence->setText(evidence.left(800));
    m_evidence->setVisible(!evidence.isEmpty());
    const QString remedy = failed && !ended ? ruleRemedy(candidate.rule) : QString();
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
}

namespace {

QString builtKernelWords(const nlohmann::json& kernel)
{
    QStringList parts;
    const auto add = [&](const char* key, const QString& one, const QString& several) {
        if (const auto found = kernel.find(key); found != kernel.end() && found->is_number_integer())
            parts << counted(found->get<std::int64_t>(), one, several);
    };
    const auto addBytes = [&](const char* key, const QString& words) {
        if (const auto found = kernel.find(key); found != kernel.end() && found->is_number())
            parts << words.arg(bytes(found->get<double>()));
    };
    add("registers", tr("%1 register"), tr("%1 registers"));
    addBytes("shared_bytes", tr("%1 shared memory"));
    addBytes("local_bytes", tr("%1 local memory"));
    addBytes("code_bytes", tr("%1 machine code"));
    add("threads", tr("%1 thread per block"), tr("%1 threads per block"));
    add("blocks_per_sm", tr("%1 block per SM"), tr("%1 blocks per SM"));
    QString words = text(kernel.value("kernel", std::string()));
    for (qsizetype i = 0; i < parts.size(); ++i) // two a line: the tab is narrow
        words += (i % 2 ? u", "_s : u"\n    "_s) + parts[i];
    return words;
}

} // namespace

QString silentBuildWords(const EvaluationResult& result, const Task* task)
{
    const nlohmann::json none = nlohmann::json::array();
    const nlohmann::json& environment = result.environment;
    if (!environment.is_object())
        return {};
    const nlohmann::json passed = environment.value("rules_passed", none);
    if (std::ranges::find(passed, nlohmann::json("build")) == passed.end())
        return {};
    QStringList lines{tr("Compiler output:"), tr("no errors, no warnings.")};
    if (const std::string compiler = environment.value("compiler", std::string()); !compiler.empty())
        lines << tr("Compiler: %1").arg(text(compiler));
    QStringList options;
    if (task)
        for (const std::string& option : task->buildOptions)
            options << text(option);
    if (!options.isEmpty())
        lines << tr("Options of the task: %1").arg(options.join(u' '));
    if (result.resources.is_object())
        for (const nlohmann::json& kernel : result.resources.value("kernels", none))
            if (kernel.is_object())
                lines << QString() << builtKernelWords(kernel);
    return lines.join(u'\n');
}

} // namespace tilewright::ui
