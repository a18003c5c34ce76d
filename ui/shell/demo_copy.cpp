// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/demo_copy.h"

#include "core/store/packed_session.h"
#include "core/store/session_lock.h"
#include "core/store/session_reader.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace tilewright::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostLookedAt = 3; ///< copies; a person who keeps working in theirs need not wait for all of them

/// What the run is, without the notes that opening it leaves in its log.
std::optional<RunState> runOf(const fs::path& file)
{
    auto reader = SessionReader::open(file.string());
    auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state)
        return std::nullopt;
    state->log = {};
    state->lastSeq = 0;
    return std::move(*state);
}

/// Copies made earlier, the newest first.
std::vector<fs::path> earlierCopies(const fs::path& folder, const std::string& name)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        if (demoOf(entry.path()) == name)
            found.emplace_back(entry.last_write_time(problem), entry.path());
    }
    std::ranges::sort(found, std::greater());
    std::vector<fs::path> copies;
    for (const auto& [time, path] : found)
        if (copies.size() < mostLookedAt)
            copies.push_back(path);
    return copies;
}

bool isOpenElsewhere(const fs::path& file)
{
    SessionLock lock; // let go at once: who opens the session takes it
    return !lock.acquire(file.string());
}

} // namespace

Result<fs::path> copyOfDemo(const std::string& name)
{
    const fs::path fresh = demoCopy(name);
    const std::vector<fs::path> earlier = earlierCopies(fresh.parent_path(), name);
    if (auto unpacked = unpackSession(shippedDemo(name), fresh); !unpacked)
        return std::unexpected(unpacked.error());
    if (earlier.empty())
        return fresh;
    const std::optional<RunState> shipped = runOf(fresh);
    for (const fs::path& copy : earlier)
        if (!isOpenElsewhere(copy) && shipped && runOf(copy) == shipped) {
            removeUnpacked(fresh);
            return copy;
        }
    return fresh;
}

} // namespace tilewright::ui
