// SPDX-License-Identifier: GPL-3.0-or-later
// A program of the command line, run to its end.
#pragma once

#include "tests/patience.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

/// How it ended, and what it printed. One that hangs is killed, has no exit code (-1), and its err begins with that.
struct Run {
    enum Exit { good = 0, usage = 2, buildFailed = 5, missing = 6 };
    int exitCode = -1;
    QByteArray out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// The system's environment with data and cache in this folder.
inline QProcessEnvironment environmentIn(const QTemporaryDir& folder)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder.filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder.filePath(QStringLiteral("cache")));
    return environment;
}

inline Run runToItsEnd(const QProcessEnvironment& environment, const QStringList& arguments, int limitMs = patience)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TILEWRIGHT_CLI), arguments);
    if (!process.waitForFinished(limitMs)) {
        process.kill();
        process.waitForFinished(patience);
        return {-1, process.readAllStandardOutput(), "it hung: " + process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}
