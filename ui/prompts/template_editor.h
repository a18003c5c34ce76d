// SPDX-License-Identifier: GPL-3.0-or-later
// A template to write: line numbers, placeholders in colour, completion after "{{", the line of a mistake marked. GUI
// thread.
#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

class QCompleter;

namespace tilewright::ui {

/// {{placeholders}}, {{#parts}}, {{> files}} and headings. Unknown names are underlined.
class TemplateHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit TemplateHighlighter(QTextDocument* document);

protected:
    void highlightBlock(const QString& line) override;

private:
    QSet<QString> m_known;
};

class TemplateEditor : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit TemplateEditor(QWidget* parent = nullptr);
    /// 1-based; 0 for none.
    void markMistake(int line);
    /// "{{name}}" where the cursor is.
    void insertPlaceholder(const QString& name);
    QCompleter& completer() { return *m_completer; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    friend class TemplateGutter;
    QString begunName() const; ///< what was typed after the last "{{" of the line; null where none is open
    void complete(const QString& name);
    void offer();
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);
    void place();

    QWidget* m_gutter;
    QCompleter* m_completer;
    int m_mistake = 0;
};

} // namespace tilewright::ui
