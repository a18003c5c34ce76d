// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/text_tabs.h"

#include "core/model/measurement/pair_ladder.h"
#include "ui/conversation/conversation_view.h"
#include "ui/diff/diff_lines.h"
#include "ui/evolve/code_blame.h"
#include "ui/evolve/figures_card.h"
#include "ui/evolve/listing_view.h"
#include "ui/evolve/note_editor.h"
#include "ui/evolve/runs_page.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

TextTabs::TextTabs(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
    , m_compared(new ElidedLabel({}, this))
    , m_ownParent(new QPushButton(tr("Its parent"), this))
    , m_diff(new CodeView(CodeView::Kind::Diff, this))
    , m_code(new CodeView(CodeView::Kind::Code, this))
    , m_log(new CodeView(CodeView::Kind::Log, this))
    , m_blame(new CodeBlame(context, *m_code, this))
    , m_prompt(new ConversationView(context, ConversationView::Side::Prompt, this))
    , m_reply(new ConversationView(context, ConversationView::Side::Reply, this))
    , m_listing(new ListingView(context, this))
    , m_evidence(new EvidencePage(context, this))
    , m_runs(new RunsPage(context, this))
    , m_notes(new NoteEditor(context, this))
    , m_source(context.session, this)
    , m_base(context.session, this)
    , m_logText(context.session, this)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QFrame(this);
    bar->setProperty("role", u"title"_s);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0); // nine names in a narrow dock
    row->addWidget(m_tabs, 0, Qt::AlignBottom);
    row->addStretch(1);
    bar->setFixedHeight(px(30));
    column->addWidget(bar);
    column->addWidget(m_stack, 1);
    m_tabs->setObjectName(u"inspectorTabs"_s);
    m_tabs->setAccessibleName(tr("Texts of the candidate"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // where the names are longer than the English ones
    m_tabs->setProperty("kind", u"dense"_s);
    const std::pair<QString, QWidget*> pages[] = {{tr("Diff"), diffPage()}, {tr("Code"), codePage()},
        {tr("Evidence"), m_evidence}, {tr("Prompt"), m_prompt}, {tr("Reply"), m_reply},
        {tr("Log"), withFindLine(*m_log, this)}, {tr("Asm"), m_listing}, {tr("Runs"), m_runs}, {tr("Notes"), m_notes}};
    for (const auto& [name, page] : pages) {
        m_tabs->addTab(name);
        m_stack->addWidget(page);
        page->setAccessibleName(name);
    }
    m_listing->setAccessibleName(tr("Compiled code")); // by whichever name its tab goes
    m_diff->setObjectName(u"diffView"_s);
    m_diff->setAccessibleName(tr("Diff"));
    m_code->setObjectName(u"codeView"_s);
    m_code->setAccessibleName(tr("Code"));
    m_log->setObjectName(u"buildLogView"_s);
    m_log->setAccessibleName(tr("Build log"));
    connect(m_listing, &ListingView::loading, this, &TextTabs::loading);
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(&m_source, &TextSlot::ready, this, [this](const QString& text) {
        m_code->setNumbered(text);
        m_blame->textArrived();
        m_after = text;
        goToWantedLine();
        showDiff();
    });
    connect(&m_base, &TextSlot::ready, this, [this](const QString& text) {
        m_before = text;
        showDiff();
    });
    connect(&m_logText, &TextSlot::ready, this, [this](const QString& text) {
        text.trimmed().isEmpty() ? showNoLog(tr("No compiler output.")) : m_log->setNumbered(text);
        goToWantedLine();
    });
    clear();
}

QWidget* TextTabs::diffPage()
{
    auto* page = new QWidget(this);
    auto* head = new QWidget(page);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(px(8), px(3), px(8), px(3));
    row->setSpacing(px(6));
    m_compared->setObjectName(u"diffCompared"_s);
    m_compared->setFont(fontOf(Type::Secondary));
    m_compared->setProperty("tone", u"secondary"_s);
    m_ownParent->setObjectName(u"diffWithParent"_s);
    m_ownParent->setProperty("kind", u"small"_s);
    m_ownParent->setToolTip(tr("Clear the reference: candidates are compared with their parents again"));
    row->addWidget(m_compared, 1);
    row->addWidget(m_ownParent);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(withFindLine(*m_diff, page), 1);
    connect(m_ownParent, &QPushButton::clicked, this,
        [this] { m_context.selection.setReference(m_context.selection.reference()); });
    return page;
}

QWidget* TextTabs::codePage()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_blame);
    column->addWidget(withFindLine(*m_code, page), 1);
    connect(m_blame, &CodeBlame::chosen, this, [this](CandidateId candidate, int line) {
        m_context.selection.hold();
        m_context.selection.select(candidate);
        showLine(Code, line);
    });
    return page;
}

/// Whose program the candidate changed; a copy has that of its original. None for the seed.
static CandidateId changedBy(const RunState& run, const Candidate& candidate)
{
    const Candidate* origin = run.candidate(originOf(run, candidate.id));
    return origin && !origin->parents.empty() ? origin->parents.front() : CandidateId{};
}

void TextTabs::sayCompared(const Candidate& candidate, const Candidate* base)
{
    const bool isReference = base && base->id == m_context.selection.reference();
    m_ownParent->setVisible(isReference);
    m_compared->setText(!base ? QString()
            : isReference
            ? tr("%1 against the reference, %2").arg(nameOfCandidate(candidate.id), nameOfCandidate(base->id))
            : candidate.migrated
            ? tr("%1 (%2) against the parent of its original, %3")
                  .arg(nameOfCandidate(candidate.id), copyWords(m_context.session.run(), candidate),
                      nameOfCandidate(base->id))
            : tr("%1 against its parent, %2").arg(nameOfCandidate(candidate.id), nameOfCandidate(base->id)));
    m_compared->parentWidget()->setVisible(base);
}

void TextTabs::setTab(Tab tab) { m_tabs->setCurrentIndex(tab); }

TextTabs::Tab TextTabs::tab() const { return static_cast<Tab>(m_tabs->currentIndex()); }

void TextTabs::find()
{
    if (auto* box = m_stack->currentWidget()->findChild<FindBox*>())
        box->come(); // its line comes with it
}

void TextTabs::showLine(Tab tab, int line)
{
    setTab(tab);
    m_wantedTab = tab;
    m_wantedLine = line;
    goToWantedLine();
}

void TextTabs::goToWantedLine()
{
    const bool isCode = m_wantedTab == Code;
    if (m_wantedLine == 0 || (isCode ? m_source : m_logText).isWaiting())
        return;
    (isCode ? m_code : m_log)->goToLine(m_wantedLine);
    m_wantedLine = 0;
}

void TextTabs::clear()
{
    m_wantedLine = 0;
    m_source.request({}), m_base.request({}), m_logText.request({});
    m_shownSource = m_shownBase = m_shownLog = {};
    ++m_diffId;
    m_compared->parentWidget()->hide();
    m_diff->setNote(tr("Choose a candidate to see what its edit changed."));
    m_code->setNote(tr("Choose a candidate to see its code."));
    m_blame->show({});
    m_built.clear();
    m_log->setNote(tr("Choose a candidate to see its build log."));
    m_prompt->clear();
    m_reply->clear();
    m_listing->clear();
    m_evidence->clear();
    m_notes->clear();
}

void TextTabs::show(const Candidate& candidate)
{
    const RunState& run = m_context.session.run();
    m_runs->show(candidate);
    m_evidence->show(candidate);
    m_notes->show(candidate.id);
    m_prompt->show(candidate.proposal);
    m_reply->show(candidate.proposal);
    const Snapshot& snapshot = m_context.session.snapshot();
    const QString compiled = ListingView::titleFor(snapshot.pack ? snapshot.pack->task.target : Target::Cpp);
    m_tabs->setTabVisible(Compiled, !compiled.isEmpty());
    if (!compiled.isEmpty() && m_tabs->tabText(Compiled) != compiled)
        m_tabs->setTabText(Compiled, compiled);
    m_listing->show(candidate);
    m_blame->show(candidate.id);
    Hash log;
    for (const Evaluation* evaluation : evaluationsOf(run, candidate.id))
        if (!evaluation->result.log.isNull())
            log = evaluation->result.log;
    const CandidateId baseId = m_context.selection.reference() && m_context.selection.reference() != candidate.id
        ? m_context.selection.reference()
        : changedBy(run, candidate);
    const Candidate* base = run.candidate(baseId);
    sayCompared(candidate, base);
    const Hash baseSource = base ? base->source : Hash{};
    if (candidate.source != m_shownSource || baseSource != m_shownBase) {
        m_shownSource = candidate.source;
        m_wantedLine = 0; // it was of another text
        m_shownBase = baseSource;
        m_after.reset();
        m_before.reset();
        ++m_diffId;
        m_source.request(candidate.source);
        m_base.request(baseSource);
        if (!base)
            m_diff->setNote(tr("The seed has no parent to compare with."));
    }
    if (log != m_shownLog || log.isNull()) {
        m_shownLog = log;
        const Evaluation* evaluation = run.evaluation(candidate.latest);
        m_built = evaluation ? silentBuildWords(evaluation->result, snapshot.pack ? &snapshot.pack->task : nullptr)
                             : QString();
        m_logText.request(log);
        if (log.isNull())
            showNoLog(candidate.outcome == Outcome::None ? tr("Not built yet.") : tr("No build log was recorded."));
    }
}

/// What is known of the build stands in the place of its log, else the note.
void TextTabs::showNoLog(const QString& note)
{
    if (m_built.isEmpty())
        return m_log->setNote(note);
    std::vector<CodeLine> lines;
    for (const QString& line : m_built.split(u'\n')) {
        lines.emplace_back();
        lines.back().text = line;
    }
    m_log->setLines(std::move(lines));
}

void TextTabs::showDiff()
{
    if (!m_after || !m_before)
        return;
    const quint64 id = ++m_diffId;
    doAside(
        this, [before = m_before->toStdString(), after = m_after->toStdString()] { return unifiedDiff(before, after); },
        [this, id](UnifiedDiff diff) {
            if (id != m_diffId)
                return; // another candidate is shown by now
            if (diff.lines.empty()) {
                m_diff->setNote(tr("The texts are identical."));
            } else {
                m_diff->setTexts(*m_before, *m_after);
                m_diff->setLines(std::move(diff.lines));
                m_diff->setFolds(diff.folds);
            }
        },
        awaitedThreads());
}

} // namespace tilewright::ui
