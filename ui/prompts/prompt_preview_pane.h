// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt that a template would make for a candidate: what was put in is tinted; tokens, limit and cost stand above.
// GUI thread.
#pragma once

#include "core/engine/prompt_workshop.h"
#include "ui/session/desk.h"

#include <QFrame>

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
    explicit PromptPreviewPane(const Desk& desk, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    /// One that cannot be made leaves the one before standing, until it is forgotten: it is of another template.
    void show(const PromptPreview& preview);
    void forget() { m_preview = {}; }
    /// Whose prompt a person wants to see; none: the best.
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

    Desk m_desk;
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

} // namespace tilewright::ui
