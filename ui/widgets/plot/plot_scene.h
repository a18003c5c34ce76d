// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a plot: axes, dots, steps, reference lines, rug, crosshair. Private part of PlotView. GUI thread.
#pragma once

#include "ui/widgets/plot/plot_library.h"
#include "ui/widgets/plot/plot_lines.h"
#include "ui/widgets/plot/plot_view.h"

#include <QCoreApplication>
#include <QHash>

namespace tilewright::ui {

struct PlotScene {
    QCustomPlot* plot = nullptr;
    QCPAxisRect* main = nullptr;
    QCPAxisRect* rug = nullptr;
    QVector<PlotSeries> series;
    QVector<PlotReference> references;
    QVector<PlotTick> ticks;
    QVector<PlotMark> marks;
    QVector<PlotGuide> guides;
    QString rugName, rugCount, message;
    QString leftName; ///< of the left axis, whole
    std::optional<QPointF> selected, reference;
    std::optional<std::pair<double, double>> brush; ///< the chosen stretch of x
    bool brushing = false; ///< dragging chooses a stretch; else it pans
    std::optional<std::pair<double, double>> bulk; ///< what a logarithmic axis is fitted to
    bool showsAll = false; ///< it is fitted to everything, as the user wants it
    std::optional<bool> logarithmic; ///< none: as the values ask for
    bool counting = true; ///< x has whole numbers only
    double leastSpan = 0; ///< of the left axis, as a part of its middle
    bool personMoved = false; ///< the user zoomed or panned: new data no longer changes the view
    QPoint pressed;
    QSize fittedSize; ///< of main, in pixels
    QVector<QCPItemText*> endLabels, markLabels, referenceLabels;
    QVector<int> labelledMarks; ///< of each of the labels of marks that is shown: whose it is
    QCPItemText* messageText = nullptr; ///< null: nothing is said
    UprightLines *markTicks = nullptr, *guideLines = nullptr;
    QHash<QString, double> labelWidths; ///< of marks, in pixels, in today's font
    QCPGraph *referenceRing = nullptr, *selectedRing = nullptr;
    QVector<QCPGraph*> belowMarks, aboveMarks; ///< one each a series
    QCPItemText *belowCount = nullptr, *aboveCount = nullptr;
    int below = 0, above = 0;
    mutable bool replots = false; ///< all of it is to be painted anew
    QCPItemStraightLine *across = nullptr, *down = nullptr, *downRug = nullptr;
    QCPItemText *tagX = nullptr, *tagY = nullptr;

    QCPAxis* x() const { return main->axis(QCPAxis::atBottom); }
    QCPAxis* y() const { return main->axis(QCPAxis::atLeft); }
    QCPAxis* rugX() const { return rug->axis(QCPAxis::atBottom); }

    void build();
    void rebuild();
    void addBrush();
    void setCounting(bool counts);
    void addBand(const PlotReference& reference);
    void addReference(const PlotReference& reference);
    void addReferenceLabel(const PlotReference& reference);
    void addRug();
    void addGuides();
    /// Through the whole plot where the one before stands apart, else at its lower edge only.
    void placeGuides();
    /// By a part of the upright axis, as it is drawn.
    void panHeight(double part);
    void addOutside();
    /// Marks of what is out of view, and their counts beside what is taken; the boxes of the counts.
    QVector<QRectF> placeOutside(const QVector<QRectF>& taken);
    /// Where the marks stand; those that lie upon each other once.
    QVector<QRectF> boxesOfOutside() const;
    void addMarks();
    static double heightOfMarks();
    double widthOf(const QString& markLabel);
    /// Labels of marks where they meet neither each other, nor what is taken, nor an edge: only those get an item.
    void placeMarks(const QVector<QRectF>& taken);
    QVector<QRectF> boxesOfSteps() const;
    /// Names of the reference lines where they meet nothing that is taken, and best nothing of what is to be avoided;
    /// their boxes.
    QVector<QRectF> placeReferences(const QVector<QRectF>& taken, const QVector<QRectF>& avoided);
    /// Around what is selected, and around the reference: on a layer of their own, so that nothing else is painted for
    /// them.
    void placeRings();
    QCPGraph* addRing(QCPScatterStyle::ScatterShape shape, const QColor& colour);
    void style(QCPAxis* axis) const;
    void fitRanges();
    /// Anew where the plot has another size than when it was fitted: that is known only once it is laid out.
    void fitToSize();
    /// The name of the left axis, in a low plot without its middle: the unit stands at its end.
    void fitName();
    void placeLabels();
    /// In lines that the plot is wide enough for, and not beyond its upper edge.
    void placeMessage();
    void crosshair(const QPointF& pixel, bool visible);
    /// The figures at the crosshair's ends: after a move of it, and of the axes below it.
    void tagCrosshair();
    std::pair<int, int> nearest(const QPointF& pixel) const;
    QCPItemText* label(QCPAxisRect* rect, const QString& text, Qt::Alignment alignment) const;
    void replot() const
    {
        replots = true;
        plot->replot(QCustomPlot::rpQueuedReplot);
    }

    Q_DECLARE_TR_FUNCTIONS(tilewright::ui::PlotScene)
};

} // namespace tilewright::ui
