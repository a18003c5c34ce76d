// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt that a template would make for a candidate: what was put in is tinted; tokens, limit and cost stand above.
// GUI thread.
#pragma once

#include "core/engine/replies/prompt_workshop.h"
#include "ui/session/view_context.h"

#include <QFrame>
#include <QListView>
#include <QStandardItemModel>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace tilewright::ui {

class ElidedLabel;
class Segments;
class SpanHighlighter;
class DockTitle;
class TokenBar;

class PromptPreviewPane : public QFrame
{
    Q_OBJECT

public:
    explicit PromptPreviewPane(const ViewContext& context, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    /// One that cannot be made leaves the one before standing, until it is forgotten: it is of another template.
    void show(const PromptPreview& preview);
    void forget() { m_preview = {}; }
    /// Whose prompt a user wants to see; none: the best.
    CandidateId parent() const;
    bool hasKeyboard() const;
    void find(); ///< words in the prompt

Q_SIGNALS:
    void parentChosen();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillParents();
    void showText();

    ViewContext m_context;
    DockTitle* m_title;
    PromptPreview m_preview;
    QComboBox* m_parents;
    QLabel *m_tokens, *m_cost;
    ElidedLabel* m_note;
    TokenBar* m_bar;
    Segments* m_parts;
    QPlainTextEdit* m_text;
    SpanHighlighter* m_spans;
};

// Every placeholder with what it stands for and the tokens that it takes in the prompt that is shown. GUI thread.

class PlaceholderList : public QListView
{
    Q_OBJECT

public:
    explicit PlaceholderList(QWidget* parent = nullptr);
    /// Of the prompt that is shown; placeholders that it does not have show none.
    void setTokens(const std::vector<std::pair<std::string, int>>& parts);

Q_SIGNALS:
    /// A user wants it in the text.
    void picked(const QString& name);

private:
    QStandardItemModel m_rows;
};

} // namespace tilewright::ui
