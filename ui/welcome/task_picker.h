// SPDX-License-Identifier: GPL-3.0-or-later
// The task packs that were found, as cards. Reading the packs happens on a pool thread. GUI thread.
#pragma once

#include "core/model/task.h"

#include <QWidget>
#include <memory>

class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class TaskPicker : public QWidget
{
    Q_OBJECT

public:
    using Found = std::vector<std::pair<std::filesystem::path, Result<TaskPack>>>;

    explicit TaskPicker(QWidget* parent = nullptr);
    /// Looks for packs; found() comes later. Tests give their own with show().
    void search();
    void show(const Found& found);
    std::shared_ptr<const TaskPack> chosen() const { return m_chosen; }

Q_SIGNALS:
    void changed();

private:
    QVBoxLayout* m_column;
    QLabel* m_note;
    std::shared_ptr<const TaskPack> m_chosen;
};

} // namespace tilewright::ui
