// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/own/own_kernel_page.h"

#include "core/base/text.h"
#include "core/pack/pack_texts.h"
#include "ui/models/display_text.h"
#include "ui/own/kernel_parameters.h"
#include "ui/settings/form_grid.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QLabel* words(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString inputsInWords(const std::vector<InputKind>& inputs)
{
    QStringList names;
    for (const InputKind kind : inputs)
        names << text(nameOf(kind));
    return names.join(u", "_s);
}

QString truthName(TruthSource truth)
{
    return truth == TruthSource::Kernel ? u"kernel"_s : truth == TruthSource::File ? u"file"_s : u"product"_s;
}

QString toleranceName(Tolerance tolerance)
{
    return tolerance == Tolerance::Exact ? u"exact"_s : tolerance == Tolerance::Rounding ? u"rounding"_s : u"sum"_s;
}

} // namespace

OwnKernelPage::OwnKernelPage(QWidget* parent)
    : QWidget(parent)
    , m_work(new KernelWork(this))
{
    setObjectName(u"ownKernelPage"_s);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(px(16), px(16), px(16), px(16));
    column->setSpacing(px(12));
    buildFile(column);
    m_described = new QFrame(page);
    auto* rest = new QVBoxLayout(m_described);
    rest->setContentsMargins(0, 0, 0, 0);
    rest->setSpacing(px(12));
    column->addWidget(m_described);
    QVBoxLayout* parameters = card(tr("Parameters"),
        tr("const pointers are inputs, other pointers outputs, integers sizes; tensors are row-major"), rest);
    m_parameters = new KernelParameters(this);
    parameters->addWidget(m_parameters);
    buildLaunch(rest);
    buildTask(rest);
    buildTruth(rest);
    QVBoxLayout* notes = card(tr("Assumptions: please check"), tr("correct them above if they are wrong"), rest);
    m_supposed = words(u"suppositions"_s, this);
    notes->addWidget(m_supposed);
    column->addStretch(1);
    scroll->setWidget(page);
    whole->addWidget(scroll, 1);
    whole->addWidget(buildActionBar());

    connect(m_work, &KernelWork::changed, this, &OwnKernelPage::read);
    connect(m_parameters, &KernelParameters::nameChanged, this, [this](int at, const QString& name) {
        m_work->change(
            [&](KernelDescription& d) {
                d.parameters[static_cast<std::size_t>(at)].name = name.trimmed().toStdString();
            },
            KernelWork::Touches::Shapes);
    });
    connect(m_parameters, &KernelParameters::shapeChanged, this, [this](int at, const QString& shape) {
        m_work->change(
            [&](KernelDescription& d) {
                d.parameters[static_cast<std::size_t>(at)].shape = resolvedExtents(d, parsedNames(shape.toStdString()));
            },
            KernelWork::Touches::Shapes);
    });
    connect(m_parameters, &KernelParameters::valueChanged, this, [this](int at, const QString& value) {
        m_work->change(
            [&](KernelDescription& d) {
                d.parameters[static_cast<std::size_t>(at)].value = value.trimmed().toStdString();
            },
            KernelWork::Touches::Words);
    });
    connect(m_parameters, &KernelParameters::kindChanged, this, [this](int at, ParameterKind kind) {
        m_work->change(
            [&](KernelDescription& d) {
                DescribedParameter& parameter = d.parameters[static_cast<std::size_t>(at)];
                const bool was = parameter.kind == ParameterKind::Dimension, is = kind == ParameterKind::Dimension;
                parameter.kind = kind;
                parameter.roleSaid = true;
                if (was && !is) {
                    std::erase_if(d.dims, [&](const Dimension& dim) { return dim.name == parameter.name; });
                    for (DescribedParameter& other : d.parameters)
                        std::erase(other.shape, parameter.name);
                }
                if (is && !was)
                    d.dims.push_back({parameter.name, 1, 1});
            },
            KernelWork::Touches::Shapes);
    });
    connect(&Theme::instance(), &Theme::changed, this, &OwnKernelPage::read);
    read();
}

QVBoxLayout* OwnKernelPage::card(const QString& title, const QString& remark, QVBoxLayout* into)
{
    auto* card = new Card(title, remark, this);
    into->addWidget(card);
    return card->column();
}

void OwnKernelPage::takeFocus() { m_file->setFocus(); }

void OwnKernelPage::chooseFile(const QString& title, const std::function<void(const QString&)>& then)
{
    auto* dialog = new QFileDialog(
        this, title, {}, tr("C++ and CUDA (*.cpp *.cc *.cxx *.c *.h *.hpp *.cu *.cuh);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, then);
    dialog->open();
}

void OwnKernelPage::buildFile(QVBoxLayout* column)
{
    QVBoxLayout* file = card(tr("Your kernel"), tr("one self-contained C++ or CUDA file; it is not changed"), column);
    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    m_file = new QLineEdit(this);
    m_file->setObjectName(u"kernelFile"_s);
    m_file->setAccessibleName(tr("File of the kernel"));
    m_file->setPlaceholderText(tr("Path of a C++ or CUDA file"));
    auto* browse = new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("Choose…"), this);
    browse->setObjectName(u"chooseKernelFile"_s);
    m_function = new QComboBox(this);
    m_function->setObjectName(u"kernelFunction"_s);
    m_function->setAccessibleName(tr("Function"));
    m_function->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_function->setMinimumContentsLength(16);
    row->addWidget(m_file, 2);
    row->addWidget(browse);
    row->addWidget(new QLabel(tr("Function"), this));
    row->addWidget(m_function, 1);
    file->addLayout(row);
    m_fileNote = words(u"kernelFileNote"_s, this);
    file->addWidget(m_fileNote);
    m_again = new QPushButton(icon(u"redo"_s, Tint::Secondary), tr("Read it again"), this);
    m_again->setObjectName(u"readKernelAgain"_s);
    file->addWidget(m_again, 0, Qt::AlignLeft);
    connect(m_again, &QPushButton::clicked, m_work, &KernelWork::readAgain);
    connect(m_file, &QLineEdit::editingFinished, this, [this] {
        m_file->setModified(false);
        if (m_file->text().trimmed() != m_work->file())
            m_work->openFile(m_file->text().trimmed());
    });
    connect(browse, &QPushButton::clicked, this, [this] {
        chooseFile(tr("File of the kernel"), [this](const QString& path) {
            m_file->setText(path);
            m_work->openFile(path);
        });
    });
    connect(m_function, &QComboBox::activated, this,
        [this](int index) { m_work->chooseFunction(m_function->itemData(index).toString().toStdString()); });
}

void OwnKernelPage::buildTask(QVBoxLayout* column)
{
    QVBoxLayout* sizes
        = card(tr("Task and sizes"), tr("train sizes give the score, held-out sizes never choose"), column);
    m_task = new FormGrid(this);
    m_task->addText({u"name"_s, tr("Name"), tr("lower-case letters, digits, dashes; the name of the folder")});
    m_task->addText({u"title"_s, tr("Heading"), {}});
    m_task->addText({u"train"_s, tr("Train sizes"), {}});
    m_task->addText({u"held-out"_s, tr("Held-out sizes"), tr("measured after confirmation; no proposer sees them")});
    m_task->addText({u"verify"_s, tr("Check sizes"), tr("checked for right results only: small, odd, one")});
    m_task->addText({u"operations"_s, tr("Operations"),
        tr("useful operations per call, for GFLOP/s; an expression over the sizes")});
    m_task->addText({u"bytes"_s, tr("Bytes"), tr("least memory traffic per call")});
    sizes->addWidget(m_task);
    connect(m_task, &FormGrid::edited, this, &OwnKernelPage::edited);
}

void OwnKernelPage::buildTruth(QVBoxLayout* column)
{
    QVBoxLayout* right = card(tr("Reference"), tr("every candidate is compared with it, on fresh inputs"), column);
    m_truth = new FormGrid(this);
    m_truth->addChoice({u"right is"_s, tr("Right result"), {}},
        {{u"kernel"_s, tr("result of this kernel")}, {u"file"_s, tr("result of another file")},
            {u"product"_s, tr("the matrix product")}});
    m_truth->addText({u"reference"_s, tr("Reference file"),
        tr("a plain function, or a kernel and its launch, with the same parameters; outputs may be double*")});
    m_truth->addChoice({u"referenceFunction"_s, tr("Its function"), {}}, {});
    m_truth->addChoice({u"tolerance"_s, tr("Tolerance"), {}},
        {{u"rounding"_s, tr("roundings of each element")}, {u"sum"_s, tr("roundings of a sum")},
            {u"exact"_s, tr("none: bit-exact")}});
    m_truth->addChoice({u"reduction"_s, tr("Summed over"), tr("longer sums may have larger rounding errors")}, {});
    m_truth->addText(
        {u"inputs"_s, tr("Inputs"), tr("normal first; add scaled, mixed and integer if your kernel supports them")});
    right->addWidget(m_truth);
    connect(m_truth, &FormGrid::edited, this, &OwnKernelPage::edited);
}

QWidget* OwnKernelPage::buildActionBar()
{
    auto* bar = new ActionBar(this);
    m_findings = words(u"kernelFindings"_s, bar);
    m_findings->setProperty("tone", u"bad"_s);
    m_word = words(u"kernelWord"_s, bar);
    m_remedy = words(u"kernelRemedy"_s, bar);
    m_progress = new QProgressBar(bar);
    m_progress->setObjectName(u"kernelProgress"_s);
    m_progress->setAccessibleName(tr("Progress of the check"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(px(6));
    for (QWidget* line : std::initializer_list<QWidget*>{m_findings, m_word, m_remedy, m_progress})
        bar->addLine(line);
    QPushButton* back = bar->addButton(u"kernelBack"_s, u"back"_s, tr("Back"));
    back->setToolTip(tr("Return to the choices of a new session; this description is kept"));
    bar->addStretch();
    m_check = bar->addButton(u"kernelCheck"_s, u"check"_s, tr("Write and check"));
    m_start = bar->addButton(u"kernelStart"_s, u"play"_s, tr("Start a session with it"), ActionBar::Kind::Primary);
    connect(back, &QPushButton::clicked, this, &OwnKernelPage::backWanted);
    connect(m_check, &QPushButton::clicked, m_work, [this] {
        if (!m_work->isBusy())
            return m_work->writeAndCheck();
        m_work->cancel();
        read();
    });
    connect(m_start, &QPushButton::clicked, this, [this] { Q_EMIT sessionWanted(m_work->folder()); });
    return bar;
}

void OwnKernelPage::readFile()
{
    if (!m_file->isModified() && m_file->text() != m_work->file())
        m_file->setText(m_work->file());
    const QSignalBlocker blocker(m_function);
    m_function->clear();
    for (const KernelFunction& function : m_work->functions()) {
        const Error objection = objectionTo(function);
        m_function->addItem(tr("%1, line %2").arg(text(function.name)).arg(function.line), text(function.name));
        m_function->setItemData(
            m_function->count() - 1, objection.code.empty() ? QString() : text(objection.line()), Qt::ToolTipRole);
    }
    m_function->setCurrentIndex(m_function->findData(text(m_work->description().function)));
    m_function->setEnabled(m_function->count() > 0);
    const bool trouble = m_work->stage() == KernelWork::Stage::Nothing && !m_work->word().isEmpty();
    if (trouble)
        m_fileNote->setText(
            m_work->remedy().isEmpty() ? m_work->word() : u"%1\n%2"_s.arg(m_work->word(), m_work->remedy()));
    else if (m_work->stage() == KernelWork::Stage::Reading)
        m_fileNote->setText(m_work->word());
    else if (!m_work->outdated().isEmpty())
        m_fileNote->setText(m_work->outdated());
    else
        m_fileNote->setText(tr("Choose a file and a function: Tilewright reads its parameters, writes a task pack with "
                               "your kernel as the first program, and checks it before it measures."));
    m_again->setVisible(!m_work->outdated().isEmpty());
    restyle(m_fileNote, "tone", trouble ? u"bad"_s : m_work->outdated().isEmpty() ? u"secondary"_s : u"warning"_s);
}

void OwnKernelPage::readTask()
{
    const KernelDescription& d = m_work->description();
    m_parameters->show(d, m_work->findings());
    for (const auto& [field, value] :
        {std::pair{u"name"_s, text(d.name)}, {u"title"_s, text(d.title)}, {u"train"_s, text(writtenShapes(d.train))},
            {u"held-out"_s, text(writtenShapes(d.heldout))}, {u"verify"_s, text(writtenShapes(d.verify))},
            {u"operations"_s, text(d.flops)}, {u"bytes"_s, text(d.bytes)}})
        if (field != m_typedField)
            m_task->setValue(field, value);
    std::vector<std::string> dims;
    for (const Dimension& dim : d.dims)
        dims.push_back(dim.name);
    m_task->setNote(
        u"train"_s, dims.empty() ? QString() : tr("timed; %1, separated by commas").arg(text(joined(dims, "×"))));
}

void OwnKernelPage::readTruth()
{
    const KernelDescription& d = m_work->description();
    std::vector<FormGrid::Choice> dims, functions;
    for (const Dimension& dim : d.dims)
        dims.push_back({text(dim.name), text(dim.name)});
    for (const KernelFunction& function : m_work->referenceFunctions())
        functions.push_back({text(function.name), text(function.name)});
    m_truth->setChoices(u"reduction"_s, dims);
    m_truth->setChoices(u"referenceFunction"_s, functions);
    m_truth->setValue(u"right is"_s, truthName(d.truth));
    m_truth->setValue(u"reference"_s, text(d.referenceFileName));
    m_truth->setValue(u"referenceFunction"_s, text(d.referenceFunction));
    m_truth->setValue(u"tolerance"_s, toleranceName(d.tolerance));
    m_truth->setValue(u"reduction"_s, text(d.reduction));
    if (m_typedField != u"inputs"_s)
        m_truth->setValue(u"inputs"_s, inputsInWords(d.inputs));
    const bool file = d.truth == TruthSource::File, product = d.truth == TruthSource::Product;
    m_truth->setRowVisible(u"reference"_s, file);
    m_truth->setRowVisible(u"referenceFunction"_s, file && !functions.empty());
    m_truth->setRowVisible(u"tolerance"_s, !product);
    m_truth->setRowVisible(u"reduction"_s, !product && d.tolerance == Tolerance::Sum);
    m_truth->setNote(u"right is"_s,
        d.truth == TruthSource::Kernel
            ? tr("candidates must reproduce the kernel's current results; whether these are right is not checked")
            : file ? tr("your own reference program")
                   : tr("computed in double precision by Tilewright"));
}

void OwnKernelPage::readVerdict()
{
    using Stage = KernelWork::Stage;
    const Stage stage = m_work->stage();
    QStringList findings;
    if (!m_work->outdated().isEmpty())
        findings << m_work->outdated(); // where what it keeps from is in sight
    for (const DescriptionFinding& finding : m_work->findings())
        findings << text(finding.line());
    m_task->setProblem(m_typedField == u"inputs"_s ? QString() : m_typedField,
        m_typedField == u"inputs"_s ? QString() : m_typedProblem);
    m_truth->setProblem(m_typedField == u"inputs"_s ? m_typedField : QString(),
        m_typedField == u"inputs"_s ? m_typedProblem : QString());
    constexpr qsizetype most = 4;
    const qsizetype more = findings.size() - most;
    if (more > 0)
        findings = findings.first(most) << tr("and %1 more").arg(more);
    m_findings->setText(findings.join(u'\n'));
    m_findings->setVisible(m_work->isDescribed() && !findings.isEmpty());
    const bool ended = stage == Stage::Good || stage == Stage::Refused || stage == Stage::Unchecked;
    m_word->setText(m_work->isDescribed() ? m_work->word() : QString());
    m_word->setVisible(!m_word->text().isEmpty());
    restyle(m_word, "tone",
        stage == Stage::Refused         ? u"bad"_s
            : stage == Stage::Good      ? u"good"_s
            : stage == Stage::Unchecked ? u"warning"_s
                                        : u"secondary"_s);
    QString remedy = m_work->isDescribed() ? m_work->remedy() : QString();
    if (ended && !m_work->folder().isEmpty())
        remedy += (remedy.isEmpty() ? QString() : u"\n"_s)
            + (stage == Stage::Good ? tr("The pack is kept in %1")
                                    : tr("The pack is kept in %1, marked as not checked"))
                  .arg(m_work->folder());
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
    m_progress->setVisible(m_work->isBusy());
    m_progress->setRange(0, m_work->share() < 0 ? 0 : 100);
    if (m_work->share() >= 0)
        m_progress->setValue(static_cast<int>(100 * m_work->share()));
    m_check->setText(m_work->isBusy() ? tr("Stop") : tr("Write and check"));
    m_check->setEnabled(m_work->isBusy() || (m_work->isDescribed() && findings.isEmpty() && m_typedField.isEmpty()));
    m_start->setEnabled(stage == Stage::Good);
}

void OwnKernelPage::read()
{
    readFile();
    m_described->setVisible(m_work->isDescribed());
    if (m_work->isDescribed()) {
        readLaunch();
        readTask();
        readTruth();
        QStringList supposed;
        for (const std::string& one : m_work->suppositions())
            supposed << u"• "_s + text(one);
        m_supposed->setText(supposed.isEmpty() ? tr("None: the file specifies everything.") : supposed.join(u'\n'));
    }
    readVerdict();
}

} // namespace tilewright::ui
