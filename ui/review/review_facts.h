// SPDX-License-Identifier: GPL-3.0-or-later
// The right of the Review mode: what was checked, what the build needs beside its parent, and what is measured. GUI
// thread.
#pragma once

#include "ui/session/desk.h"

#include <QScrollArea>

namespace tilewright::ui {

class CheckList;
class DockTitle;
class QuickResult;
class ResourceBars;

class ReviewFacts : public QScrollArea
{
    Q_OBJECT

public:
    explicit ReviewFacts(const Desk& desk, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    void show(const Candidate& candidate);
    void clear();

private:
    Desk m_desk;
    DockTitle* m_title;
    CheckList* m_checks;
    ResourceBars* m_resources;
    QuickResult* m_quick;
};

} // namespace tilewright::ui
