// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/injection_editor.h"

#include "ui/code/editor_colours.h"
#include "ui/diff/writing_diff.h"
#include "ui/models/display_text.h"
#include "ui/review/decision_bar.h"
#include "ui/review/proposal_head.h"
#include "ui/theme/theme.h"
#include "ui/widgets/numbered_editor.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

InjectionEditor::InjectionEditor(const ViewContext& context, CandidateId parent, QWidget* over)
    : QDialog(over)
    , m_context(context)
    , m_parent(parent)
    , m_source(context.session, this)
    , m_views(new Segments(tr("View of your version"), {tr("Text"), tr("Changes")}, this))
    , m_changed(new QLabel(this))
    , m_diff(new WritingDiff(this))
    , m_text(&m_diff->editor())
    , m_checker(new EditChecker(context, EditAs::Child, this))
    , m_why(new QLineEdit(this))
    , m_said(new QLabel(this))
    , m_startOver(new QPushButton(tr("Start over"), this))
    , m_send(new QPushButton(tr("Check and measure"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"injectionEditor"_s);
    setWindowTitle(tr("Your version of %1").arg(nameOfCandidate(parent)));
    openAs(*this, 1040, 720, over);
    layOut();
    connect(m_views, &Segments::chosen, this, [this](int view) {
        m_diff->setBefore(view ? WritingDiff::Beside::Shown : WritingDiff::Beside::Hidden);
        if (view)
            m_diff->goToFirstChange();
        m_text->setFocus();
    });
    connect(m_diff, &WritingDiff::marked, this, [this] {
        const bool isOther = m_diff->removed() || m_diff->added();
        m_changed->setText(isOther
                ? tr("−%1 +%2 · shaded lines are read-only").arg(m_diff->removed()).arg(m_diff->added())
                : tr("no changes yet · shaded lines are read-only"));
    });
    connect(&m_source, &TextSlot::ready, this, &InjectionEditor::begin);
    connect(m_text, &NumberedEditor::edited, this, [this] { keep(); });
    connect(m_text, &NumberedEditor::refused, this, [this] { say(WritingDiff::whyRefused(), "warning"); });
    connect(m_checker, &EditChecker::progressed, this, [this] { showCheck(); });
    connect(m_startOver, &QPushButton::clicked, this, [this] { m_text->setPlainText(*m_program); });
    connect(m_send, &QPushButton::clicked, this, [this] { send(); });
    connect(m_checker, &EditChecker::cancelled, this, [this] { m_sendsOnceKnown = false; });
    connect(m_checker, &EditChecker::known, this, [this] {
        if (std::exchange(m_sendsOnceKnown, false) && !m_checker->isKnownBad())
            pass();
    });
    connect(&context.session, &SessionClient::changed, this, [this] { look(); });
    connect(&context.session, &SessionClient::replaced, this, [this] { close(); });
    connect(&context.session, &SessionClient::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (!m_sentAt)
                return;
            m_sentAt = 0;
            m_send->setEnabled(true);
            say(hint.isEmpty() ? words : tr("%1: %2").arg(words, hint), "bad");
        });
    if (const Candidate* candidate = context.session.run().candidate(parent)) {
        m_place = Drafts::placeOf(u"own"_s, *candidate);
        m_source.request(candidate->source);
    }
}

InjectionEditor::~InjectionEditor() { m_checker->drop(); }

void InjectionEditor::layOut()
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(px(8));
    auto* note = new QLabel(tr("Text between the EVOLVE-BLOCK markers can be changed. Your version is built, checked "
                               "and measured like any other candidate, without a review."),
        this);
    note->setWordWrap(true);
    note->setProperty("tone", u"secondary"_s);
    column->addWidget(note);
    m_views->setObjectName(u"injectionViews"_s);
    m_changed->setObjectName(u"injectionChanged"_s);
    m_changed->setProperty("tone", u"secondary"_s);
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_views);
    addSteps(*bar);
    bar->addStretch(1);
    bar->addWidget(m_changed);
    column->addLayout(bar);
    m_diff->setTitles(tr("%1, parent").arg(nameOfCandidate(m_parent)), tr("your version"));
    m_diff->setBefore(WritingDiff::Beside::Hidden);
    m_text->setObjectName(u"injectedText"_s);
    m_text->setAccessibleName(tr("Program"));
    new EditorColours(m_text->document());
    column->addWidget(m_diff, 1);
    m_said->setObjectName(u"injectionSaid"_s);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_said->setWordWrap(true);
    m_said->setVisible(false);
    column->addWidget(m_said);
    m_why->setObjectName(u"injectedWhy"_s);
    m_why->setAccessibleName(tr("Rationale, shown beside the candidate"));
    m_why->setPlaceholderText(tr("Rationale, shown beside the candidate"));
    column->addWidget(m_why);
    m_send->setObjectName(u"sendInjection"_s);
    m_send->setProperty("kind", u"primary"_s);
    m_send->setEnabled(false); // until something is changed
    m_startOver->setObjectName(u"startOver"_s);
    m_startOver->setToolTip(tr("Restore the program of %1").arg(nameOfCandidate(m_parent)));
    m_startOver->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_startOver);
    row->addWidget(m_send);
    column->addLayout(row);
    m_text->setFocus();
}

/// From change to change, with the keys that Review has for it while one writes there.
void InjectionEditor::addSteps(QHBoxLayout& bar)
{
    const auto add = [&](int step, const QString& name, const QString& sign, const QString& words, const QString& id) {
        const QAction& action = m_context.actions[id];
        auto* button = new QPushButton(
            icon(sign, Tint::Secondary), wordsWithKeys(words, action, ActionKeys::WhileWriting), this);
        button->setObjectName(name);
        button->setProperty("kind", u"small"_s);
        button->setToolTip(m_context.actions.purposeOf(id));
        button->setAutoDefault(false);
        bar.addWidget(button);
        const auto go = [this, step] {
            m_diff->goToChange(step);
            m_text->setFocus();
        };
        connect(button, &QPushButton::clicked, this, go);
        connect(new QShortcut(action.shortcuts().last(), this), &QShortcut::activated, this, go);
        connect(m_diff, &WritingDiff::marked, button, [this, button] { button->setEnabled(m_diff->changes() > 0); });
        button->setEnabled(false); // until something is changed
    };
    add(-1, u"previousOwnChange"_s, u"up"_s, tr("Previous"), u"review.previous-change"_s);
    add(1, u"nextOwnChange"_s, u"down"_s, tr("Next"), u"review.next-change"_s);
}

void InjectionEditor::say(const QString& words, const char* tone)
{
    restyle(m_said, "tone", QLatin1String(tone));
    m_said->setText(words);
    m_said->setVisible(!words.isEmpty());
}

/// With what was begun here before, where something was.
void InjectionEditor::begin(const QString& program)
{
    const bool isBegun = m_context.drafts.contains(m_place);
    const QString begun = m_context.drafts.text(m_place);
    m_program = program;
    m_checker->open(m_parent, program);
    m_sendsOnceKnown = false;
    m_diff->open(program, isBegun ? begun : program);
    keep();
    if (isBegun)
        say(tr("Your earlier draft was restored."), "secondary");
}

void InjectionEditor::keep()
{
    if (!m_program || !m_checker->take(m_text->toPlainText()))
        return;
    m_sendsOnceKnown = false; // that was another text
    const bool isBegun = m_text->toPlainText() != *m_program;
    m_startOver->setEnabled(isBegun);
    if (isBegun)
        m_context.drafts.keep(m_place, m_text->toPlainText());
    else
        m_context.drafts.drop(m_place);
    showCheck();
}

void InjectionEditor::showCheck()
{
    m_text->markMistake(m_checker->line());
    if (m_sentAt)
        return; // the engine has the word
    const bool isOwn = m_checker->progress().step != EditProgress::Step::Unchanged;
    m_send->setEnabled(isOwn && !m_checker->isKnownBad() && !m_sendsOnceKnown);
    m_send->setToolTip(isOwn ? QString() : tr("No changes yet."));
    switch (m_checker->progress().step) {
    case EditProgress::Step::Unchanged:
        return say({}, "secondary");
    case EditProgress::Step::Typing:
    case EditProgress::Step::Running:
        return say(m_sendsOnceKnown ? tr("It is queued once it builds.") : tr("Checking your text…"), "secondary");
    case EditProgress::Step::Cancelled:
        return say(tr("The check was cancelled; your text is kept. It is checked again when you change or send it."),
            "secondary");
    case EditProgress::Step::Known:
        break;
    }
    const EditCheck& check = m_checker->progress().check;
    if (m_checker->isKnownBad())
        say(m_checker->complaint(), "bad");
    else if (check.end == EditCheckEnd::Untried)
        say(tr("Your text applies; no compiler is available here to build it."), "secondary");
    else if (check.warnings.empty())
        say(tr("Your text builds."), "secondary");
    else
        say(counted(static_cast<std::int64_t>(check.warnings.size()), tr("Your text builds, with %1 warning: %2"),
                tr("Your text builds, with %1 warnings, the first: %2"))
                .arg(text(check.warnings.front())),
            "warning");
}

/// As Review does with an edit: what is not known to build is built first.
void InjectionEditor::send()
{
    if (m_checker->progress().step == EditProgress::Step::Known)
        return pass();
    m_sendsOnceKnown = true;
    m_checker->askNow();
    showCheck(); // it may be under way already
}

void InjectionEditor::pass()
{
    m_sentAt = m_context.session.run().candidates.size();
    m_send->setEnabled(false);
    say(tr("Sent; the patch is being checked…"), "secondary");
    m_context.session.execute(
        commands::Inject{m_parent, {}, m_checker->text().toStdString(), m_why->text().trimmed().toStdString()});
}

/// Taken: the newest candidate of a user's is this one.
void InjectionEditor::look()
{
    const RunState& run = m_context.session.run();
    if (!m_sentAt)
        return;
    for (std::size_t i = m_sentAt; i < run.candidates.size(); ++i) {
        const Candidate& candidate = run.candidates[i];
        if (isHandwritten(run, candidate) && !candidate.parents.empty() && candidate.parents.front() == m_parent) {
            m_context.drafts.drop(m_place);
            m_context.selection.select(candidate.id);
            close();
            return;
        }
    }
}

} // namespace tilewright::ui
