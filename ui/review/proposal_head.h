// SPDX-License-Identifier: GPL-3.0-or-later
// Above the diff of a proposal: which one it is, what it cost and how long it has been waiting, what its author says
// and claims, what a judge said. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "core/engine/query.h"
#include "ui/conversation/conversation_view.h"
#include "ui/session/view_context.h"

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class Badge;
class ClaimCard;
class ConversationWindow;
class JudgementLine;
class ShortenedText;

class ProposalHead : public QWidget
{
    Q_OBJECT

public:
    explicit ProposalHead(const ViewContext& context, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void tellTime(); ///< how long it waits
    JudgementLine& judgement() { return *m_judgement; }

private:
    QPushButton* link(const QString& name, const QString& text, ConversationView::Side side);

    ViewContext m_context;
    QLabel *m_name, *m_about, *m_wait;
    QPushButton *m_prompt, *m_reply;
    QPointer<ConversationWindow> m_conversation;
    ProposalId m_proposal;
    std::string m_askedAtUtc; ///< empty where it waits for nobody
    Badge* m_badge;
    ShortenedText* m_reasoning;
    JudgementLine* m_judgement;
    ClaimCard* m_claim;
};

// Another row was wanted while a user's text is open in Review: says so, and offers to keep the text as a draft or to
// discard it, and then to read that row. GUI thread.

class OpenEditNote : public QFrame
{
    Q_OBJECT

public:
    explicit OpenEditNote(QWidget* parent = nullptr);
    void ask(CandidateId edited, CandidateId wanted);
    /// The text is with the engine: there is nothing to keep or to discard.
    void tellSent(CandidateId edited);

Q_SIGNALS:
    void kept(tilewright::CandidateId wanted);
    void discarded(tilewright::CandidateId wanted);

private:
    QLabel* m_words;
    QPushButton *m_keep, *m_discard;
    CandidateId m_wanted;
};

// Has the text that a user writes checked and built whenever they rest, and holds what is known of it as it stands.
// What was said of an earlier text is dropped. GUI thread.

// How far the checks of a user's text are, while it is written. Pure.

struct EditProgress {
    /// Unchanged: it is the proposal's own text still. Typing: asked for after a rest. Running: asked for. Known:
    /// `check` is of the text as it stands. Cancelled: the user wanted no check of it.
    enum class Step { Unchanged, Typing, Running, Known, Cancelled };
    Step step = Step::Unchanged;
    EditCheck check;

    bool operator==(const EditProgress&) const = default;
};

class EditChecker : public QObject
{
    Q_OBJECT

public:
    EditChecker(const ViewContext& context, EditAs as, QObject* parent);

    const EditProgress& progress() const { return m_progress; }
    /// The text that progress() is about.
    const QString& text() const { return m_text; }
    bool isKnownBad() const;
    /// What speaks against the text, for a user; empty unless it is known to be bad.
    QString complaint() const;
    /// The line that the complaint is about, 1-based; 0: none.
    int line() const;

    /// Another text is begun.
    void open(CandidateId candidate, const QString& original);
    /// The text may be another one now. False where it is the one that is known already: its colours alone are others.
    bool take(const QString& text);
    /// Without waiting for a rest; nothing where it is under way.
    void askNow();
    /// Nothing is wanted any more.
    void drop();

Q_SIGNALS:
    void progressed();
    void known(); ///< the check of the text as it stands has come
    void cancelled(); ///< by the user, among the jobs

private:
    ViewContext m_context;
    EditAs m_as;
    CandidateId m_candidate;
    QString m_original, m_text;
    EditProgress m_progress;
    QTimer m_rest;
    quint64 m_tag = 0; ///< of the check under way; 0: none
};

} // namespace tilewright::ui
