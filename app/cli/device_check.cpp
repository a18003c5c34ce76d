// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_check.h"

#include "core/engine/engine.h"
#include "core/engine/measuring_device.h"
#include "core/engine/node_connection.h"
#include "core/protocol/device_names.h"

#include <QEventLoop>

namespace tilewright::cli {

Result<void> checkDevice(const std::string& device)
{
    NodeConnection node;
    QEventLoop loop;
    Result<void> verdict;
    QObject::connect(&node, &NodeConnection::ready, &loop, [&] {
        if (const auto devices = devicesNamed(node.hello(), device); !devices)
            verdict = std::unexpected(devices.error());
        else if (const std::string lacking = devices->front()->facts.value("no_compiler", ""); !lacking.empty())
            verdict = fail("build/no-compiler", lacking);
        else
            verdict = checkAlike(*devices);
        node.stop();
    });
    QObject::connect(&node, &NodeConnection::givenUp, &loop, [&](const QString& reason, const QString& hint) {
        verdict = fail("node/missing", reason.toStdString(), hint.toStdString());
        loop.quit();
    });
    QObject::connect(&node, &NodeConnection::stopped, &loop, &QEventLoop::quit);
    node.setCommand(defaultNodeCommand());
    node.setSilenceLimit(std::chrono::seconds(30));
    QMetaObject::invokeMethod(
        &node, [&node] { node.start(); }, Qt::QueuedConnection);
    loop.exec();
    return verdict;
}

} // namespace tilewright::cli
