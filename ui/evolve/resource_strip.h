// SPDX-License-Identifier: GPL-3.0-or-later
// The resources that a build reported, as small boxes side by side. GUI thread.
#pragma once

#include <QWidget>
#include <nlohmann/json.hpp>

class QHBoxLayout;

namespace tilewright::ui {

class ResourceStrip : public QWidget
{
    Q_OBJECT

public:
    explicit ResourceStrip(QWidget* parent = nullptr);
    void show(const nlohmann::json& resources);

private:
    QHBoxLayout* m_row;
    nlohmann::json m_shown;
};

} // namespace tilewright::ui
