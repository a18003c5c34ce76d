// SPDX-License-Identifier: GPL-3.0-or-later
// Network access for many long replies at once. One QNetworkAccessManager opens at most six connections to a host and
// lets further requests wait in a queue nobody sees; so there are as many managers as it takes, each with a few live
// calls. Owner: ModelClient; thread: its own.
#pragma once

#include "core/llm/model_endpoint.h"
#include "core/llm/proxy.h"

#include <QNetworkAccessManager>
#include <memory>
#include <vector>

namespace tilewright {

class NetworkLanes
{
public:
    /// A manager with room for one more call through this proxy. Give it back with leave().
    QNetworkAccessManager* enter(const ProxyChoice& proxy);
    void leave(QNetworkAccessManager* manager);
    /// Never to be entered again: a connection that hangs while it is made holds up every later call of its manager.
    void retire(QNetworkAccessManager* manager);

private:
    struct Lane {
        ProxyChoice proxy;
        std::unique_ptr<QNetworkAccessManager> manager;
        int live = 0;
        bool retired = false;
    };
    std::vector<Lane> m_lanes;
};

} // namespace tilewright
