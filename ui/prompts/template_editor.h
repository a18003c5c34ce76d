// SPDX-License-Identifier: GPL-3.0-or-later
// A template to write: line numbers, placeholders in colour, completion after "{{", the line of a mistake marked. GUI
// thread.
#pragma once

#include "ui/widgets/numbered_editor.h"

#include <QSyntaxHighlighter>

class QCompleter;

namespace tilewright::ui {

/// {{placeholders}}, {{#parts}}, {{> files}} and headings. Unknown names are underlined; those without a value have the
/// colours of a warning.
class TemplateHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit TemplateHighlighter(QTextDocument* document);
    void setEmpty(const QSet<QString>& names);

protected:
    void highlightBlock(const QString& line) override;

private:
    QSet<QString> m_known, m_empty;
};

class TemplateEditor : public NumberedEditor
{
    Q_OBJECT

public:
    explicit TemplateEditor(QWidget* parent = nullptr);
    /// "{{name}}" where the cursor is.
    void insertPlaceholder(const QString& name);
    /// Placeholders that have no value in the prompt that is shown.
    void markEmpty(const QSet<QString>& names);
    QCompleter& completer() { return *m_completer; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString begunName() const; ///< what was typed after the last "{{" of the line; null where none is open
    void complete(const QString& name);
    void offer();

    TemplateHighlighter* m_colours;
    QCompleter* m_completer;
};

} // namespace tilewright::ui
