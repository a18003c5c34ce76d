// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of label, editor and remark, which stands below the editor where the form is narrow; what is wrong with a row
// stands below it. Rows are known by the name of the field
// they edit. Rows that few people need are folded away until they are asked for or hold a mistake. GUI thread.
#pragma once

#include <QWidget>
#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace tilewright::ui {

class FormGrid : public QWidget
{
    Q_OBJECT

public:
    struct Row {
        QString field, label, note;
    };
    struct Choice {
        QString value, label;
    };

    explicit FormGrid(QWidget* parent = nullptr);

    QLineEdit* addText(const Row& row);
    QComboBox* addChoice(const Row& row, const std::vector<Choice>& choices);
    /// What is not among the choices may be typed.
    QComboBox* addOpenChoice(const Row& row, const std::vector<Choice>& choices);
    QCheckBox* addCheck(const Row& row);
    /// Several lines of text.
    QPlainTextEdit* addLines(const Row& row, int lines);
    /// Something of its own in the place of an editor.
    void addWidget(const Row& row, QWidget* widget);
    /// The rows added from here on stand below this title, folded away. How many of them hold a value is told there.
    void beginFold(const QString& title);
    void openFold(bool open);

    /// Without edited(). Checks take "true" and "false"; a row that is being typed in keeps what is typed.
    void setValue(const QString& field, const QString& value);
    void setPlaceholder(const QString& field, const QString& text);
    void setNote(const QString& field, const QString& note);
    void setRowVisible(const QString& field, bool visible);
    void setChoices(const QString& field, const std::vector<Choice>& choices);
    /// All that there are, field and reason; what is about an unknown field is said below the last row.
    void setProblems(const std::map<QString, QString>& reasons);
    /// The only one; an empty reason takes it away.
    void setProblem(const QString& field, const QString& reason);

Q_SIGNALS:
    /// The person is done with a row and it holds another value than before.
    void edited(const QString& field, const QString& value);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Line {
        QLabel *label, *note, *problem;
        QWidget* editor;
        int row; ///< of the grid, its first
        QString value;
        bool folded; ///< stands in the fold
        bool wanted = true; ///< when the fold is open
    };
    Line& place(const Row& row, QWidget* editor);
    void placeNote(const Line& line);
    void showLine(const Line& line);
    void nameFold();
    void take(const QString& field, const QString& value);
    QComboBox* combo(const Row& row, const std::vector<Choice>& choices);

    QGridLayout* m_grid;
    int m_rows = 0; ///< of the grid
    bool m_narrow = false;
    std::map<QString, Line> m_lines;
    QToolButton* m_fold = nullptr;
    QString m_foldTitle;
    QLabel* m_general;
};

} // namespace tilewright::ui
