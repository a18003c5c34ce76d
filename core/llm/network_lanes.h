// SPDX-License-Identifier: GPL-3.0-or-later
// Network access for many long replies at once. One QNetworkAccessManager opens at most six connections to a host, lets
// further requests wait in a queue nobody sees, and lets a connection that breaks or hangs trouble its neighbours. So
// every call has a manager of its own while it lives; one whose call ended well serves the next, connection kept.
// Owner: ModelClient; thread: its own.
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
    /// A manager that nobody uses, for calls through this proxy. Give it back with leave().
    QNetworkAccessManager* enter(const ProxyChoice& proxy);
    void leave(QNetworkAccessManager* manager);
    /// Never to be entered again: its call broke, and what is left of the connection would trouble the next.
    void retire(QNetworkAccessManager* manager);

private:
    struct Lane {
        ProxyChoice proxy;
        std::unique_ptr<QNetworkAccessManager> manager;
        bool live = false;
        bool retired = false;
    };
    std::vector<Lane> m_lanes;
};

} // namespace tilewright
