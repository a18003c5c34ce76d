// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/strassen_page.h"

#include "core/base/format.h"
#include "core/tensor/cost_model.h"
#include "core/tensor/measures.h"
#include "ui/compare/plot_pane.h"
#include "ui/lab/cost_bars.h"
#include "ui/lab/crossover_plot.h"
#include "ui/lab/crossover_run.h"
#include "ui/lab/product_view.h"
#include "ui/lab/scheme_words.h"
#include "ui/lab/schemes_page.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/file_question.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QVBoxLayout>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using tensor::Operand;

namespace {

constexpr int stepMs = 1500; ///< of a product while it plays
constexpr double million = 1e6;
constexpr int mostEquations = 9; ///< entries of C that are written out

QLabel* label(const QString& name, Type type, QWidget* parent)
{
    auto* made = new QLabel(parent);
    made->setObjectName(name);
    made->setFont(fontOf(type));
    made->setWordWrap(true);
    return made;
}

QString count(double value)
{
    return value < 1e7 ? text(groupedText(std::llround(value))) : text(generalText(value, 4));
}

} // namespace

StrassenPage::StrassenPage(LabModel& lab, SchemeList& list, CrossoverRun& crossover, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
    , m_known(list)
    , m_crossover(crossover)
{
    setObjectName(u"strassenPage"_s);
    auto* left = new QSplitter(Qt::Vertical, this);
    auto* right = new QSplitter(Qt::Vertical, this);
    auto* both = new QSplitter(Qt::Horizontal, this);
    m_scaling = new PlotPane(
        tr("Operations"), u"scalingPlot"_s, [this] { return scaling(); }, this);
    m_scale = new Segments(tr("Scale of the plot"), {tr("cycles"), tr("share of n³")}, this);
    m_scale->setObjectName(u"scalingScale"_s);
    m_scaling->addChoice(m_scale);
    connect(m_scale, &Segments::chosen, m_scaling, &PlotPane::refresh);
    connect(&m_crossover, &CrossoverRun::changed, m_scaling, &PlotPane::refresh);
    left->addWidget(buildProducts());
    left->addWidget(pane(&m_scaling->title(), m_scaling, this));
    right->addWidget(buildCosts());
    right->addWidget(buildFactors());
    both->addWidget(left);
    both->addWidget(right);
    both->setStretchFactor(0, 53);
    both->setStretchFactor(1, 47);
    for (QSplitter* each : {left, right, both})
        each->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(both);
    m_clock.setInterval(stepMs);
    connect(&m_clock, &QTimer::timeout, this, &StrassenPage::advance);
    connect(&lab, &LabModel::schemeChanged, this, &StrassenPage::showScheme);
    connect(&lab, &LabModel::productChanged, this, &StrassenPage::showProduct);
    connect(&lab, &LabModel::liftChanged, this, &StrassenPage::showWhetherTask);
    showScheme();
    showProduct();
}

QWidget* StrassenPage::buildProducts()
{
    auto* title = new DockTitle(tr("Products"), this);
    m_schemes = new QComboBox(title);
    m_schemes->setObjectName(u"labScheme"_s);
    m_schemes->setAccessibleName(tr("Scheme"));
    m_schemes->setFont(fontOf(Type::Secondary));
    m_schemes->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_schemes->setMinimumContentsLength(18);
    title->addControl(m_schemes);
    connect(&m_known, &SchemeList::changed, this, &StrassenPage::fillSchemes);
    connect(m_schemes, &QComboBox::activated, this, &StrassenPage::chooseScheme);
    const auto fileButton = [&](const QString& name, const QString& sign, const QString& words, auto slot) {
        auto* made = new QPushButton(icon(sign), QString(), title);
        made->setObjectName(name);
        made->setToolTip(words);
        made->setAccessibleName(words);
        title->addControl(made);
        connect(made, &QPushButton::clicked, this, slot);
    };
    fileButton(u"labOpenScheme"_s, u"folder"_s, tr("Open a scheme (.json, .npz, .exp)"), &StrassenPage::askForScheme);
    fileButton(u"labSaveScheme"_s, u"save"_s, tr("Save this scheme"), &StrassenPage::askForPlace);

    m_productsTitle = title;
    m_evolve = new QPushButton(icon(u"evolve"_s), tr("Evolve from this…"), title);
    m_evolve->setObjectName(u"labEvolve"_s);
    title->addBriefControl(m_evolve);
    connect(m_evolve, &QPushButton::clicked, this, &StrassenPage::evolveWanted);

    auto* content = new QWidget(this);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(px(12), px(8), px(12), px(8));
    row->setSpacing(px(12));
    auto* steps = new QVBoxLayout;
    steps->setSpacing(px(6));
    auto* controls = new QHBoxLayout;
    const auto button = [&](const QString& name, const QString& sign, const QString& words) {
        auto* made = new QPushButton(icon(sign), QString(), content);
        made->setObjectName(name);
        made->setToolTip(words);
        made->setAccessibleName(words);
        controls->addWidget(made);
        return made;
    };
    connect(button(u"labBack"_s, u"back"_s, tr("Product before")), &QPushButton::clicked, this,
        [this] { m_lab.setProduct(m_lab.product() - 1); });
    m_play = button(u"labPlay"_s, u"play"_s, tr("Show one product after the other"));
    m_play->setCheckable(true);
    connect(m_play, &QPushButton::toggled, this, &StrassenPage::play);
    connect(button(u"labForward"_s, u"forward"_s, tr("Next product")), &QPushButton::clicked, this,
        [this] { m_lab.setProduct(m_lab.product() + 1); });
    m_stepOf = label(u"labStep"_s, Type::Secondary, content);
    m_stepOf->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    controls->addWidget(m_stepOf, 1);
    m_product = label(u"labProduct"_s, Type::MonoTitle, content);
    m_product->setAlignment(Qt::AlignCenter);
    m_targets = label(u"labTargets"_s, Type::Secondary, content);
    m_targets->setAlignment(Qt::AlignCenter);
    m_entries = label(u"labEntries"_s, Type::Mono, content);
    m_entries->setTextFormat(Qt::RichText);
    steps->addLayout(controls);
    steps->addWidget(m_product);
    steps->addWidget(m_targets);
    steps->addWidget(new ProductView(m_lab, content), 1);
    steps->addWidget(m_entries);
    row->addLayout(steps, 7);
    auto* side = new QVBoxLayout;
    m_list = new QListWidget(content);
    m_list->setObjectName(u"labProducts"_s);
    m_list->setAccessibleName(tr("Products of the scheme"));
    m_list->setFont(fontOf(Type::Mono));
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int at) {
        if (at >= 0)
            m_lab.setProduct(at);
    });
    m_counts = label(u"labCounts"_s, Type::Secondary, content);
    m_verified = new Pill(content);
    m_verified->setObjectName(u"labVerified"_s);
    side->addWidget(m_list, 1);
    side->addWidget(m_counts);
    side->addWidget(m_verified, 0, Qt::AlignLeft);
    m_whyNoTask = label(u"labWhyNoTask"_s, Type::Secondary, content);
    side->addWidget(m_whyNoTask);
    row->addLayout(side, 4);
    return pane(title, content, this);
}

QWidget* StrassenPage::buildCosts()
{
    m_costTitle = new DockTitle(tr("Cost model"), this);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(px(12), px(10), px(12), px(10));
    column->setSpacing(px(8));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(px(12));
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto slider = [&](const QString& name, const QString& words, int from, int to, int at, QLabel*& told) {
        auto* caption = label({}, Type::Body, content);
        caption->setText(words);
        caption->setWordWrap(false);
        auto* made = new QSlider(Qt::Horizontal, content);
        made->setObjectName(name);
        made->setAccessibleName(words);
        made->setRange(from, to);
        made->setValue(at);
        told = label(name + u"Text"_s, Type::Body, content);
        told->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        told->setMinimumWidth(px(72));
        told->setWordWrap(false);
        grid->addWidget(caption, row, 0);
        grid->addWidget(made, row, 1);
        grid->addWidget(told, row++, 2);
        connect(made, &QSlider::valueChanged, this, &StrassenPage::showCosts);
        return made;
    };
    m_multiply = slider(u"labMultiply"_s, tr("Multiply"), 1, 50, 20, m_multiplyText);
    m_add = slider(u"labAdd"_s, tr("Add, subtract"), 1, 10, 1, m_addText);
    m_levels = slider(u"labLevels"_s, tr("Recursion levels"), 1, 6, 1, m_levelsText);
    column->addLayout(grid);
    m_bars = new CostBars(content);
    m_bars->setObjectName(u"labCostBars"_s);
    column->addWidget(m_bars);
    m_breakEven = label(u"labBreakEven"_s, Type::Secondary, content);
    column->addWidget(m_breakEven);
    column->addStretch(1);
    return pane(m_costTitle, scrolled(content, this), this);
}

QWidget* StrassenPage::buildFactors()
{
    auto* title = new DockTitle(tr("Factor matrices"), this);
    title->setSubText(tr("C = W ((Uᵀ A) ∘ (Vᵀ B)), entries row by row"));
    return pane(title, new FactorView(m_lab, this), this);
}

void StrassenPage::fillSchemes()
{
    const QSignalBlocker quiet(m_schemes);
    m_schemes->clear();
    for (const tensor::LibraryScheme& each : m_known.schemes())
        m_schemes->addItem(nameOf(each));
    m_schemes->setCurrentIndex(m_known.placeOf(m_lab.scheme()));
}

void StrassenPage::chooseScheme(int index)
{
    if (index >= 0)
        m_lab.setScheme(m_known.schemes()[static_cast<std::size_t>(index)].scheme);
}

Result<void> StrassenPage::openScheme(const QString& path)
{
    const auto place = m_known.import(path);
    if (!place)
        return std::unexpected(place.error());
    chooseScheme(*place);
    return {};
}

Result<void> StrassenPage::saveScheme(const QString& path) const { return exportScheme(m_lab.scheme(), path); }

void StrassenPage::askForScheme()
{
    askWhatToOpen(this, {tr("Open a scheme"), tr("Schemes (*.json *.npz *.exp *.txt)")}, [this](const QString& path) {
        if (const auto opened = openScheme(path); !opened)
            Q_EMIT failed(text(opened.error().text), text(opened.error().hint));
    });
}

void StrassenPage::askForPlace()
{
    askWhereToSave(this, {tr("Save this scheme"), tr("Schemes (*.json *.npz *.exp)"), u"scheme.json"_s},
        [this](const QString& path) {
            if (const auto done = saveScheme(path); done)
                Q_EMIT saved(tr("Saved %1.").arg(path));
            else
                Q_EMIT failed(text(done.error().text), text(done.error().hint));
        });
}

void StrassenPage::showScheme()
{
    const tensor::Scheme& scheme = m_lab.scheme();
    fillSchemes();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (int product = 0; product < scheme.rank(); ++product)
            m_list->addItem(u"%1  %2"_s.arg(productName(product), -3).arg(productWords(scheme, product)));
    }
    const int plain = m_lab.plain().additions(), reduced = m_lab.reduced().additions();
    const tensor::LevelAdditions school = tensor::schoolbookAdditions(scheme.format);
    QString words = tr("%1 products, %2 additions").arg(scheme.rank()).arg(plain);
    if (reduced < plain)
        words += u", "_s + tr("%1 where shared sums are computed once").arg(reduced);
    words += u".\n"_s + tr("Definition: %1 and %2.").arg(scheme.format.naiveRank()).arg(school.all());
    if (const auto exponent = tensor::exponentOf(scheme))
        words += u'\n'
            + tr("Exponent %1, growth factor %2.")
                  .arg(text(fixedText(*exponent, 3)), text(numberText(tensor::growthFactorOf(scheme))));
    m_counts->setText(words);
    const tensor::Verification& verification = m_lab.verification();
    if (verification.isExact())
        m_verified->show(tr("verified exactly: %1 entries").arg(verification.entries), Pill::Mood::Good, u"check"_s);
    else
        m_verified->show(tr("%1 of %2 entries are wrong").arg(verification.wrong).arg(verification.entries),
            Pill::Mood::Bad, u"warn"_s);
    showWhetherTask();
    showCosts();
}

void StrassenPage::showWhetherTask()
{
    QString why = whyNoTask(m_lab.scheme(), m_lab.verification().isExact());
    if (!why.isEmpty() && m_lab.lift())
        why += u' ' + liftWords(*m_lab.lift());
    m_evolve->setEnabled(why.isEmpty());
    m_productsTitle->setWords(m_evolve, tr("Evolve from this…"));
    m_evolve->setToolTip(why.isEmpty()
            ? tr("Make a task whose seed multiplies blocks by this scheme, and begin a session with it")
            : why);
    m_whyNoTask->setText(why);
    m_whyNoTask->setVisible(!why.isEmpty());
}

void StrassenPage::showProduct()
{
    const tensor::Scheme& scheme = m_lab.scheme();
    const int product = m_lab.product();
    m_stepOf->setText(tr("product %1 of %2").arg(product + 1).arg(scheme.rank()));
    m_product->setText(u"%1 = %2"_s.arg(productName(product), productWords(scheme, product)));
    QStringList targets;
    for (int entry = 0; entry < scheme.w.entries(); ++entry) {
        const QString sign = signWords(scheme.w.at(entry, product));
        if (!sign.isEmpty())
            targets << tr("%1 with %2").arg(entryWords(scheme.format, Operand::C, entry), sign);
    }
    m_targets->setText(tr("goes into %1").arg(targets.join(u", "_s)));
    QString lines;
    const auto& sums = m_lab.forms(Operand::C);
    for (int entry = 0; entry < static_cast<int>(sums.size()) && entry < mostEquations; ++entry) {
        const QString sum = sumWords(sums[static_cast<std::size_t>(entry)], [&](int variable) {
            const QString name = productName(variable);
            return variable == product ? u"<b><u>%1</u></b>"_s.arg(name)
                : variable < product   ? name
                                       : u"<span style='color:%1'>%2</span>"_s.arg(tokens().tertiary.name(), name);
        });
        lines += (lines.isEmpty() ? QString() : u"<br>"_s)
            + u"%1 = %2"_s.arg(entryWords(scheme.format, Operand::C, entry), sum);
    }
    if (static_cast<int>(sums.size()) > mostEquations)
        lines += u"<br>"_s + tr("and %1 more entries").arg(static_cast<int>(sums.size()) - mostEquations);
    m_entries->setText(lines);
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentRow(product);
    if (m_play->isChecked() && product == scheme.rank() - 1)
        m_play->setChecked(false);
}

void StrassenPage::showCosts()
{
    const tensor::Scheme& scheme = m_lab.scheme();
    const tensor::OperationPrices prices{double(m_multiply->value()), double(m_add->value())};
    const int levels = m_levels->value();
    const tensor::LevelAdditions additions = tensor::additionsOf(m_lab.reduced());
    const tensor::OperationCount own = tensor::operationsOf(scheme.format, scheme.rank(), additions, levels),
                                 school = tensor::schoolbookOperations(scheme.format, levels);
    m_multiplyText->setText(tr("%1 cycles").arg(m_multiply->value()));
    m_addText->setText(tr("%1 cycles").arg(m_add->value()));
    m_levelsText->setText(QString::number(levels));
    m_costTitle->setSubText(tr("%1 with scalar entries").arg(text(tensor::textOf(scheme.format))));
    const auto bar = [&](const QString& name, const tensor::OperationCount& operations) {
        return CostBar{name, operations.multiplications * prices.multiply, operations.additions * prices.add,
            tr("%1 × %2 = %3")
                .arg(count(operations.multiplications))
                .arg(prices.multiply)
                .arg(count(operations.multiplications * prices.multiply))};
    };
    const QString name = scheme.name.empty() ? tr("this scheme") : text(scheme.name);
    static_cast<CostBars*>(m_bars)->show({bar(tr("definition"), school), bar(name, own)});
    QStringList words;
    words << tr("Additions: %1 against %2.").arg(count(own.additions), count(school.additions));
    const double ratio = own.cost(prices) / school.cost(prices);
    words << (ratio == 1 ? tr("The same.")
            : ratio < 1  ? tr("%1 less.").arg(text(percentText(1 - ratio)))
                         : tr("%1 more.").arg(text(percentText(ratio - 1))));
    if (const auto breakEven = tensor::breakEvenOf(scheme.format, scheme.rank(), additions))
        words << tr("At one level the scheme wins where a multiplication costs more than %1 additions.")
                     .arg(text(numberText(*breakEven)));
    words << tr(
        "On today's processors a scalar multiplication costs as much as an addition: the gain is real only where "
        "the entries are blocks, whose product is a whole matrix product. The model counts no memory traffic.");
    m_breakEven->setText(words.join(u' '));
    m_scaling->refresh();
}

void StrassenPage::setPrices(int multiply, int add, int levels)
{
    m_multiply->setValue(multiply);
    m_add->setValue(add);
    m_levels->setValue(levels);
}

void StrassenPage::play(bool on)
{
    m_play->setIcon(icon(on ? u"pause"_s : u"play"_s));
    if (!on) {
        m_clock.stop();
        return;
    }
    if (m_lab.product() == m_lab.scheme().rank() - 1)
        m_lab.setProduct(0);
    m_clock.start();
}

void StrassenPage::advance() { m_lab.setProduct(m_lab.product() + 1); }

PointScene StrassenPage::scaling() const
{
    PointScene scene;
    const tensor::Scheme& scheme = m_lab.scheme();
    const tensor::Format& format = scheme.format;
    const bool isRelative = m_scale->current() == 1;
    scene.x = {tr("n, square matrices"), true};
    scene.y = isRelative ? PointAxis{tr("share of the definition's cost"), false}
                         : PointAxis{tr("cost by the model (million cycles)"), true};
    if (format.n != format.m || format.m != format.p) {
        scene.nothing
            = tr("A recursion to the end needs a square format; this one is %1.").arg(text(tensor::textOf(format)));
        return scene;
    }
    const tensor::OperationPrices prices{double(m_multiply->value()), double(m_add->value())};
    const tensor::LevelAdditions additions = tensor::additionsOf(m_lab.reduced());
    PointLine school, own;
    school.tone = own.tone = PointLine::Tone::Program;
    school.marker = markerOf(1);
    own.marker = markerOf(0);
    school.isDashed = true;
    scene.headings = {tr("n"), tr("Definition"), tr("Scheme to the end"), tr("Ratio")};
    scene.figures = {0, 1, 2, 3};
    double size = 1, lowest = 1e300, highest = 0;
    for (int level = 1; (size *= format.n) <= 5000; ++level) {
        const double school_ = tensor::schoolbookOperations(format, level).cost(prices),
                     own_ = tensor::operationsOf(format, scheme.rank(), additions, level).cost(prices);
        const double unit = isRelative ? school_ : million;
        school.points << QPointF(size, school_ / unit);
        own.points << QPointF(size, own_ / unit);
        lowest = std::min({lowest, school_ / unit, own_ / unit});
        highest = std::max({highest, school_ / unit, own_ / unit});
        for (const bool isOwn : {false, true}) {
            PointMark mark{
                {size, (isOwn ? own_ : school_) / unit}, isOwn ? own.marker : school.marker, PointMark::Size::Small};
            mark.name = isOwn ? (scheme.name.empty() ? tr("this scheme") : text(scheme.name)) : tr("definition");
            mark.aside = tr("n = %1").arg(count(size));
            mark.lines = {tr("%1 cycles").arg(count(isOwn ? own_ : school_))};
            scene.marks.push_back(mark);
        }
        scene.rows.push_back({count(size), count(school_), count(own_), text(fixedText(own_ / school_, 3))});
    }
    scene.legend = {{school.marker, tr("definition, n³"), {}},
        {own.marker, tr("recursion to the end, n^%1").arg(text(fixedText(tensor::exponentOf(scheme).value_or(3), 3))),
            {}}};
    scene.lines = {school, own};
    const KeptCrossover* measured = m_crossover.of(scheme);
    if (!measured || !measured->isOfThisMachine) {
        scene.summary = tr("computed by the cost model, not measured");
        return scene;
    }
    const auto definition = [&](double n) {
        return isRelative ? 1 : (n * n * n * prices.multiply + n * n * (n - 1) * prices.add) / million;
    };
    addMeasured(scene, *measured, definition, lowest, highest);
    for (const CrossoverPoint& point : measured->sweep.points())
        scene.rows.push_back({tr("%1, measured").arg(point.size), u"–"_s, u"–"_s,
            tr("%1 [%2, %3]")
                .arg(text(fixedText(1 / point.ratio.value, 3)), text(fixedText(1 / point.ratio.hi, 3)),
                    text(fixedText(1 / point.ratio.lo, 3)))});
    scene.summary = tr("curves computed; points %1").arg(provenanceWords(*measured));
    return scene;
}

void StrassenPage::setRelative(bool isRelative)
{
    m_scale->setCurrent(isRelative ? 1 : 0);
    m_scaling->refresh();
}

void StrassenPage::setTableTwin(bool table) { m_scaling->setTableTwin(table); }

QString StrassenPage::statusText() const
{
    const tensor::Scheme& scheme = m_lab.scheme();
    return tr("%1, rank %2")
        .arg(scheme.name.empty() ? text(tensor::textOf(scheme.format)) : text(scheme.name))
        .arg(scheme.rank());
}

} // namespace tilewright::ui
