// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare mode: two to six programs by shape, below the roof of the device, by what they cost, by how their timings
// are spread, by their properties and their text; and how far gains hold on held-out shapes. Does no work while it is
// hidden. GUI thread.
#pragma once

#include "ui/compare/comparing.h"
#include "ui/compare/scenes.h"
#include "ui/session/screen.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDockWidget;
class QLabel;
class QStackedWidget;

namespace tilewright::ui {

class ChipBar;
class DockTitle;
class HeatPane;
class PlotPane;
class ProgramChooser;
class RowsModel;
class Segments;
class SplitDiff;
class Table;
class Workspace;

class ComparePage : public QWidget, public Screen
{
    Q_OBJECT

public:
    explicit ComparePage(const ViewContext& context, QWidget* parent = nullptr);
    QWidget& asWidget() override { return *this; }
    Workspace* docks() override { return m_docks; }
    QString statusText() override;
    void setTableTwin(bool table) override;
    void setLoading(bool loading) override;
    bool canFind() const override;
    void find() override;

    /// This candidate of the open session stands beside the others.
    void add(CandidateId candidate);
    Comparing& comparing() { return m_comparing; }
    ProgramChooser& chooser() { return *m_chooser; }
    /// By the ending of the path: figures as CSV or JSON, or what `what` names as a picture.
    enum class Export { Csv, Json, HeatTable, Roofline, TradeOff, Spread };
    void exportTo(Export what, const QString& path);
    /// Which of the tabs below stands in front: "propertiesDock", "textDock", "heldoutDock", "tradeOffDock",
    /// "spreadDock".
    void raise(const QString& dock);
    using QWidget::raise;

Q_SIGNALS:
    void saved(const QString& words);
    void failed(const QString& text, const QString& hint);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildPlots();
    QWidget* buildProperties();
    QWidget* buildText();
    void buildDocks();
    void arrange();
    void fillExportMenu();
    void connectAll();
    void refresh();
    void showComparison();
    void showChoicesOfPlots();
    void showProperties();
    void showText();
    QString whyNothing() const;
    std::vector<ComparedLook> looks() const;
    PointScene roofline() const;
    PointScene tradeOff() const;
    PointScene spread() const;
    void askWhere(Export what);
    void inject(std::size_t place);

    ViewContext m_context;
    Comparing m_comparing;
    ProgramChooser* m_chooser;
    ChipBar* m_chips;
    QStackedWidget* m_stack;
    QLabel* m_note;
    Workspace* m_docks;
    HeatPane* m_heat;
    PlotPane *m_roofline, *m_tradeOff, *m_spread, *m_heldout;
    QComboBox *m_cost, *m_tradeOffShape, *m_spreadShape;
    Segments* m_gapGroups;
    DockTitle *m_propertiesTitle, *m_textTitle;
    RowsModel* m_properties;
    Table* m_propertiesTable;
    QCheckBox* m_onlyDifferences;
    SplitDiff* m_diff;
    QComboBox *m_before, *m_after;
    std::vector<Cost> m_costs;
    std::size_t m_evaluations = 0; ///< that the plots of the whole run were made of
    std::vector<QDockWidget*> m_tabs;
};

} // namespace tilewright::ui
