// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/network_lanes.h"
#include "core/llm/model_endpoint.h"

#include <QNetworkProxy>
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <cstdlib>

namespace tilewright {
namespace {

QNetworkProxy qtProxy(const ProxyChoice& choice)
{
    QNetworkProxy::ProxyType type = QNetworkProxy::NoProxy;
    if (choice.kind == ProxyChoice::Kind::Http)
        type = QNetworkProxy::HttpProxy;
    else if (choice.kind == ProxyChoice::Kind::Socks5)
        type = QNetworkProxy::Socks5Proxy;
    return QNetworkProxy(type, QString::fromStdString(choice.host), static_cast<quint16>(choice.port),
        QString::fromStdString(choice.user), QString::fromStdString(choice.password));
}

} // namespace

QNetworkAccessManager* NetworkLanes::enter(const ProxyChoice& proxy)
{
    for (Lane& lane : m_lanes) {
        if (lane.proxy == proxy && !lane.live) {
            lane.live = true;
            return lane.manager.get();
        }
    }
    Lane lane{proxy, std::make_unique<QNetworkAccessManager>(), true, false};
    lane.manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    lane.manager->setProxy(qtProxy(proxy));
    m_lanes.push_back(std::move(lane));
    return m_lanes.back().manager.get();
}

void NetworkLanes::leave(QNetworkAccessManager* manager)
{
    const auto lane
        = std::ranges::find_if(m_lanes, [manager](const Lane& one) { return one.manager.get() == manager; });
    if (lane == m_lanes.end())
        return;
    lane->live = false;
    if (!lane->retired)
        return;
    lane->manager.release()->deleteLater(); // its call may still be on the stack
    m_lanes.erase(lane);
}

void NetworkLanes::retire(QNetworkAccessManager* manager)
{
    for (Lane& lane : m_lanes)
        if (lane.manager.get() == manager)
            lane.retired = true;
}

namespace {

std::string first(const Environment& environment, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (std::string value = environment(name); !value.empty())
            return value;
    return {};
}

/// "NO_PROXY": names with their subdomains, addresses, or "*"; a port narrows it.
bool isExempt(const QUrl& url, const QString& list)
{
    for (QString entry : list.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        entry = entry.trimmed().toLower();
        if (entry == QLatin1String("*"))
            return true;
        const qsizetype colon = entry.lastIndexOf(QLatin1Char(':'));
        if (colon > 0 && entry.count(QLatin1Char(':')) == 1) {
            if (entry.mid(colon + 1).toInt() != url.port(url.scheme() == QLatin1String("http") ? 80 : 443))
                continue;
            entry.truncate(colon);
        }
        while (entry.startsWith(QLatin1Char('.')) || entry.startsWith(QLatin1Char('*')))
            entry.remove(0, 1);
        const QString host = url.host().toLower();
        if (!entry.isEmpty() && (host == entry || host.endsWith(QLatin1Char('.') + entry)))
            return true;
    }
    return false;
}

} // namespace

Environment processEnvironment()
{
    return [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
}

Result<ProxyChoice> proxyFor(const std::string& url, const std::string& setting, const Environment& environment)
{
    if (setting == "none")
        return ProxyChoice{};
    std::string address = setting;
    if (setting.empty() || setting == "environment") {
        const QUrl target(QString::fromStdString(url));
        if (hostKindOf(url) == HostKind::Loopback || target.host().endsWith(QLatin1String(".local")))
            return ProxyChoice{};
        if (isExempt(target, QString::fromStdString(first(environment, {"no_proxy", "NO_PROXY"}))))
            return ProxyChoice{};
        address = target.scheme() == QLatin1String("http")
            ? first(environment, {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
            : first(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"});
        if (address.empty())
            return ProxyChoice{};
    }
    if (address.find("://") == std::string::npos)
        address = "http://" + address;
    const QUrl proxy(QString::fromStdString(address));
    const QString scheme = proxy.scheme();
    const bool socks = scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h");
    if (!proxy.isValid() || proxy.host().isEmpty() || (!socks && scheme != QLatin1String("http")))
        return fail("llm/proxy", "the proxy's address cannot be read",
            "write it as http://host:port or socks5://host:port, in \"proxy\" or HTTPS_PROXY");
    const bool isWritten = !setting.empty() && setting != "environment";
    if (isWritten && !proxy.userInfo().isEmpty())
        return fail("llm/proxy", "the proxy's address contains a user name or a password, and is stored in a file",
            "set the whole address as HTTPS_PROXY in the environment, and \"proxy\" to \"environment\"");
    ProxyChoice choice;
    choice.kind = socks ? ProxyChoice::Kind::Socks5 : ProxyChoice::Kind::Http;
    choice.host = proxy.host().toStdString();
    choice.port = proxy.port(socks ? 1080 : 8080);
    choice.user = proxy.userName(QUrl::FullyDecoded).toStdString();
    choice.password = proxy.password(QUrl::FullyDecoded).toStdString();
    return choice;
}

} // namespace tilewright
