// SPDX-License-Identifier: GPL-3.0-or-later
// Of what the page of the templates is put together: the editor, the versions below it, and the docks around them.
#include "ui/diff/split_diff.h"
#include "ui/docks/workspace.h"
#include "ui/prompts/prompt_preview_pane.h"
#include "ui/prompts/send_once_bar.h"
#include "ui/prompts/template_drafts.h"
#include "ui/prompts/template_editor.h"
#include "ui/prompts/template_picker.h"
#include "ui/prompts/templates_page.h"
#include "ui/prompts/token_bar.h"
#include "ui/prompts/version_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/table.h"

#include <QDockWidget>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void TemplatesPage::buildDocks()
{
    m_picker = new TemplatePicker(m_context.session, this);
    connect(m_picker, &TemplatePicker::chosen, this, &TemplatesPage::choose);
    connect(m_picker, &TemplatePicker::placeholderPicked, this, [this](const QString& name) {
        if (!m_editor->isReadOnly())
            m_editor->insertPlaceholder(name);
    });
    m_docks->setCentralWidget(buildEditor());
    QWidget* versions = buildVersions();
    auto* shown = new QWidget(this);
    auto* column = new QVBoxLayout(shown);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_preview, 1);
    column->addWidget(m_once);
    QDockWidget* left = m_docks->addDock(u"templatesDock"_s, tr("Templates"), m_picker->title(), m_picker);
    QDockWidget* right = m_docks->addDock(u"previewDock"_s, tr("Preview"), m_preview->title(), shown);
    QDockWidget* below = m_docks->addDock(u"versionsDock"_s, tr("Versions"), m_versionsTitle, versions);
    m_docks->setNarrowVariant();
    m_docks->setArrangement([this, left, right, below] {
        m_docks->addDockWidget(Qt::LeftDockWidgetArea, left);
        m_docks->addDockWidget(Qt::RightDockWidgetArea, right);
        m_docks->addDockWidget(Qt::BottomDockWidgetArea, below);
        if (m_docks->isSlim())
            m_docks->tabifyDockWidget(right, left);
        const bool narrow = m_docks->isNarrow();
        // Where the columns are narrow, the versions reach below the preview: their figures are read side by side.
        m_docks->setCorner(Qt::BottomRightCorner, narrow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
        m_docks->resizeDocks({left}, {px(narrow ? 230 : 250)}, Qt::Horizontal);
        m_docks->resizeDocks({right}, {px(narrow ? 410 : 450)}, Qt::Horizontal);
        m_docks->resizeDocks({below}, {px(narrow ? 150 : 200)}, Qt::Vertical);
    });
    m_docks->resetLayout();
}

QWidget* TemplatesPage::buildEditor()
{
    auto* side = new QWidget(this);
    m_editorTitle = new DockTitle(tr("Template"), side);
    m_badge = new Badge(side);
    m_state = new Pill(side);
    m_state->setObjectName(u"templateState"_s);
    m_compare = smallButton(u"compareTemplate"_s, u"table"_s, tr("Compare"), side);
    m_compare->setCheckable(true);
    m_compare->setToolTip(
        tr("Show the differences between your text and the active one, or the version selected below"));
    m_revert = smallButton(u"revertTemplate"_s, u"undo"_s, tr("Discard"), side);
    m_revert->setToolTip(tr("Restore the active text"));
    m_editorTitle->addLeading(m_badge, Qt::AlignVCenter);
    for (QWidget* control : std::initializer_list<QWidget*>{m_state, m_compare, m_revert})
        m_editorTitle->addControl(control);
    m_editor = new TemplateEditor(side);
    m_editor->setObjectName(u"templateEditor"_s);
    m_diff = new SplitDiff(side);
    m_diff->setObjectName(u"templateDiff"_s);
    m_diff->setTitles(tr("Active"), tr("Yours"));
    m_diff->setForm(SplitDiff::Form::Unified);
    m_diff->setLanguage(u"conversation"_s); // sentences, with code between fences
    m_diff->setLongLines(SplitDiff::LongLines::Wrapped);
    m_forms = new QStackedWidget(side);
    m_forms->addWidget(withFindLine(*m_editor, m_forms));
    m_forms->addWidget(m_diff);
    m_news = new TemplateNews(side);
    m_note = new QLineEdit(side);
    m_note->setObjectName(u"templateNote"_s);
    m_note->setPlaceholderText(tr("Description of the change; saved with the version"));
    m_note->setAccessibleName(tr("Description"));
    m_save = new QPushButton(tr("Save"), side);
    m_save->setObjectName(u"saveTemplate"_s);
    m_save->setProperty("kind", u"primary"_s);
    m_finding = new ElidedLabel({}, side);
    m_finding->setObjectName(u"templateFinding"_s);
    m_place = new QLabel(side);
    m_place->setObjectName(u"templatePlace"_s);
    m_place->setProperty("tone", u"secondary"_s);
    m_place->setFont(fontOf(Type::Secondary));
    auto* foot = new QWidget(side);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(px(12), px(6), px(12), px(6));
    row->addWidget(m_finding, 1);
    row->addWidget(m_place);
    auto* words = new QWidget(side);
    auto* line = new QHBoxLayout(words);
    line->setContentsMargins(px(12), 0, px(12), px(8));
    line->setSpacing(px(8));
    line->addWidget(m_note, 1);
    line->addWidget(m_save);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_news);
    column->addWidget(m_forms, 1);
    column->addWidget(foot);
    column->addWidget(words);
    for (QWidget* written : std::initializer_list<QWidget*>{m_editor, m_note, m_diff})
        written->installEventFilter(this);
    connect(m_editor, &QPlainTextEdit::textChanged, this, &TemplatesPage::editorChanged);
    connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &TemplatesPage::say);
    connect(m_compare, &QPushButton::toggled, this, &TemplatesPage::compare);
    connect(m_revert, &QPushButton::clicked, this, &TemplatesPage::revert);
    connect(m_save, &QPushButton::clicked, this, &TemplatesPage::save);
    connect(m_note, &QLineEdit::textChanged, this, &TemplatesPage::noteChanged);
    connect(m_note, &QLineEdit::returnPressed, this, [this] {
        if (m_save->isEnabled())
            save();
    });
    return pane(m_editorTitle, side, this);
}

QWidget* TemplatesPage::buildVersions()
{
    m_versionsTitle = new DockTitle(tr("Versions"), this);
    m_restore = smallButton(u"openVersion"_s, u"edit"_s, tr("Open"), this);
    m_restore->setToolTip(tr("Open this version in the editor"));
    m_takeAway = smallButton(u"takeTemplateAway"_s, u"x"_s, tr("Delete version"), this);
    m_versionsTitle->addControl(m_restore);
    m_versionsTitle->addControl(m_takeAway);
    m_table = new Table(this);
    m_table->setObjectName(u"templateVersions"_s);
    m_table->setAccessibleName(tr("Versions of the template"));
    m_table->setModel(&m_versions);
    m_table->setItemDelegateForColumn(static_cast<int>(VersionModel::Column::Gain), new GainDelegate(m_table));
    m_table->setColumns({{64}, {90, 0, true}, {40}, {48}, {90, 0, false, 360}, {64}, {64}});
    connect(m_restore, &QPushButton::clicked, this, &TemplatesPage::openVersion);
    connect(m_table, &QTableView::activated, this, &TemplatesPage::openVersion);
    connect(m_takeAway, &QPushButton::clicked, this, &TemplatesPage::takeAway);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (m_compare->isChecked())
            showComparison();
        say();
    });
    return m_table;
}

} // namespace tilewright::ui
