// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/writable_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryFile>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString unwritableFolderOf(const QString& file)
{
    QFileInfo folder(QFileInfo(file).path()); // the nearest one that exists: the others are made when the session is
    while (!folder.exists() && !folder.isRoot())
        folder = QFileInfo(folder.path());
    if (!folder.isDir() || !folder.isWritable())
        return folder.filePath();
    QTemporaryFile trial(QDir(folder.filePath()).filePath(u".tilewright-XXXXXX"_s)); // goes with this object
    return trial.open() ? QString() : folder.filePath();
}

} // namespace tilewright::ui
