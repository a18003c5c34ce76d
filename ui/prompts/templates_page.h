// SPDX-License-Identifier: GPL-3.0-or-later
// Prompt templates of the run that is open: a tree of them with islands' own texts, an editor with what is wrong, the
// prompt it would make, and the versions with what they brought. Nothing that was typed is lost by looking at another
// template; what is saved holds for new prompts only. GUI thread.
#pragma once

#include "core/prompt/template_shelf.h"
#include "ui/prompts/template_drafts.h"
#include "ui/prompts/version_model.h"
#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace tilewright::ui {

class Badge;
class DockTitle;
class ElidedLabel;
class Pill;
class PromptPreviewPane;
class SendOnceBar;
class SplitDiff;
class Table;
class TemplateEditor;
class TemplateNews;
class TemplatePicker;
class Workspace;

class TemplatesPage : public QWidget
{
    Q_OBJECT

public:
    explicit TemplatesPage(const ViewContext& context, QWidget* parent = nullptr);

    Workspace& workspace() { return *m_docks; }
    const TemplateKey& chosen() const { return m_chosen; }
    /// Opens a template, or an island's own text of it, which may not be there yet.
    void choose(const TemplateKey& key);
    /// Whether a draft of that place is a template's; takeBack() is for those.
    static bool isPlaceOfDraft(const QString& place);
    /// A text that was discarded is the draft again, and open; what stands in the editor is an undo away.
    void takeBack(const QString& place, const QString& text);
    void setLoading(bool loading);
    /// Words in the template, what differs, or the preview: where the keyboard is.
    void find();

Q_SIGNALS:
    void chosenChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildDocks();
    QWidget* buildEditor();
    QWidget* buildVersions();
    void refresh();
    void requestPreview();
    /// Whom the preview is about, and what was measured of it last.
    using Subject = std::pair<CandidateId, EvaluationId>;
    Subject subject() const;
    void take(const PromptPreview& preview);
    /// Another template's, or the first of it.
    void setEditorText(const QString& text);
    /// As one edit of the text: its own undo brings back what stood there.
    void replaceText(const QString& text);
    /// A version stands in the place of the draft, which can be taken back.
    void openText(const QString& text);
    /// With its words; what discarded them offers them back.
    void discardDraft();
    void noteChanged();
    void editorChanged();
    bool isEdited() const;
    bool isReadOnly() const;
    void save();
    /// Puts the previewed prompt one time, about the parent that it is shown for.
    void sendOnce();
    /// Why it cannot be sent; empty if it can.
    QString hindrance() const;
    void revert();
    void takeAway();
    void saveByKey();
    void openVersion();
    void compare(bool on);
    /// An earlier version, where one is chosen, beside the draft or what holds; else what holds beside the draft.
    void showComparison();
    const VersionModel::Row* compared() const; ///< that version; null for what holds
    QString comparisonWords() const;
    void say();
    void showDraft();

    ViewContext m_context;
    std::optional<TemplateShelf> m_shelf; ///< none: m_shelfError tells why
    QString m_shelfError;
    TemplateDrafts m_drafts;
    VersionModel m_versions;
    QTimer m_pause; ///< after the last key
    TextSlot m_version, m_earlier; ///< a version that is opened, and one that is compared
    TemplatePicker* m_picker;
    DockTitle *m_editorTitle, *m_versionsTitle;
    Badge* m_badge;
    Pill* m_state;
    QStackedWidget *m_stack, *m_forms;
    Workspace* m_docks;
    TemplateEditor* m_editor;
    SplitDiff* m_diff;
    QLineEdit* m_note;
    QPushButton *m_compare, *m_revert, *m_save, *m_restore, *m_takeAway;
    ElidedLabel* m_finding;
    TemplateNews* m_news;
    QLabel *m_place, *m_nothing;
    Table* m_table;
    PromptPreviewPane* m_preview;
    SendOnceBar* m_once;
    TemplateKey m_chosen{{}, "exploit"};
    QString m_standing; ///< what holds now for the chosen one
    QString m_below;
    std::optional<PromptPreview> m_shown; ///< the newest one of the chosen template
    Subject m_about; ///< of the newest request
    bool m_loaded = false; ///< m_standing is the chosen one's
    bool m_savesOnceShown = false; ///< the text is to be saved as soon as it is known to hold together
    quint64 m_tag = 0;
    struct VersionsOf {
        TemplateKey key;
        std::size_t saved = 0;
        std::shared_ptr<const RunStatistics> statistics;

        bool operator==(const VersionsOf&) const = default;
    };
    VersionsOf m_versionsOf; ///< what the table of versions shows
};

} // namespace tilewright::ui
