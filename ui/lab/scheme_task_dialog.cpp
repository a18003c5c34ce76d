// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scheme_task_dialog.h"

#include "core/base/folders.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestName = 60;
constexpr int mostLevels = 4, largestCutoff = 65536; // those of tensor::programOf()

QLabel* wrapped(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

QString proposedTaskName(const tensor::Scheme& scheme)
{
    QString slug;
    for (const QChar each : text(scheme.name).toLower()) {
        const bool isKept = (each >= u'a' && each <= u'z') || (each >= u'0' && each <= u'9');
        if (isKept)
            slug += each;
        else if (!slug.isEmpty() && slug.back() != u'-')
            slug += u'-';
    }
    while (slug.endsWith(u'-'))
        slug.chop(1);
    if (slug.isEmpty())
        slug = u"%1-rank-%2"_s.arg(text(tensor::textOf(scheme.format))).arg(scheme.rank());
    return u"gemm-"_s + slug.left(longestName);
}

SchemeTaskDialog::SchemeTaskDialog(SessionClient& session, QWidget* parent)
    : QDialog(parent)
    , m_of(wrapped(u"schemeTaskOf"_s, this))
    , m_plan(wrapped(u"schemeTaskPlan"_s, this))
    , m_said(wrapped(u"schemeTaskSaid"_s, this))
    , m_name(new QLineEdit(this))
    , m_folder(new QLineEdit(this))
    , m_from(new QComboBox(this))
    , m_leaf(new LeafBox(session, this))
    , m_levels(new QSpinBox(this))
    , m_cutoff(new QSpinBox(this))
    , m_browse(new QPushButton(tr("Choose…"), this))
    , m_begin(new QPushButton(tr("Create the task"), this))
    , m_cancel(new QPushButton(tr("Close"), this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"schemeTask"_s);
    setWindowTitle(tr("Evolve from this scheme"));
    m_reading.setMaxThreadCount(1);
    layOut();
    m_folder->setText(QDir::toNativeSeparators(text((dataFolder() / "kernels").string())));
    connect(m_from, &QComboBox::currentIndexChanged, this, [this] {
        m_leaf->setTask(from() ? &from()->task : nullptr);
        refresh();
    });
    connect(m_leaf, &LeafBox::leafChanged, this, &SchemeTaskDialog::refresh);
    for (QLineEdit* field : {m_name, m_folder})
        connect(field, &QLineEdit::textChanged, this, [this] {
            m_problem.clear();
            refresh();
        });
    for (QSpinBox* box : {m_levels, m_cutoff})
        connect(box, &QSpinBox::valueChanged, this, [this] {
            m_problem.clear();
            refresh();
        });
    connect(m_browse, &QPushButton::clicked, this, &SchemeTaskDialog::askForFolder);
    connect(m_begin, &QPushButton::clicked, this, &SchemeTaskDialog::begin);
    connect(m_cancel, &QPushButton::clicked, this, &SchemeTaskDialog::reject);
    connect(&m_run, &SchemeTaskRun::progressed, this, [this](const QString& words) { say(words, "secondary"); });
    connect(&m_run, &SchemeTaskRun::failed, this, &SchemeTaskDialog::showFailure);
    connect(&m_run, &SchemeTaskRun::written, this, [this](const QString& folder) {
        refresh();
        hide();
        Q_EMIT written(folder);
    });
}

SchemeTaskDialog::~SchemeTaskDialog() { m_reading.waitForDone(); }

void SchemeTaskDialog::layOut()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(12));
    column->setSpacing(px(8));
    column->addWidget(m_of);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto add = [&](const QString& label, const QString& name, QWidget* field) {
        field->setObjectName(name);
        field->setAccessibleName(label);
        form->addRow(label, field);
    };
    add(tr("Name of the task"), u"schemeTaskName"_s, m_name);
    add(tr("From the task"), u"schemeTaskFrom"_s, m_from);
    m_levels->setRange(1, mostLevels);
    m_levels->setToolTip(tr("How often the scheme is used inside of itself; the check allows for so many, no more"));
    add(tr("Levels"), u"schemeTaskLevels"_s, m_levels);
    m_cutoff->setRange(1, largestCutoff);
    m_cutoff->setValue(tensor::CodeOptions{}.cutoff);
    m_cutoff->setToolTip(tr("The smallest of M, N and K for which the scheme is used; below it the leaf multiplies"));
    add(tr("Cut-off"), u"schemeTaskCutoff"_s, m_cutoff);
    add(tr("Leaf"), u"schemeTaskLeaf"_s, m_leaf);
    m_folder->setObjectName(u"schemeTaskFolder"_s);
    m_folder->setAccessibleName(tr("In the folder"));
    m_folder->setMinimumWidth(px(260));
    m_browse->setObjectName(u"schemeTaskBrowse"_s);
    m_browse->setAccessibleName(tr("Choose the folder"));
    m_browse->setProperty("kind", u"small"_s);
    auto* row = new QHBoxLayout;
    row->addWidget(m_folder, 1);
    row->addWidget(m_browse);
    form->addRow(tr("In the folder"), row);
    column->addLayout(form);
    m_plan->setProperty("tone", u"secondary"_s);
    column->addWidget(m_plan);
    m_progress->setObjectName(u"schemeTaskProgress"_s);
    m_progress->setAccessibleName(tr("Progress of the check"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(px(6));
    column->addWidget(m_progress);
    column->addWidget(m_said);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    m_begin->setObjectName(u"schemeTaskBegin"_s);
    m_begin->setProperty("kind", u"primary"_s);
    m_begin->setDefault(true);
    m_cancel->setObjectName(u"schemeTaskCancel"_s);
    for (QPushButton* button : {m_cancel, m_browse})
        button->setAutoDefault(false);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_begin);
    column->addLayout(buttons);
    setMinimumWidth(px(520));
}

void SchemeTaskDialog::showFor(const tensor::Scheme& scheme)
{
    if (!m_run.isRunning()) {
        m_scheme = scheme;
        m_problem.clear();
        m_of->setText(
            tr("%1: %2 with %3 products. Its program becomes the seed of a new task, and a session can begin "
               "with it.")
                .arg(scheme.name.empty() ? tr("This scheme") : text(scheme.name), text(tensor::textOf(scheme.format)))
                .arg(scheme.rank()));
        readTasks();
        m_leaf->lookAtSession();
        proposeName();
        refresh();
    }
    show();
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(std::max(width(), minimumWidth()))));
    raise();
    activateWindow();
    m_name->setFocus();
}

void SchemeTaskDialog::readTasks()
{
    m_isReading = true;
    auto* watcher = new QFutureWatcher<std::vector<TaskPack>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        m_isReading = false;
        takeTasks(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(&m_reading, [] {
        std::vector<TaskPack> packs;
        for (auto& [folder, pack] : findTaskPacks())
            if (pack && checkSchemeOrigin(pack->task))
                packs.push_back(std::move(*pack));
        return packs;
    }));
}

void SchemeTaskDialog::takeTasks(std::vector<TaskPack> packs)
{
    if (m_run.isRunning())
        return;
    const TaskPack* chosen = from();
    const std::string name = chosen ? chosen->task.name : m_leaf->sessionTask();
    m_tasks = std::move(packs);
    {
        const QSignalBlocker quiet(m_from);
        m_from->clear();
        for (const TaskPack& pack : m_tasks) {
            m_from->addItem(text(pack.task.name));
            if (pack.task.name == name)
                m_from->setCurrentIndex(m_from->count() - 1);
        }
    }
    m_leaf->setTask(from() ? &from()->task : nullptr);
    refresh();
}

const TaskPack* SchemeTaskDialog::from() const
{
    const int at = m_from->currentIndex();
    return at >= 0 && at < static_cast<int>(m_tasks.size()) ? &m_tasks[static_cast<std::size_t>(at)] : nullptr;
}

QString SchemeTaskDialog::folder() const
{
    const QString parent = m_folder->text().trimmed();
    return QDir::cleanPath(QDir(parent).filePath(m_name->text().trimmed()));
}

void SchemeTaskDialog::proposeName()
{
    if (m_name->text() != m_proposed)
        return; // the user wrote another one
    const QString name = proposedTaskName(m_scheme);
    const QDir parent(m_folder->text().trimmed());
    QString free = name;
    for (int i = 2; parent.exists(free) && i < 100; ++i)
        free = u"%1-%2"_s.arg(name).arg(i);
    m_proposed = free;
    m_name->setText(free);
}

tensor::CodeOptions SchemeTaskDialog::code() const
{
    tensor::CodeOptions options;
    options.levels = m_levels->value();
    options.cutoff = m_cutoff->value();
    const SchemeLeaf leaf = m_leaf->leaf();
    options.leaf = leaf.text;
    options.leafName = leaf.text.empty() ? std::string() : leaf.name;
    return options;
}

QString SchemeTaskDialog::whyNot() const
{
    const QString name = m_name->text().trimmed();
    if (!from())
        return m_isReading ? tr("Looking for tasks…")
                           : tr("No task is a single-precision product on a CPU, as gemm-fp32-cpu is.");
    if (name.isEmpty())
        return tr("Name the task.");
    const bool isName = std::ranges::all_of(name, [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'-' || c == u'_' || c == u'.';
    });
    if (!isName || name.startsWith(u'.'))
        return tr("A task's name has small letters, digits, '-' and '_' only.");
    if (m_folder->text().trimmed().isEmpty())
        return tr("Name a folder.");
    if (const auto possible = checkTaskFolder(name.toStdString(), folder().toStdString()); !possible)
        return asSentences(text(possible.error().text), text(possible.error().hint));
    if (leastSizeOf(m_scheme.format, code()) > largestLeastSize)
        return tr("These levels are used from size %1 on, and %2 is the largest that is checked in a reasonable time. "
                  "Choose fewer levels, or a smaller cut-off.")
            .arg(leastSizeOf(m_scheme.format, code()))
            .arg(largestLeastSize);
    return {};
}

QString SchemeTaskDialog::plan() const
{
    return tr("All levels are used from size %1 on; the task has shapes of its own up to three times that. This "
              "machine's node builds and checks the program, then the folder %2 is written. Figures of the new task do "
              "not stand beside those of the task that it is taken from.")
        .arg(leastSizeOf(m_scheme.format, code()))
        .arg(QDir::toNativeSeparators(folder()));
}

void SchemeTaskDialog::refresh()
{
    const bool isRunning = m_run.isRunning();
    for (QWidget* each :
        std::initializer_list<QWidget*>{m_name, m_from, m_levels, m_cutoff, m_leaf, m_folder, m_browse})
        each->setEnabled(!isRunning);
    m_progress->setVisible(isRunning);
    m_cancel->setText(isRunning ? tr("Cancel") : tr("Close"));
    if (isRunning)
        return m_begin->setEnabled(false);
    m_plan->setText(plan());
    const QString why = whyNot();
    m_begin->setEnabled(why.isEmpty());
    if (!why.isEmpty())
        say(why, from() ? "bad" : "secondary");
    else
        say(m_problem, "bad");
}

void SchemeTaskDialog::begin()
{
    const TaskPack* task = from();
    if (m_run.isRunning() || !task || !whyNot().isEmpty())
        return refresh();
    m_problem.clear();
    SchemeTaskOrder order{
        m_scheme, *task, {m_name->text().trimmed().toStdString(), code(), {}}, folder().toStdString()};
    m_run.start(order);
    say(tr("Started…"), "secondary");
    refresh();
}

void SchemeTaskDialog::showFailure(const Error& error)
{
    m_problem = error.code == "cancelled" ? tr("Cancelled: nothing was written.")
                                          : asSentences(text(error.text), text(error.hint)).simplified();
    refresh();
    if (error.code == "cancelled")
        say(m_problem, "secondary");
}

void SchemeTaskDialog::say(const QString& words, const char* tone)
{
    m_said->setText(words);
    m_said->setVisible(!words.isEmpty());
    m_said->setProperty("tone", QLatin1String(tone));
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
    if (isVisible()) {
        layout()->activate();
        resize(width(), std::max(height(), layout()->totalHeightForWidth(std::max(width(), minimumWidth()))));
    }
}

void SchemeTaskDialog::askForFolder()
{
    auto* dialog = new QFileDialog(this, tr("Folder for the new task"), m_folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { m_folder->setText(path); });
    dialog->open();
}

void SchemeTaskDialog::reject()
{
    if (m_run.isRunning())
        m_run.cancel();
    else
        QDialog::reject();
}

void SchemeTaskDialog::closeEvent(QCloseEvent* event)
{
    if (!m_run.isRunning())
        return QDialog::closeEvent(event);
    m_run.cancel();
    event->ignore();
}

} // namespace tilewright::ui
