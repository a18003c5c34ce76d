// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tile_map_pane.h"

#include "core/base/format.h"
#include "core/tiling/tile_tunables.h"
#include "ui/lab/tile_views.h"
#include "ui/lab/tiling_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* cpuTask = "gemm-fp32-cpu";
constexpr const char* gpuTask = "gemm-fp32";
constexpr int sweptElementBytes = 4; ///< of the sweep's programs

SweepAxis axisOf(const char* name, const std::vector<int>& values) { return {name, {values.begin(), values.end()}}; }

std::vector<int> valuesOn(const SweepAxis& axis)
{
    std::vector<int> values;
    for (const std::int64_t value : axis.values)
        values.push_back(static_cast<int>(value));
    return values;
}

/// −1: the value is none of the axis.
int placeOn(const SweepAxis& axis, std::int64_t value)
{
    const auto at = std::ranges::find(axis.values, value);
    return at == axis.values.end() ? -1 : static_cast<int>(at - axis.values.begin());
}

ProductSize sizeOf(const Shape& shape)
{
    return shape.size() == 3 ? ProductSize{shape[0], shape[1], shape[2]} : ProductSize{};
}

} // namespace

TileMapPane::TileMapPane(LabModel& lab, const CpuFacts& cpu, const CudaFacts& gpu, QWidget* parent)
    : QFrame(parent)
    , m_lab(lab)
    , m_cpu(cpu)
    , m_gpu(gpu)
    , m_kept(keptSweeps())
{
    setProperty("role", u"panel"_s);
    m_title = new DockTitle(tr("Map of tiles"), this);
    auto* choices = new QWidget(this); // the title has no room for them
    auto* row = new QHBoxLayout(choices);
    row->setContentsMargins(px(12), px(6), px(12), 0);
    m_axisBox = new QComboBox(choices);
    m_axisBox->setObjectName(u"mapAxes"_s);
    m_axisBox->setAccessibleName(tr("Sizes on the axes"));
    m_axisBox->setFont(fontOf(Type::Secondary));
    m_shows = new Segments(tr("Figures of the map"), {tr("computed"), tr("measured")}, choices);
    m_shows->setObjectName(u"mapShows"_s);
    m_measure = new QPushButton(choices);
    m_measure->setObjectName(u"mapMeasure"_s);
    row->addWidget(m_axisBox);
    row->addWidget(m_shows);
    row->addStretch(1);
    row->addWidget(m_measure);
    m_map = new TileMap(this);
    m_words = new QLabel(this);
    m_words->setObjectName(u"mapWords"_s);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setWordWrap(true);
    m_words->setContentsMargins(px(12), 0, px(12), px(8));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(choices);
    column->addWidget(m_map, 1);
    column->addWidget(m_words);
    connect(m_map, &TileMap::chosen, this, &TileMapPane::chooseCell);
    connect(m_measure, &QPushButton::clicked, this, &TileMapPane::measureOrStop);
    connect(m_shows, &Segments::chosen, this, [this] {
        m_problem.clear();
        showMap();
    });
    connect(m_axisBox, &QComboBox::currentIndexChanged, this, [this](int at) {
        m_axis = std::max(0, at);
        findSweep();
        showMap();
    });
    connect(&m_run, &SweepRun::changed, this, &TileMapPane::showTitle);
    connect(&m_run, &SweepRun::measured, this, [this] {
        const auto kept = keepSweep(*m_run.sweep());
        m_problem = kept ? QString() : text(kept.error().line());
        m_kept = keptSweeps();
        findSweep();
        showMap();
    });
    connect(&m_run, &SweepRun::failed, this, [this](const QString& words) {
        m_problem = words;
        showMap();
    });
    connect(&m_run, &SweepRun::ended, this, &TileMapPane::showMap);
    offerAxes();
}

std::vector<TileMapPane::Axes> TileMapPane::axesOf(TileDevice device) const
{
    namespace choices = tile_choices;
    const SweepAxis mr = axisOf("MR", choices::mr), nr = axisOf("NR", choices::nr), kc = axisOf("KC", choices::kc),
                    mc = axisOf("MC", choices::mc), nc = axisOf("NC", choices::nc), bm = axisOf("BM", choices::bm),
                    bn = axisOf("BN", choices::bn), bk = axisOf("BK", choices::bk),
                    stages = axisOf("STAGES", choices::stages), threads = axisOf("THREADS", choices::threads);
    if (device == TileDevice::Gpu)
        return {{bm, bn, tr("BM (rows of the C tile)"), tr("BN (columns of the C tile)"), TileFigure::BlockIntensity},
            {stages, bk, tr("stages"), tr("BK (depth of a slab)"), TileFigure::SharedMemory},
            {bm, threads, tr("BM (rows of the C tile)"), tr("threads of a block"), TileFigure::Accumulators}};
    return {{mr, nr, tr("MR (rows of the C tile)"), tr("NR (columns of the C tile)"), TileFigure::ThreadIntensity},
        {mc, kc, tr("MC (rows of a block of A)"), tr("KC (depth of a block)"), TileFigure::BlockA},
        {kc, nc, tr("KC (depth of a block)"), tr("NC (columns of a block of B)"), TileFigure::BlockB}};
}

void TileMapPane::offerAxes()
{
    m_axes = axesOf(m_device);
    m_axis = 0;
    const QSignalBlocker quiet(m_axisBox);
    m_axisBox->clear();
    for (const Axes& each : m_axes)
        m_axisBox->addItem(u"%1 × %2"_s.arg(text(each.rows.name), text(each.columns.name)));
}

void TileMapPane::show(TileDevice device)
{
    if (device != m_device) {
        m_device = device;
        m_problem.clear();
        offerAxes();
    }
    findSweep();
    showMap();
}

void TileMapPane::setMeasured(bool isMeasured)
{
    m_shows->setCurrent(isMeasured ? 1 : 0);
    showMap();
}

const KeptSweep* TileMapPane::shownSweep() const { return m_shows->current() == 1 && m_shown ? &*m_shown : nullptr; }

Tunables TileMapPane::tile() const
{
    return m_device == TileDevice::Gpu ? tunablesOf(m_lab.gpuTile()) : tunablesOf(m_lab.cpuTile());
}

TileReport TileMapPane::reportOf(const Tunables& tile, const ProductSize& size) const
{
    return m_device == TileDevice::Gpu
        ? gpuTileReport(gpuTileIn(tile, m_lab.gpuTile()).value_or(m_lab.gpuTile()), size, m_gpu)
        : cpuTileReport(cpuTileIn(tile, m_lab.cpuTile()).value_or(m_lab.cpuTile()), size, cpuLimitsOf(m_cpu));
}

/// The newest sweep over these axes whose other sizes are those of the lab's tile, of this machine if there is one.
void TileMapPane::findSweep()
{
    m_shown.reset();
    const Tunables now = tile();
    const bool isGpu = m_device == TileDevice::Gpu;
    if (isGpu && m_lab.gpuTile().elementBytes != sweptElementBytes)
        return;
    for (const KeptSweep& kept : m_kept) {
        const TileSweep& sweep = kept.sweep;
        if (sweep.task != (isGpu ? gpuTask : cpuTask) || sweep.rows != axes().rows || sweep.columns != axes().columns)
            continue;
        const bool fits = std::ranges::all_of(now, [&](const auto& each) {
            const bool isAnAxis = each.first == sweep.rows.name || each.first == sweep.columns.name;
            const auto found = sweep.reference.find(each.first);
            return found != sweep.reference.end() && (isAnAxis || found->second == each.second);
        });
        if (fits) {
            m_shown = kept;
            return;
        }
    }
}

void TileMapPane::measureOrStop()
{
    if (m_run.isRunning()) {
        m_run.cancel();
        m_measure->setEnabled(false);
        return;
    }
    const bool isGpu = m_device == TileDevice::Gpu;
    m_problem.clear();
    m_shows->setCurrent(1);
    if (isGpu && m_lab.gpuTile().elementBytes != sweptElementBytes) {
        m_problem = tr("Only tiles with elements of 4 bytes are measured: the program is an fp32 product.");
        return showMap();
    }
    SweepWords words;
    words.device = isGpu ? "cuda:0" : "cpu";
    words.rows = axes().rows;
    words.columns = axes().columns;
    words.reference = tile();
    const bool goesOn = m_shown && isOfThisDevice(*m_shown) && !m_shown->sweep.isComplete();
    m_run.start(isGpu ? gpuTask : cpuTask, std::move(words), goesOn ? std::optional(m_shown->sweep) : std::nullopt);
    showMap();
}

void TileMapPane::showMap()
{
    if (const KeptSweep* kept = shownSweep())
        showMeasured(*kept);
    else
        showComputed();
    showTitle();
    Q_EMIT sweepChanged();
}

QString TileMapPane::computedWords(const Tunables& tile, const ProductSize& size) const
{
    const TileReport report = reportOf(tile, size);
    return tr("computed: %1. %2").arg(nameOf(report.verdict), explanation(report));
}

void TileMapPane::showComputed()
{
    const Axes& on = axes();
    std::vector<TileMap::Cell> cells;
    Tunables each = tile();
    double most = 0, least = 1e300;
    for (const std::int64_t rowValue : on.rows.values)
        for (const std::int64_t columnValue : on.columns.values) {
            each[on.rows.name] = rowValue;
            each[on.columns.name] = columnValue;
            const TileReport report = reportOf(each, m_lab.size());
            const TileLine* line = report.line(on.figure);
            const double value = line ? std::max(line->value, 1e-9) : 1e-9;
            most = std::max(most, value);
            least = std::min(least, value);
            cells.push_back({!line                        ? u"–"_s
                    : line->unit == TileUnit::FlopPerByte ? text(numberText(value))
                                                          : valueText(*line, value),
                report.verdict == TileVerdict::JustRight ? QString() : nameOf(report.verdict), value, report.verdict,
                computedWords(each, m_lab.size())});
        }
    for (TileMap::Cell& cell : cells)
        cell.shade = most > least ? std::log(cell.shade / least) / std::log(most / least) : 1;
    showCells(std::move(cells));
}

void TileMapPane::showMeasured(const KeptSweep& kept)
{
    const TileSweep& sweep = kept.sweep;
    const ProductSize size = sizeOf(sweep.shape);
    const Axes& on = axes();
    double most = 0, least = 1e300; // of the ratios: a clock that drifts changes them less than times
    for (const SweepCell& cell : sweep.cells)
        if (cell.isMeasured()) {
            most = std::max(most, cell.ratio->value);
            least = std::min(least, cell.ratio->value);
        }
    std::vector<TileMap::Cell> cells;
    for (int row = 0; row < static_cast<int>(on.rows.values.size()); ++row)
        for (int column = 0; column < static_cast<int>(on.columns.values.size()); ++column) {
            const SweepCell* cell = sweep.at(row, column);
            const Tunables tunables = sweep.tunablesAt(row, column);
            const QString computed = computedWords(tunables, size);
            TileMap::Cell shown{u"…"_s, {}, -1, TileVerdict::JustRight, tr("not measured yet; %1").arg(computed)};
            if (cell && cell->isMeasured()) {
                const QString rate = text(rateText(sweep.gigaflops(*cell)));
                shown.value = text(ratioText(cell->ratio->value));
                shown.note = tr("%1 GFLOP/s").arg(rate);
                shown.shade = most > least ? std::log(cell->ratio->value / least) / std::log(most / least) : 1;
                shown.words = tr("measured: %1 the starting tile, %2 GFLOP/s, median of %3 samples; %4")
                                  .arg(text(timesText(*cell->ratio)), rate)
                                  .arg(cell->samples)
                                  .arg(computed);
            } else if (cell) {
                shown.value = u"–"_s;
                shown.note = text(cell->rule);
                shown.verdict = TileVerdict::TooLarge; // hatched
                shown.words = tr("not measured, %1: %2; %3").arg(text(cell->rule), text(cell->text), computed);
            }
            cells.push_back(shown);
        }
    showCells(std::move(cells));
}

void TileMapPane::showCells(std::vector<TileMap::Cell> cells)
{
    const Axes& on = axes();
    const Tunables now = tile();
    const int row = placeOn(on.rows, now.at(on.rows.name)), column = placeOn(on.columns, now.at(on.columns.name));
    const int chosen = row < 0 || column < 0 ? -1 : row * static_cast<int>(on.columns.values.size()) + column;
    m_words->setText(!m_problem.isEmpty() ? m_problem
            : chosen < 0                  ? QString()
                                          : cells[static_cast<std::size_t>(chosen)].words);
    m_map->show(on.rowName, valuesOn(on.rows), on.columnName, valuesOn(on.columns), std::move(cells), chosen);
}

bool TileMapPane::isOfThisDevice(const KeptSweep& kept) const
{
    return kept.isOfThisMachine && (m_device == TileDevice::Gpu || kept.sweep.device == m_cpu.model);
}

QString TileMapPane::provenance(const KeptSweep& kept) const
{
    const QString date = text(kept.sweep.date).left(10), device = text(kept.sweep.device);
    return isOfThisDevice(kept) ? tr("measured %1, %2").arg(date, device) : tr("recorded, %1, %2").arg(device, date);
}

void TileMapPane::showTitle()
{
    const bool isRunning = m_run.isRunning();
    m_measure->setText(isRunning ? tr("Stop") : tr("Measure"));
    m_measure->setIcon(icon(isRunning ? u"stop"_s : u"play"_s));
    m_measure->setToolTip(isRunning
            ? tr("Stop; what is measured is kept")
            : tr("Build, check and time each tile of this map on this machine, in pairs with the tile on the left"));
    m_measure->setEnabled(!m_run.isRunning() || !m_run.isCancelled());
    m_axisBox->setEnabled(!isRunning);
    if (isRunning && !m_run.sweep())
        return m_title->setSubText(m_run.words());
    if (isRunning) {
        const TileSweep& sweep = *m_run.sweep();
        const QString count = tr("measuring %1 of %2 on %3")
                                  .arg(sweep.cells.size() + 1)
                                  .arg(sweep.rows.values.size() * sweep.columns.values.size())
                                  .arg(text(sweep.device));
        return m_title->setSubText(m_run.words().isEmpty() ? count : count + u"; "_s + m_run.words());
    }
    const bool wantsMeasured = m_shows->current() == 1;
    if (const KeptSweep* kept = shownSweep()) {
        const QString from = provenance(*kept), shape = text(shapeText(kept->sweep.shape));
        return m_title->setSubForms(
            {tr("GFLOP/s, %1, product %2").arg(from, shape), tr("GFLOP/s, %1").arg(from), from});
    }
    const QString what = nameOf(axes().figure);
    m_title->setSubText(wantsMeasured ? tr("%1, computed; nothing is measured for these sizes").arg(what)
                                      : tr("%1, computed, not measured").arg(what));
}

void TileMapPane::chooseCell(int row, int column)
{
    Tunables chosen = tile();
    chosen[axes().rows.name] = axes().rows.values[static_cast<std::size_t>(row)];
    chosen[axes().columns.name] = axes().columns.values[static_cast<std::size_t>(column)];
    if (m_device == TileDevice::Gpu)
        m_lab.setGpuTile(*gpuTileIn(chosen, m_lab.gpuTile()));
    else
        m_lab.setCpuTile(*cpuTileIn(chosen, m_lab.cpuTile()));
}

} // namespace tilewright::ui
