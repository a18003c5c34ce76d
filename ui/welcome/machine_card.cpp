// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/machine_card.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/welcome/finding_words.h"
#include "ui/widgets/tone.h"

#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QPushButton>

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

} // namespace tilewright::ui
