// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tiling_page.h"

#include "core/base/format.h"
#include "core/tiling/tile_tunables.h"
#include "ui/compare/plot_pane.h"
#include "ui/lab/choice_slider.h"
#include "ui/lab/tile_views.h"
#include "ui/lab/tiling_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostRows = 10; ///< of a report

QLabel* line(const QString& name, Type type, QWidget* parent)
{
    auto* made = new QLabel(parent);
    made->setObjectName(name);
    made->setFont(fontOf(type));
    return made;
}

} // namespace

TilingPage::TilingPage(LabModel& lab, const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_context(context)
    , m_cpu(readCpuFacts())
    , m_gpu(h200Facts())
{
    setObjectName(u"tilingPage"_s);
    auto* right = new QSplitter(Qt::Vertical, this);
    auto* all = new QSplitter(Qt::Horizontal, this);
    all->addWidget(buildControls());
    all->addWidget(buildPicture());
    m_map = new TileMapPane(lab, m_cpu, m_gpu, this);
    right->addWidget(m_map);
    m_roofline = new PlotPane(
        tr("Roofline"), u"tileRoofline"_s, [this] { return roofline(); }, this);
    right->addWidget(pane(&m_roofline->title(), m_roofline, this));
    all->addWidget(right);
    for (int i = 0; i < 3; ++i)
        all->setStretchFactor(i, i == 0 ? 20 : 40);
    all->setSizes({px(330), px(520), px(520)});
    all->setChildrenCollapsible(false);
    right->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(all);
    connect(&lab, &LabModel::tileChanged, this, &TilingPage::showTile);
    connect(m_map, &TileMapPane::sweepChanged, m_roofline, &PlotPane::refresh);
    connect(&m_context.session, &SessionClient::changed, this, &TilingPage::offerSessionTile);
    connect(&m_context.session, &SessionClient::replaced, this, [this] {
        m_isSessionTileDue = true;
        offerSessionTile();
    });
    showTile();
}

QWidget* TilingPage::buildControls()
{
    m_tileTitle = new DockTitle(tr("Tile"), this);
    m_devices = new Segments(tr("Device"), {tr("GPU"), tr("CPU")}, m_tileTitle);
    m_devices->setObjectName(u"tileDevice"_s);
    m_fromSession = new QPushButton(icon(u"star"_s), QString(), m_tileTitle);
    m_fromSession->setObjectName(u"tileFromSession"_s);
    m_tileTitle->addControl(m_fromSession);
    m_tileTitle->addControl(m_devices);
    connect(m_fromSession, &QPushButton::clicked, this, &TilingPage::takeSessionTile);
    connect(m_devices, &Segments::chosen, this, &TilingPage::showTile);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(12), px(10), px(12), px(10));
    column->setSpacing(px(8));
    m_sliders = new QStackedWidget(content);
    const auto sheet = [&](QGridLayout*& grid) {
        auto* made = new QWidget(m_sliders);
        grid = new QGridLayout(made);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setColumnStretch(1, 1);
        m_sliders->addWidget(made);
        return made;
    };
    QGridLayout* grid = nullptr;
    QWidget* gpu = sheet(grid);
    m_bm = new ChoiceSlider(u"tileBm"_s, tr("BM"), tile_choices::bm, grid, gpu);
    m_bn = new ChoiceSlider(u"tileBn"_s, tr("BN"), tile_choices::bn, grid, gpu);
    m_bk = new ChoiceSlider(u"tileBk"_s, tr("BK"), tile_choices::bk, grid, gpu);
    m_stages = new ChoiceSlider(u"tileStages"_s, tr("Stages"), tile_choices::stages, grid, gpu);
    m_threads = new ChoiceSlider(u"tileThreads"_s, tr("Threads"), tile_choices::threads, grid, gpu);
    m_bytes = new ChoiceSlider(u"tileBytes"_s, tr("Bytes of an element"), tile_choices::bytes, grid, gpu);
    QWidget* cpu = sheet(grid);
    m_mr = new ChoiceSlider(u"tileMr"_s, tr("MR"), tile_choices::mr, grid, cpu);
    m_nr = new ChoiceSlider(u"tileNr"_s, tr("NR"), tile_choices::nr, grid, cpu);
    m_kc = new ChoiceSlider(u"tileKc"_s, tr("KC"), tile_choices::kc, grid, cpu);
    m_mc = new ChoiceSlider(u"tileMc"_s, tr("MC"), tile_choices::mc, grid, cpu);
    m_nc = new ChoiceSlider(u"tileNc"_s, tr("NC"), tile_choices::nc, grid, cpu);
    for (ChoiceSlider* each : {m_bm, m_bn, m_bk, m_stages, m_threads, m_bytes, m_mr, m_nr, m_kc, m_mc, m_nc})
        connect(each, &ChoiceSlider::changed, this, &TilingPage::takeSliders);
    column->addWidget(m_sliders);
    m_verdict = new VerdictBar(content);
    m_verdict->setObjectName(u"tileVerdict"_s);
    column->addWidget(m_verdict);
    m_why = line(u"tileWhy"_s, Type::Body, content);
    m_why->setWordWrap(true);
    column->addWidget(m_why);
    m_lines = new QGridLayout;
    m_lines->setHorizontalSpacing(px(8));
    m_lines->setVerticalSpacing(0);
    m_lines->setColumnStretch(0, 1);
    for (std::size_t i = 0; i < mostRows; ++i) {
        const QString id = QString::number(i);
        const Row row{line(u"tileName"_s + id, Type::Body, content), line(u"tileValue"_s + id, Type::Figure, content),
            line(u"tileLimit"_s + id, Type::Secondary, content), line(u"tileFormula"_s + id, Type::Tick, content)};
        row.value->setFont(fontOf(Type::Strong));
        row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QLabel* each : {row.name, row.limit, row.formula})
            each->setWordWrap(true);
        row.formula->setContentsMargins(0, 0, 0, px(8));
        const int at = static_cast<int>(i) * 2;
        m_lines->addWidget(row.name, at, 0);
        m_lines->addWidget(row.value, at, 1);
        m_lines->addWidget(row.limit, at, 2);
        m_lines->addWidget(row.formula, at + 1, 0, 1, 3);
        m_rows.push_back(row);
    }
    column->addLayout(m_lines);
    column->addStretch(1);
    QFrame* whole = pane(m_tileTitle, scrolled(content, this), this);
    whole->setMinimumWidth(px(300)); // for its lines, beside a scroll bar
    return whole;
}

QWidget* TilingPage::buildPicture()
{
    auto* title = new DockTitle(tr("What one tile needs"), this);
    m_play = new QPushButton(icon(u"play"_s), QString(), title);
    m_play->setObjectName(u"tilePlay"_s);
    m_play->setCheckable(true);
    m_play->setToolTip(tr("Move along K"));
    m_play->setAccessibleName(tr("Move along K"));
    auto* step = new QPushButton(icon(u"step"_s), QString(), title);
    step->setObjectName(u"tileStep"_s);
    step->setToolTip(tr("One step along K"));
    step->setAccessibleName(tr("One step along K"));
    title->addControl(m_play);
    title->addControl(step);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(8), px(8), px(8), px(8));
    m_picture = new TilePicture(content);
    m_stepText = line(u"tileStepText"_s, Type::Secondary, content);
    m_stepText->setWordWrap(true);
    column->addWidget(m_picture, 1);
    column->addWidget(m_stepText);
    connect(m_play, &QPushButton::toggled, this, [this](bool on) {
        m_play->setIcon(icon(on ? u"pause"_s : u"play"_s));
        m_picture->setPlaying(on);
    });
    connect(step, &QPushButton::clicked, m_picture, &TilePicture::step);
    connect(m_picture, &TilePicture::stepped, m_stepText, &QLabel::setText);
    return pane(title, content, this);
}

TilingPage::Device TilingPage::device() const { return static_cast<Device>(m_devices->current()); }

void TilingPage::setDevice(Device device)
{
    m_devices->setCurrent(static_cast<int>(device));
    showTile();
}

void TilingPage::takeSliders()
{
    if (device() == Device::Gpu)
        m_lab.setGpuTile(
            {m_bm->value(), m_bn->value(), m_bk->value(), m_stages->value(), m_threads->value(), m_bytes->value()});
    else
        m_lab.setCpuTile({m_mr->value(), m_nr->value(), m_kc->value(), m_mc->value(), m_nc->value(), 4});
}

TileReport TilingPage::report() const
{
    return device() == Device::Gpu ? gpuTileReport(m_lab.gpuTile(), m_lab.size(), m_gpu)
                                   : cpuTileReport(m_lab.cpuTile(), m_lab.size(), cpuLimitsOf(m_cpu));
}

void TilingPage::showTile()
{
    const bool isGpu = device() == Device::Gpu;
    m_sliders->setCurrentIndex(isGpu ? 0 : 1);
    const GpuTile& gpu = m_lab.gpuTile();
    const CpuTile& cpu = m_lab.cpuTile();
    const std::pair<ChoiceSlider*, int> values[] = {{m_bm, gpu.bm}, {m_bn, gpu.bn}, {m_bk, gpu.bk},
        {m_stages, gpu.stages}, {m_threads, gpu.threads}, {m_bytes, gpu.elementBytes}, {m_mr, cpu.mr}, {m_nr, cpu.nr},
        {m_kc, cpu.kc}, {m_mc, cpu.mc}, {m_nc, cpu.nc}};
    for (const auto& [slider, value] : values)
        slider->setValue(value);
    const TileReport now = report();
    const ProductSize& size = m_lab.size();
    const QString shape = u"%1×%2×%3"_s.arg(size.m).arg(size.n).arg(size.k);
    m_tileTitle->setSubForms({isGpu ? tr("%1, %2; limits recorded from CUDA").arg(text(m_gpu.name), shape)
                                    : tr("%1, %2; caches read from this machine").arg(text(m_cpu.model), shape),
        shape});
    m_verdict->show(now.verdict);
    m_why->setText(explanation(now));
    showLines(now);
    if (isGpu)
        m_picture->show(
            {double(size.m), double(size.n), double(size.k)}, {double(gpu.bm), double(gpu.bn), double(gpu.bk)});
    else
        m_picture->show({double(std::min<std::int64_t>(cpu.mc, size.m)),
                            double(std::min<std::int64_t>(cpu.nc, size.n)) / 8, double(cpu.kc)},
            {double(cpu.mr), double(cpu.nr), 1});
    m_map->show(device());
    offerSessionTile();
    m_roofline->refresh();
}

void TilingPage::showLines(const TileReport& report)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool has = i < report.lines.size();
        for (QLabel* each : {row.name, row.value, row.limit, row.formula})
            each->setVisible(has);
        if (!has)
            continue;
        const TileLine& each = report.lines[i];
        row.name->setText(nameOf(each.figure));
        row.value->setText(valueText(each, each.value));
        row.limit->setText(limitText(each));
        row.formula->setText(text(each.formula));
        QPalette palette = row.value->palette();
        palette.setColor(QPalette::WindowText, each.exceeds() ? tokens().bad : tokens().text);
        row.value->setPalette(palette);
    }
}

PointScene TilingPage::roofline() const
{
    if (device() == Device::Cpu)
        return cpuRoofline();
    PointScene scene;
    const double peak = m_gpu.fp32Peak() / 1e12, memory = m_gpu.bandwidth() / 1e12, ridge = ridgeOf(m_gpu);
    scene.x = {tr("intensity of the block's tile (FLOP/B)"), true, false, std::pair{1.0, 256.0}};
    scene.y = {tr("TFLOP/s at most, by the data sheet"), true};
    scene.lines.push_back({{{1, memory}, {ridge, peak}}, PointLine::Tone::Roof, {}, false, true,
        tr("memory %1 TB/s").arg(text(numberText(memory)))});
    scene.lines.push_back({{{ridge, peak}, {256, peak}}, PointLine::Tone::Roof, {}, false, true,
        tr("fp32 peak %1 TFLOP/s").arg(text(numberText(peak)))});
    scene.lines.push_back({{{ridge, peak}, {ridge, memory}}, PointLine::Tone::Quiet, {}, true, false,
        tr("ridge %1 FLOP/B").arg(text(numberText(ridge)))});
    scene.headings = {tr("Tile"), tr("FLOP/B"), tr("TFLOP/s at most")};
    scene.figures = {1, 2};
    const auto add = [&](const GpuTile& tile, PointMark::Size size) {
        const TileReport each = gpuTileReport(tile, m_lab.size(), m_gpu);
        const double intensity = each.line(TileFigure::BlockIntensity)->value,
                     bound = std::min(peak, intensity * memory);
        PointMark mark{{intensity, bound}, {MarkerShape::Circle, 0}, size};
        mark.name = u"%1×%2"_s.arg(tile.bm).arg(tile.bn);
        mark.aside = nameOf(each.verdict);
        mark.lines = {explanation(each)};
        if (size == PointMark::Size::Small)
            mark.label = mark.name;
        scene.marks.push_back(mark);
        scene.rows.push_back({mark.name, text(numberText(intensity)), text(numberText(bound))});
    };
    for (const int side : m_bm->values()) {
        GpuTile square = m_lab.gpuTile();
        square.bm = square.bn = side;
        if (!(square == m_lab.gpuTile()))
            add(square, PointMark::Size::Small);
    }
    add(m_lab.gpuTile(), PointMark::Size::Large);
    scene.summary = tr("computed bound, square tiles and the chosen one");
    return scene;
}

std::pair<DeviceLimits, QString> TilingPage::cpuLimits() const
{
    const Task fp32; // a product in fp32 on a CPU, as far as limits go
    if (const KeptSweep* kept = m_map->shownSweep(); kept && kept->sweep.deviceId.starts_with("cpu"))
        if (const DeviceLimits limits = limitsOf(kept->sweep.environment, fp32); limits.gigaflopsPerSecond > 0)
            return {limits, tr("measured with the map, %1").arg(text(kept->sweep.device))};
    const RunState& run = m_context.session.run();
    const nlohmann::json facts = deviceFactsOf(run);
    if (const DeviceLimits limits = limitsOf(facts, fp32); limits.gigaflopsPerSecond > 0)
        return {limits, tr("measured by the open session, %1").arg(text(facts.value("name", std::string())))};
    return {};
}

PointScene TilingPage::cpuRoofline() const
{
    PointScene scene;
    const auto [limits, source] = cpuLimits();
    if (limits.gigaflopsPerSecond <= 0 || limits.gigabytesPerSecond <= 0) {
        scene.nothing
            = tr("The peak of a core and its memory are measured, not computed: Measure on the map above does "
                 "that, and a session of a CPU task has it.");
        return scene;
    }
    const double peak = limits.gigaflopsPerSecond, memory = limits.gigabytesPerSecond, ridge = peak / memory;
    const KeptSweep* kept = m_map->shownSweep();
    const ProductSize size
        = kept ? ProductSize{kept->sweep.shape.at(0), kept->sweep.shape.at(1), kept->sweep.shape.at(2)} : m_lab.size();
    const auto intensityOf = [&](const CpuTile& tile) {
        return cpuTileReport(tile, size, cpuLimitsOf(m_cpu)).line(TileFigure::BlockIntensity)->value;
    };
    const double chosen = intensityOf(m_lab.cpuTile()), end = std::max(4 * ridge, 2 * chosen);
    scene.x = {tr("FLOP for each byte from memory, computed"), true, false, std::pair{ridge / 8, end}};
    scene.y = {tr("GFLOP/s"), true, false, std::pair{peak / 16, peak * 1.5}};
    scene.lines.push_back({{{ridge / 8, peak / 8}, {ridge, peak}}, PointLine::Tone::Roof, {}, false, true,
        tr("memory %1 GB/s").arg(text(numberText(memory)))});
    scene.lines.push_back({{{ridge, peak}, {end, peak}}, PointLine::Tone::Roof, {}, false, true,
        tr("fp32 peak of a core %1 GFLOP/s").arg(text(numberText(peak)))});
    scene.headings = {tr("Tile"), tr("FLOP/B"), tr("GFLOP/s"), tr("Figure")};
    scene.figures = {1, 2};
    const auto add
        = [&](const QString& name, double x, double y, const QString& what, Marker marker, PointMark::Size markSize) {
              PointMark mark{{x, y}, marker, markSize};
              mark.name = name;
              mark.aside = what;
              scene.marks.push_back(mark);
              scene.rows.push_back({name, text(numberText(x)), text(rateText(y)), what});
          };
    const auto nameOfTile
        = [](const CpuTile& tile) { return u"%1×%2, KC %3"_s.arg(tile.mr).arg(tile.nr).arg(tile.kc); };
    if (kept && kept->sweep.deviceId.starts_with("cpu"))
        for (const SweepCell& cell : kept->sweep.cells) {
            const auto tile = cpuTileIn(kept->sweep.tunablesAt(cell.row, cell.column), m_lab.cpuTile());
            if (cell.isMeasured() && tile)
                add(nameOfTile(*tile), intensityOf(*tile), kept->sweep.gigaflops(cell), tr("measured"),
                    {MarkerShape::Square, 1},
                    *tile == m_lab.cpuTile() ? PointMark::Size::Large : PointMark::Size::Small);
        }
    add(nameOfTile(m_lab.cpuTile()), chosen, std::min(peak, chosen * memory), tr("bound, computed"),
        {MarkerShape::Circle, 0}, PointMark::Size::Large);
    scene.summary = tr("roof %1").arg(source);
    return scene;
}

void TilingPage::offerSessionTile()
{
    const Candidate* best = m_context.session.run().best();
    const bool isGpu = device() == Device::Gpu;
    const bool has = best
        && (isGpu ? gpuTileIn(best->tunables, m_lab.gpuTile()).has_value()
                  : cpuTileIn(best->tunables, m_lab.cpuTile()).has_value());
    m_fromSession->setVisible(has);
    const QString words = has ? tr("Tile of the session's best, %1").arg(nameOfCandidate(best->id)) : QString();
    m_fromSession->setToolTip(words);
    m_fromSession->setAccessibleName(words);
    // Its tile is where looking begins, unless the user or a demo chose one.
    const LabModel first;
    if (best && std::exchange(m_isSessionTileDue, false) && m_lab.cpuTile() == first.cpuTile()
        && m_lab.gpuTile() == first.gpuTile())
        takeSessionTile();
}

void TilingPage::takeSessionTile()
{
    const Candidate* best = m_context.session.run().best();
    if (!best)
        return;
    if (const auto tile = cpuTileIn(best->tunables, m_lab.cpuTile())) {
        m_lab.setCpuTile(*tile);
        setDevice(Device::Cpu);
    } else if (const auto gpu = gpuTileIn(best->tunables, m_lab.gpuTile())) {
        m_lab.setGpuTile(*gpu);
        setDevice(Device::Gpu);
    }
}

void TilingPage::setTableTwin(bool table) { m_roofline->setTableTwin(table); }

QString TilingPage::statusText() const
{
    const GpuTile& gpu = m_lab.gpuTile();
    const CpuTile& cpu = m_lab.cpuTile();
    return device() == Device::Gpu ? tr("tile %1×%2×%3, %4 stages, %5 threads")
                                         .arg(gpu.bm)
                                         .arg(gpu.bn)
                                         .arg(gpu.bk)
                                         .arg(gpu.stages)
                                         .arg(gpu.threads)
                                   : tr("tile %1×%2, KC %3, MC %4").arg(cpu.mr).arg(cpu.nr).arg(cpu.kc).arg(cpu.mc);
}

} // namespace tilewright::ui
