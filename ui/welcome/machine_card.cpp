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
        ? MachineCard::tr("The selected task needs a GPU and a compiler for GPU programs; both are missing.")
        : lacksGpu      ? MachineCard::tr("The selected task needs a GPU, which is missing.")
        : lacksCompiler ? MachineCard::tr("The selected task needs a compiler for GPU programs, which is missing.")
        : lacking.isEmpty()
        ? QString()
        : MachineCard::tr("The selected task needs %1, which is missing.").arg(lacking.first().toString());
}
} // namespace

MachineCard::MachineCard(QWidget* parent)
    : QFrame(parent)
    , m_note(new QLabel(tr("Checking the machine…"), this))
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
    sign->setAccessibleName(found ? tr("found") : needed ? tr("missing, needed") : tr("missing, not needed"));
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
    m_note->setText(!m_answered ? tr("tilewright-cli doctor returned no result.")
            : !complete         ? tr("A required component is missing; see the red lines.")
            : !lacked.isEmpty() ? tr("%1 Nothing is missing for CPU tasks.").arg(lacked)
            : m_target          ? tr("All requirements of the task are met.")
                                : tr("All required components are present."));
    restyle(m_note, "tone", m_answered && (!complete || !lacked.isEmpty()) ? u"bad"_s : u"secondary"_s);
}

namespace {

struct KnownFinding {
    const char *what, *title, *found, *missing; ///< to be translated
};

constexpr KnownFinding knownFindings[] = {
    {"compiler", QT_TRANSLATE_NOOP("tilewright::ui", "C++ compiler"),
        QT_TRANSLATE_NOOP("tilewright::ui", "builds candidates"),
        QT_TRANSLATE_NOOP("tilewright::ui", "missing (g++), so nothing can be built; on Debian: apt install g++")},
    {"caches", QT_TRANSLATE_NOOP("tilewright::ui", "CPU caches"),
        QT_TRANSLATE_NOOP("tilewright::ui", "sizes known; flushed before each timing, so that all start alike"),
        QT_TRANSLATE_NOOP("tilewright::ui", "sizes unknown; 2 MiB are flushed before each timing")},
    {"measuring core", QT_TRANSLATE_NOOP("tilewright::ui", "Core reserved for timing"),
        QT_TRANSLATE_NOOP("tilewright::ui", "one core only times, the others build"),
        QT_TRANSLATE_NOOP(
            "tilewright::ui", "single core: nothing is built during timings, so runs take about twice as long")},
    {"sandbox", QT_TRANSLATE_NOOP("tilewright::ui", "Sandbox"),
        QT_TRANSLATE_NOOP("tilewright::ui", "programs run isolated from the rest of this machine"),
        QT_TRANSLATE_NOOP("tilewright::ui",
            "only kernel restrictions (Landlock, seccomp) isolate programs; install bubblewrap for a full sandbox")},
    {"OpenBLAS", QT_TRANSLATE_NOOP("tilewright::ui", "CPU vendor library"),
        QT_TRANSLATE_NOOP("tilewright::ui", "results are compared with OpenBLAS"),
        QT_TRANSLATE_NOOP("tilewright::ui",
            "missing: no comparison on the CPU; each confirmed program is audited instead; on Debian: apt install "
            "libopenblas0")},
    {"GPU", QT_TRANSLATE_NOOP("tilewright::ui", "GPU"), QT_TRANSLATE_NOOP("tilewright::ui", "available"),
        QT_TRANSLATE_NOOP("tilewright::ui", "no usable GPU: GPU tasks cannot be measured here, CPU tasks can")},
    {"driver", QT_TRANSLATE_NOOP("tilewright::ui", "GPU driver"),
        QT_TRANSLATE_NOOP("tilewright::ui", "runs programs on the GPU"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not installed: GPU tasks cannot be measured here, CPU tasks can")},
    {"CUDA toolkit", QT_TRANSLATE_NOOP("tilewright::ui", "GPU compiler"),
        QT_TRANSLATE_NOOP("tilewright::ui", "builds GPU programs"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not found: GPU programs cannot be built; CPU programs can")},
    {"cuBLAS", QT_TRANSLATE_NOOP("tilewright::ui", "GPU vendor library"),
        QT_TRANSLATE_NOOP("tilewright::ui", "results are compared with NVIDIA cuBLAS"),
        QT_TRANSLATE_NOOP("tilewright::ui", "cuBLAS not found: no comparison on a GPU")},
    {"compute-sanitizer", QT_TRANSLATE_NOOP("tilewright::ui", "GPU memory checker"),
        QT_TRANSLATE_NOOP("tilewright::ui", "checks confirmed programs for wrong memory accesses"),
        QT_TRANSLATE_NOOP(
            "tilewright::ui", "not found: GPU programs are confirmed without this check, which is recorded")},
    {"ncu", QT_TRANSLATE_NOOP("tilewright::ui", "GPU profiler"),
        QT_TRANSLATE_NOOP("tilewright::ui", "shows where a GPU program spends its time in a re-run"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not found: profiles of GPU programs are not available")},
    {"objdump", QT_TRANSLATE_NOOP("tilewright::ui", "CPU disassembler"),
        QT_TRANSLATE_NOOP("tilewright::ui", "available"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not available; on Debian: apt install binutils")},
    {"nvdisasm", QT_TRANSLATE_NOOP("tilewright::ui", "GPU disassembler"),
        QT_TRANSLATE_NOOP("tilewright::ui", "available"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not available; only PTX can be shown")},
    {"keyring", QT_TRANSLATE_NOOP("tilewright::ui", "Keychain"),
        QT_TRANSLATE_NOOP("tilewright::ui", "the desktop's keychain can store the keys of model providers"),
        QT_TRANSLATE_NOOP(
            "tilewright::ui", "not available: keys come from the environment, or are lost when Tilewright ends")},
    {"node and worker", QT_TRANSLATE_NOOP("tilewright::ui", "Tilewright's own programs"),
        QT_TRANSLATE_NOOP("tilewright::ui", "complete"),
        QT_TRANSLATE_NOOP("tilewright::ui", "some are missing beside this one: build all of Tilewright")},
    {"git", QT_TRANSLATE_NOOP("tilewright::ui", "Git"),
        QT_TRANSLATE_NOOP("tilewright::ui", "available, not needed yet"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not available, not needed yet")},
    {"Slurm", QT_TRANSLATE_NOOP("tilewright::ui", "Slurm"),
        QT_TRANSLATE_NOOP("tilewright::ui", "available, not needed yet"),
        QT_TRANSLATE_NOOP("tilewright::ui", "not available, not needed yet")},
};

/// What a finding that is there still lacks.
QString lackOf(const QString& detail)
{
    if (detail.contains(u"no headers"_s))
        return tr("except programs that include CUDA headers");
    if (detail.contains(u"without NVML"_s))
        return tr("clock, temperature and power of the GPU are unknown");
    if (detail.contains(u"can read this machine's memory"_s))
        return tr("candidates can read this machine's memory");
    return {};
}

} // namespace

FindingWords wordsOfFinding(const QJsonObject& finding)
{
    const QString what = finding[u"what"].toString(), detail = finding[u"detail"].toString();
    const bool found = finding[u"found"].toBool();
    FindingWords words{what, detail, u"%1: %2"_s.arg(what, detail)};
    if (const QJsonObject gpu = finding[u"device"].toObject(); !gpu.isEmpty()) {
        words.title = tr("GPU %1").arg(gpu[u"index"].toInt());
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
