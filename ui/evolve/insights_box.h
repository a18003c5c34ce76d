// SPDX-License-Identifier: GPL-3.0-or-later
// What the run has learned, as it goes into prompts: the text that is written along the way, and the user's own part,
// which can be edited and taken back. GUI thread.
#pragma once

#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QFrame>
#include <vector>

class QBoxLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class InsightsBox : public QFrame
{
    Q_OBJECT

public:
    explicit InsightsBox(const ViewContext& context, QWidget* parent = nullptr);
    /// What is read above what is written, or beside it.
    enum class Form { Column, Row };
    void setForm(Form form);

private:
    void refresh();
    void write(const QString& text);
    void takeOwn(const QString& text); ///< as the run has it now
    void enable();

    ViewContext m_context;
    QBoxLayout* m_parts;
    QLabel *m_about, *m_learned;
    QPlainTextEdit* m_own;
    QPushButton *m_save, *m_undo;
    TextSlot m_learnedText, m_ownText;
    Hash m_shownLearned, m_shownOwn;
    QString m_saved; ///< the user's part as the run has it
};

} // namespace tilewright::ui
