// SPDX-License-Identifier: GPL-3.0-or-later
// Guided demos of the lab: captions, one idea a step, each of which sets up what it speaks of. Everything that is shown
// is computed by the pages themselves. GUI thread.
#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class LabPage;

/// A button of a step, for what takes a while: its words (of the state it is in) and what it does.
struct DemoAction {
    std::function<QString(LabPage&)> words;
    std::function<void(LabPage&)> run;
};

struct DemoStep {
    QString caption;
    std::function<void(LabPage&)> show; ///< brings the lab to the state of this step, from any other one
    QString notes = {}; ///< for the presenter
    std::function<QString(LabPage&)> figures = {}; ///< a sentence with figures that were measured or recorded
    std::optional<DemoAction> action = {};
};

struct GuidedDemo {
    QString id; ///< for --demo
    QString title;
    QString worksheet; ///< its page below docs/
    std::vector<DemoStep> steps;
};

/// From scheme to measured kernel (scheme_demo.cpp).
GuidedDemo schemeToKernelDemo();
const std::vector<GuidedDemo>& guidedDemos();
/// Null: there is none of this id.
const GuidedDemo* guidedDemo(const QString& id);

/// The caption of a step, with Back and Next, which a presenter's clicker (Page Up, Page Down) presses as well.
class DemoBar : public QFrame
{
    Q_OBJECT

public:
    DemoBar(LabPage& lab, QWidget* parent);
    void begin(const GuidedDemo& demo);
    void end();
    bool isRunning() const { return m_demo != nullptr; }
    const GuidedDemo* demo() const { return m_demo; } ///< null: none is running
    int step() const { return m_step; }
    void go(int step); ///< kept within the demo
    void refresh(); ///< figures and button: the session has changed, or what is being measured
    void setPresenting(bool isPresenting); ///< with the presenter's notes

Q_SIGNALS:
    void changed(); ///< another step, or none

private:
    void showNotes();
    const DemoStep& now() const;

    LabPage& m_lab;
    const GuidedDemo* m_demo = nullptr;
    int m_step = 0;
    QLabel *m_title, *m_caption, *m_figures, *m_notes, *m_stepOf;
    QPushButton *m_back, *m_next, *m_showsNotes, *m_action;
};

} // namespace tilewright::ui
