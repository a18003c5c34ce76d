// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a session file, read while no program runs it.
#pragma once

#include "core/store/sql.h"

#include <QString>
#include <vector>

/// The rows of the record themselves, in their order.
inline std::vector<std::string> eventsOf(const QString& session)
{
    using tilewright::OpenMode;
    // A writer that was killed early may have left no log beside the file, which SQLite then reads only as it is.
    for (const OpenMode mode : {OpenMode::ReadOnly, OpenMode::Immutable}) {
        tilewright::SqlConnection connection;
        if (!connection.open(session.toStdString(), mode))
            continue;
        QSqlQuery query(connection.database());
        if (!query.exec(QStringLiteral("SELECT run, seq, at_utc, kind, json FROM event ORDER BY run, seq")))
            continue;
        std::vector<std::string> rows;
        while (query.next()) {
            std::string row;
            for (int column = 0; column < 5; ++column)
                row += query.value(column).toString().toStdString() + '\n';
            rows.push_back(std::move(row));
        }
        return rows;
    }
    return {};
}
