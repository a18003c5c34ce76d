// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for code, for every view of the process: who shows a text asks for its spans and gets them later, the same
// text once for all. One thread with one colouring process behind it, started with the first question. GUI thread.
#pragma once

#include "ui/code/code_colours.h"

#include <QPointer>
#include <QThread>
#include <chrono>
#include <deque>
#include <vector>

namespace tilewright::ui {

class ColourWorker;

struct ColouredText {
    QString text, language;

    bool operator==(const ColouredText&) const = default;
};

/// The spans of the text that is shown at one place; a newer text supersedes the one before.
class TextColours : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    /// An empty text has none. Emits changed() when they are there, at once where they are known already. `language`:
    /// as in ColourRequest.
    void ask(const QString& text, const QString& language = QStringLiteral("kernel"));
    const CodeSpansPtr& spans() const { return m_spans; } ///< null until then

Q_SIGNALS:
    void changed();

private:
    friend class Colouring;
    void take(const ColouredText& text, const CodeSpansPtr& spans);

    ColouredText m_text;
    CodeSpansPtr m_spans;
};

class Colouring : public QObject
{
    Q_OBJECT

public:
    static Colouring& instance();
    ~Colouring() override;

    /// Another program than tilewright-highlight beside this one, and how long it may take; forgets what is known.
    void use(const QString& program, std::chrono::milliseconds patience);
    /// Whether the newest answer came from the process.
    bool isByProcess() const { return m_byProcess; }

private:
    friend class TextColours;
    struct Question {
        ColouredText text;
        std::vector<QPointer<TextColours>> askers;
    };
    struct Known {
        ColouredText text;
        CodeSpansPtr spans;
    };

    Colouring();
    void ask(const ColouredText& text, TextColours* asker);
    void next();
    void take(const CodeSpansPtr& spans, bool byProcess);
    void startWorker(const QString& program);
    void stopWorker();

    QThread m_thread;
    ColourWorker* m_worker = nullptr;
    std::deque<Question> m_questions; ///< the first is under way
    std::deque<Known> m_known; ///< the newest last
    bool m_busy = false, m_byProcess = false;
};

} // namespace tilewright::ui
