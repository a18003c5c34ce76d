// SPDX-License-Identifier: GPL-3.0-or-later
// What the selected candidate was compiled to: PTX, SASS or assembly, asked of the node when somebody looks, never
// before. Says of which code it is, how many instructions of each kind stand in it, and why there is none. GUI thread.
#pragma once

#include "core/engine/measuring/listings.h"
#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class CodeView;
class FindBox;
class Segments;

class ListingView : public QWidget
{
    Q_OBJECT

public:
    explicit ListingView(const ViewContext& context, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    void clear();

    /// What this tab is called for programs of this kind; empty where there is nothing to show.
    static QString titleFor(Target target);

Q_SIGNALS:
    /// It has been on its way for a while, or is not any more.
    void loading(bool isOn);

protected:
    void showEvent(QShowEvent* event) override;

private:
    Target target() const;
    ListingForm form() const;
    /// Asks for what is to be shown, if that is not there, on its way or known to be impossible.
    void refresh();
    void ask();
    void take(const ListingAnswer& answer);
    void fail(const Error& error);
    void drop();
    void arrived();
    void save();
    void setHead(const QString& words, const QString& tone);

    ViewContext m_context;
    QWidget* m_tools;
    Segments* m_forms;
    QLabel* m_facts;
    QPushButton *m_again, *m_copy, *m_save;
    CodeView* m_view;
    FindBox* m_find;
    CandidateId m_candidate;
    std::optional<ListingRequest> m_shown; ///< what the view shows or waits for
    Listing m_listing;
    ListingSlot m_answer;
    QTimer m_soon; ///< who goes from candidate to candidate asks for none on the way
    QTimer m_slow;
    bool m_isSlow = false;
};

} // namespace tilewright::ui
