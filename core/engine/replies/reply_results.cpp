// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/reply_results.h"

#include "core/engine/replies/reply_folder.h"
#include "core/model/requests/reply_outcome.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>

namespace tilewright {
namespace {

constexpr std::chrono::milliseconds pause{200};
constexpr std::size_t mostReplies = 1000; ///< the newest; older ones are settled

bool startsWith(const QString& path, const std::string& line)
{
    QFile file(path);
    return !line.empty() && file.open(QIODevice::ReadOnly)
        && file.read(static_cast<qint64>(line.size())).toStdString() == line;
}

} // namespace

ReplyResults::ReplyResults(Ledger& ledger, const QString& folder)
    : m_ledger(ledger)
    , m_folder(folder)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause);
    connect(&m_pause, &QTimer::timeout, this, &ReplyResults::write);
    connect(&ledger, &Ledger::changed, this, [this] {
        if (!m_pause.isActive())
            m_pause.start();
    });
    m_pause.start();
}

ReplyResults::~ReplyResults() { write(); }

bool ReplyResults::isOwn(const ModelRequest& modelRequest)
{
    const auto [known, isNew] = m_isOwn.try_emplace(modelRequest.place, false);
    if (isNew)
        known->second = startsWith(
            QDir(m_folder).filePath(QString::fromStdString(modelRequest.place) + QStringLiteral(".prompt.md")),
            originLine(m_ledger.state(), modelRequest.id));
    return known->second;
}

void ReplyResults::write()
{
    const RunState& state = m_ledger.state();
    if (state.lastSeq == m_seen)
        return;
    m_seen = state.lastSeq;
    for (const ReplyOutcome& outcome : replyOutcomes(state, "manual", mostReplies)) {
        const ModelRequest& modelRequest = *state.modelRequest(outcome.modelRequest);
        if (modelRequest.place.empty() || !isOwn(modelRequest))
            continue;
        const std::string text = describe(state, outcome);
        if (std::string& written = m_written[modelRequest.place]; written != text) {
            written = text;
            writeFile(modelRequest.place, text);
        }
    }
}

void ReplyResults::writeFile(const std::string& place, const std::string& text)
{
    QSaveFile file(QDir(m_folder).filePath(QString::fromStdString(place) + QStringLiteral(".result.txt")));
    const QByteArray bytes = QByteArray::fromStdString(text);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return;
    if (!std::exchange(m_hasFailed, true))
        Q_EMIT failed(file.fileName(), file.errorString());
}

} // namespace tilewright
