// SPDX-License-Identifier: GPL-3.0-or-later
// Where the choices of a new session come from: the defaults, or an earlier session, which is read on a thread of its
// own. GUI thread.
#pragma once

#include "ui/welcome/earlier_session.h"

#include <QThreadPool>
#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;

namespace tilewright::ui {

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
