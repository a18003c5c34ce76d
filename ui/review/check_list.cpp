// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/check_list.h"

#include "core/model/measurement/roofline.h"
#include "core/model/reviews/review_queue.h"
#include "core/source/change_risks.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/review/resource_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

struct CheckList::Line {
    Sign sign = Sign::Good;
    QString title, figure, detail;
    QString tip{}; ///< under the pointer
    QStringList parts{}; ///< of the detail, shown where somebody wants to see them

    bool operator==(const Line&) const = default;
};

namespace {

QStringList textsAt(const nlohmann::json& facts, const char* key)
{
    QStringList texts;
    if (facts.is_object() && facts.contains(key) && facts[key].is_array())
        for (const nlohmann::json& each : facts[key])
            if (each.is_string())
                texts << text(each.get<std::string>());
    return texts;
}

/// Who was approved, or whose word was taken back, is built again, out of what is kept of the first time: that one
/// tells how long it takes.
const WorkSpan* timed(const RunState& run, CandidateId candidate, Work work)
{
    if (work != Work::Build)
        return lastDone(run.work, candidate, work);
    const auto first = std::ranges::find_if(run.work.spans,
        [&](const WorkSpan& each) { return each.candidate == candidate && each.work == work && each.rule.empty(); });
    return first == run.work.spans.end() ? nullptr : &*first;
}

/// The node had built the same text before, in this session or in an earlier one.
bool isCached(const nlohmann::json& facts, const char* key)
{
    if (!facts.is_object())
        return false;
    const auto found = facts.find(key);
    return found != facts.end() && found->is_boolean() && found->get<bool>();
}

/// How long it took; empty where that is not known.
QString timeOf(const RunState& run, CandidateId candidate, Work work)
{
    const WorkSpan* span = timed(run, candidate, work);
    return span ? tookTime(span->durationNs()) : QString();
}

QStringList texts(const std::vector<std::string>& lines)
{
    QStringList all;
    for (const std::string& line : lines)
        all << text(line);
    return all;
}

/// What each of the rules shows, a line each.
QString tipOfPassed(const QStringList& rules)
{
    QStringList lines;
    for (const QString& rule : rules)
        if (const QString words = passedWords(rule); !words.isEmpty())
            lines << u"%1: %2"_s.arg(rule, words);
    return lines.join(u'\n');
}

QLabel* detailLabel(const QString& words, QWidget* parent)
{
    auto* label = new QLabel(words, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(fontOf(Type::Secondary));
    label->setProperty("tone", u"secondary"_s);
    return label;
}

} // namespace

CheckList::CheckList(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    setObjectName(u"checkList"_s);
}

CheckList::~CheckList() = default;

void CheckList::show(const RunState& run, const Candidate& candidate)
{
    const Review* review = ownReview(run, candidate);
    const bool isKnown = review || candidate.outcome != Outcome::None; // what is under way has news of its own
    if (!m_edit && isKnown && candidate == m_shown && (review ? *review : Review{}) == m_review)
        return;
    m_shown = candidate;
    m_review = review ? *review : Review{};
    const QStringList repairs = texts(candidate.repairs);
    std::vector<Line> lines{
        {repairs.isEmpty() ? Sign::Good : Sign::Look, tr("Applies to its parent"),
            repairs.isEmpty() ? tr("cleanly") : counted(repairs.size(), tr("%1 repair"), tr("%1 repairs")),
            repairs.join(u"\n"_s)},
        {Sign::Good, tr("Inside the EVOLVE-BLOCKs"), {}, {}}};
    if (review)
        addReview(lines, run, *review);
    else
        addOwnWork(lines, run, candidate);
    if (m_edit || lines != m_lines)
        put(std::move(lines));
    m_edit.reset();
}

/// Of one that asked for no review, or that a user wrote in another's place.
void CheckList::addOwnWork(std::vector<Line>& lines, const RunState& run, const Candidate& candidate)
{
    const bool isOpen = candidate.outcome == Outcome::None;
    for (const auto& [work, title] : {std::pair(Work::Build, tr("Builds")), {Work::Check, tr("Pre-check")}}) {
        const QString time = timeOf(run, candidate.id, work);
        if (time.isEmpty()) {
            if (isOpen && !candidate.isOver())
                lines.push_back({Sign::Open, title, tr("not checked yet"), {}});
            continue;
        }
        const Evaluation* evaluation = work == Work::Build ? run.evaluation(candidate.latest) : nullptr;
        const bool cached = evaluation && isCached(evaluation->result.environment, "build_cached");
        lines.push_back({Sign::Good, title, cached ? tr("built before") : time, {}});
    }
    if (!isOpen)
        lines.push_back(
            {isFailure(candidate) ? Sign::Look : Sign::Good, tr("Checks and measurement"), stateWords(candidate), {}});
}

void CheckList::put(std::vector<Line> lines)
{
    clear();
    for (const Line& line : lines)
        add(line);
    m_lines = std::move(lines);
}

void CheckList::clear()
{
    while (QLayoutItem* item = m_column->takeAt(0)) {
        if (QWidget* row = item->widget()) {
            row->hide();
            row->deleteLater();
        }
        delete item;
    }
}

void CheckList::showEdit(const EditProgress& progress)
{
    if (m_edit == progress)
        return;
    m_edit = progress;
    clear();
    const EditCheck& check = progress.check;
    const QString why = text(check.why.text);
    if (progress.step != EditProgress::Step::Known) {
        const QString figure = progress.step == EditProgress::Step::Unchanged ? tr("no changes yet")
            : progress.step == EditProgress::Step::Typing                     ? tr("when you stop typing")
            : progress.step == EditProgress::Step::Cancelled                  ? tr("cancelled")
                                                                              : tr("running…");
        for (const QString& title : {tr("Applies to its parent"), tr("Builds")})
            add({Sign::Open, title, figure, {}});
        return;
    }
    const bool isRefused = check.end == EditCheckEnd::Refused;
    add({isRefused ? Sign::Bad : Sign::Good, tr("Applies to its parent"),
        isRefused ? text(check.why.code) : tr("cleanly"), isRefused ? why : QString()});
    if (isRefused)
        return add({Sign::Open, tr("Builds"), tr("not run"), {}});
    const QStringList warnings = texts(check.warnings);
    if (check.end == EditCheckEnd::Builds)
        add({warnings.isEmpty() ? Sign::Good : Sign::Look, tr("Builds"),
            warnings.isEmpty() ? tr("no warnings") : counted(warnings.size(), tr("%1 warning"), tr("%1 warnings")),
            warnings.join(u"\n"_s)});
    else if (check.end == EditCheckEnd::Untried)
        add({Sign::Look, tr("Builds"), tr("not run"), why});
    else
        add({Sign::Bad, tr("Builds"), check.line > 0 ? tr("no: line %1").arg(check.line) : tr("no"), why});
    add({Sign::Open, tr("Pre-check"), check.isGood() ? tr("after approval") : tr("not run"), {}});
}

void CheckList::addReview(std::vector<Line>& lines, const RunState& run, const Review& review)
{
    const QStringList warnings = textsAt(review.facts, "warnings"), passed = textsAt(review.facts, "passed");
    const QString warned
        = warnings.isEmpty() ? tr("no warnings") : counted(warnings.size(), tr("%1 warning"), tr("%1 warnings"));
    lines.push_back({warnings.isEmpty() ? Sign::Good : Sign::Look, tr("Builds"),
        isCached(review.facts, "cached") ? tr("built before") : timeOf(run, review.candidate, Work::Build),
        (QStringList{warned} + warnings).join(u"\n"_s)});
    lines.push_back({Sign::Good, tr("Pre-check"), timeOf(run, review.candidate, Work::Check),
        counted(passed.size(), tr("%1 rule passed"), tr("%1 rules passed")), tipOfPassed(passed), passedWords(passed)});
    for (const std::string& risk : review.risks)
        lines.push_back({Sign::Look, tr("Risk: %1").arg(text(risk)), {},
            risk.ends_with(linesOfCode) ? tr("A replaced line counts as one. Blank lines, comments and moved lines are "
                                             "left out; the figures of the diff count them.")
                                        : QString()});
    if (review.risks.empty())
        lines.push_back({Sign::Good, tr("Risks"), tr("none found"), {}});
}

CheckList::SignLook CheckList::lookOf(Sign sign)
{
    switch (sign) {
    case Sign::Good:
        return {u"check"_s, tokens().good, tr("passed")};
    case Sign::Look:
        return {u"warn"_s, tokens().warning, tr("to be checked")};
    case Sign::Bad:
        return {u"x"_s, tokens().bad, tr("failed")};
    case Sign::Open:
        break;
    }
    return {u"hourglass"_s, tokens().secondary, tr("not known yet")};
}

/// They stay unfolded, or folded, for all that is read afterwards.
void CheckList::addFolded(QVBoxLayout& column, QLabel* detail, const QStringList& parts, QWidget* row)
{
    auto* more = new QPushButton(row);
    more->setObjectName(u"showPassedRules"_s);
    more->setProperty("kind", u"small"_s);
    more->setCheckable(true);
    more->setChecked(m_isUnfolded);
    more->setAccessibleDescription(parts.join(u"; "_s));
    auto* list = new QWidget(row);
    list->setObjectName(u"passedRules"_s);
    auto* lines = new QVBoxLayout(list);
    lines->setContentsMargins(0, px(2), 0, 0);
    lines->setSpacing(px(3));
    for (const QString& part : parts) {
        auto* each = new QHBoxLayout;
        each->setSpacing(px(6));
        each->addWidget(detailLabel(u"·"_s, list), 0, Qt::AlignTop);
        each->addWidget(detailLabel(part, list), 1);
        lines->addLayout(each);
    }
    const auto follow = [this, more, list](bool isUnfolded) {
        m_isUnfolded = isUnfolded;
        list->setVisible(isUnfolded);
        more->setText(isUnfolded ? tr("Fold") : tr("Show"));
        more->setAccessibleName(isUnfolded ? tr("Fold the rules that passed") : tr("Show the rules that passed"));
    };
    connect(more, &QPushButton::toggled, list, follow);
    follow(m_isUnfolded);
    auto* across = new QHBoxLayout;
    across->setSpacing(px(8));
    across->addWidget(detail, 1);
    across->addWidget(more);
    column.addLayout(across);
    column.addWidget(list);
}

void CheckList::add(const Line& line)
{
    auto* row = new QFrame(this);
    row->setProperty("role", u"row"_s);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(px(12), px(6), px(12), px(6));
    across->setSpacing(px(10));
    auto* sign = new QLabel(row);
    const auto paint = [this, sign, as = line.sign] {
        const SignLook look = lookOf(as);
        sign->setPixmap(iconPixmap(look.icon, look.ink, px(15), devicePixelRatioF())); // the text may be larger by now
        sign->setAccessibleName(look.words);
    };
    paint();
    connect(&Theme::instance(), &Theme::changed, sign, paint);
    across->addWidget(sign, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(px(1));
    auto* head = new QHBoxLayout;
    head->setSpacing(px(8));
    auto* title = new QLabel(line.title, row);
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    head->addWidget(title, 1);
    if (!line.figure.isEmpty()) {
        auto* figure = new QLabel(line.figure, row);
        figure->setProperty("tone",
            line.sign == Sign::Look      ? u"warning"_s
                : line.sign == Sign::Bad ? u"bad"_s
                                         : u"secondary"_s);
        head->addWidget(figure);
    }
    texts->addLayout(head);
    if (!line.detail.isEmpty()) {
        QLabel* detail = detailLabel(line.detail, row);
        detail->setProperty("tone", line.sign == Sign::Bad ? u"bad"_s : u"secondary"_s);
        if (line.parts.isEmpty())
            texts->addWidget(detail);
        else
            addFolded(*texts, detail, line.parts, row);
    }
    across->addLayout(texts, 1);
    row->setToolTip(line.tip);
    row->setAccessibleDescription(line.tip);
    m_column->addWidget(row);
}

ReviewFacts::ReviewFacts(const ViewContext& context, QWidget* parent)
    : QScrollArea(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Checks"), this))
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(px(240));
    auto* content = new QFrame(this);
    content->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_checks = new CheckList(content);
    m_resourcesTitle = new DockTitle(tr("Resources"), content);
    m_resourcesTitle->setSubText(tr("marker: parent"));
    m_resources = new ResourceBars(content);
    m_quickTitle = new DockTitle(tr("Measurement"), content);
    m_quick = new QuickResult(context.actions[u"review.quick"_s], content);
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_checks, m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        column->addWidget(part);
    column->addStretch(1);
    setWidget(content);
}

void ReviewFacts::clear()
{
    widget()->setVisible(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is hidden keeps its height
}

void ReviewFacts::uncover()
{
    widget()->setVisible(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void ReviewFacts::showEdit(const EditProgress& progress)
{
    uncover();
    m_title->setSubText(tr("of your text"));
    m_checks->showEdit(progress);
    for (QWidget* part : std::initializer_list<QWidget*>{m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        part->setVisible(false); // they are known of the proposal's own text alone
}

void ReviewFacts::show(const Candidate& candidate)
{
    uncover();
    m_title->setSubText({});
    for (QWidget* part : std::initializer_list<QWidget*>{m_resourcesTitle, m_resources, m_quickTitle, m_quick})
        part->setVisible(true);
    const RunState& run = m_context.session.run();
    const Review* review = ownReview(run, candidate);
    const Candidate* parent = candidate.parents.empty() ? nullptr : run.candidate(candidate.parents.front());
    m_checks->show(run, candidate);
    const auto& pack = m_context.session.snapshot().pack;
    m_quick->show(run, candidate, pack ? &pack->task : nullptr,
        m_context.session.snapshot().status.elsewhere.empty() ? QuickResult::Device::Here
                                                              : QuickResult::Device::Elsewhere);
    const auto measured = [&run](const Candidate* each) {
        const Evaluation* evaluation = each ? run.evaluation(each->latest) : nullptr;
        return evaluation ? evaluation->result.resources : nlohmann::json();
    };
    const bool isUnbuilt = !review && !candidate.isOver() && measured(&candidate).is_null();
    m_resources->setNone(isUnbuilt ? tr("Not built yet.") : tr("The build reported no resources."));
    m_resources->show(resourceBars(
        resourceFigures(review && review->facts.is_object() ? review->facts.value("resources", nlohmann::json())
                                                            : measured(&candidate)),
        resourceFigures(measured(parent)), resourceLimits(deviceFactsOf(run))));
}

} // namespace tilewright::ui
