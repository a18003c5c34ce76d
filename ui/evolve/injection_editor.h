// SPDX-License-Identifier: GPL-3.0-or-later
// A window of its own to write a version of a candidate by hand; what is written becomes a candidate. It is checked and
// built whenever the user rests, sent only once it builds, and what it changes can be looked at beside the parent. It
// blocks nothing, and stays open until the engine has taken the text or the user closes it; what was written by then
// is there when it is opened again. GUI thread.
#pragma once

#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

class EditChecker;
class NumberedEditor;
class Segments;
class WritingDiff;

class InjectionEditor : public QDialog
{
    Q_OBJECT

public:
    InjectionEditor(const ViewContext& context, CandidateId parent, QWidget* over);

    ~InjectionEditor() override;

private:
    void send();
    void pass(); ///< the text to the engine
    void look();
    void keep();
    void layOut();
    void addSteps(QHBoxLayout& bar);
    void begin(const QString& program);
    /// What is known of the text as it stands.
    void showCheck();
    void say(const QString& words, const char* tone);

    ViewContext m_context;
    CandidateId m_parent;
    TextSlot m_source;
    Segments* m_views;
    QLabel* m_changed; ///< how many lines
    WritingDiff* m_diff;
    NumberedEditor* m_text;
    EditChecker* m_checker;
    QLineEdit* m_why;
    QLabel* m_said;
    QPushButton *m_startOver, *m_send;
    QString m_place; ///< among the drafts
    std::optional<QString> m_program; ///< the parent's, once it is here
    bool m_sendsOnceKnown = false; ///< it was sent before its check was there
    std::size_t m_sentAt = 0; ///< candidates when it was sent; 0 while nothing was
};

} // namespace tilewright::ui
