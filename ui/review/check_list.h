// SPDX-License-Identifier: GPL-3.0-or-later
// What was checked of a candidate before it may be measured, in order of cost, and the risks that a user should look
// at. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/review/proposal_head.h"
#include "ui/session/view_context.h"

#include <QScrollArea>
#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace tilewright::ui {

class CheckList : public QWidget
{
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);
    ~CheckList() override;
    /// Of one that has no review of its own: what its own builds, checks and measurement told so far.
    void show(const RunState& run, const Candidate& candidate);
    /// Of a text that a user is writing.
    void showEdit(const EditProgress& progress);

private:
    enum class Sign { Good, Look, Bad, Open };
    struct SignLook {
        QString icon;
        QColor ink;
        QString words;
    };
    struct Line;
    static SignLook lookOf(Sign sign);
    void clear();
    void put(std::vector<Line> lines);
    static void addReview(std::vector<Line>& lines, const RunState& run, const Review& review);
    static void addOwnWork(std::vector<Line>& lines, const RunState& run, const Candidate& candidate);
    void add(const Line& line);
    void addFolded(QVBoxLayout& column, QLabel* detail, const QStringList& parts, QWidget* row);

    QVBoxLayout* m_column;
    Candidate m_shown;
    Review m_review;
    std::vector<Line> m_lines;
    bool m_isUnfolded = false; ///< which rules passed is shown
    std::optional<EditProgress> m_edit; ///< what is shown instead of them
};

// The right of the Review mode: what was checked, what the build needs beside its parent, and what is measured. GUI
// thread.

class CheckList;
class DockTitle;
class QuickResult;
class ResourceBars;

class ReviewFacts : public QScrollArea
{
    Q_OBJECT

public:
    explicit ReviewFacts(const ViewContext& context, QWidget* parent = nullptr);
    DockTitle* title() const { return m_title; } ///< stands above it, wherever that is
    void show(const Candidate& candidate);
    /// Of a user's text, in the place of the candidate's.
    void showEdit(const EditProgress& progress);
    void clear();

private:
    void uncover();

    ViewContext m_context;
    DockTitle* m_title;
    CheckList* m_checks;
    DockTitle *m_resourcesTitle, *m_quickTitle;
    ResourceBars* m_resources;
    QuickResult* m_quick;
};

} // namespace tilewright::ui
