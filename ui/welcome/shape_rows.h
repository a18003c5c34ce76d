// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a new session, a row each: which of them choose among candidates and which only judge; more of them by
// hand or from a table. GUI thread.
#pragma once

#include "core/model/measurement/session_shapes.h"
#include "ui/welcome/session_choices.h"

#include <QAbstractTableModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

// The shapes of a new session: size, work, split. GUI thread.

class TaskShapes : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Shape, Work, Traffic, Split, Remove, Count };

    struct Row {
        Shape shape;
        double flops, bytes;
        bool isHeldout;
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// None without a task: train shapes first, then held-out ones.
    void showAnew(const Task* task, const SessionShapes& shapes);
    /// The same task with others: who was there keeps its row, who is new comes last.
    void change(const Task& task, const SessionShapes& shapes);
    /// As they stand.
    SessionShapes shapes() const;
    int rowOf(const Shape& shape) const; ///< −1: none
    const Row& row(int number) const { return m_rows[static_cast<std::size_t>(number)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Row> m_rows;
    QString m_dims;
};

class Table;

class ShapeRows : public QWidget
{
    Q_OBJECT

public:
    explicit ShapeRows(QWidget* parent = nullptr);
    /// Another task brings its own shapes; null: none.
    void setTask(const std::shared_ptr<const TaskPack>& pack);
    /// Shapes of one's own; none: as the task has them.
    void take(const std::optional<SessionShapes>& shapes);
    void read(SessionChoices& choices) const;
    /// Adds what was typed and not added yet. False: it cannot be, which it says where that stands, in the focus.
    bool takeTyped();

public Q_SLOTS:
    /// Takes all shapes from a table in that file, or says why not.
    void takeFile(const QString& path);

Q_SIGNALS:
    void changed();

private:
    void addTyped();
    void setSplit(const Shape& shape, bool heldout);
    void remove(const Shape& shape);
    /// Each that was there keeps its row.
    void edit(const SessionShapes& shapes);
    /// All rows anew.
    void replace(const SessionShapes& shapes);
    void show();
    void addControls(int row);
    void say(const QString& trouble);
    void bringIntoSight();

    std::shared_ptr<const TaskPack> m_pack;
    SessionShapes m_shapes;
    TaskShapes m_model;
    Table* m_table;
    QLineEdit* m_typed;
    QPushButton *m_add, *m_file, *m_reset;
    QLabel *m_trouble, *m_note;
};

} // namespace tilewright::ui
