// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/templates_page.h"

#include "core/engine/proposals/proposing.h"
#include "ui/diff/split_diff.h"
#include "ui/docks/workspace.h"
#include "ui/models/display_text.h"
#include "ui/prompts/prompt_preview_pane.h"
#include "ui/prompts/send_once_bar.h"
#include "ui/prompts/template_drafts.h"
#include "ui/prompts/template_editor.h"
#include "ui/prompts/template_picker.h"
#include "ui/session/no_session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/ask_box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QDockWidget>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShowEvent>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int typingPauseMs = 200;
constexpr int layoutVersion = 2;
constexpr double widestWords = 240; ///< of a note in the table of versions

/// Placeholders that the prompt names and that have no value in it.
QStringList withoutValue(const RenderedPrompt& prompt)
{
    std::map<std::string, std::size_t> sizes;
    for (const std::vector<FilledSpan>* spans : {&prompt.systemSpans, &prompt.userSpans})
        for (const FilledSpan& span : *spans)
            sizes[span.placeholder] += span.size;
    QStringList names;
    for (const auto& [name, size] : sizes)
        if (size == 0)
            names << text(name);
    return names;
}

QString emptyWords(const QStringList& names, const std::vector<CandidateId>& parents)
{
    const QString all = u"{{%1}}"_s.arg(names.join(u"}}, {{"_s));
    const QString parent = namesOfParents(parents);
    return names.size() == 1
        ? TemplatesPage::tr("%1 has no value for %2 and is replaced by nothing.").arg(all, parent)
        : TemplatesPage::tr("%1 have no value for %2 and are replaced by nothing.").arg(all, parent);
}

} // namespace

TemplatesPage::TemplatesPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_drafts(context.drafts)
    , m_version(context.session, this)
    , m_earlier(context.session, this)
    , m_stack(new QStackedWidget(this))
    , m_docks(new Workspace(context.settings, u"prompts"_s, layoutVersion, this))
    , m_preview(new PromptPreviewPane(context, this))
    , m_once(new SendOnceBar(context, this))
{
    setObjectName(u"templatesPage"_s);
    if (auto shelf = TemplateShelf::load())
        m_shelf = std::move(*shelf);
    else
        m_shelfError = text(shelf.error().line());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_nothing = emptyNote(u"noTemplates"_s, this);
    buildDocks();
    m_stack->addWidget(withSessionButtons(context, m_nothing, this));
    m_stack->addWidget(m_docks);

    m_pause.setSingleShot(true);
    m_pause.setInterval(typingPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &TemplatesPage::requestPreview);
    connect(&m_version, &TextSlot::ready, this, [this](const QString& text) { openText(text); });
    connect(&m_earlier, &TextSlot::ready, this,
        [this](const QString& text) { m_diff->show(text, m_editor->toPlainText()); });
    connect(m_once, &SendOnceBar::wanted, this, &TemplatesPage::sendOnce);
    connect(m_preview, &PromptPreviewPane::parentChosen, this, &TemplatesPage::requestPreview);
    connect(&context.session, &SessionClient::previewReady, this, [this](quint64 tag, const PromptPreview& preview) {
        if (tag == m_tag)
            take(preview);
    });
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_loaded = false;
        m_drafts.takeUp();
        m_note->setText(m_drafts.note(m_chosen));
        m_news->forget();
        requestPreview();
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    refresh();
}

bool TemplatesPage::isReadOnly() const { return m_context.session.snapshot().status.readOnly; }
bool TemplatesPage::isEdited() const { return m_drafts.contains(m_chosen); }

void TemplatesPage::choose(const TemplateKey& key)
{
    if (key == m_chosen && m_loaded)
        return;
    m_chosen = key;
    m_loaded = m_savesOnceShown = false;
    m_news->hide();
    m_shown.reset();
    m_preview->forget();
    m_note->setText(m_drafts.note(m_chosen));
    m_compare->setChecked(false);
    m_version.request({});
    m_editor->clear(); // what is typed before the text is there would be lost
    requestPreview();
    refresh();
    Q_EMIT chosenChanged();
}

void TemplatesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    requestPreview();
}

/// The engine knows the texts: the one that holds, and the prompt that the draft makes.
void TemplatesPage::requestPreview()
{
    m_pause.stop();
    if (!m_context.session.isOpen() || !isVisible())
        return;
    m_about = subject();
    m_editor->setProperty(awaited, true);
    m_tag = m_context.session.requestPreview(
        {m_chosen.island, m_chosen.name, m_drafts.draft(m_chosen), m_preview->parent()});
}

TemplatesPage::Subject TemplatesPage::subject() const
{
    const RunState& run = m_context.session.run();
    const CandidateId chosen = m_preview->parent(), id = chosen ? chosen : run.incumbent;
    const Candidate* candidate = run.candidate(id);
    return {id, candidate ? candidate->latest : EvaluationId{}};
}

void TemplatesPage::take(const PromptPreview& preview)
{
    m_shown = preview;
    m_editor->setProperty(awaited, false);
    m_standing = text(preview.standing);
    m_below = text(preview.below);
    const bool first = !m_loaded;
    m_loaded = true;
    if (isEdited() && m_drafts.text(m_chosen) == m_standing) { // it was saved
        m_drafts.dropAll(m_chosen);
        m_note->setText({}); // with what could be undone in it: the words went with the version
    }
    if (first)
        setEditorText(isEdited() ? m_drafts.text(m_chosen) : m_standing);
    else if (!isEdited())
        replaceText(m_standing);
    const bool mine = preview.error && preview.error->evidence.is_object() && preview.error->evidence.contains("line")
        && preview.error->evidence.value("file", "") == m_chosen.name;
    m_editor->markMistake(mine ? preview.error->evidence.value("line", 0) : 0);
    if (m_compare->isChecked())
        showComparison();
    m_preview->show(preview);
    m_picker->setTokens(preview.parts);
    const QStringList empty = withoutValue(preview.prompt);
    m_editor->markEmpty({empty.begin(), empty.end()});
    refresh();
    if (std::exchange(m_savesOnceShown, false) && m_save->isEnabled())
        save();
}

void TemplatesPage::setEditorText(const QString& text)
{
    if (m_editor->toPlainText() != text)
        m_editor->setPlainText(text);
}

void TemplatesPage::replaceText(const QString& text)
{
    if (m_editor->toPlainText() == text)
        return;
    QTextCursor all(m_editor->document());
    all.select(QTextCursor::Document);
    all.insertText(text);
}

void TemplatesPage::openText(const QString& text)
{
    if (m_drafts.text(m_chosen) != text)
        discardDraft();
    replaceText(text);
    m_editor->setFocus();
}

void TemplatesPage::discardDraft()
{
    m_drafts.discard(m_chosen);
    m_note->setText(m_drafts.note(m_chosen));
}

bool TemplatesPage::isPlaceOfDraft(const QString& place) { return TemplateDrafts::isPlace(place); }

void TemplatesPage::takeBack(const QString& place, const QString& text)
{
    const TemplateKey key = TemplateDrafts::keyOf(place);
    const bool isOpen = key == m_chosen && m_loaded;
    if (!isOpen && m_drafts.text(key) != text)
        m_drafts.discard(key); // what was written since has no editor whose undo keeps it
    m_drafts.takeBack(key, text);
    if (isOpen) {
        replaceText(text);
        m_note->setText(m_drafts.note(key));
        requestPreview();
    } else {
        choose(key);
    }
    m_editor->setFocus();
}

void TemplatesPage::noteChanged()
{
    m_drafts.keepNote(m_chosen, m_note->text());
    showDraft();
}

void TemplatesPage::editorChanged()
{
    if (!m_loaded)
        return;
    const QString now = m_editor->toPlainText();
    if (now == m_standing) {
        m_drafts.drop(m_chosen);
    } else {
        m_drafts.keep(m_chosen, now);
        if (const QString words = m_drafts.discardedNote(m_chosen, now); m_note->text().isEmpty() && !words.isEmpty())
            m_note->setText(words); // the text's own undo brought it back
    }
    m_savesOnceShown = false;
    m_pause.start();
    refresh();
}

void TemplatesPage::save()
{
    if (m_save->hasFocus()) // it greys, and the next in the row would take a version away
        m_editor->setFocus();
    const PromptDraft saved{m_chosen.island, m_chosen.name, m_editor->toPlainText().toStdString(), {}};
    m_news->sent(saved);
    m_context.session.execute(commands::SaveTemplate{saved, m_note->text().trimmed().toStdString()});
}

/// What was typed a moment ago is looked at first: it may not hold together.
void TemplatesPage::saveByKey()
{
    if (!isEdited() || isReadOnly())
        return;
    if (m_save->isEnabled())
        return save();
    m_savesOnceShown = true;
    requestPreview();
}

/// The key that saves a copy of the session saves the template where one is written, and so does Ctrl+Enter.
bool TemplatesPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = *static_cast<QKeyEvent*>(event);
    const QKeySequence save = m_context.actions[u"file.copy"_s].shortcut();
    const bool isSave = isAccept(key) || (!save.isEmpty() && QKeySequence(key.keyCombination()) == save);
    if (!isSave)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        saveByKey();
    return true;
}

QString TemplatesPage::hindrance() const
{
    const RunState& run = m_context.session.run();
    const std::string proposer = run.settings.proposer.substr(0, run.settings.proposer.find(':'));
    if (isReadOnly())
        return tr("The session is open read-only");
    if (proposer != "model" && proposer != "manual")
        return tr("No model is used in this session: the proposer is “%1”, which takes no prompts")
            .arg(proposerTitle(text(proposer)));
    if (!m_shown || m_pause.isActive())
        return tr("The preview is not ready yet");
    if (m_shown->error)
        return text(m_shown->error->text);
    if (m_shown->shownBy == "summary")
        return tr("A summary requests no edit: the run sends it when needed");
    return {};
}

void TemplatesPage::sendOnce()
{
    if (!hindrance().isEmpty())
        return;
    m_context.session.execute(
        commands::SendPrompt{{m_chosen.island, m_chosen.name, m_drafts.draft(m_chosen), m_shown->parents.front()}});
    say();
}

void TemplatesPage::revert()
{
    m_compare->setChecked(false);
    discardDraft();
    replaceText(m_standing);
    m_editor->setFocus();
    requestPreview();
}

void TemplatesPage::takeAway()
{
    const PromptDraft none{m_chosen.island, m_chosen.name, {}, {}};
    m_news->sent(none);
    m_context.session.execute(
        commands::SaveTemplate{none, isEdited() ? std::string() : m_note->text().trimmed().toStdString()});
    if (isEdited())
        return discardDraft(); // its words were of another text
    m_drafts.dropAll(m_chosen);
    m_note->setText({});
}

void TemplatesPage::openVersion()
{
    const VersionModel::Row* row = m_versions.at(m_table->currentIndex().row());
    if (!row || isReadOnly())
        return;
    if (row->isDraft)
        return m_editor->setFocus(); // it is there
    m_compare->setChecked(false);
    if (row->number == 0)
        openText(m_below);
    else
        m_version.request(row->text);
}

void TemplatesPage::compare(bool on)
{
    m_forms->setCurrentIndex(on ? 1 : 0);
    if (on)
        showComparison();
    say();
}

const VersionModel::Row* TemplatesPage::compared() const
{
    const VersionModel::Row* row = m_versions.at(m_table->currentIndex().row());
    return row && !row->isDraft && !row->live ? row : nullptr;
}

void TemplatesPage::showComparison()
{
    const VersionModel::Row* earlier = compared();
    const bool isElsewhere = earlier && earlier->number > 0;
    m_earlier.request(isElsewhere ? earlier->text : Hash());
    if (!isElsewhere) // the editor holds the draft, or what holds where there is none
        m_diff->show(earlier ? m_below : m_standing, m_editor->toPlainText());
}

QString TemplatesPage::comparisonWords() const
{
    const QString before = compared() ? m_table->currentIndex().siblingAtColumn(0).data().toString() : tr("active");
    return u"− %1 · + %2"_s.arg(before, isEdited() ? tr("yours") : tr("active"));
}

void TemplatesPage::setLoading(bool loading)
{
    for (DockTitle* title : {m_picker->title(), m_editorTitle, m_versionsTitle, m_preview->title()})
        title->setLoading(loading);
}

void TemplatesPage::find()
{
    if (m_preview->hasKeyboard())
        m_preview->find();
    else if (m_compare->isChecked())
        m_diff->find();
    else
        FindLine::of(*m_editor)->open();
}

void TemplatesPage::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const RunState& run = m_context.session.run();
    const bool open = m_context.session.isOpen() && m_shelf;
    m_stack->setCurrentIndex(open ? 1 : 0);
    if (!open) {
        m_nothing->setText(!m_shelf
                ? tr("The templates cannot be read.\n%1").arg(m_shelfError)
                : tr("No session is open.\nThe prompt templates of a run are shown and edited here."));
        return;
    }
    if (const bool isNew = m_news->follow(run, m_chosen, isEdited()); isNew || subject() != m_about)
        requestPreview(); // another text may hold now, or another figure
    std::set<TemplateKey> drafts = m_drafts.keys();
    if (m_chosen.island)
        if (const TemplateVersion* saved = run.newestTemplate(m_chosen.island, m_chosen.name);
            (!saved || saved->text.isNull()) && !m_shelf->hasOwnFile(m_chosen.island, m_chosen.name))
            drafts.insert(m_chosen); // it is about to be written
    m_picker->show(*m_shelf, drafts, m_chosen);
    // Their figures take a look at every proposal: as often as the run's statistics, which are a second old at most.
    const VersionsOf versions{m_chosen, run.templates.size(), m_context.session.snapshot().statistics};
    if (versions != m_versionsOf) {
        m_versionsOf = versions;
        m_versions.show(run, m_chosen);
        m_table->growColumns(widestWords);
    }
    showDraft();
    m_badge->setIsland(m_chosen.island);
    m_badge->setVisible(bool(m_chosen.island));
    m_editorTitle->setSubForms(
        {m_chosen.island ? tr("%1, only island %2").arg(titleOf(m_chosen.name), text(islandLetter(m_chosen.island)))
                         : tr("%1, for all islands").arg(titleOf(m_chosen.name)),
            titleOf(m_chosen.name), {}});
    m_editor->setReadOnly(!m_loaded || isReadOnly());
    say();
}

void TemplatesPage::showDraft()
{
    const bool was = m_versions.rowCount() > 0 && m_versions.at(0)->isDraft;
    m_versions.setDraft(isEdited() ? std::optional(m_note->text().trimmed()) : std::nullopt);
    if (was != isEdited())
        m_table->growColumns(widestWords);
}

void TemplatesPage::say()
{
    const RunState& run = m_context.session.run();
    const TemplateVersion* saved = run.newestTemplate(m_chosen.island, m_chosen.name);
    const bool holds = saved && !saved->text.isNull(), edited = isEdited(), readOnly = isReadOnly();
    const bool broken = m_shown && m_shown->error && m_shown->error->code != "prompt/request"
        && m_shown->error->code != "prompt/budget" && m_shown->error->code != "prompt/parent";
    const bool isRead = readsPrompts(run.settings.proposer); // else nothing of it is live
    m_state->show(readOnly ? tr("read-only")
            : edited       ? (isRead ? tr("edited, not active") : tr("edited, not saved"))
            : isRead       ? tr("active")
                           : tr("active, unused"),
        readOnly || !edited ? Pill::Mood::Plain : Pill::Mood::Warning);
    m_save->setText(tr("Save as v%1").arg(saved ? saved->number + 1 : 1));
    m_save->setEnabled(edited && !broken && !readOnly && !m_pause.isActive());
    m_save->setToolTip(broken ? tr("Correct the error below first")
            : isRead          ? tr("Active for prompts from now on")
                              : tr("Active for prompts once this session uses models or manual replies"));
    m_revert->setEnabled(edited && !readOnly);
    m_compare->setEnabled(edited || compared() || m_compare->isChecked());
    m_takeAway->setEnabled(holds && !readOnly);
    const TemplateVersion* before = versionBefore(run.templates, m_chosen.island, m_chosen.name);
    m_takeAway->setToolTip(holds && before ? tr("Delete v%1; v%2 becomes active").arg(saved->held()).arg(before->held())
                                           : tr("Delete your text; the inherited text becomes active"));
    m_restore->setEnabled(m_versions.at(m_table->currentIndex().row()) && !readOnly);
    m_note->setEnabled(!readOnly);
    m_once->show(m_chosen, hindrance());
    QString finding;
    const char* tone = "secondary";
    if (broken) {
        finding = u"✗ %1"_s.arg(text(m_shown->error->text));
        tone = "bad";
    } else if (m_shown && m_shown->error) {
        finding = text(m_shown->error->text);
    } else if (m_shown) {
        const QStringList empty = withoutValue(m_shown->prompt);
        if (!empty.isEmpty()) {
            finding = u"⚠ "_s + emptyWords(empty, m_shown->parents);
            tone = "warning";
        } else if (m_shown->shownBy != m_chosen.name)
            finding = tr("previewed with the template %1, which contains it").arg(titleOf(m_shown->shownBy));
    }
    if (m_finding->text() != finding || m_finding->property("tone") != QVariant(QString::fromLatin1(tone))) {
        m_finding->setText(finding);
        m_finding->setProperty("tone", QString::fromLatin1(tone));
        m_finding->style()->unpolish(m_finding);
        m_finding->style()->polish(m_finding);
    }
    const QTextCursor cursor = m_editor->textCursor();
    m_place->setText(m_compare->isChecked() ? comparisonWords()
                                            : tr("line %1, column %2 · %3 lines")
                                                  .arg(cursor.blockNumber() + 1)
                                                  .arg(cursor.positionInBlock() + 1)
                                                  .arg(m_editor->blockCount()));
    const QString name = titleOf(m_chosen.name);
    m_versionsTitle->setSubForms({tr("%1 · gain = measured change against the parent").arg(name),
        tr("%1 · gain vs parent").arg(name), name, {}});
}

} // namespace tilewright::ui
