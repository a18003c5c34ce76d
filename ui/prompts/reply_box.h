// SPDX-License-Identifier: GPL-3.0-or-later
// Where a reply is pasted, typed or dropped as a file, with what would become of it. The check runs on a pool thread
// after the last key; a newer one supersedes it. GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

// What would become of a reply if it were given now: the same splitting and the same applier as in the run, on the text
// of the parent; nothing is stored. Pure.

/// What the prompt asked for: a patch, or the whole block anew.
enum class AskedFor { Patch, Block };

/// One proposal of the reply.
struct PartCheck {
    bool applies = false;
    int added = 0, removed = 0; ///< lines
    QStringList repairs; ///< what had to be mended, for a user
    QStringList notes; ///< what is wrong or missing and needed no repair: "hunk 1: the @@ line counts wrong"
    QString rule; ///< "patch/no-match"; empty where it applies
    QString refusal; ///< one sentence
    int line = 0; ///< of the parent, 1-based, where the refusal knows one; else 0

    bool operator==(const PartCheck&) const = default;
};

struct ReplyCheck {
    std::vector<PartCheck> parts; ///< empty for an empty reply

    bool operator==(const ReplyCheck&) const = default;
    int applying() const;
};

ReplyCheck checkReply(
    const std::string& parent, const std::string& fileName, const std::string& reply, AskedFor askedFor);

/// The findings, a line each.
QStringList wordsOf(const ReplyCheck& check);

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
