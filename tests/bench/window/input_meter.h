// SPDX-License-Identifier: GPL-3.0-or-later
// How long a user waits: from the moment an input is due until the window was painted after it. Where the event loop
// comes to rest without painting, the input changed nothing to be seen, and its time ends there. GUI thread.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilewright::bench {

class InputMeter : public QApplication
{
public:
    InputMeter(int& argc, char** argv);

    /// Gives the event to the widget; its time runs since it was due, so many ms ago.
    void send(const std::string& kind, QWidget* to, QEvent* event, double lateMs);
    /// No input waits for its picture.
    bool isIdle() const { return m_kind.empty(); }
    /// From the inputs to their pictures, in ms.
    const std::map<std::string, std::vector<double>>& times() const { return m_times; }
    /// Called after each painting of a window.
    void setPainted(std::function<void()> painted) { m_painted = std::move(painted); }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    void seen();

    std::string m_kind;
    const QEvent* m_event = nullptr;
    bool m_handled = false;
    double m_lateMs = 0;
    QElapsedTimer m_since;
    std::map<std::string, std::vector<double>> m_times;
    std::function<void()> m_painted;
};

} // namespace tilewright::bench
