// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of a prompt its tokens go to: a bar and its legend. GUI thread.
#pragma once

#include "ui/theme/theme.h"

#include <QPushButton>
#include <QWidget>
#include <string>
#include <vector>

namespace tilewright::ui {

class TokenBar : public QWidget
{
    Q_OBJECT

public:
    explicit TokenBar(QWidget* parent = nullptr);
    /// The largest stand by themselves, the rest together. limit 0: none is known, and the bar is full.
    void show(const std::vector<std::pair<std::string, int>>& parts, std::int64_t limit);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Share {
        QString words;
        int tokens = 0;
    };
    QColor colourOf(std::size_t share) const;
    /// Paints the legend where a painter is given; its height at that width.
    int layLegend(class QPainter* painter, int width) const;

    std::vector<Share> m_shares;
    int m_all = 0;
    std::int64_t m_limit = 0;
};

// A button of a pane's title: a sign and a word. GUI thread.

inline QPushButton* smallButton(const QString& name, const QString& sign, const QString& words, QWidget* parent)
{
    auto* button = new QPushButton(icon(sign, Tint::Secondary), words, parent);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("small"));
    return button;
}

} // namespace tilewright::ui
