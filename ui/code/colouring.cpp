// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/colouring.h"

#include "core/base/folders.h"
#include "ui/code/colour_worker.h"

#include <QCoreApplication>
#include <algorithm>

namespace tilewright::ui {
namespace {

constexpr std::size_t mostKnown = 16; // the few texts that a user goes back and forth between

Colouring* theOne = nullptr;

} // namespace

void TextColours::ask(const QString& text, const QString& language)
{
    const ColouredText wanted{text, language};
    if (wanted == m_text && (m_spans || !text.isEmpty()))
        return;
    m_text = wanted;
    m_spans.reset();
    if (!text.isEmpty())
        Colouring::instance().ask(wanted, this);
}

void TextColours::take(const ColouredText& text, const CodeSpansPtr& spans)
{
    if (text != m_text)
        return; // another text is shown by now
    m_spans = spans;
    Q_EMIT changed();
}

Colouring& Colouring::instance()
{
    if (!theOne) {
        theOne = new Colouring;
        qAddPostRoutine([] { delete theOne; });
    }
    return *theOne;
}

Colouring::Colouring()
{
    m_thread.setObjectName(QStringLiteral("colouring"));
    startWorker(QString::fromStdString((programFolder() / "tilewright-highlight").string()));
}

Colouring::~Colouring()
{
    stopWorker();
    theOne = nullptr;
}

void Colouring::startWorker(const QString& program)
{
    m_worker = new ColourWorker(program);
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &ColourWorker::done, this, &Colouring::take);
    m_thread.start();
}

void Colouring::stopWorker()
{
    m_worker->disconnect(this);
    m_thread.quit();
    m_thread.wait();
    m_worker = nullptr;
}

void Colouring::use(const QString& program, std::chrono::milliseconds patience)
{
    stopWorker();
    m_questions.clear();
    m_known.clear();
    m_busy = m_byProcess = false;
    startWorker(program);
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, patience] { worker->setPatience(patience); });
}

void Colouring::ask(const ColouredText& text, TextColours* asker)
{
    // What this place asked for before and still waits for is wanted no more.
    for (std::size_t i = m_busy ? 1 : 0; i < m_questions.size();) {
        std::erase_if(m_questions[i].askers, [asker](const auto& each) { return !each || each == asker; });
        if (m_questions[i].askers.empty())
            m_questions.erase(m_questions.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
    if (const auto known = std::ranges::find(m_known, text, &Known::text); known != m_known.end()) {
        const CodeSpansPtr spans = known->spans;
        std::rotate(known, known + 1, m_known.end());
        asker->take(text, spans);
        return;
    }
    if (const auto same = std::ranges::find(m_questions, text, &Question::text); same != m_questions.end()) {
        same->askers.emplace_back(asker);
        return;
    }
    m_questions.push_back({text, {asker}});
    next();
}

void Colouring::next()
{
    if (m_busy || m_questions.empty())
        return;
    m_busy = true;
    QMetaObject::invokeMethod(m_worker,
        [worker = m_worker, wanted = m_questions.front().text] { worker->colour(wanted.text, wanted.language); });
}

void Colouring::take(const CodeSpansPtr& spans, bool byProcess)
{
    const Question asked = std::move(m_questions.front());
    m_questions.pop_front();
    m_busy = false;
    m_byProcess = byProcess;
    m_known.push_back({asked.text, spans});
    if (m_known.size() > mostKnown)
        m_known.pop_front();
    next();
    for (const QPointer<TextColours>& asker : asked.askers)
        if (asker)
            asker->take(asked.text, spans);
}

} // namespace tilewright::ui
