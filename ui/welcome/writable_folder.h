// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a file can be made at a place, found out by making one: what the rights say is not the whole truth (a folder
// of /proc looks writable to root, a file system may be full or read-only). Any thread.
#pragma once

#include <QString>

namespace tilewright::ui {

/// The nearest folder above that file which exists, where neither a file nor a folder can be made; empty if one can.
/// Nothing is left behind.
QString unwritableFolderOf(const QString& file);

} // namespace tilewright::ui
