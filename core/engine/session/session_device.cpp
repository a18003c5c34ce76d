// SPDX-License-Identifier: GPL-3.0-or-later
// The session's node, and whether its device is here: what waits for it, and what is refused without it.
#include "core/engine/session/session.h"

#include "core/engine/measuring/measuring_device.h"
#include "core/protocol/device_names.h"

#include <algorithm>

namespace tilewright {

void Session::startNode(const QStringList& command, std::chrono::milliseconds silenceLimit)
{
    m_nodeCommand = command;
    m_silenceLimit = silenceLimit;
    if (isReadOnly())
        return;
    m_node->setCommand(command);
    m_node->setSilenceLimit(silenceLimit);
    m_node->start();
}

void Session::nodeReady()
{
    m_lostInARow = 0;
    if (m_trouble.code == "node/lost")
        m_trouble = {};
    const RunState& state = m_ledger->state();
    const auto devices = devicesNamed(m_node->hello(), state.settings.device);
    const auto alike = devices ? checkAlike(*devices) : Result<void>(std::unexpected(devices.error()));
    m_otherDevice.reset();
    if (!alike) {
        MissingDevice missing = missingDevice(state, alike.error());
        if (isRunning() || !missing.measuredThere)
            m_trouble = missing.why;
        m_otherDevice = std::move(missing.why); // one that was measured may be looked at without a word
        if (isRunning())
            endNow(events::Phase::Paused, m_trouble.text);
        else if (m_onceHere)
            refuseToStart(*m_otherDevice);
        Q_EMIT changed();
        return;
    }
    const HelloReply::Device* device = devices->front();
    nlohmann::json facts = factsOf(*device);
    std::vector<std::string> others;
    for (std::size_t i = 1; i < devices->size(); ++i)
        others.push_back((*devices)[i]->id);
    if (const auto same = checkSameDevice(state, device->id, facts); !same) {
        // It may be looked at without a word; only to go on would mix figures.
        m_otherDevice = same.error();
        if (isRunning()) {
            m_trouble = same.error();
            endNow(events::Phase::Paused, m_trouble.text);
        } else if (m_onceHere) {
            refuseToStart(*m_otherDevice);
        }
        Q_EMIT changed();
        return;
    }
    if (m_trouble.code == "device/other")
        m_trouble = {};
    if (m_trouble.code == "device/mixed" || m_trouble.code == "device/missing")
        m_trouble = {};
    if (state.device != device->id || state.host != m_node->hello().host || state.deviceFacts != facts
        || state.otherDevices != others)
        m_ledger->record(events::DeviceFound{device->id, m_node->hello().host, std::move(facts), std::move(others)});
    m_deviceIsHere = true;
    if (const auto work = std::exchange(m_onceHere, {}))
        work();
    schedule();
}

void Session::onceDeviceIsHere(std::function<void()> work)
{
    if (m_otherDevice && !isRunning())
        return refuseToStart(*m_otherDevice);
    if (m_deviceIsHere || isRunning())
        return work();
    m_onceHere = std::move(work);
    m_node->start(); // where it was given up
}

void Session::refuseToStart(const Error& why)
{
    m_onceHere = {};
    m_trouble = why;
    Q_EMIT failed(why);
    Q_EMIT changed();
}

void Session::nodeGivenUp(const QString& reason, const QString& hint)
{
    m_trouble = {"node/missing", reason.toStdString(), hint.toStdString(), nullptr};
    m_ledger->record(events::Noted{"error", m_trouble.text, m_trouble.hint});
    if (isRunning())
        endNow(events::Phase::Paused, m_trouble.text);
    else if (m_onceHere)
        refuseToStart(m_trouble);
    Q_EMIT changed();
}

Result<void> Session::checkDeviceIsHere()
{
    if (m_otherDevice && !isRunning())
        return std::unexpected(*m_otherDevice);
    if (m_deviceIsHere)
        return {};
    m_node->start(); // where it was given up
    return fail("device/unknown",
        "it is not known yet whether this session's device is available: the node has not replied",
        "try again in a moment");
}

Result<std::string> Session::otherDevice(const std::string& wanted) const
{
    if (!m_node->isReady())
        return fail("device/unknown", "the available devices are not known yet: the node has not replied",
            "try again in a moment");
    if (auto named = checkDeviceName(wanted); !named)
        return std::unexpected(named.error());
    const HelloReply::Device* device = deviceNamed(m_node->hello(), wanted);
    if (!device)
        return std::unexpected(noSuchDevice(m_node->hello(), wanted));
    const Task& task = m_pack->task;
    if (isGpuId(device->id) != (task.target == Target::Cuda))
        return fail("device/kind",
            task.name + " cannot be measured on " + device->name + ": its programs are for "
                + (task.target == Target::Cuda ? "an NVIDIA GPU" : "the CPU"),
            "choose a device of that kind");
    return device->id == m_ledger->state().device ? "" : device->id;
}

} // namespace tilewright
