// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the colouring process and asks it one text at a time. Lives in a thread of its own, made and owned by
// Colouring. Where there is no process, or it dies, hangs or answers nonsense, our own reader answers instead.
#pragma once

#include "core/protocol/frames.h"
#include "ui/code/code_colours.h"

#include <QObject>
#include <QTimer>
#include <memory>

class QProcess;

namespace tilewright::ui {

class ColourWorker : public QObject
{
    Q_OBJECT

public:
    explicit ColourWorker(QString program);
    ~ColourWorker() override;
    void setPatience(std::chrono::milliseconds patience) { m_patience.setInterval(patience); }

    /// Answered by done(); the next text is asked for after that.
    void colour(const QString& text, const QString& language);

Q_SIGNALS:
    void done(tilewright::ui::CodeSpansPtr spans, bool byProcess);

private:
    bool start();
    void read();
    void fault();
    void answer(std::vector<CodeSpan> spans, bool byProcess);
    void answerOurselves();

    QString m_program, m_text, m_language;
    std::unique_ptr<QProcess> m_process;
    FrameReader m_frames;
    QTimer m_patience;
    std::int64_t m_id = 0; ///< of the newest request
    bool m_asked = false;
    int m_faults = 0; ///< in a row
};

} // namespace tilewright::ui
