// SPDX-License-Identifier: GPL-3.0-or-later
// "Evolve from this": a scheme becomes a derived task, with which a session can begin. Asks for its name, the task it
// is taken from, levels, cut-off and leaf of the program, and where it is written. Stays usable beside the window. GUI
// thread.
#pragma once

#include "ui/lab/leaf_box.h"
#include "ui/lab/scheme_task_run.h"
#include "ui/session/session_client.h"

#include <QDialog>
#include <QThreadPool>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tilewright::ui {

/// "gemm-winograd-variant": letters, digits and '-' of the scheme's name. Pure.
QString proposedTaskName(const tensor::Scheme& scheme);

class SchemeTaskDialog : public QDialog
{
    Q_OBJECT

public:
    SchemeTaskDialog(SessionClient& session, QWidget* parent);
    ~SchemeTaskDialog() override;
    /// With this scheme; while a task is being made it stays as it is.
    void showFor(const tensor::Scheme& scheme);
    const SchemeTaskRun& run() const { return m_run; }

    void reject() override;

Q_SIGNALS:
    /// A session is to begin with the task in this folder.
    void written(const QString& folder);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void layOut();
    void readTasks();
    void takeTasks(std::vector<TaskPack> packs);
    void proposeName();
    QString folder() const; ///< to be made
    QString whyNot() const; ///< it cannot begin; "" where it can
    QString plan() const; ///< what it will do
    const TaskPack* from() const; ///< null: no task is known yet
    tensor::CodeOptions code() const;
    void refresh();
    void begin();
    void askForFolder();
    void showFailure(const Error& error);
    void say(const QString& words, const char* tone);

    SchemeTaskRun m_run;
    QThreadPool m_reading;
    tensor::Scheme m_scheme;
    std::vector<TaskPack> m_tasks; ///< that a scheme can be derived from
    bool m_isReading = false;
    QString m_proposed; ///< the name that stands there unless the user wrote another one
    QString m_problem; ///< of the last try, until something is changed
    QLabel *m_of, *m_plan, *m_said;
    QLineEdit *m_name, *m_folder;
    QComboBox* m_from;
    LeafBox* m_leaf;
    QSpinBox *m_levels, *m_cutoff;
    QPushButton *m_browse, *m_begin, *m_cancel;
    QProgressBar* m_progress;
};

} // namespace tilewright::ui
