// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scheme_kernel_page.h"

#include "core/base/format.h"
#include "core/pack/scheme_task.h"
#include "core/tensor/measures.h"
#include "ui/compare/plot_pane.h"
#include "ui/lab/crossover_plot.h"
#include "ui/lab/scheme_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"

#include <QFutureWatcher>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostShownLevels = 3;
constexpr int largestShownCutoff = 4096;

/// Rows of the pane of the task, in the order of factsOf().
QStringList factNames()
{
    return {SchemeKernelPage::tr("Rounding allowed"), SchemeKernelPage::tr("Growth factor of a level"),
        SchemeKernelPage::tr("Error of a result"), SchemeKernelPage::tr("Operations"), SchemeKernelPage::tr("Shapes"),
        SchemeKernelPage::tr("Seed"), SchemeKernelPage::tr("Reference, inputs"), SchemeKernelPage::tr("Workspace")};
}

QString roundingWords(const Task& task)
{
    std::vector<std::int64_t> depths;
    for (const Shape& shape : task.train)
        depths.push_back(shape[2]);
    const auto [least, most] = std::ranges::minmax(depths);
    const QString atLeast = text(generalText(task.numeric.growthOf(least), 3)),
                  atMost = text(generalText(task.numeric.growthOf(most), 3));
    return SchemeKernelPage::tr("in the check of timed launches %1 times that of the definition at K = %2, %3 times at "
                                "K = %4; from the forward error bound of its coefficients")
        .arg(atLeast)
        .arg(least)
        .arg(atMost)
        .arg(most);
}

QStringList factsOf(const tensor::Scheme& scheme, const TaskPack& pack, const std::string& from)
{
    const Task& task = pack.task;
    const TaskScheme& declared = *task.numeric.scheme;
    std::int64_t smallest = task.train.front().front(), largest = 0;
    for (const Shape& shape : task.train)
        for (const std::int64_t size : shape) {
            smallest = std::min(smallest, size);
            largest = std::max(largest, size);
        }
    return {roundingWords(task),
        SchemeKernelPage::tr("%1; definition: %2")
            .arg(text(numberText(tensor::growthFactorOf(scheme))), QString::number(scheme.format.m)),
        SchemeKernelPage::tr("normwise, relative to the whole matrix: at most %1, as in %2")
            .arg(text(generalText(task.numeric.tau, 3)), text(from)),
        SchemeKernelPage::tr("at least %1 of the multiplications of the definition, for limits of time")
            .arg(percent(leastWorkShare(declared))),
        SchemeKernelPage::tr("from %1 to %2, odd ones among them; others are held out or sealed")
            .arg(smallest)
            .arg(largest),
        SchemeKernelPage::tr("the program on the left, with LEVELS and CUTOFF as tunables"),
        SchemeKernelPage::tr("those of %1, with its build options and vendor library").arg(text(from)),
        SchemeKernelPage::tr("up to %1 for sums, products and padding")
            .arg(bytes(static_cast<double>(task.limits.workspaceBytes)))};
}

} // namespace

SchemeKernelPage::SchemeKernelPage(LabModel& lab, CrossoverRun& crossover, SessionClient& session, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_crossover(crossover)
    , m_leaf(new LeafBox(session, this))
{
    setObjectName(u"schemeKernelPage"_s);
    m_threads.setMaxThreadCount(1);
    auto* both = new QSplitter(Qt::Horizontal, this);
    auto* right = new QSplitter(Qt::Vertical, this);
    both->addWidget(buildCode());
    right->addWidget(buildTask());
    right->addWidget(buildCrossover());
    both->addWidget(right);
    both->setStretchFactor(0, 50);
    both->setStretchFactor(1, 50);
    right->setSizes({px(220), px(240)}); // else the plot, which wants more, would take the room
    for (QSplitter* each : {both, right})
        each->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(both);
    connect(&lab, &LabModel::schemeChanged, this, [this] {
        makeTask();
        showCrossover();
    });
    connect(&crossover, &CrossoverRun::changed, this, &SchemeKernelPage::showCrossover);
    connect(m_leaf, &LeafBox::leafChanged, this, &SchemeKernelPage::makeTask);
    for (QSpinBox* box : {m_levels, m_cutoff})
        connect(box, &QSpinBox::valueChanged, this, &SchemeKernelPage::makeTask);
    for (const auto signal : {&SessionClient::replaced, &SessionClient::changed})
        connect(&session, signal, this, [this] {
            if (isVisible())
                m_leaf->lookAtSession();
        });
    makeTask();
    showCrossover();
}

SchemeKernelPage::~SchemeKernelPage() { m_threads.waitForDone(); }

QWidget* SchemeKernelPage::buildCode()
{
    m_codeTitle = new DockTitle(tr("Generated code"), this);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QWidget* choices = choicesRow(content);
    const auto box = [&](const QString& name, const QString& words, int most, int value) {
        auto* made = new QSpinBox(choices);
        made->setObjectName(name);
        made->setAccessibleName(words);
        made->setRange(1, most);
        made->setValue(value);
        made->setPrefix(words + u' ');
        choices->layout()->addWidget(made);
        return made;
    };
    m_levels = box(u"kernelLevels"_s, tr("levels"), mostShownLevels, 1);
    m_cutoff = box(u"kernelCutoff"_s, tr("cut-off"), largestShownCutoff, tensor::CodeOptions{}.cutoff);
    m_leaf->setObjectName(u"kernelLeaf"_s);
    m_leaf->setAccessibleName(tr("Leaf"));
    choices->layout()->addWidget(m_leaf);
    choices->show();
    m_code = new CodeView(CodeView::Kind::Code, content);
    m_code->setObjectName(u"kernelCode"_s);
    m_code->setAccessibleName(tr("Generated code"));
    column->addWidget(choices);
    column->addWidget(m_code, 1);
    return pane(m_codeTitle, content, this);
}

QWidget* SchemeKernelPage::buildTask()
{
    m_taskTitle = new DockTitle(tr("Derived task"), this);
    m_evolve = new QPushButton(icon(u"evolve"_s), tr("Evolve from this…"), m_taskTitle);
    m_evolve->setObjectName(u"kernelEvolve"_s);
    m_taskTitle->addBriefControl(m_evolve);
    connect(m_evolve, &QPushButton::clicked, this, &SchemeKernelPage::evolveWanted);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(px(12), px(10), px(12), px(10));
    grid->setHorizontalSpacing(px(12));
    grid->setVerticalSpacing(px(5));
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const QString& name : factNames()) {
        auto* label = new QLabel(name, content);
        label->setFont(fontOf(Type::Secondary));
        auto* value = new QLabel(content);
        value->setObjectName(u"kernelFact%1"_s.arg(row));
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(value, row++, 1);
        m_facts.push_back(value);
    }
    grid->setRowStretch(row, 1);
    return pane(m_taskTitle, scrolled(content, this), this);
}

QWidget* SchemeKernelPage::buildCrossover()
{
    m_plot = new PlotPane(
        tr("Crossover"), u"crossoverPlot"_s, [this] { return crossoverScene(m_crossover.of(m_lab.scheme())); }, this);
    m_measure = new QPushButton(this);
    m_measure->setObjectName(u"crossoverMeasure"_s);
    m_plot->addChoice(m_measure);
    connect(m_measure, &QPushButton::clicked, this, &SchemeKernelPage::measureOrStop);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_words = new QLabel(content);
    m_words->setObjectName(u"crossoverWords"_s);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setWordWrap(true);
    m_words->setContentsMargins(px(12), px(2), px(12), px(8));
    column->addWidget(m_plot, 1);
    column->addWidget(m_words);
    return pane(&m_plot->title(), content, this);
}

void SchemeKernelPage::setLevels(int levels) { m_levels->setValue(levels); }

void SchemeKernelPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_leaf->lookAtSession();
    if (m_isOutdated)
        makeTask();
}

void SchemeKernelPage::makeTask()
{
    m_isOutdated = !isVisible();
    if (m_isOutdated)
        return;
    m_measure->setEnabled(m_crossover.isRunning()
            ? !m_crossover.isCancelled()
            : whyNoTask(m_lab.scheme(), m_lab.verification().isExact()).isEmpty());
    const SchemeLeaf leaf = m_leaf->leaf();
    SchemeTaskOptions options{"derived", {}, {}};
    options.code.levels = m_levels->value();
    options.code.cutoff = m_cutoff->value();
    options.code.leaf = leaf.text;
    options.code.leafName = leaf.text.empty() ? std::string() : leaf.name;
    struct Made {
        std::shared_ptr<const TaskPack> from;
        Result<TaskPack> task;
    };
    auto* watcher = new QFutureWatcher<Made>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, turn = ++m_turn] {
        watcher->deleteLater();
        if (turn != m_turn)
            return;
        const Made made = watcher->result();
        m_from = made.from;
        takeTask(made.task);
        m_leaf->setTask(m_from ? &m_from->task : nullptr); // which may choose another leaf
    });
    watcher->setFuture(QtConcurrent::run(&m_threads, [scheme = m_lab.scheme(), options, from = m_from]() -> Made {
        if (from)
            return {from, schemeTask(scheme, *from, options)};
        auto read = findTaskPack(usualSchemeTask);
        if (!read)
            return {nullptr, std::unexpected(read.error())};
        const auto kept = std::make_shared<const TaskPack>(std::move(*read));
        return {kept, schemeTask(scheme, *kept, options)};
    }));
}

void SchemeKernelPage::takeTask(const Result<TaskPack>& task)
{
    const QString why = whyNoTask(m_lab.scheme(), m_lab.verification().isExact());
    m_evolve->setEnabled(why.isEmpty());
    m_taskTitle->setWords(m_evolve, tr("Evolve from this…"));
    m_evolve->setToolTip(why.isEmpty() ? tr("Write this task to a folder, and begin a session with it") : why);
    m_task = task ? std::make_shared<const TaskPack>(*task) : nullptr;
    if (!task) {
        const QString words
            = why.isEmpty() ? asSentences(text(task.error().text), text(task.error().hint)).simplified() : why;
        m_code->setTexts({}, {});
        m_code->setNote(words);
        m_codeTitle->setSubText({});
        m_taskTitle->setSubText({});
        for (QLabel* each : m_facts)
            each->setText(u"–"_s);
        return;
    }
    const QString program = text(task->seed());
    m_code->setTexts({}, program);
    m_code->setNumbered(program);
    const qsizetype scheme = program.indexOf(u"constexpr int LEVELS"_s); // behind the leaf
    m_code->goToLine(static_cast<int>(program.left(std::max<qsizetype>(scheme, 0)).count(u'\n')) + 1);
    m_codeTitle->setSubText(tr("%1 lines of C++, %2 additions of blocks a level")
                                .arg(program.count(u'\n'))
                                .arg(m_lab.reduced().additions()));
    const QStringList facts = factsOf(m_lab.scheme(), *task, m_from->task.name);
    for (std::size_t i = 0; i < m_facts.size(); ++i)
        m_facts[i]->setText(facts[static_cast<qsizetype>(i)]);
    m_taskTitle->setSubText(tr("computed from the exact coefficients"));
}

void SchemeKernelPage::measureOrStop()
{
    if (m_crossover.isRunning())
        return m_crossover.cancel();
    if (whyNoTask(m_lab.scheme(), m_lab.verification().isExact()).isEmpty())
        m_crossover.start(m_lab.scheme(), m_levels->value(), m_leaf->leaf());
}

void SchemeKernelPage::showCrossover()
{
    const bool isRunning = m_crossover.isRunning();
    m_measure->setText(isRunning ? tr("Stop") : tr("Measure"));
    m_measure->setIcon(icon(isRunning ? u"stop"_s : u"play"_s));
    m_measure->setToolTip(isRunning ? tr("Stop; what is measured is kept")
                                    : tr("Build, check and time the program beside its leaf on this machine, at one "
                                         "size after the other; takes some minutes"));
    m_measure->setEnabled(
        isRunning ? !m_crossover.isCancelled() : whyNoTask(m_lab.scheme(), m_lab.verification().isExact()).isEmpty());
    m_plot->title().fit();
    const KeptCrossover* kept = m_crossover.of(m_lab.scheme());
    QStringList words;
    if (isRunning)
        words << tr("Measuring, %1.").arg(m_crossover.progressWords());
    else if (!m_crossover.problem().isEmpty())
        words << m_crossover.problem();
    if (kept)
        words << tr("%1: %2").arg(comparedWords(kept->sweep), crossoverWords(kept->sweep));
    m_words->setText(words.join(u' '));
    m_words->setVisible(!words.isEmpty());
    m_plot->refresh();
}

void SchemeKernelPage::setTableTwin(bool table) { m_plot->setTableTwin(table); }

QString SchemeKernelPage::statusText() const
{
    return m_crossover.isRunning() ? tr("measuring, %1").arg(m_crossover.progressWords()) : QString();
}

} // namespace tilewright::ui
