// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar: file and save time, device, clock, queue, noise floor, isolation, where the run stands, and what
// the screen that is seen holds. GUI thread.
#pragma once

#include "ui/session/view_context.h"

#include <QFrame>
#include <optional>

class QLabel;
class QToolButton;

namespace tilewright::ui {

class GitLineage;
class MessageLog;

class StatusLine : public QFrame
{
    Q_OBJECT

public:
    StatusLine(const ViewContext& context, const MessageLog& log, QWidget* parent = nullptr);

    /// What the screen that is seen holds.
    void setView(const QString& words);
    /// How far the git repository of the session is written; nothing where it is not wanted.
    void showLineage(const GitLineage& lineage);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Item {
        QWidget* box;
        QLabel* icon;
        QLabel* text;
        QString name; ///< of its icon; empty: it has none
        QString tip;
        QStringList forms; ///< what it says, each shorter than the one before; an empty one: it goes
        bool warning;
        int share = QWIDGETSIZE_MAX; ///< as wide as its text may be where all have something to say
    };
    Item add(const QString& icon, const QString& objectName, const QString& tip);
    void set(Item& item, const QStringList& forms, bool warning = false, const QString& tip = {});
    static int wordsOf(const Item& item, qsizetype form); ///< how wide they are
    int widthOf(const Item& item, qsizetype form) const;
    void show(Item& item, qsizetype form);
    void arrange();
    void refresh();
    void showClock(const Snapshot& snapshot);
    void showNoise(const RunState& run);
    void showOverfitting(const RunState& run);
    void showUnseen();
    void showFile(const EngineStatus& status);
    void showQueue(const EngineStatus& status, const RunState& run);
    void showRest(const EngineStatus& status, const RunState& run);
    void showSummary(const Snapshot& snapshot);

    ViewContext m_context;
    const MessageLog& m_log;
    QToolButton* m_messages;
    Item m_file, m_lineage, m_device, m_temperature, m_clock, m_queue, m_noise, m_overfitting, m_isolation, m_summary,
        m_view;
    std::optional<std::size_t> m_judged; ///< evaluations that the gap to held-out shapes was judged by
    QString m_viewed;
};

} // namespace tilewright::ui
