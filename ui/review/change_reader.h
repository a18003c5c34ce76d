// SPDX-License-Identifier: GPL-3.0-or-later
// An edit beside its parent, to read: as source, or as what each of the two was compiled to. GUI thread.
#pragma once

#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QFrame>

class QPushButton;
class QStackedWidget;

namespace tilewright::ui {

class DockTitle;
class ProposalEditor;
class SplitDiff;

class ChangeReader : public QFrame
{
    Q_OBJECT

public:
    /// `head` stands above the diff, and gives way to it.
    ChangeReader(const ViewContext& context, QWidget* head, QWidget* parent);
    DockTitle* title() const { return m_title; }
    /// Asks for the texts of this candidate and its parent, from the source on; none: nothing is read.
    void read(const Candidate* candidate);
    /// What the columns are.
    void setTitles(const QString& before, const QString& after);
    void goToChange(int step);
    void find();
    /// In the place of the diff, while a user writes.
    void setEditor(ProposalEditor* editor);
    void showEditor(bool on);

    /// The sources, as far as they have come.
    const std::optional<QString>& before() const { return m_before; }
    const std::optional<QString>& after() const { return m_after; }

Q_SIGNALS:
    /// Both sources are there.
    void arrived();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void readCompiled(bool on);
    void askCompiled();
    void takeCompiled(bool isParent, const ListingAnswer& answer);
    void showTexts();
    void showTitles();
    void showCounts();
    void nameSteps(); ///< with the keys that work now
    bool isWriting() const;

    ViewContext m_context;
    QWidget* m_head = nullptr;
    DockTitle* m_title;
    SplitDiff* m_diff;
    QPushButton *m_previous, *m_next; ///< steps between changes
    QPushButton* m_compiled;
    QStackedWidget* m_stack;
    ProposalEditor* m_editor = nullptr;
    QWidget* m_form; ///< of the diff; of no use while a user edits
    TextSlot m_source, m_parentSource;
    ListingSlot m_listing, m_parentListing;
    CandidateId m_candidate, m_parent;
    std::optional<QString> m_before, m_after;
    std::optional<Listing> m_compiledBefore, m_compiledAfter;
    QString m_beforeTitle, m_afterTitle;
};

} // namespace tilewright::ui
