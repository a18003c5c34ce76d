// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/session_look.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/store/session_reader.h"
#include "ui/models/format.h"
#include "ui/widgets/sentence.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <nlohmann/json.hpp>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;
using nlohmann::json;

constexpr int sketchFormat = 5;
constexpr std::size_t largestSketch = std::size_t(1) << 20;

QString tr(const char* source) { return QCoreApplication::translate("SessionLook", source); }

QString sketchFile(const QString& path, const QString& folder)
{
    return QDir(folder).filePath(text(sha256(path.toStdString()).hex().substr(0, 32)) + u".json"_s);
}

/// Changes with everything that is written to the session: to the file, or to the log beside it that joins it later.
json stampOf(const QString& path)
{
    json stamp = json::array();
    for (const QString& name : {path, path + u"-wal"_s}) {
        const QFileInfo file(name);
        const bool counts = file.exists() && file.size() > 0; // an empty log comes and goes with every reader
        stamp.push_back(counts ? file.size() : 0);
        stamp.push_back(counts ? file.lastModified().toMSecsSinceEpoch() : 0);
    }
    return stamp;
}

std::optional<SessionSketch> keptSketch(const QString& file, const QString& path, const json& stamp)
{
    const auto bytes = readFile(file.toStdString(), largestSketch);
    const json kept = bytes ? parsedJson(*bytes) : json();
    if (!kept.is_object() || kept.value("format", json()) != sketchFormat
        || kept.value("path", json()) != path.toStdString() || kept.value("stamp", json()) != stamp)
        return std::nullopt;
    return SessionSketch::fromJson(kept.value("sketch", json()));
}

void keep(const SessionSketch& sketch, const QString& file, const QString& path, const json& stamp)
{
    QDir().mkpath(QFileInfo(file).path());
    QSaveFile out(file);
    const json kept{
        {"format", sketchFormat}, {"path", path.toStdString()}, {"stamp", stamp}, {"sketch", sketch.json()}};
    if (out.open(QIODevice::WriteOnly)) {
        out.write(QByteArray::fromStdString(dumped(kept)));
        out.commit();
    }
}

SessionLook troubled(const QString& path, const Error& error)
{
    QString words = tr("cannot be read");
    if (error.code == "session/missing")
        words = tr("moved or deleted");
    else if (error.code == "session/newer")
        words = tr("of a newer version");
    else if (error.code == "session/damaged")
        words = tr("damaged");
    else if (error.code == "session/not-a-session")
        words = tr("not a session");
    else if (error.code == "session/empty")
        words = tr("holds no run yet");
    QString details = asSentence(text(error.text));
    if (!error.hint.empty())
        details += u'\n' + asSentence(text(error.hint));
    return {path, {}, words, details};
}

} // namespace

SessionLook lookAtSession(const QString& path, const QString& folder)
{
    const QString file = sketchFile(path, folder);
    const json stamp = stampOf(path); // before reading: what is written meanwhile makes the sketch an old one
    if (QFileInfo::exists(path))
        if (const auto kept = keptSketch(file, path, stamp))
            return {path, kept, {}, {}};
    const auto reader = SessionReader::open(path.toStdString());
    const auto run = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = run ? (*reader)->pack(*run) : std::unexpected(run.error());
    if (!pack)
        return troubled(path, pack.error());
    SessionSketch sketch = sketchOf(*run, pack->task, (*reader)->lastEventUtc());
    sketch.bytes = QFileInfo(path).size() + QFileInfo(path + u"-wal"_s).size();
    keep(sketch, file, path, stamp);
    return {path, sketch, {}, {}};
}

void forgetSketchesExcept(const QStringList& paths, const QString& folder)
{
    QStringList kept;
    for (const QString& path : paths)
        kept << QFileInfo(sketchFile(path, folder)).fileName();
    QDir all(folder);
    for (const QString& name : all.entryList({u"*.json"_s}, QDir::Files))
        if (!kept.contains(name))
            all.remove(name);
}

} // namespace tilewright::ui
