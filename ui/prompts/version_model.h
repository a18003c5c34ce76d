// SPDX-License-Identifier: GPL-3.0-or-later
// The versions of one template, newest first and what is not saved yet above them, with what prompts written with them
// brought. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/template_use.h"
#include "ui/prompts/template_key.h"
#include "ui/widgets/table.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class VersionModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Version, Note, Asked, Accepted, Gain, By, Since, Count };
    /// Of the gain, as ratios: the mean and its interval; invalid where there are too few for one. The reach is the
    /// largest change of all versions, as a logarithm: they share an axis.
    enum Role { GainRole = Qt::UserRole, GainLowRole, GainHighRole, GainReachRole };
    struct Row {
        int number = 0; ///< 0: what stood before the first one, or holds again since it was taken away
        QString note;
        Hash text; ///< null for number 0
        bool live = false;
        std::int64_t evaluations = 0; ///< that were done when it was saved
        PromptStatistics figures;
        bool isDraft = false; ///< edited, and no version yet

        bool operator==(const Row&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const RunState& run, const TemplateKey& key);
    /// What is written and not saved stands above them, with the words that its version is to have; none: nothing is.
    void setDraft(const std::optional<QString>& note);
    const Row* at(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString byWhom(const Row& row) const;
    QVariant gainOf(const Row& row, int role) const;

    std::optional<QString> m_draft;
    std::vector<Row> m_rows;
    TemplateKey m_key;
    bool m_isRead = true; ///< the session's proposer is sent prompts: the newest is live
};

// A version's mean gain as a dot on its interval, on one axis for all versions of the template, before the words that
// say the same; what has no mean has its words alone. GUI thread.

class GainDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where in the cell the axis is.
    static QRectF axisIn(const QRect& cell);
};

} // namespace tilewright::ui
