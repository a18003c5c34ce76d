// SPDX-License-Identifier: GPL-3.0-or-later
// The right of the Review mode: what was checked, what the build needs beside its parent, and what is measured. GUI
// thread.
#pragma once

#include "ui/review/edit_progress.h"
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
    /// Of a person's text, in the place of the candidate's.
    void showEdit(const EditProgress& progress);
    void clear();

private:
    void uncover();

    Desk m_desk;
    DockTitle* m_title;
    CheckList* m_checks;
    DockTitle *m_resourcesTitle, *m_quickTitle;
    ResourceBars* m_resources;
    QuickResult* m_quick;
};

} // namespace tilewright::ui
