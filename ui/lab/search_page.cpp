// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/search_page.h"

#include "core/base/format.h"
#include "core/tensor/best_known.h"
#include "ui/compare/plot_pane.h"
#include "ui/lab/count_bars.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/pane.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const std::vector<tensor::Format> searchFormats{{2, 2, 2}, {2, 2, 3}, {2, 2, 4}, {2, 3, 3}, {2, 3, 4}, {2, 4, 4},
    {3, 3, 3}, {3, 3, 4}, {3, 4, 4}, {4, 4, 4}, {4, 4, 5}, {1, 2, 2}};
constexpr int usualFormat = 6;

QString ringWords(const tensor::Format& format, tensor::Ring ring, const QString& name)
{
    const auto known = tensor::bestKnown(format, ring);
    return known ? SearchPage::tr("%1 %2 (%3)").arg(name).arg(known->rank).arg(text(std::string(known->source)))
                 : SearchPage::tr("%1 not in the table").arg(name);
}

} // namespace

SearchPage::SearchPage(LabModel& lab, SchemeList& list, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_list(list)
{
    setObjectName(u"searchPage"_s);
    auto* both = new QSplitter(Qt::Horizontal, this);
    m_plot = new PlotPane(
        tr("Lowest rank so far"), u"staircasePlot"_s, [this] { return staircase(); }, this);
    both->addWidget(buildControls());
    both->addWidget(pane(&m_plot->title(), m_plot, this));
    both->setStretchFactor(0, 38);
    both->setStretchFactor(1, 62);
    both->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(both);
    connect(&m_run, &SearchRun::changed, this, &SearchPage::show);
    connect(&m_run, &SearchRun::ended, this, &SearchPage::showFound);
    connect(&m_run, &SearchRun::failed, m_outcome, &QLabel::setText);
    chooseFormat();
    show();
}

QWidget* SearchPage::buildControls()
{
    auto* title = new DockTitle(tr("Search in the flip graph"), this);
    title->setSubText(tr("mod 2, every scheme verified"));
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(12), px(10), px(12), px(10));
    column->setSpacing(px(8));
    auto* form = new QFormLayout;
    m_formats = new QComboBox(content);
    m_formats->setObjectName(u"searchFormat"_s);
    for (const tensor::Format& each : searchFormats)
        m_formats->addItem(text(tensor::textOf(each)));
    m_formats->setCurrentIndex(usualFormat);
    const auto box = [&](const QString& name, int from, int to, int value) {
        auto* made = new QSpinBox(content);
        made->setObjectName(name);
        made->setRange(from, to);
        made->setValue(value);
        return made;
    };
    m_ring = new QComboBox(content);
    m_ring->setObjectName(u"searchRing"_s);
    m_ring->addItem(tr("mod 2"), static_cast<int>(tensor::Ring::Mod2));
    m_ring->addItem(tr("integers"), static_cast<int>(tensor::Ring::Integers));
    m_ring->setToolTip(tr("For the integers only schemes mod 2 are kept whose lift has a first step, modulo 4: a "
                          "scheme without one cannot become floating-point code"));
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    m_rank = box(u"searchRank"_s, 1, 200, 23);
    m_seed = box(u"searchSeed"_s, 1, 1'000'000, 1);
    m_threads = box(u"searchThreads"_s, 1, std::min(cores, tensor::mostFlipThreads), cores);
    form->addRow(tr("Format"), m_formats);
    form->addRow(tr("Ring"), m_ring);
    form->addRow(tr("Rank to reach"), m_rank);
    form->addRow(tr("Seed"), m_seed);
    form->addRow(tr("Threads"), m_threads);
    column->addLayout(form);
    const auto line = [&](const QString& name, Type type) {
        auto* made = new QLabel(content);
        made->setObjectName(name);
        made->setFont(fontOf(type));
        made->setWordWrap(true);
        column->addWidget(made);
        return made;
    };
    m_known = line(u"searchKnown"_s, Type::Secondary);
    m_game = line(u"searchGame"_s, Type::Body);
    m_forget = new QPushButton(icon(u"x"_s), tr("Begin with the definition"), content);
    m_forget->setObjectName(u"searchForget"_s);
    column->addWidget(m_forget, 0, Qt::AlignLeft);
    auto* buttons = new QHBoxLayout;
    m_start = new QPushButton(content);
    m_start->setObjectName(u"searchStart"_s);
    m_resume = new QPushButton(icon(u"forward"_s), tr("Continue"), content);
    m_resume->setObjectName(u"searchResume"_s);
    m_toScheme = new QPushButton(tr("Show as scheme"), content);
    m_toScheme->setObjectName(u"searchScheme"_s);
    for (QPushButton* each : {m_start, m_resume, m_toScheme})
        buttons->addWidget(each);
    column->addLayout(buttons);
    m_figures = line(u"searchFigures"_s, Type::Body);
    m_outcome = line(u"searchOutcome"_s, Type::Body);
    line({}, Type::Strong)->setText(tr("Schemes in the pools, by rank"));
    m_pools = new CountBars(tr("Schemes in the pools, by rank"), content);
    column->addWidget(m_pools);
    line({}, Type::Strong)->setText(tr("How walks ended"));
    m_ends = new CountBars(tr("How walks ended"), content);
    column->addWidget(m_ends);
    column->addStretch(1);
    connect(m_formats, &QComboBox::currentIndexChanged, this, &SearchPage::chooseFormat);
    connect(m_ring, &QComboBox::currentIndexChanged, this, &SearchPage::proposeRank);
    connect(m_forget, &QPushButton::clicked, this, &SearchPage::forgetGame);
    connect(m_start, &QPushButton::clicked, this, &SearchPage::startOrStop);
    connect(m_resume, &QPushButton::clicked, &m_run, &SearchRun::resume);
    connect(m_toScheme, &QPushButton::clicked, this, &SearchPage::takeScheme);
    return pane(title, scrolled(content, this), this);
}

void SearchPage::chooseFormat()
{
    const tensor::Format& format = searchFormats[static_cast<std::size_t>(m_formats->currentIndex())];
    proposeRank();
    m_known->setText(tr("Definition: %1. Best known: %2; %3.")
                         .arg(format.naiveRank())
                         .arg(ringWords(format, tensor::Ring::Mod2, tr("mod 2")),
                             ringWords(format, tensor::Ring::Integers, tr("integers"))));
    forgetGame(); // it was of another format
}

tensor::Ring SearchPage::ring() const { return static_cast<tensor::Ring>(m_ring->currentData().toInt()); }

void SearchPage::proposeRank()
{
    const tensor::Format& format = searchFormats[static_cast<std::size_t>(m_formats->currentIndex())];
    if (const auto known = tensor::bestKnown(format, ring()))
        m_rank->setValue(known->rank);
}

void SearchPage::forgetGame()
{
    m_played.clear();
    showGame();
}

void SearchPage::showGame()
{
    m_game->setText(tr("From the game: its %1 moves stay, and products are searched for what they leave, modulo 2.")
                        .arg(m_played.size()));
    m_game->setVisible(!m_played.empty());
    m_forget->setVisible(!m_played.empty());
}

void SearchPage::searchFrom(const tensor::TensorGame& game)
{
    const auto format = std::ranges::find(searchFormats, game.format());
    if (format == searchFormats.end() || m_run.isRunning())
        return;
    m_formats->setCurrentIndex(static_cast<int>(format - searchFormats.begin()));
    m_played.clear();
    const auto maskOf = [](const std::vector<int>& coefficients) {
        std::uint64_t mask = 0;
        for (std::size_t at = 0; at < coefficients.size(); ++at)
            mask |= std::uint64_t(coefficients[at] & 1) << at;
        return mask;
    };
    for (const tensor::GameMove& move : game.moves()) {
        const tensor::Mod2Product product{maskOf(move.u), maskOf(move.v), maskOf(move.w)};
        if (std::ranges::find(product, 0U) == product.end()) // else it is nothing modulo 2
            m_played.push_back(product);
    }
    const int least = static_cast<int>(m_played.size()) + std::max(1, game.lowerBound());
    const auto known = tensor::bestKnown(game.format(), ring());
    m_rank->setValue(std::max(least, known ? known->rank : least));
    showGame();
    startOrStop();
}

void SearchPage::startOrStop()
{
    if (m_run.isRunning()) {
        m_run.stop();
        return;
    }
    tensor::FlipRequest request;
    request.format = searchFormats[static_cast<std::size_t>(m_formats->currentIndex())];
    request.target = m_rank->value();
    request.seed = static_cast<std::uint64_t>(m_seed->value());
    request.threads = m_threads->value();
    request.played = m_played;
    request.onlyLiftable = ring() == tensor::Ring::Integers;
    m_outcome->clear();
    if (const auto started = m_run.start(request); !started)
        m_outcome->setText(text(started.error().text));
}

void SearchPage::show()
{
    const bool isRunning = m_run.isRunning();
    m_start->setText(isRunning ? tr("Stop") : tr("Start"));
    m_start->setIcon(icon(isRunning ? u"stop"_s : u"play"_s));
    m_resume->setEnabled(m_run.canResume());
    m_toScheme->setEnabled(m_run.found().has_value());
    for (QWidget* each : std::initializer_list<QWidget*>{m_formats, m_ring, m_rank, m_seed, m_threads, m_forget})
        each->setEnabled(!isRunning);
    const tensor::FlipSnapshot& now = m_run.snapshot();
    if (now.staircase.empty() && now.statistics.flips == 0) {
        m_figures->setText(
            tr("The search begins with the definition. It exchanges parts of products that have a factor in "
               "common, until two products become one."));
        m_pools->show({});
        m_ends->show({});
    } else {
        QString words = tr("%1 flips, %2 a second · %3 · lowest rank %4")
                            .arg(text(groupedText(static_cast<std::int64_t>(now.statistics.flips))),
                                text(groupedText(std::llround(now.flipsPerSecond))),
                                text(elapsedText(std::chrono::nanoseconds(std::llround(now.seconds * 1e9)))))
                            .arg(now.lowest);
        if (now.stages > 1)
            words += u"\n"_s
                + tr("stage %1 of %2: %3 to rank %4")
                      .arg(now.stage)
                      .arg(now.stages)
                      .arg(text(tensor::textOf(now.format)))
                      .arg(now.target);
        if (now.statistics.withoutLift > 0)
            words += u"\n"_s
                + tr("%1 schemes were not kept: they have no lift to the integers")
                      .arg(text(groupedText(static_cast<std::int64_t>(now.statistics.withoutLift))));
        m_figures->setText(words);
        std::vector<CountBars::Row> pools;
        for (const auto& [rank, size] : now.poolSizes)
            pools.push_back({QString::number(rank), double(size)});
        m_pools->show(std::move(pools));
        const tensor::FlipStatistics& done = now.statistics;
        m_ends->show({{tr("with a lower rank"), double(done.endedReduced)},
            {tr("at the limit of flips"), double(done.endedAtLimit)},
            {tr("without a flip left"), double(done.endedWithoutFlips)},
            {tr("with their stage"), double(done.leftBehind)}});
    }
    m_plot->refresh();
}

void SearchPage::showFound()
{
    if (!m_run.found()) {
        if (m_run.canResume())
            m_outcome->setText(tr("Stopped. Continue goes on where it stood."));
        return;
    }
    const FoundScheme& found = *m_run.found();
    const QString rank = tr("Rank %1 found and verified mod 2.").arg(found.mod2.rank());
    const tensor::FlipLift& lift = found.lift;
    m_outcome->setText(rank + u' '
        + (lift.scheme
                ? (lift.isTernary ? tr("It lifts to the integers with coefficients −1, 0 and 1, verified exactly.")
                                  : tr("It lifts to the integers, verified exactly."))
                : lift.provenFor ? tr("It does not lift to the integers: its equations modulo 4 contradict each other, "
                                      "which is a proof for this scheme. It cannot become floating-point code.")
                                 : tr("No lift to the integers was found; that is no proof that there is none.")));
    keepFound();
}

namespace {

QString foundName(int rank) { return tr("found, rank %1").arg(rank); }

QString foundOrigin(const FoundScheme& found)
{
    return tr("flip graph, seed %1, %2")
        .arg(found.seed)
        .arg(text(timeText(std::chrono::nanoseconds(std::llround(found.seconds * 1e9)))));
}

/// With its name and where it is from.
tensor::Scheme schemeOf(const FoundScheme& found)
{
    tensor::Scheme scheme = found.lift.scheme ? *found.lift.scheme : found.mod2;
    scheme.name = foundName(scheme.rank()).toStdString();
    scheme.origin = foundOrigin(found).toStdString();
    return scheme;
}

} // namespace

void SearchPage::keepFound()
{
    const FoundScheme& found = *m_run.found();
    tensor::Provenance from;
    from.kind = tensor::Provenance::Kind::Found;
    from.seed = found.seed;
    from.threads = found.threads;
    from.seconds = found.seconds;
    from.version = TILEWRIGHT_VERSION;
    if (const auto kept = m_list.add(schemeOf(found), from); !kept)
        m_outcome->setText(
            m_outcome->text() + u' ' + tr("It is not in the library: %1").arg(text(kept.error().line())));
}

void SearchPage::takeScheme()
{
    if (!m_run.found())
        return;
    m_lab.setScheme(schemeOf(*m_run.found()));
    showScheme();
}

PointScene SearchPage::staircase() const
{
    PointScene scene;
    scene.x = {tr("time (s)")};
    scene.y = {tr("rank"), false, true};
    scene.headings = {tr("Format"), tr("Rank"), tr("Flips"), tr("Seconds")};
    scene.figures = {1, 2, 3};
    const tensor::FlipSnapshot& now = m_run.snapshot();
    if (now.staircase.empty()) {
        scene.nothing = tr("Start a search: each lower rank is a step here.");
        return scene;
    }
    PointLine line;
    line.tone = PointLine::Tone::Front;
    double before = 0;
    for (const tensor::RankStep& step : now.staircase) {
        if (!line.points.isEmpty())
            line.points << QPointF(step.seconds, before);
        line.points << QPointF(step.seconds, step.rank);
        before = step.rank;
        PointMark mark{{step.seconds, double(step.rank)}, {MarkerShape::Circle, 0}, PointMark::Size::Small};
        mark.name = tr("rank %1").arg(step.rank);
        mark.aside = text(tensor::textOf(step.format));
        mark.lines = {tr("after %1 flips").arg(text(groupedText(static_cast<std::int64_t>(step.flips))))};
        scene.marks.push_back(mark);
        scene.rows.push_back({mark.aside, QString::number(step.rank),
            text(groupedText(static_cast<std::int64_t>(step.flips))), text(fixedText(step.seconds, 2))});
    }
    const double end = std::max(now.seconds, line.points.back().x());
    line.points << QPointF(end, before);
    scene.lines.push_back(line);
    const auto asked = m_run.request();
    const bool isOverIntegers = asked && asked->onlyLiftable;
    if (const auto known
        = tensor::bestKnown(now.format, isOverIntegers ? tensor::Ring::Integers : tensor::Ring::Mod2)) {
        PointLine best;
        best.isDashed = true;
        best.points = {{0, double(known->rank)}, {std::max(end, 0.01), double(known->rank)}};
        best.label = isOverIntegers ? tr("best known over the integers: %1").arg(known->rank)
                                    : tr("best known mod 2: %1").arg(known->rank);
        scene.lines.push_back(best);
    }
    scene.summary = tr("found by this machine");
    return scene;
}

void SearchPage::setTableTwin(bool table) { m_plot->setTableTwin(table); }

QString SearchPage::statusText() const
{
    const tensor::FlipSnapshot& now = m_run.snapshot();
    return m_run.isRunning() ? tr("searching, lowest rank %1").arg(now.lowest)
        : m_run.found()      ? tr("found rank %1").arg(m_run.found()->mod2.rank())
                             : QString();
}

} // namespace tilewright::ui
