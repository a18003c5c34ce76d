// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exporting/report_pdf.h"

#include "ui/exporting/plot_pictures.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int dotsPerInch = 1200;
constexpr double margin = 15, foot = 8; ///< mm

} // namespace

Result<std::string> pdfOf(const PrintedReport& report, const QString& title)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(title);
    writer.setCreator(u"Tilewright"_s);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(margin, margin, margin, margin), QPageLayout::Millimeter);
    const qreal footHeight = foot / 25.4 * dotsPerInch;
    const QSizeF whole(writer.width(), writer.height()), room(whole.width(), whole.height() - footHeight);

    QTextDocument document;
    document.documentLayout()->setPaintDevice(&writer);
    PlotPictures pictures(report.plots, room.width());
    document.documentLayout()->registerHandler(QTextFormat::ImageObject, &pictures);
    document.setDocumentMargin(0);
    document.setHtml(QString::fromStdString(report.html));
    document.setPageSize(room);

    QPainter painter;
    if (!painter.begin(&writer))
        return fail("export/pdf", "the report cannot be painted as PDF");
    QFont small = document.defaultFont();
    small.setPointSizeF(7);
    const int pages = document.pageCount();
    for (int page = 0; page < pages; ++page) {
        if (page > 0 && !writer.newPage())
            return fail("export/pdf", "page " + std::to_string(page + 1) + " of the report cannot be painted");
        const QRectF seen(0, page * room.height(), room.width(), room.height());
        painter.save();
        painter.translate(0, -seen.top());
        painter.setClipRect(seen);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = seen;
        context.palette.setColor(QPalette::Text, Qt::black);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(small);
        const QRectF below(0, room.height(), whole.width(), footHeight);
        painter.drawText(below, Qt::AlignLeft | Qt::AlignBottom, title);
        painter.drawText(below, Qt::AlignRight | Qt::AlignBottom,
            QCoreApplication::translate("Report", "%1 of %2").arg(page + 1).arg(pages));
    }
    painter.end();
    return bytes.toStdString();
}

} // namespace tilewright::ui
