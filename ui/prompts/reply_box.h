// SPDX-License-Identifier: GPL-3.0-or-later
// Where a reply is pasted, typed or dropped as a file, with what would become of it. The check runs on a pool thread
// after the last key; a newer one supersedes it. GUI thread.
#pragma once

#include "ui/prompts/reply_check.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class ReplyBox : public QWidget
{
    Q_OBJECT

public:
    explicit ReplyBox(QWidget* parent = nullptr);
    /// What replies are checked against; an empty parent: it is not there yet.
    void serve(const std::string& parent, const std::string& fileName, AskedFor askedFor);
    QString reply() const;
    void setReply(const QString& reply);
    /// Nobody waits for a reply: nothing can be sent.
    void setOpen(bool open);
    const ReplyCheck& check() const { return m_check; }
    /// Reads a file into the box; says so if it cannot.
    void take(const QString& file);

Q_SIGNALS:
    void submitted(const QString& reply);
    void typed(); ///< reply() is another
    void checked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look();
    void show();

    QPlainTextEdit* m_text;
    QLabel* m_findings;
    QPushButton* m_submit;
    QTimer m_pause;
    std::string m_parent, m_fileName;
    AskedFor m_askedFor = AskedFor::Patch;
    ReplyCheck m_check;
    QString m_trouble; ///< a file that could not be read
    quint64 m_checkId = 0;
    bool m_open = false;
};

} // namespace tilewright::ui
