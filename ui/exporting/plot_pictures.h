// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of a report in a text document: painted as vectors where the document has pictures of their names, as wide
// as the page. One thread.
#pragma once

#include <QPainter>
#include <QSvgRenderer>
#include <QTextImageFormat>
#include <QTextObjectInterface>
#include <map>
#include <memory>
#include <string>

namespace tilewright::ui {

/// Lives as long as the document that it is registered with.
class PlotPictures : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    PlotPictures(const std::map<std::string, std::string>& plots, qreal width)
        : m_width(width)
    {
        for (const auto& [name, svg] : plots)
            m_plots[QString::fromStdString(name)] = std::make_unique<QSvgRenderer>(QByteArray::fromStdString(svg));
    }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override
    {
        const QSvgRenderer* plot = plotOf(format);
        const QSizeF size = plot ? plot->viewBoxF().size() : QSizeF();
        return size.isEmpty() ? QSizeF() : size * (m_width / size.width());
    }
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override
    {
        if (QSvgRenderer* plot = plotOf(format))
            plot->render(painter, place);
    }

private:
    QSvgRenderer* plotOf(const QTextFormat& format) const
    {
        const auto found = m_plots.find(format.toImageFormat().name());
        return found == m_plots.end() ? nullptr : found->second.get();
    }

    std::map<QString, std::unique_ptr<QSvgRenderer>> m_plots;
    qreal m_width;
};

} // namespace tilewright::ui
