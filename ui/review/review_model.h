// SPDX-License-Identifier: GPL-3.0-or-later
// Reviews as rows: those that wait, oldest first and the deferred behind them, or those that were decided, the
// newest word first; a word that was taken back is in the event log alone. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/widgets/table.h"

#include <QAbstractListModel>

namespace tilewright::ui {

struct ReviewRow {
    ReviewId id;
    CandidateId candidate, parent, edited;
    std::vector<CandidateId> parents; ///< two of a crossover
    IslandId island;
    Decision decision = Decision::Waiting;
    QString change; ///< what the edit does, in a line
    QStringList parts; ///< the same; what sets it apart from the others that wait comes first
    QString claim, reason;
    std::string askedAtUtc;
    int risks = 0;
    std::optional<double> gain; ///< against its parent, once it was measured
    bool withinNoise = false; ///< and whether that says nothing

    bool operator==(const ReviewRow&) const = default;
};

class ReviewModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum class Part { Waiting, Decided };

    explicit ReviewModel(Part part, QObject* parent = nullptr);
    void show(const RunState& run);
    /// Null beyond the last row.
    const ReviewRow* at(int row) const;
    int rowOf(CandidateId candidate) const; ///< −1: it is not among them

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    Part m_part;
    std::vector<ReviewRow> m_rows;
};

/// "approved", "edited → c-0031", "rejected"
QString words(const ReviewRow& review);
QString parentWords(const ReviewRow& row); ///< "parents c-0268 × c-0251"; empty of none

// A review as a row: three lines where it waits, one where it was decided. GUI thread.

/// Whether what was gained has room beside the decision, which is never cut for it, in so many pixels; else it stands
/// in the line below.
bool hasRoomBeside(const QString& decision, const QString& gain, double width);

class ReviewDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
