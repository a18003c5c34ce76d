// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme to a kernel: the program that follows from the lab's scheme, the derived task with what its check
// allows, and from which size on the program is faster than its leaf, measured on this machine. GUI thread.
#pragma once

#include "ui/lab/crossover_run.h"
#include "ui/lab/lab_model.h"

#include <QThreadPool>
#include <QWidget>
#include <memory>

class QLabel;
class QPushButton;
class QSpinBox;

namespace tilewright::ui {

class CodeView;
class DockTitle;
class PlotPane;

class SchemeKernelPage : public QWidget
{
    Q_OBJECT

public:
    SchemeKernelPage(LabModel& lab, CrossoverRun& crossover, SessionClient& session, QWidget* parent = nullptr);
    ~SchemeKernelPage() override; ///< waits for its thread
    void setTableTwin(bool table);
    QString statusText() const;
    /// Of the program that is shown and measured.
    void setLevels(int levels);
    /// Begins to measure the crossover, or stops; what is measured stays.
    void measureOrStop();
    /// The derived task that is shown; null: there is none (yet).
    const TaskPack* task() const { return m_task.get(); }

Q_SIGNALS:
    void evolveWanted(); ///< a task is to be made of the scheme

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildCode();
    QWidget* buildTask();
    QWidget* buildCrossover();
    void makeTask();
    void takeTask(const Result<TaskPack>& task);
    void showCrossover();

    LabModel& m_lab;
    CrossoverRun& m_crossover;
    QThreadPool m_threads;
    std::shared_ptr<const TaskPack> m_from; ///< null: it is not read yet
    std::shared_ptr<const TaskPack> m_task;
    quint64 m_turn = 0; ///< a newer one supersedes
    bool m_isOutdated = true;
    DockTitle *m_codeTitle, *m_taskTitle;
    QSpinBox *m_levels, *m_cutoff;
    LeafBox* m_leaf;
    CodeView* m_code;
    std::vector<QLabel*> m_facts; ///< values of the rows of the task
    QPushButton *m_evolve, *m_measure;
    PlotPane* m_plot;
    QLabel* m_words;
};

} // namespace tilewright::ui
