// SPDX-License-Identifier: GPL-3.0-or-later
// Where the choices of a new session come from: the defaults, or an earlier session, which is read on a thread of its
// own. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/model/measurement/session_shapes.h"
#include "core/model/run_state.h"

#include <QString>
#include <QThreadPool>
#include <QWidget>
#include <map>
#include <optional>

class QComboBox;
class QLabel;

namespace tilewright::ui {

// What a new session can take over of an earlier one: task, shapes, proposer, islands as they were steered at its end,
// migration, review and budgets. Nothing of its candidates. Blocks as long as reading takes; any thread.

struct EarlierSession {
    RunSettings settings;
    std::map<IslandId, std::string> strategies; ///< of those that did not evolve
    std::map<IslandId, IslandSteering> steering; ///< of the islands it began with
    SessionShapes shapes;

    bool operator==(const EarlierSession&) const = default;
};

/// Of a run that is known already.
EarlierSession earlierSessionOf(const RunState& run, const Task& task);
/// Errors: those of SessionReader.
Result<EarlierSession> readEarlierSession(const QString& path);

class StartFrom : public QWidget
{
    Q_OBJECT

public:
    explicit StartFrom(QWidget* parent = nullptr);
    ~StartFrom() override;
    /// Sessions to offer, newest first; the one that is chosen stays.
    void offer(const QStringList& paths);
    void chooseDefaults();
    /// What could not be taken over of it; empty: all could.
    void say(const QString& remark);

Q_SIGNALS:
    /// None: the defaults.
    void chosen(const std::optional<tilewright::ui::EarlierSession>& session);

private:
    void read(const QString& path);

    QComboBox* m_box;
    QLabel* m_remark;
    QString m_wanted; ///< the file that is read
    QThreadPool m_thread;
};

} // namespace tilewright::ui
