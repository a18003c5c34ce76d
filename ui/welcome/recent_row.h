// SPDX-License-Identifier: GPL-3.0-or-later
// A session that was open before, as a button: its picture, name, task and best. Where it was moved or cannot be read
// it says so, and offers to be taken off the list. GUI thread.
#pragma once

#include "ui/models/first_result.h"

#include <QAbstractButton>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

class QToolButton;

namespace tilewright::ui {

// What a user recognises a session by, small enough to be kept beside the list of recent ones: the task, how far it
// came, the curve of its confirmed bests, and what it took. Pure.

struct SessionSketch {
    std::string task; ///< its heading
    std::string device;
    std::string lastEventUtc;
    std::int64_t evaluations = 0; ///< that have a result
    std::optional<Interval> best; ///< speedup over the baseline, confirmed; none before
    std::vector<std::pair<std::int64_t, double>> curve; ///< (evaluations done, confirmed score)
    std::string taskName; ///< its id
    std::string proposer; ///< who was asked to begin with, without a file: "model", "mutator"
    int devices = 1; ///< that measured side by side
    std::int64_t runNs = 0;
    std::int64_t tokens = 0; ///< read and written by models
    std::optional<std::int64_t> costMicroUsd; ///< none: not all of it is known
    std::int64_t bytes = 0; ///< of its file, and of the log beside it
    std::string shapes; ///< that it measured on, by listWords()
    std::int64_t seedNs = 0, firstNs = 0; ///< as SessionStart has them
    std::string host;
    std::string beganUtc; ///< of its first event: copies of a session have it in common

    bool operator==(const SessionSketch&) const = default;
    SessionStart start() const { return {taskName, device, shapes, proposer, seedNs, firstNs, host}; }
    nlohmann::json json() const;
    /// None for what is no sketch.
    static std::optional<SessionSketch> fromJson(const nlohmann::json& json);
};

SessionSketch sketchOf(const RunState& run, const Task& task, const std::string& lastEventUtc);

// One look at a session file: its sketch, or why there is none. What was seen is kept as a small file and holds until
// the session changes. Blocks as long as reading takes; any thread.

struct SessionLook {
    QString path;
    std::optional<SessionSketch> sketch; ///< none: it cannot be shown
    QString trouble; ///< in a word or two; empty if there is none
    QString details; ///< of the trouble

    bool operator==(const SessionLook&) const = default;
};

/// `folder`: where the sketches are kept; one that cannot be written costs time, nothing else.
SessionLook lookAtSession(const QString& path, const QString& folder);
/// Sketches of other sessions than these are not kept any longer.
void forgetSketchesExcept(const QStringList& paths, const QString& folder);

class RecentRow : public QAbstractButton
{
    Q_OBJECT

public:
    explicit RecentRow(const QString& path, QWidget* parent = nullptr);
    const QString& path() const { return m_look.path; }
    void show(const SessionLook& look);
    QSize sizeHint() const override;

Q_SIGNALS:
    void removeWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void drawPicture(QPainter& painter, const QRectF& box) const;
    QString about() const; ///< below the name, in one line
    QString length() const;
    QString tip() const;

    SessionLook m_look;
    bool m_isKnown = false; ///< it was looked at
    QToolButton* m_remove;
};

} // namespace tilewright::ui
