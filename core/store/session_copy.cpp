// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_copy.h"

#include "core/store/session_lock.h"
#include "core/store/session_path.h"
#include "core/store/sql.h"

#include <QSqlError>
#include <filesystem>

namespace tilewright {

Result<void> copySession(QSqlDatabase& from, const std::string& own, const std::string& wanted)
{
    namespace fs = std::filesystem;
    const std::string path = realSessionPath(wanted);
    std::error_code problem;
    if (fs::equivalent(own, path, problem))
        return fail("session/same", path + " is the session itself", "give the copy another name or folder");
    if (fs::is_directory(path, problem))
        return fail("session/read-only", path + " is a folder", "give the copy a file name");
    SessionLock lock; // nobody may be writing the file that is replaced
    if (auto held = lock.acquire(path); !held)
        return held;
    const auto draft = makeDraft(path);
    if (!draft)
        return std::unexpected(draft.error());
    QSqlQuery query(from);
    query.prepare(QStringLiteral("VACUUM INTO ?"));
    query.addBindValue(toSql(*draft));
    if (!query.exec()) {
        Error error = errorOf(query.lastError());
        if (error.code == "session/full") {
            error.text = path + " cannot be written: " + error.text;
            error.hint = "free some space there, or choose another folder for the copy";
        }
        fs::remove(*draft, problem);
        return std::unexpected(std::move(error));
    }
    removeLeftLog(path); // of a session that was cut off; it must not be read into the copy
    fs::rename(*draft, path, problem);
    if (problem) {
        const std::string why = problem.message();
        fs::remove(*draft, problem);
        return fail("session/read-only", path + " cannot be written: " + why, "choose a folder of your own");
    }
    return {};
}

} // namespace tilewright
