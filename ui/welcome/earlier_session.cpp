// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/earlier_session.h"

#include "core/store/session_reader.h"

namespace tilewright::ui {

EarlierSession earlierSessionOf(const RunState& run, const Task& task)
{
    EarlierSession session{run.settings, {}, shapesOf(task)};
    for (const Island& island : run.islands)
        if (island.id.value <= run.settings.islands && island.steering != IslandSteering{})
            session.steering[island.id] = island.steering;
    return session;
}

Result<EarlierSession> readEarlierSession(const QString& path)
{
    const auto reader = SessionReader::open(path.toStdString());
    const auto run = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = run ? (*reader)->pack(*run) : std::unexpected(run.error());
    if (!pack)
        return std::unexpected(pack.error());
    return earlierSessionOf(*run, pack->task);
}

} // namespace tilewright::ui
