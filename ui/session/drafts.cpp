// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/drafts.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto afterLastChange = 500ms;
const QString sessionKey = u"session"_s, textsKey = u"texts"_s;

} // namespace

Drafts::Drafts(SessionClient& session, const QString& folder, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_folder(folder)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(afterLastChange);
    connect(&m_pause, &QTimer::timeout, this, &Drafts::write);
    connect(&session, &SessionClient::replaced, this, &Drafts::follow);
    follow();
}

Drafts::~Drafts() { write(); }

void Drafts::follow()
{
    write();
    const EngineStatus& status = m_session.snapshot().status;
    // What is shown read-only may be open in another window, whose texts these are.
    const bool isWritable = status.sessionOpen && !status.readOnly;
    m_path = isWritable ? QString::fromStdString(status.sessionPath) : QString();
    m_texts.clear();
    m_isChanged = false;
    m_hasFailed = false;
    if (m_path.isEmpty())
        return;
    const QByteArray name = QCryptographicHash::hash(m_path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    m_file = QDir(m_folder).filePath(QString::fromLatin1(name) + u".json"_s);
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return; // none was kept
    const QJsonObject kept = QJsonDocument::fromJson(file.readAll()).object();
    if (kept.value(sessionKey).toString() != m_path)
        return;
    const QJsonObject texts = kept.value(textsKey).toObject();
    for (auto each = texts.begin(); each != texts.end(); ++each)
        m_texts.insert(each.key(), each.value().toString());
}

QStringList Drafts::places(const QString& prefix) const
{
    QStringList found;
    for (auto each = m_texts.keyBegin(); each != m_texts.keyEnd(); ++each)
        if (each->startsWith(prefix))
            found << *each;
    return found;
}

void Drafts::keep(const QString& place, const QString& text)
{
    if (m_path.isEmpty() || (contains(place) && m_texts.value(place) == text))
        return;
    m_texts.insert(place, text);
    m_isChanged = true;
    m_pause.start();
}

void Drafts::discard(const QString& place)
{
    if (!contains(place))
        return;
    const QString text = this->text(place);
    drop(place);
    Q_EMIT discarded(place, text);
}

void Drafts::drop(const QString& place)
{
    if (m_texts.remove(place) == 0)
        return;
    m_isChanged = true;
    m_pause.start();
}

void Drafts::write()
{
    m_pause.stop();
    if (!std::exchange(m_isChanged, false))
        return;
    if (m_texts.isEmpty()) {
        QFile::remove(m_file);
        return;
    }
    QJsonObject texts;
    for (auto each = m_texts.begin(); each != m_texts.end(); ++each)
        texts.insert(each.key(), each.value());
    const QByteArray bytes = QJsonDocument(QJsonObject{{sessionKey, m_path}, {textsKey, texts}}).toJson();
    QSaveFile file(m_file);
    const bool written = QDir().mkpath(m_folder) && file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
        && file.commit();
    if (!written && !m_hasFailed)
        Q_EMIT failed(tr("Your unsaved text cannot be stored in %1.").arg(m_file), tr("save it before you leave"));
    m_hasFailed = !written;
    m_isChanged = !written; // tried again with the next text
}

QString Drafts::placeOf(const QString& kind, const Candidate& candidate)
{
    return u"%1/%2/%3"_s.arg(kind, QString::fromStdString(candidateName(candidate.id)),
        QString::fromStdString(candidate.source.hex().substr(0, 16)));
}

} // namespace tilewright::ui
