// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/machine_card.h"

#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/room.h"

#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QStringList>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
/// Paths and lists without spaces may go on in the next line, too.
QString breakable(QString words)
{
    for (const QChar mark : {u'/', u',', u'_'})
        words.replace(mark, QString(mark) + QChar(0x200b));
    return words;
}

/// In a sentence; empty where tasks for a GPU have all they need.
QString lackedOnGpu(const QJsonObject& report)
{
    const QJsonArray lacking = report[u"gpu_tasks_lack"].toArray();
    const bool lacksGpu = lacking.contains(u"a GPU"_s), lacksCompiler = lacking.contains(u"a CUDA toolkit"_s);
    return lacksGpu && lacksCompiler
        ? MachineCard::tr("The chosen task needs a GPU and a compiler for its programs, and there is neither.")
        : lacksGpu          ? MachineCard::tr("The chosen task needs a GPU, and there is none.")
        : lacksCompiler     ? MachineCard::tr("The chosen task needs a compiler for GPU programs, and there is none.")
        : lacking.isEmpty() ? QString()
                            : MachineCard::tr("The chosen task lacks %1.").arg(lacking.first().toString());
}
} // namespace

MachineCard::MachineCard(QWidget* parent)
    : QFrame(parent)
    , m_note(new QLabel(tr("Looking around…"), this))
    , m_findings(new QGridLayout)
    , m_more(new QPushButton(this))
{
    setObjectName(u"machineCard"_s);
    setProperty("role", u"card"_s);
    setAccessibleName(tr("Found on this machine"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    column->setSpacing(px(8));
    auto* title = new QLabel(tr("Found on this machine"), this);
    QFont font = fontOf(Type::Prose);
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    m_findings->setHorizontalSpacing(px(8));
    m_findings->setVerticalSpacing(px(6));
    m_findings->setColumnStretch(2, 1);
    m_note->setWordWrap(true);
    m_note->setObjectName(u"machineNote"_s);
    m_note->setProperty("tone", u"secondary"_s);
    m_more->setObjectName(u"machineMore"_s);
    m_more->setProperty("kind", u"small"_s);
    m_more->setCheckable(true);
    connect(m_more, &QPushButton::toggled, this, &MachineCard::showQuiet);
    auto* head = new QHBoxLayout;
    head->setSpacing(px(12));
    head->addWidget(title);
    head->addStretch(1);
    head->addWidget(m_more);
    column->addLayout(head);
    column->addWidget(m_note); // a line of its own: between the others it had room for half of it
    column->addLayout(m_findings);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (!m_report.isEmpty())
            show(m_report);
    });
    showQuiet();
    setVisible(false); // until somebody looks
}

void MachineCard::search(const QString& program)
{
    setVisible(true);
    auto* doctor = new QProcess(this);
    connect(doctor, &QProcess::finished, this, [this, doctor] {
        const QJsonDocument report = QJsonDocument::fromJson(doctor->readAllStandardOutput());
        doctor->deleteLater();
        show(report.object());
    });
    connect(doctor, &QProcess::errorOccurred, this, [this, doctor, program](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        doctor->deleteLater();
        m_note->setText(tr("%1 cannot be started: %2").arg(program, doctor->errorString()));
    });
    doctor->start(program, {u"doctor"_s, u"--json"_s});
}

void MachineCard::show(const QJsonObject& report)
{
    m_report = report;
    setVisible(true);
    while (QLayoutItem* item = m_findings->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_quiet.clear();
    int row = 0;
    for (const QJsonValue& value : report[u"findings"].toArray())
        addFinding(value.toObject(), row++);
    m_answered = row > 0;
    showQuiet();
    judge();
    Q_EMIT told(report);
}

void MachineCard::addFinding(const QJsonObject& finding, int row)
{
    const bool found = finding[u"found"].toBool(), needed = finding[u"needed"].toBool();
    const Tokens& t = tokens();
    auto* sign = new QLabel(this);
    sign->setPixmap(iconPixmap(found ? u"check"_s
            : needed                 ? u"x"_s
                                     : u"info"_s,
        found        ? t.good
            : needed ? t.bad
                     : t.secondary,
        px(14), devicePixelRatioF()));
    sign->setAccessibleName(found ? tr("found") : needed ? tr("missing, needed") : tr("not there, not needed"));
    const FindingWords said = wordsOfFinding(finding);
    auto* what = new QLabel(said.title, this);
    what->setWordWrap(true);
    const QString& words = said.meaning;
    for (QLabel* label : {sign, what})
        label->setToolTip(said.term);
    auto* detail = new QLabel(breakable(words), this);
    detail->setAccessibleName(words);
    detail->setToolTip(said.term);
    detail->setTextFormat(Qt::PlainText);
    detail->setWordWrap(true);
    detail->setMinimumWidth(px(96)); // a long word does not make the page wider
    detail->setFont(fontOf(Type::Secondary));
    detail->setProperty("tone", needed && !found ? u"bad"_s : u"secondary"_s);
    if (found || !needed)
        m_quiet << sign << what << detail;
    m_findings->addWidget(sign, row, 0, Qt::AlignTop);
    m_findings->addWidget(what, row, 1, Qt::AlignTop);
    m_findings->addWidget(detail, row, 2);
}

void MachineCard::showQuiet()
{
    const bool isShown = m_more->isChecked();
    for (QWidget* each : m_quiet)
        each->setVisible(isShown);
    const auto things = static_cast<int>(m_quiet.size()) / columns;
    m_more->setVisible(things > 0);
    m_more->setText(isShown ? tr("Show less") : tr("Show all (%1)").arg(things));
}

void MachineCard::showAll()
{
    m_more->setChecked(true);
    m_more->setFocus();
}

void MachineCard::setTarget(std::optional<Target> target)
{
    if (target == m_target)
        return;
    m_target = target;
    if (!m_report.isEmpty())
        judge();
}

void MachineCard::judge()
{
    const bool complete = m_report[u"complete"].toBool();
    const QString lacked = m_target == Target::Cuda ? lackedOnGpu(m_report) : QString();
    m_note->setText(!m_answered ? tr("tilewright-cli doctor gave no answer.")
            : !complete         ? tr("Something that is needed is missing; see the red lines.")
            : !lacked.isEmpty() ? tr("%1 For tasks on the CPU nothing is missing.").arg(lacked)
            : m_target          ? tr("The task has all it needs.")
                                : tr("All that is needed is there."));
    restyle(m_note, "tone", m_answered && (!complete || !lacked.isEmpty()) ? u"bad"_s : u"secondary"_s);
}

namespace {

struct KnownFinding {
    const char *what, *title, *found, *missing; ///< to be translated
};

constexpr KnownFinding knownFindings[] = {
    {"compiler", QT_TRANSLATE_NOOP("Words", "C++ compiler"),
        QT_TRANSLATE_NOOP("Words", "builds the programs that are tried"),
        QT_TRANSLATE_NOOP("Words", "there is none (g++), so nothing can be built; on Debian: apt install g++")},
    {"caches", QT_TRANSLATE_NOOP("Words", "Memory inside the processor"),
        QT_TRANSLATE_NOOP("Words", "its sizes are known; it is emptied before each timing, so that all begin alike"),
        QT_TRANSLATE_NOOP("Words", "its sizes are not known; 2 MiB of it are emptied before each timing")},
    {"measuring core", QT_TRANSLATE_NOOP("Words", "A core kept for timing"),
        QT_TRANSLATE_NOOP("Words", "one core only times, the others build"),
        QT_TRANSLATE_NOOP("Words",
            "there is a single core: nothing is built while something is timed, so runs take about twice as long")},
    {"sandbox", QT_TRANSLATE_NOOP("Words", "Shut-off room for programs"),
        QT_TRANSLATE_NOOP("Words", "programs run where they cannot reach the rest of this machine"),
        QT_TRANSLATE_NOOP("Words",
            "only the system's simpler locks hold programs back (Landlock, seccomp); bubblewrap would shut them off")},
    {"OpenBLAS", QT_TRANSLATE_NOOP("Words", "Yardstick for the CPU"),
        QT_TRANSLATE_NOOP("Words", "results are compared with a library that experts wrote (OpenBLAS)"),
        QT_TRANSLATE_NOOP("Words",
            "nothing to compare with on the CPU; each confirmed program is checked once more instead; on Debian: apt "
            "install libopenblas0")},
    {"GPU", QT_TRANSLATE_NOOP("Words", "Graphics card (GPU)"), QT_TRANSLATE_NOOP("Words", "there is one"),
        QT_TRANSLATE_NOOP("Words", "none can be used: tasks for a GPU cannot be measured here, those for the CPU can")},
    {"driver", QT_TRANSLATE_NOOP("Words", "Driver of the GPU"),
        QT_TRANSLATE_NOOP("Words", "lets programs run on the GPU"),
        QT_TRANSLATE_NOOP("Words", "not installed: tasks for a GPU cannot be measured here, those for the CPU can")},
    {"CUDA toolkit", QT_TRANSLATE_NOOP("Words", "Compiler for GPU programs"),
        QT_TRANSLATE_NOOP("Words", "builds programs for a GPU"),
        QT_TRANSLATE_NOOP("Words", "not found: programs for a GPU cannot be built; those for the CPU can")},
    {"cuBLAS", QT_TRANSLATE_NOOP("Words", "Yardstick for the GPU"),
        QT_TRANSLATE_NOOP("Words", "results are compared with NVIDIA's own library (cuBLAS)"),
        QT_TRANSLATE_NOOP("Words", "NVIDIA's library (cuBLAS) is not found: nothing to compare with on a GPU")},
    {"compute-sanitizer", QT_TRANSLATE_NOOP("Words", "Checker of GPU memory"),
        QT_TRANSLATE_NOOP("Words", "looks for wrong memory accesses in what is confirmed"),
        QT_TRANSLATE_NOOP("Words", "not found: GPU programs are confirmed without that look, and say so")},
    {"ncu", QT_TRANSLATE_NOOP("Words", "Profiler of the GPU"),
        QT_TRANSLATE_NOOP("Words", "tells where a GPU program spends its time when it is measured again"),
        QT_TRANSLATE_NOOP("Words", "not found: figures of where a GPU program spends its time are missing")},
    {"objdump", QT_TRANSLATE_NOOP("Words", "Machine code of CPU programs"), QT_TRANSLATE_NOOP("Words", "can be shown"),
        QT_TRANSLATE_NOOP("Words", "cannot be shown; on Debian: apt install binutils")},
    {"nvdisasm", QT_TRANSLATE_NOOP("Words", "Machine code of GPU programs"), QT_TRANSLATE_NOOP("Words", "can be shown"),
        QT_TRANSLATE_NOOP("Words", "cannot be shown, only the step before it (PTX)")},
    {"keyring", QT_TRANSLATE_NOOP("Words", "Safe place for keys"),
        QT_TRANSLATE_NOOP("Words", "the desktop's keyring can keep the keys of model providers"),
        QT_TRANSLATE_NOOP(
            "Words", "not reachable: keys come from the environment, or are forgotten when the program ends")},
    {"node and worker", QT_TRANSLATE_NOOP("Words", "Tilewright's own programs"),
        QT_TRANSLATE_NOOP("Words", "all of them are there"),
        QT_TRANSLATE_NOOP("Words", "some are not beside this one: build all of Tilewright")},
    {"git", QT_TRANSLATE_NOOP("Words", "Keeper of versions (git)"),
        QT_TRANSLATE_NOOP("Words", "there, but not needed yet"),
        QT_TRANSLATE_NOOP("Words", "not there, and not needed yet")},
    {"Slurm", QT_TRANSLATE_NOOP("Words", "Queue of a cluster (Slurm)"),
        QT_TRANSLATE_NOOP("Words", "there, but not needed yet"),
        QT_TRANSLATE_NOOP("Words", "not there, and not needed yet")},
};

/// What a finding that is there still lacks.
QString lackOf(const QString& detail)
{
    if (detail.contains(u"no headers"_s))
        return tr("not those that include CUDA's own headers");
    if (detail.contains(u"without NVML"_s))
        return tr("clock, heat and power of the GPU stay unknown");
    if (detail.contains(u"can read this machine's memory"_s))
        return tr("its programs can read this machine's memory");
    return {};
}

} // namespace

FindingWords wordsOfFinding(const QJsonObject& finding)
{
    const QString what = finding[u"what"].toString(), detail = finding[u"detail"].toString();
    const bool found = finding[u"found"].toBool();
    FindingWords words{what, detail, u"%1: %2"_s.arg(what, detail)};
    if (const QJsonObject gpu = finding[u"device"].toObject(); !gpu.isEmpty()) {
        words.title = tr("Graphics card (GPU) %1").arg(gpu[u"index"].toInt());
        words.meaning = tr("%1 with %2 GB of memory")
                            .arg(gpu[u"name"].toString())
                            .arg(qRound(gpu[u"memory_bytes"].toDouble() / 1e9));
    } else if (what == u"processor"_s) {
        words.title = tr("Processor");
        words.meaning = detail.section(u':', 0, 0); // its name and cores; what it can do beyond is for the tooltip
    } else {
        for (const KnownFinding& known : knownFindings)
            if (what == QLatin1String(known.what)) {
                words.title = tr(known.title);
                words.meaning = tr(found ? known.found : known.missing);
            }
    }
    if (const QString lack = found ? lackOf(detail) : QString(); !lack.isEmpty() && words.meaning != detail)
        words.meaning += u"; "_s + lack;
    return words;
}

} // namespace tilewright::ui
