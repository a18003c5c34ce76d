// SPDX-License-Identifier: GPL-3.0-or-later
// The only door to QCustomPlot: dots and best-so-far steps per series, reference lines, a rug of failures on its own
// axis rect, ticks for what happened, a crosshair with axis tags. GUI thread; replots are queued, one a change. Wheel
// zooms x, with Ctrl y, drag pans, Shift and drag choose a stretch of x, double click or 0 fits, + and - zoom, arrows
// pan, with Shift they move the end of the stretch, with Shift and Alt its beginning, Esc lets go of it.
#pragma once

#include <QColor>
#include <QPointF>
#include <QVector>
#include <QWidget>
#include <memory>
#include <optional>

namespace tilewright::ui {

struct PlotScene;

struct PlotSeries {
    QString label; ///< written at the end of the steps
    QColor colour;
    QVector<double> x, y; ///< dots, sorted by x
    QVector<double> stepX, stepY; ///< best so far, sorted by x
    Qt::PenStyle line = Qt::SolidLine; ///< of the steps
};

struct PlotReference {
    double y = 1;
    QString label;
    bool below = false; ///< its label stands below the line, in the middle; else above it, at the left
    std::optional<std::pair<double, double>> band = {}; ///< where it may stand as well: a soft stripe
};

struct PlotTick {
    double x = 0;
    QColor colour;
};

/// Something that happened at a place of the bottom axis: a tick at the upper edge, its label where there is room.
struct PlotMark {
    double x = 0;
    QString label;
    QColor colour;
};

/// Something that happened at a place of the bottom axis, as a thin dotted line through the plot; a short one at the
/// lower edge where it stands too near to the one before.
struct PlotGuide {
    double x = 0;
    QColor colour;
};

class PlotView : public QWidget
{
    Q_OBJECT

public:
    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    void setSeries(const QVector<PlotSeries>& series);
    const QVector<PlotSeries>& series() const;
    const QVector<PlotTick>& rug() const;
    void setReferences(const QVector<PlotReference>& references);
    const QVector<PlotReference>& references() const;
    void setRug(const QVector<PlotTick>& ticks, const QString& name, const QString& count);
    void setAxes(const QString& left, const QString& bottom);
    /// In order of x.
    void setMarks(const QVector<PlotMark>& marks);
    const QVector<PlotMark>& marks() const;
    /// In order of x; below all else.
    void setGuides(const QVector<PlotGuide>& guides);
    const QVector<PlotGuide>& guides() const;
    /// Of the guides, those that cross the plot from edge to edge.
    int longGuides() const;
    /// The guide at this point; -1: none.
    int guideAt(const QPoint& point) const;
    /// Whose name is at this point: of the line of a series, or of a reference; -1: no such name.
    int seriesNamedAt(const QPoint& point) const;
    int referenceNamedAt(const QPoint& point) const;
    /// The part between the axes, and what of names at line ends, of lines and of marks is shown, in pixels of the
    /// widget, as painted last.
    QRect area() const;
    QVector<QRectF> labelBoxes() const;
    /// Marks whose ticks are at this point, in their order; else the one whose name is there.
    QVector<int> marksAt(const QPoint& point) const;
    void setMarked(std::optional<QPointF> selected, std::optional<QPointF> reference);
    /// A chosen stretch of x; none: nothing is chosen.
    void setBrush(const std::optional<std::pair<double, double>>& brush);
    /// Whether dragging alone chooses, too.
    void setBrushing(bool brushing);
    /// The left axis: logarithmic or not; none: as the values ask for. Holds from the next fit() on.
    void setLogarithmic(std::optional<bool> logarithmic);
    bool isLogarithmic() const;
    /// The values that a logarithmic axis shows when it is fitted; what lies outside stands as marks at the edge, with
    /// its count, which a click brings into view. None: all of them.
    void setBulk(const std::optional<std::pair<double, double>>& bulk);
    /// Dots within the bottom axis that are below and above what is shown, as painted last.
    std::pair<int, int> outside() const;
    QRectF outsideBox() const; ///< of the count, in pixels of the widget; empty: none
    QVector<QRectF> outsideMarks() const; ///< the marks at the edges
    /// The left axis spans at least this part of its middle value, with the values in the middle: what hardly changes
    /// is drawn flat. 0: an axis for scores, which shows what lies above 1.
    void setLeastSpan(double part);
    /// Whether the bottom axis counts: ticks at whole numbers only.
    void setCounting(bool counting);
    /// Text in the middle of axes that are empty, or nearly so.
    void setMessage(const QString& message);
    QString message() const;
    QRectF messageBox() const; ///< in pixels of the widget, as painted last; empty: nothing is said
    /// Shows everything; new data then keeps everything in view until the user zooms or pans.
    void fit();
    void zoomBy(double factor);
    void panBy(double part);
    /// Where a value stands in this widget.
    QPoint pixelOf(double x, double y) const;

Q_SIGNALS:
    void clicked(int series, int index); ///< index into the series' dots
    void hovered(int series, int index, const QPoint& at); ///< -1: none near
    /// The user chose a stretch of x, or let go of it.
    void brushed(double from, double to);
    void brushCleared();
    void marksHovered(const QVector<int>& marks, const QPoint& at); ///< empty: none there
    void guideHovered(int guide, const QPoint& at); ///< where there is neither a dot nor a mark
    void seriesNamed(int series, const QPoint& at); ///< the pointer is on the name at the end of its line
    void referenceNamed(int reference, const QPoint& at); ///< on the name of that line

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void moveBrush(bool end, double part);

    std::unique_ptr<PlotScene> d;
    QWidget* m_ring = nullptr;
};

} // namespace tilewright::ui
