// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/form_grid.h"

#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int labelWidth = 130, editorWidth = 250, narrowEditor = 165,
              leastNote = 200; ///< narrower, a remark has a word a line

/// Lines of text that say when a user is done with them, as a QLineEdit does.
class LinesEdit : public QPlainTextEdit
{
public:
    using QPlainTextEdit::QPlainTextEdit;
    std::function<void()> done;

protected:
    void focusOutEvent(QFocusEvent* event) override
    {
        QPlainTextEdit::focusOutEvent(event);
        done();
    }
};

} // namespace

FormGrid::FormGrid(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
    , m_general(new QLabel(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(4));
    m_grid->setColumnMinimumWidth(0, px(labelWidth));
    m_grid->setColumnMinimumWidth(1, px(narrowEditor));
    m_grid->setColumnStretch(1, 2);
    m_grid->setColumnStretch(2, 3);
    m_general->setProperty("tone", u"bad"_s);
    m_general->setWordWrap(true);
    m_general->setVisible(false);
}

FormGrid::Line& FormGrid::place(const Row& row, QWidget* editor)
{
    auto* label = new QLabel(row.label, this);
    auto* note = new QLabel(row.note, this);
    note->setProperty("tone", u"secondary"_s);
    note->setFont(fontOf(Type::Secondary));
    note->setWordWrap(true);
    auto* problem = new QLabel(this);
    problem->setObjectName(u"problem:"_s + row.field);
    problem->setProperty("tone", u"bad"_s);
    problem->setFont(fontOf(Type::Secondary));
    problem->setWordWrap(true);
    problem->setVisible(false);
    label->setBuddy(editor);
    editor->setObjectName(u"field:"_s + row.field);
    if (editor->accessibleName().isEmpty())
        editor->setAccessibleName(row.label);
    editor->setAccessibleDescription(row.note);
    const int at = m_rows;
    m_rows += 3;
    // Editors of several lines have their name beside the first.
    const bool tall = editor->layout() != nullptr || qobject_cast<QPlainTextEdit*>(editor);
    const Qt::Alignment beside = tall ? Qt::AlignTop : Qt::AlignVCenter;
    for (QLabel* words : {label, note})
        words->setContentsMargins(0, tall ? px(5) : 0, 0, 0);
    m_grid->addWidget(label, at, 0, beside);
    m_grid->addWidget(editor, at, 1);
    m_grid->addWidget(problem, at + 2, 1, 1, 2);
    m_grid->removeWidget(m_general);
    m_grid->addWidget(m_general, at + 3, 0, 1, 3);
    Line& line = m_lines.insert_or_assign(row.field, Line{label, note, problem, editor, at, {}, m_fold != nullptr})
                     .first->second;
    placeNote(line);
    showLine(line);
    return line;
}

void FormGrid::placeNote(const Line& line)
{
    m_grid->removeWidget(line.note);
    if (m_narrow)
        m_grid->addWidget(line.note, line.row + 1, 1, 1, 2);
    else
        m_grid->addWidget(line.note, line.row, 2, m_grid->itemAtPosition(line.row, 0)->alignment());
}

void FormGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool narrow = width() < px(labelWidth + editorWidth + leastNote);
    if (std::exchange(m_narrow, narrow) == narrow)
        return;
    m_grid->setColumnStretch(2, narrow ? 0 : 3);
    for (const auto& [field, line] : m_lines)
        placeNote(line);
}

void FormGrid::showLine(const Line& line)
{
    const bool visible = line.wanted && !(line.folded && !m_fold->isChecked());
    line.label->setVisible(visible && !line.label->text().isEmpty());
    line.note->setVisible(visible && !line.note->text().isEmpty());
    line.editor->setVisible(visible);
    line.problem->setVisible(visible && !line.problem->text().isEmpty());
}

void FormGrid::beginFold(const QString& title)
{
    m_foldTitle = title;
    m_fold = new QToolButton(this);
    m_fold->setObjectName(u"fold"_s);
    m_fold->setCheckable(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_grid->addWidget(m_fold, m_rows, 0, 1, 3, Qt::AlignLeft);
    m_rows += 1;
    connect(m_fold, &QToolButton::toggled, this, [this] {
        for (const auto& [field, line] : m_lines)
            if (line.folded)
                showLine(line);
        nameFold();
    });
    nameFold();
}

void FormGrid::openFold(bool open) { m_fold->setChecked(open); }

void FormGrid::nameFold()
{
    int set = 0;
    for (const auto& [field, line] : m_lines)
        set += line.folded && !line.value.isEmpty();
    m_fold->setArrowType(m_fold->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setText(set ? tr("%1 (%2 set)").arg(m_foldTitle).arg(set) : m_foldTitle);
}

void FormGrid::take(const QString& field, const QString& value)
{
    Line& line = m_lines.at(field);
    if (line.value == value)
        return;
    line.value = value;
    Q_EMIT edited(field, value);
}

QLineEdit* FormGrid::addText(const Row& row)
{
    auto* edit = new QLineEdit(this);
    place(row, edit);
    connect(edit, &QLineEdit::editingFinished, this, [this, edit, field = row.field] { take(field, edit->text()); });
    return edit;
}

QComboBox* FormGrid::combo(const Row& row, const std::vector<Choice>& choices)
{
    auto* box = new QComboBox(this);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    place(row, box);
    setChoices(row.field, choices);
    connect(box, &QComboBox::activated, this, [this, box, field = row.field](int index) {
        take(field, index >= 0 ? box->itemData(index).toString() : box->currentText());
    });
    return box;
}

QComboBox* FormGrid::addChoice(const Row& row, const std::vector<Choice>& choices) { return combo(row, choices); }

QComboBox* FormGrid::addOpenChoice(const Row& row, const std::vector<Choice>& choices)
{
    QComboBox* box = combo(row, choices);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->lineEdit()->setAccessibleName(row.label);
    connect(box->lineEdit(), &QLineEdit::editingFinished, this, [this, box, field = row.field] {
        const int known = box->findText(box->currentText());
        take(field, known >= 0 ? box->itemData(known).toString() : box->currentText());
    });
    return box;
}

QCheckBox* FormGrid::addCheck(const Row& row)
{
    auto* box = new QCheckBox(row.label, this);
    Line& line = place({row.field, {}, row.note}, box);
    line.label->setVisible(false);
    box->setAccessibleName(row.label);
    connect(box, &QCheckBox::toggled, this,
        [this, field = row.field](bool on) { take(field, on ? u"true"_s : u"false"_s); });
    return box;
}

QPlainTextEdit* FormGrid::addLines(const Row& row, int lines)
{
    auto* edit = new LinesEdit(this);
    edit->setProperty("role", u"inset"_s);
    edit->setTabChangesFocus(true);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setFont(fontOf(Type::Mono));
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * lines + px(14));
    place(row, edit);
    edit->done = [this, edit, field = row.field] { take(field, edit->toPlainText()); };
    return edit;
}

void FormGrid::addWidget(const Row& row, QWidget* widget) { place(row, widget); }

void FormGrid::setValue(const QString& field, const QString& value)
{
    Line& line = m_lines.at(field);
    line.value = value;
    const QSignalBlocker blocker(line.editor);
    if (auto* edit = qobject_cast<QLineEdit*>(line.editor)) {
        if (edit->text() != value)
            edit->setText(value);
    } else if (auto* lines = qobject_cast<QPlainTextEdit*>(line.editor)) {
        if (lines->toPlainText() != value)
            lines->setPlainText(value);
    } else if (auto* check = qobject_cast<QCheckBox*>(line.editor)) {
        check->setChecked(value == u"true"_s);
    } else if (auto* box = qobject_cast<QComboBox*>(line.editor)) {
        const int known = box->findData(value);
        box->setCurrentIndex(known);
        if (known < 0 && box->isEditable())
            box->setEditText(value);
    }
    if (line.folded)
        nameFold();
}

void FormGrid::setPlaceholder(const QString& field, const QString& text)
{
    QWidget* editor = m_lines.at(field).editor;
    if (auto* edit = qobject_cast<QLineEdit*>(editor))
        edit->setPlaceholderText(text);
    else if (auto* lines = qobject_cast<QPlainTextEdit*>(editor))
        lines->setPlaceholderText(text);
    else if (auto* box = qobject_cast<QComboBox*>(editor); box && box->isEditable())
        box->lineEdit()->setPlaceholderText(text);
}

void FormGrid::setNote(const QString& field, const QString& note)
{
    m_lines.at(field).note->setText(note);
    m_lines.at(field).editor->setAccessibleDescription(note);
    showLine(m_lines.at(field));
}

void FormGrid::setRowVisible(const QString& field, bool visible)
{
    Line& line = m_lines.at(field);
    line.wanted = visible;
    showLine(line);
}

void FormGrid::setChoices(const QString& field, const std::vector<Choice>& choices)
{
    auto* box = qobject_cast<QComboBox*>(m_lines.at(field).editor);
    const QSignalBlocker blocker(box);
    const QString typed = box->currentText();
    box->clear();
    for (const Choice& choice : choices)
        box->addItem(choice.label, choice.value);
    int longest = 0;
    for (const Choice& choice : choices)
        longest = std::max(longest, box->fontMetrics().horizontalAdvance(choice.label));
    box->setMinimumWidth(std::min(longest + px(40), px(editorWidth))); // the arrow, and what is beside the text
    if (box->isEditable())
        box->setEditText(typed);
}

void FormGrid::setProblems(const std::map<QString, QString>& reasons)
{
    std::map<QString, QString> left = reasons;
    for (auto& [name, line] : m_lines) {
        const auto found = line.wanted ? left.find(name) : left.end();
        const bool here = found != left.end();
        line.problem->setText(here ? found->second : QString());
        if (here && line.folded)
            openFold(true);
        showLine(line);
        restyle(line.editor, "invalid", here);
        if (here)
            left.erase(found);
    }
    QStringList general;
    for (const auto& [field, reason] : left)
        general << (field.isEmpty() ? reason : field + u": "_s + reason);
    m_general->setText(general.join(u'\n'));
    m_general->setVisible(!general.isEmpty());
}

void FormGrid::setProblem(const QString& field, const QString& reason)
{
    setProblems(reason.isEmpty() ? std::map<QString, QString>{} : std::map<QString, QString>{{field, reason}});
}

} // namespace tilewright::ui
