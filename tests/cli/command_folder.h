// SPDX-License-Identifier: GPL-3.0-or-later
// The command line with a folder of its own: its data, its cache, its sessions, and a fake node.
#pragma once

#include "tests/cli/cli_run.h"

#include <QProcessEnvironment>
#include <QTemporaryDir>

/// Where what belongs to it lies in a folder, and with a fake node of these manners.
inline QProcessEnvironment environmentFor(const QString& folder, const char* manners)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(
        QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_FAKE_NODE) + QString::fromLatin1(manners));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder + QStringLiteral("/cache"));
    return environment;
}

class CommandFolder
{
protected:
    QTemporaryDir m_folder;
    const QString m_task = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");

    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    Run cli(const QStringList& arguments, const char* manners = "") const
    {
        return runToItsEnd(environmentFor(m_folder.path(), manners), arguments);
    }
};
