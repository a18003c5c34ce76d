// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison_export.h"

#include "ui/compare/point_plot.h"
#include "ui/theme/theme.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qreal sharpness = 2; ///< device pixels of a PNG for each logical one

} // namespace

Result<std::string> pictureOf(QWidget& widget, PictureForm form)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (form == PictureForm::Svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(widget.size());
        svg.setViewBox(widget.rect());
        svg.setTitle(widget.accessibleName());
        QPainter painter;
        if (!painter.begin(&svg))
            return fail("export/picture", "the picture could not be drawn");
        widget.render(&painter);
        painter.end();
    } else {
        QImage image(widget.size() * sharpness, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(sharpness);
        image.fill(tokens().panel);
        widget.render(&image);
        if (!image.save(&buffer, "PNG"))
            return fail("export/picture", "the picture could not be written as PNG");
    }
    return bytes.toStdString();
}

PictureForm pictureFormOf(const QString& path)
{
    return path.endsWith(u".svg"_s, Qt::CaseInsensitive) ? PictureForm::Svg : PictureForm::Png;
}

Result<std::string> pictureOf(HeatModel& model, PictureForm form)
{
    HeatTable table(model);
    table.setAccessibleName(HeatTable::tr("Figures by shape and program"));
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.ensurePolished();
    table.fit();
    table.resize(table.wholeSize().expandedTo(QSize(px(640), 0)));
    table.fit();
    return pictureOf(static_cast<QWidget&>(table), form);
}

Result<std::string> pictureOf(const PointScene& scene, PictureForm form)
{
    PointPlot plot;
    plot.setAccessibleName(scene.summary);
    plot.resize(px(760), px(500));
    plot.show(scene);
    return pictureOf(static_cast<QWidget&>(plot), form);
}

} // namespace tilewright::ui
