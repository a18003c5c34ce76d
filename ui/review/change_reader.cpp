// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/change_reader.h"

#include "core/engine/measuring/listings.h"
#include "ui/diff/split_diff.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/review/decision_bar.h"
#include "ui/review/proposal_editor.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// A switch of the diff.
QPushButton* toggle(const QString& name, const QString& text, const QString& tip, bool isOn, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setProperty("kind", u"segment"_s);
    button->setCheckable(true);
    button->setChecked(isOn);
    button->setToolTip(tip);
    return button;
}

/// The form in which compiled programs of this kind are compared: what the device executes.
std::optional<ListingForm> comparedForm(Target target)
{
    const std::vector<ListingForm>& forms = listingFormsOf(target);
    return forms.empty() ? std::nullopt : std::optional(forms.back());
}

QString whyNot(const QString& whose, const Error& error)
{
    return error.hint.empty() ? u"%1: %2."_s.arg(whose, text(error.text))
                              : ChangeReader::tr("%1: %2. To do: %3.").arg(whose, text(error.text), text(error.hint));
}

} // namespace

ChangeReader::ChangeReader(const ViewContext& context, QWidget* head, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Edit"), this))
    , m_diff(new SplitDiff(this))
    , m_stack(new QStackedWidget(this))
    , m_source(context.session, this)
    , m_parentSource(context.session, this)
    , m_listing(context.session, this)
    , m_parentListing(context.session, this)
{
    setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_head = new ShrinkingArea(head, this);
    column->addWidget(m_head);
    column->addWidget(m_title);
    column->addWidget(m_stack, 1);
    m_diff->setObjectName(u"reviewDiff"_s);
    m_stack->addWidget(m_diff);

    m_previous = actionButton(u"previousChange"_s, {}, m_context.actions[u"review.previous-change"_s], this);
    m_next = actionButton(u"nextChange"_s, {}, m_context.actions[u"review.next-change"_s], this);
    auto* form = new Segments(tr("Form of the diff"), {tr("Side by side"), tr("Unified")}, this);
    form->setObjectName(u"diffForm"_s);
    m_compiled
        = toggle(u"diffCompiled"_s, {}, tr("Compiled code of both, side by side, without addresses"), false, this);
    m_compiled->setAccessibleName(tr("Compiled code"));
    auto* blanks = toggle(
        u"diffBlanks"_s, tr("Whitespace"), tr("Count lines that differ only in whitespace as changed"), true, this);
    auto* folds = toggle(u"diffFolds"_s, tr("Fold"), tr("Fold unchanged lines"), true, this);
    auto* wraps = toggle(u"diffWraps"_s, tr("Wrap"),
        tr("Wrap long lines; otherwise both sides scroll horizontally together"), true, this);
    m_diff->setLongLines(SplitDiff::LongLines::Wrapped);
    m_previous->setIcon(icon(u"up"_s, Tint::Secondary));
    m_next->setIcon(icon(u"down"_s, Tint::Secondary));
    for (QPushButton* step : {m_previous, m_next})
        m_title->addBriefControl(step);
    nameSteps();
    for (QWidget* control : std::initializer_list<QWidget*>{form, m_compiled, blanks, folds, wraps})
        m_title->addControl(control);
    m_form = form;
    connect(form, &Segments::chosen, this,
        [this](int at) { m_diff->setForm(at == 0 ? SplitDiff::Form::SideBySide : SplitDiff::Form::Unified); });
    connect(folds, &QPushButton::toggled, this, [this](bool on) {
        if (m_editor)
            m_editor->setFolded(on);
        m_diff->setUnchanged(on ? SplitDiff::Unchanged::Folded : SplitDiff::Unchanged::Shown);
    });
    connect(wraps, &QPushButton::toggled, this, [this](bool on) {
        const auto longLines = on ? SplitDiff::LongLines::Wrapped : SplitDiff::LongLines::Scrolled;
        m_diff->setLongLines(longLines);
        if (m_editor)
            m_editor->setLongLines(longLines);
    });
    connect(blanks, &QPushButton::toggled, this, [this](bool on) {
        const auto whitespace = on ? Whitespace::Counts : Whitespace::Ignored;
        m_diff->setWhitespace(whitespace);
        if (m_editor)
            m_editor->setWhitespace(whitespace);
    });
    connect(m_compiled, &QPushButton::toggled, this, &ChangeReader::readCompiled);
    connect(m_diff, &SplitDiff::moved, this, &ChangeReader::showCounts);
    connect(&m_source, &TextSlot::ready, this, [this](const QString& source) {
        m_after = source;
        showTexts();
        if (m_before)
            Q_EMIT arrived();
    });
    connect(&m_parentSource, &TextSlot::ready, this, [this](const QString& source) {
        m_before = source;
        showTexts();
        if (m_after)
            Q_EMIT arrived();
    });
    connect(
        &m_listing, &ListingSlot::ready, this, [this](const ListingAnswer& answer) { takeCompiled(false, answer); });
    connect(&m_parentListing, &ListingSlot::ready, this,
        [this](const ListingAnswer& answer) { takeCompiled(true, answer); });
}

/// Where there is little room, the diff has most of it: a word is on what is read there.
void ChangeReader::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    const bool isLow = height() < px(420);
    m_head->setMaximumHeight(std::max(isLow ? height() / 3 : height() * 2 / 5, px(72)));
}

void ChangeReader::setEditor(ProposalEditor* editor)
{
    m_editor = editor;
    m_stack->addWidget(editor);
    editor->setLongLines(SplitDiff::LongLines::Wrapped); // as the diff begins
    connect(editor, &ProposalEditor::progressed, this, &ChangeReader::showCounts);
    connect(editor, &ProposalEditor::moved, this, &ChangeReader::showCounts);
}

void ChangeReader::showEditor(bool on)
{
    m_stack->setCurrentIndex(on ? 1 : 0);
    m_form->setVisible(!on);
    m_compiled->setVisible(!on && !m_compiled->text().isEmpty());
    nameSteps();
    showCounts();
}

bool ChangeReader::isWriting() const { return m_editor && m_stack->currentWidget() == m_editor; }

void ChangeReader::nameSteps()
{
    const ActionKeys keys = isWriting() ? ActionKeys::WhileWriting : ActionKeys::First;
    m_title->setWords(m_previous, wordsWithKeys(tr("Previous"), m_context.actions[u"review.previous-change"_s], keys));
    m_title->setWords(m_next, wordsWithKeys(tr("Next"), m_context.actions[u"review.next-change"_s], keys));
}

void ChangeReader::read(const Candidate* candidate)
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const Candidate* parent
        = candidate && !candidate->parents.empty() ? snapshot.run.candidate(candidate->parents.front()) : nullptr;
    m_candidate = candidate ? candidate->id : CandidateId{};
    m_parent = parent ? parent->id : CandidateId{};
    m_before = parent ? std::nullopt : std::optional(QString());
    m_after.reset();
    m_compiledBefore.reset();
    m_compiledAfter.reset();
    m_listing.drop();
    m_parentListing.drop();
    const auto form = snapshot.pack ? comparedForm(snapshot.pack->task.target) : std::nullopt;
    m_compiled->setText(!form ? QString() : *form == ListingForm::Sass ? u"SASS"_s : tr("Assembly"));
    m_compiled->setVisible(form && m_stack->currentWidget() == m_diff);
    m_diff->setNote(tr("Loading the texts…"));
    m_diff->setProperty(awaited, candidate != nullptr);
    m_source.request(candidate ? candidate->source : Hash{});
    m_parentSource.request(parent ? parent->source : Hash{});
    if (m_compiled->isChecked())
        m_compiled->setChecked(false); // each edit is read as source at first
}

void ChangeReader::readCompiled(bool on)
{
    if (on)
        askCompiled();
    else
        m_diff->setNote(tr("Loading the texts…"));
    showTitles();
    showTexts();
}

void ChangeReader::askCompiled()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const auto form = snapshot.pack ? comparedForm(snapshot.pack->task.target) : std::nullopt;
    if (!form)
        return;
    m_diff->setNote(tr("Waiting: builds for the run go first."));
    const auto ask = [&](CandidateId id, const std::optional<Listing>& have, ListingSlot& slot) {
        if (have)
            return true;
        if (const auto wanted = listingRequestFor(snapshot.run, snapshot.pack->task, id, form); !wanted) {
            m_diff->setNote(whyNot(nameOfCandidate(id), wanted.error()));
            return false;
        }
        slot.request(id, *form);
        return true;
    };
    if (ask(m_parent, m_compiledBefore, m_parentListing))
        ask(m_candidate, m_compiledAfter, m_listing);
}

void ChangeReader::takeCompiled(bool isParent, const ListingAnswer& answer)
{
    if (!answer.error.code.empty()) {
        if (m_compiled->isChecked())
            m_diff->setNote(whyNot(nameOfCandidate(isParent ? m_parent : m_candidate), answer.error));
        return;
    }
    (isParent ? m_compiledBefore : m_compiledAfter) = answer.listing;
    showTitles();
    showTexts();
}

void ChangeReader::showTexts()
{
    if (!m_compiled->isChecked()) {
        m_diff->setLanguage(u"kernel"_s);
        if (m_before && m_after) {
            m_diff->show(*m_before, *m_after);
            m_diff->setProperty(awaited, false);
        }
    } else if (m_compiledBefore && m_compiledAfter) {
        m_diff->setLanguage(languageOf(m_compiledAfter->form));
        m_diff->show(text(comparableText(*m_compiledBefore)), text(comparableText(*m_compiledAfter)));
    }
}

void ChangeReader::setTitles(const QString& before, const QString& after)
{
    m_beforeTitle = before;
    m_afterTitle = after;
    showTitles();
}

void ChangeReader::showTitles()
{
    const auto titleOf = [this](const QString& usual, const std::optional<Listing>& listing) {
        return !m_compiled->isChecked() || !listing ? usual
            : listing->code == ListedCode::AsBuilt
            ? tr("%1 · the code that was built").arg(usual)
            : tr("%1 · rebuilt, may differ from the code that was built").arg(usual);
    };
    m_diff->setTitles(titleOf(m_beforeTitle, m_compiledBefore), titleOf(m_afterTitle, m_compiledAfter));
}

void ChangeReader::showCounts()
{
    const bool isWriting = this->isWriting();
    const int changes = isWriting ? m_editor->changes() : m_diff->changes();
    const int current = isWriting ? m_editor->current() : m_diff->current();
    const QString lines = tr("−%1 +%2")
                              .arg(isWriting ? m_editor->removed() : m_diff->removed())
                              .arg(isWriting ? m_editor->added() : m_diff->added());
    const QString place = changes == 0 ? QString()
        : current < 0                  ? counted(changes, tr("%1 change"), tr("%1 changes"))
                                       : tr("%1 of %2").arg(current + 1).arg(changes);
    const QString both = place.isEmpty() ? lines : u"%1 · %2"_s.arg(lines, place);
    if (isWriting)
        m_title->setSubForms({tr("%1 · shaded lines are read-only").arg(both), both});
    else
        m_title->setSubText(changes == 0 ? QString() : both);
}

void ChangeReader::find()
{
    if (isWriting())
        m_editor->find();
    else
        m_diff->find();
}

void ChangeReader::goToChange(int step)
{
    if (isWriting())
        m_editor->goToChange(step);
    else
        m_diff->goToChange(step);
}

} // namespace tilewright::ui
