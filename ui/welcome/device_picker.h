// SPDX-License-Identifier: GPL-3.0-or-later
// Where candidates are built and timed: the CPU, or one of the GPUs that `tilewright-cli doctor` found. What cannot run
// the chosen task says why. GUI thread.
#pragma once

#include "core/model/task/task.h"

#include <QJsonObject>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace tilewright::ui {

class ChoiceCard;

class DevicePicker : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePicker(QWidget* parent = nullptr);
    /// The object that `doctor --json` prints.
    void show(const QJsonObject& report);
    /// Offers what can run the task, and chooses the first of it; null: everything.
    void setTask(const Task* task);
    /// Chooses it if it is here and runs the task; false: another one stays chosen.
    bool choose(const QString& device);
    /// The one that is offered where nobody chose.
    void reset();
    /// What is chosen by itself where it is here and runs the task; empty, or not here: the first that does.
    void prefer(const QString& device);
    /// Those that were found, and all of a kind together: id and name.
    std::vector<std::pair<QString, QString>> gpus() const;
    /// "cpu", "cuda:0", "cuda:all"; empty when nothing here runs the task.
    QString chosen() const;
    /// "CPU", "NVIDIA H200 · GPU 0".
    QString chosenName() const;
    /// As sessions record it, "NVIDIA H200"; and how many of them measure.
    std::string chosenKind() const;
    int chosenCount() const;
    /// Why there is no GPU to choose; empty when there is one.
    QString whyNoGpu() const { return m_whyNoGpu; }

Q_SIGNALS:
    void changed();

private:
    struct Device {
        QString id;
        ChoiceCard* card;
        std::string kind; ///< as sessions record it
        int count = 1;
    };

    void add(const Device& device, const QString& name, const QString& about);
    const Device* chosenDevice() const;
    void addAll(const QJsonObject& report);
    void offer();

    QVBoxLayout* m_column;
    std::vector<Device> m_devices;
    QString m_whyNoGpu, m_preferred;
    std::optional<Target> m_target;
};

} // namespace tilewright::ui
