// SPDX-License-Identifier: GPL-3.0-or-later
// Network access for many long replies at once. One QNetworkAccessManager opens at most six connections to a host, lets
// further requests wait in a queue nobody sees, and lets a connection that breaks or hangs trouble its neighbours. So
// every call has a manager of its own while it lives; one whose call ended well serves the next, connection kept.
// Owner: ModelClient; thread: its own.
#pragma once

#include "core/base/result.h"
#include "core/llm/model_endpoint.h"

#include <QNetworkAccessManager>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewright {

// Which proxy an endpoint is reached through. "environment" reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY in
// either case, as curl does; loopback and *.local are never sent through one. Pure.

struct ProxyChoice {
    enum class Kind { None, Http, Socks5 } kind = Kind::None;
    std::string host, user, password;
    int port = 0;

    bool operator==(const ProxyChoice&) const = default;
};

/// "" for a variable that is not set.
using Environment = std::function<std::string(const char*)>;
Environment processEnvironment();

/// `setting` is "environment", "none" or an address without user and password: those stand in the environment only.
/// Error llm/proxy: the address cannot be read, or a written one holds a password.
Result<ProxyChoice> proxyFor(const std::string& url, const std::string& setting, const Environment& environment);

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
