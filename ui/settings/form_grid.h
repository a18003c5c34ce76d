// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of label, editor and remark, which stands below the editor where the form is narrow; what is wrong with a row
// stands below it. Rows are known by the name of the field
// they edit. Rows that few people need are folded away until they are asked for or hold a mistake. GUI thread.
#pragma once

#include "core/base/json_text.h"
#include "ui/settings/models_draft.h"

#include <QLocale>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <cmath>
#include <map>
#include <span>
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
    /// The user is done with a row and it holds another value than before.
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

// From what stands in an editor to what stands in the models file. What is no number stays a text, so that the reader
// of the file complains about it where it was typed. Pure.

inline ModelsDraft::Json textOrNothing(const QString& typed)
{
    const QString text = typed.trimmed();
    return text.isEmpty() ? ModelsDraft::Json(nullptr) : ModelsDraft::Json(text.toStdString());
}

/// "0.8" and "0,8", "20 000"; nothing for an empty text.
inline ModelsDraft::Json numberOrText(const QString& typed)
{
    QString text = typed.simplified().remove(QLatin1Char(' ')).remove(QChar(0x2009));
    if (text.isEmpty())
        return nullptr;
    if (!text.contains(QLatin1Char('.')))
        text.replace(QLatin1Char(','), QLatin1Char('.'));
    bool fine = false;
    const double number = QLocale::c().toDouble(text, &fine);
    if (!fine || !std::isfinite(number))
        return typed.toStdString();
    if (number == std::floor(number) && std::abs(number) < 9e15)
        return static_cast<std::int64_t>(number);
    return number;
}

/// Headers as a user types them, "Name: value" a line; a line without a colon leaves the whole a text.
inline ModelsDraft::Json headersOrText(const QString& typed)
{
    ModelsDraft::Json headers = ModelsDraft::Json::object();
    for (const QString& line : typed.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QString header = line.trimmed();
        const qsizetype colon = header.indexOf(QLatin1Char(':'));
        if (header.isEmpty())
            continue;
        const std::string name = header.left(colon).trimmed().toStdString();
        if (colon < 0 || headers.contains(name))
            return typed.toStdString();
        headers[name] = header.mid(colon + 1).trimmed().toStdString();
    }
    return headers.empty() ? ModelsDraft::Json(nullptr) : headers;
}

/// The other way; texts stay as they are.
inline QString headerLines(const ModelsDraft::Json& headers)
{
    if (headers.is_string())
        return QString::fromStdString(headers.get<std::string>());
    QStringList lines;
    if (headers.is_object())
        for (const auto& [name, value] : headers.items())
            lines << QString::fromStdString(
                name + ": " + (value.is_string() ? value.get<std::string>() : dumped(value)));
    return lines.join(QLatin1Char('\n'));
}

enum class FieldKind { Text, Number, Truth, Headers };

struct CardField {
    const char* name; ///< in the file; "price.input" reaches into an object
    FieldKind kind;
};

/// What a card's editor of this field holds, as it stands in the file. Truths that are "" stand nowhere.
inline ModelsDraft::Json fieldValue(std::span<const CardField> fields, const QString& name, const QString& typed)
{
    for (const CardField& field : fields)
        if (name == QLatin1String(field.name)) {
            if (field.kind == FieldKind::Number)
                return numberOrText(typed);
            if (field.kind == FieldKind::Headers)
                return headersOrText(typed);
            if (field.kind == FieldKind::Truth)
                return typed.isEmpty() ? ModelsDraft::Json(nullptr) : ModelsDraft::Json(typed == QLatin1String("true"));
        }
    return textOrNothing(typed);
}

} // namespace tilewright::ui
