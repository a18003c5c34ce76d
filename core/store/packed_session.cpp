// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packed_session.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/store/session_lock.h"
#include "core/store/session_path.h"

#include <QFile>
#include <regex>
#include <unistd.h>
#include <zstd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr unsigned long long largestSession = 256ull << 20;

Result<void> fill(const std::string& path, const std::string& bytes)
{
    QFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(bytes.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), size) != size || !file.flush())
        return fail("file/unwritable", path + " cannot be written", "check the free space and your permissions there");
    return {};
}

} // namespace

fs::path shippedDemo(const std::string& name) { return sharedFolder() / "resources/demo" / (name + ".tilewright.zst"); }

void removeUnpacked(const fs::path& file)
{
    std::error_code problem;
    fs::remove(file, problem);
    removeLeftLog(file.string());
}

Result<void> unpackSession(const fs::path& packed, const fs::path& to)
{
    const std::string path = realSessionPath(to.string());
    std::error_code problem;
    if (fs::exists(path, problem))
        return std::unexpected(sessionExists(to.string()));
    const auto bytes = readFile(packed);
    if (!bytes)
        return std::unexpected(bytes.error());
    const unsigned long long size = ZSTD_getFrameContentSize(bytes->data(), bytes->size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > largestSession)
        return fail("session/damaged", packed.string() + " is not a packed session");
    std::string session(size, '\0');
    const std::size_t written = ZSTD_decompress(session.data(), session.size(), bytes->data(), bytes->size());
    if (ZSTD_isError(written) || written != size)
        return fail("session/damaged", packed.string() + " is damaged");
    SessionLock lock; // of the file that is made
    if (auto held = lock.acquire(path); !held)
        return held;
    const auto draft = makeDraft(path);
    if (!draft)
        return std::unexpected(draft.error());
    auto made = fill(*draft, session);
    if (made) {
        removeLeftLog(path);
        made = takeName(*draft, path);
    }
    if (!made)
        fs::remove(*draft, problem);
    return made;
}

std::string demoOf(const fs::path& file)
{
    static const std::regex copy("demo-(.+)-[0-9]+\\.tilewright");
    const std::string name = file.filename().string();
    std::smatch parts;
    return std::regex_match(name, parts, copy) ? parts[1].str() : "";
}

fs::path demoCopy(const std::string& name)
{
    std::error_code problem;
    fs::path folder = dataFolder();
    fs::create_directories(folder, problem);
    if (access(folder.c_str(), W_OK) != 0)
        folder = cacheFolder();
    for (int number = 1;; ++number)
        if (fs::path copy = folder / ("demo-" + name + "-" + std::to_string(number) + ".tilewright");
            !fs::exists(copy, problem))
            return copy;
}

} // namespace tilewright
