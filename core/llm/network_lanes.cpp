// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/network_lanes.h"

#include <QNetworkProxy>
#include <algorithm>

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

} // namespace tilewright
