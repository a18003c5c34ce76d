// SPDX-License-Identifier: GPL-3.0-or-later
// "Bring your own kernel": a file, one of its functions, what its parameters are, its sizes and what is right; then the
// task pack is written and checked, and a session can begin with it. GUI thread.
#pragma once

#include "ui/own/kernel_work.h"

#include <QWidget>

class QComboBox;
class QFrame;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace tilewright::ui {

class FormGrid;
class KernelParameters;

class OwnKernelPage : public QWidget
{
    Q_OBJECT

public:
    explicit OwnKernelPage(QWidget* parent = nullptr);

    KernelWork& work() { return *m_work; }
    /// To the first thing to fill in.
    void takeFocus();

Q_SIGNALS:
    void backWanted();
    /// The pack in that folder is good, and a session is to begin with it.
    void sessionWanted(const QString& folder);

private:
    QVBoxLayout* card(const QString& title, const QString& remark, QVBoxLayout* into);
    void buildFile(QVBoxLayout* column);
    void buildLaunch(QVBoxLayout* column);
    void buildTask(QVBoxLayout* column);
    void buildTruth(QVBoxLayout* column);
    QWidget* buildActionBar();
    void edited(const QString& field, const QString& value);
    void setSizes(std::vector<Shape> KernelDescription::*sizes, const QString& field, const QString& value);
    void read();
    void readFile();
    void readLaunch();
    void readTask();
    void readTruth();
    void readVerdict();
    void chooseFile(const QString& title, const std::function<void(const QString&)>& then);

    KernelWork* m_work;
    QLineEdit* m_file;
    QComboBox* m_function;
    QLabel* m_fileNote;
    QPushButton* m_again; ///< reads a file that has changed
    KernelParameters* m_parameters;
    FormGrid *m_launch, *m_task, *m_truth;
    QWidget* m_launchCard; ///< of CUDA kernels
    QLabel *m_supposed, *m_findings;
    QFrame* m_described; ///< all cards behind the first
    QLabel *m_word, *m_remedy;
    QProgressBar* m_progress;
    QPushButton *m_check, *m_start;
    QString m_typedProblem, m_typedField; ///< sizes that could not be read; the description keeps the ones before
};

} // namespace tilewright::ui
