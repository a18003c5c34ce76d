// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, temperature or power of the devices over the run, with a line where one was throttled, or the same as a table
// (Ctrl+T). Shows what was seen beside measurements, nothing between them. Does no work while it is hidden. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/session/view_context.h"

#include <QAbstractTableModel>
#include <QFrame>

class QLabel;
class QStackedWidget;

namespace tilewright::ui {

// The table twin of the plot of conditions: what was seen of a device beside each measurement, the newest first. Grows
// with the run. GUI thread.

enum class Condition { Clock, Temperature, Power };

/// One of them; none where the device does not report it.
const std::optional<Readings>& readingsOf(const Conditions& seen, Condition what);
QString words(Condition what); ///< "clock"
QString unitOf(Condition what); ///< "MHz"
/// "1 980", "1 965–1 980", "–".
QString readingWords(const std::optional<Readings>& readings);
/// The lowest and the highest of all measurements, on this device where one is named; none where none reports it.
std::optional<Readings> rangeOf(const WorkRecord& work, Condition what, const std::string& device = {});
/// "none", "power limit in 12 of 40 blocks", "–".
QString throttlingWords(const Conditions& seen);
/// Of the device that a measurement was made on.
QString deviceOf(const WorkRecord& work, const Conditions& seen);

class ConditionsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { RunTime, Candidate, Clock, Temperature, Power, Throttling, Device, Count };
    static constexpr int IdRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    /// Whether anything is new.
    bool show(const WorkRecord& work);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const Conditions& seen, Column column) const;

    WorkRecord m_work; ///< what of it is shown, alone
};

class DockTitle;
class PlotHover;
class PlotView;
class Segments;
class Table;

class ConditionsPanel : public QFrame
{
    Q_OBJECT

public:
    /// title: of its dock; the choice of what is plotted stands in it.
    ConditionsPanel(const ViewContext& context, DockTitle& title, QWidget* parent = nullptr);
    void refresh();
    void setTableTwin(bool table);
    void fit();

private:
    void plot();
    void turn();
    QString whatIsMissing() const;
    QString summary() const;
    void say(std::size_t number, const QPoint& at);

    ViewContext m_context;
    DockTitle& m_title;
    Segments* m_choice;
    QStackedWidget* m_stack;
    PlotView* m_plot;
    PlotHover* m_hover;
    Table* m_table;
    QLabel* m_nothing; ///< what is missing, in the place of the plot
    bool m_isTable = false;
    ConditionsModel m_model;
    Condition m_what = Condition::Clock;
    bool m_stale = true; ///< what is plotted is not what the run holds, or has colours of another theme
    std::vector<std::vector<std::size_t>> m_dots; ///< of each series, which of the run's conditions its dots are
    std::vector<std::size_t> m_throttled; ///< those that the lines stand for
};

} // namespace tilewright::ui
