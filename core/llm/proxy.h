// SPDX-License-Identifier: GPL-3.0-or-later
// Which proxy an endpoint is reached through. "environment" reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY in
// either case, as curl does; loopback and *.local are never sent through one. Pure.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace tilewright {

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

} // namespace tilewright
