// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a new session, a row each: which of them choose among candidates and which only judge; more of them by
// hand or from a table. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"
#include "ui/welcome/task_shapes.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace tilewright::ui {

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
