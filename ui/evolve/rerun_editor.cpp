// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/rerun_editor.h"

#include "core/model/measurement/shape_choice.h"
#include "ui/models/display_text.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostTimes = 20;
const QString ownShapes = u"own"_s; ///< the choice below which sizes are typed

} // namespace

RerunEditor::RerunEditor(const Snapshot& snapshot, CandidateId candidate, CandidateId reference, QWidget* parent)
    : EditPopup(parent)
    , m_candidate(candidate)
    , m_pack(snapshot.pack)
    , m_repeats(numberBox<QSpinBox>(1, mostTimes, 1, u"rerunRepeats"_s, tr("Samples (× standard)"), this))
    , m_against(new QComboBox(this))
    , m_shapes(new QComboBox(this))
    , m_device(new QComboBox(this))
    , m_own(new QLineEdit(this))
    , m_note(new QLabel(this))
{
    setObjectName(u"rerunEditor"_s);
    setAccessibleName(tr("Measurement settings for %1").arg(nameOfCandidate(candidate)));
    const Candidate* known = snapshot.run.candidate(candidate);
    m_isConfirmed = known && known->confirmed;
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    grid->setColumnMinimumWidth(1, px(240));
    int line = 0;
    auto* title = new QLabel(tr("Measure %1 again").arg(nameOfCandidate(candidate)), this);
    title->setFont(fontOf(Type::Strong));
    grid->addWidget(title, line++, 0, 1, 2);
    const auto row = [&](const QString& name, QWidget* field) {
        auto* label = new QLabel(name, this);
        label->setBuddy(field);
        grid->addWidget(label, line, 0);
        grid->addWidget(field, line++, 1);
        return label;
    };
    row(tr("Samples (× standard)"), m_repeats);
    m_against->setObjectName(u"rerunAgainst"_s);
    m_against->setAccessibleName(tr("Candidate to time it against"));
    offerOpponents(snapshot.run, reference);
    row(tr("Compared with"), m_against);
    m_shapes->setObjectName(u"rerunShapes"_s);
    m_shapes->setAccessibleName(tr("Shapes to measure"));
    if (m_pack)
        offerShapes(m_pack->task);
    row(tr("Shapes"), m_shapes);
    m_own->setObjectName(u"rerunOwnShapes"_s);
    m_own->setAccessibleName(tr("Custom sizes"));
    m_own->setFont(fontOf(Type::Mono));
    QStringList example, names;
    if (m_pack)
        for (const Dimension& dim : m_pack->task.dims) {
            example << QString::number(64 * dim.multiple);
            names << text(dim.name);
        }
    m_own->setPlaceholderText(example.join(u'x'));
    m_own->setToolTip(tr("%1; separate several by commas").arg(names.join(u"×"_s)));
    QLabel* ownName = row(tr("Sizes"), m_own);
    m_device->setObjectName(u"rerunDevice"_s);
    m_device->setAccessibleName(tr("Device to measure on"));
    offerDevices(snapshot);
    if (m_device->count() == 0)
        m_whyNot = asSentence(text(snapshot.status.elsewhere));
    row(tr("Device"), m_device)->setVisible(m_device->count() > 1);
    m_device->setVisible(m_device->count() > 1);
    m_note->setObjectName(u"rerunNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setWordWrap(true);
    grid->addWidget(m_note, line++, 0, 1, 2);
    auto* apply = new QPushButton(tr("Measure"), this);
    apply->setObjectName(u"applyRerun"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, line, 1);
    m_apply = apply;
    const auto showOwn = [this, ownName] {
        const bool isOwn = m_shapes->currentData().toString() == ownShapes;
        m_own->setEnabled(isOwn);
        ownName->setEnabled(isOwn);
        if (isOwn)
            m_own->setFocus();
        judge();
    };
    connect(m_shapes, &QComboBox::currentIndexChanged, this, showOwn);
    connect(m_repeats, &QSpinBox::valueChanged, this, [this] { judge(); });
    connect(m_own, &QLineEdit::textChanged, this, [this] { judge(); });
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    showOwn();
    m_repeats->setFocus();
    m_repeats->selectAll();
}

void RerunEditor::offerOpponents(const RunState& run, CandidateId reference)
{
    m_against->addItem(run.incumbent == m_candidate ? tr("the seed (this is the best so far)")
                                                    : tr("the best so far, %1").arg(nameOfCandidate(run.incumbent)),
        qlonglong(0));
    constexpr CandidateId seed{1};
    // Beside whom it says, though another may be the best by the time.
    m_usual = run.incumbent != m_candidate ? run.incumbent : m_candidate != seed ? seed : CandidateId{};
    const Candidate* candidate = run.candidate(m_candidate);
    const auto offer = [&](const QString& name, CandidateId id) {
        const Candidate* other = run.candidate(id);
        if (!other || !other->isRanked() || !candidate || other->program == candidate->program
            || m_against->findData(qlonglong(id.value)) >= 0)
            return;
        m_against->addItem(name.arg(nameOfCandidate(id)), qlonglong(id.value));
    };
    offer(tr("the reference, %1"), reference);
    if (candidate)
        for (const CandidateId parent : candidate->parents)
            offer(tr("its parent, %1"), parent);
    offer(tr("the seed, %1"), seed);
    for (const auto& [id, held] : run.marks)
        if (run.marksOf(id).starred)
            offer(tr("%1, starred"), id);
}

void RerunEditor::offerShapes(const Task& task)
{
    m_shapes->addItem(tr("all of the task"), QString());
    m_shapes->addItem(tr("train shapes"), u"train"_s);
    if (!task.heldout.empty() && m_isConfirmed)
        m_shapes->addItem(tr("held-out shapes"), u"heldout"_s);
    for (const tilewright::Shape& shape : task.train)
        m_shapes->addItem(text(shapeText(shape)), text(shapeText(shape)));
    if (m_isConfirmed)
        for (const tilewright::Shape& shape : task.heldout)
            m_shapes->addItem(tr("%1, held out").arg(text(shapeText(shape))), text(shapeText(shape)));
    m_shapes->addItem(tr("custom sizes"), ownShapes);
}

void RerunEditor::offerDevices(const Snapshot& snapshot)
{
    int gpus = 0;
    for (const DeviceStatus& status : snapshot.status.devices) {
        const bool isGpu = status.device.id.starts_with("GPU-");
        const QString id = isGpu ? u"cuda:%1"_s.arg(gpus++) : u"cpu"_s;
        // Another one by the session's name for its own: what it measured would be taken for that one's.
        if (!snapshot.status.elsewhere.empty() && status.device.id == snapshot.run.device)
            continue;
        if (m_pack && isGpu == (m_pack->task.target == Target::Cuda))
            m_device->addItem(status.measures ? tr("%1, this run's (%2)").arg(text(status.device.name), id)
                                              : tr("%1 (%2)").arg(text(status.device.name), id),
                status.measures ? QString() : text(status.device.id));
    }
    m_device->setCurrentIndex(std::max(0, m_device->findData(QString())));
}

QString RerunEditor::shapeWords() const
{
    const QString chosen = m_shapes->currentData().toString();
    return chosen == ownShapes ? m_own->text().trimmed() : chosen;
}

void RerunEditor::judge()
{
    const bool isOwn = m_shapes->currentData().toString() == ownShapes;
    const auto sight = m_isConfirmed ? HeldoutSight::Shown : HeldoutSight::Hidden;
    Result<std::vector<tilewright::Shape>> shapes; // QFrame has a Shape of its own
    if (m_pack)
        shapes = chosenShapes(m_pack->task, shapeWords().toStdString(), sight);
    const bool isEmpty = isOwn && shapeWords().isEmpty();
    QString words = tr("Adds a result beside the first verdict; score and search do not change.");
    if (!shapes)
        words = tr("%1: %2").arg(text(shapes.error().text), text(shapes.error().hint));
    const QString wrong = wrongNumberIn(*this);
    const bool isPossible = m_whyNot.isEmpty();
    restyle(m_note, "tone", isPossible && wrong.isEmpty() && (shapes || isEmpty) ? u"secondary"_s : u"bad"_s);
    m_note->setText(!isPossible ? m_whyNot : wrong.isEmpty() ? words : wrong);
    m_apply->setEnabled(isPossible && wrong.isEmpty() && shapes.has_value() && !isEmpty);
    adjustSize();
    m_note->setMinimumHeight(m_note->heightForWidth(std::max(m_note->width(), 1)));
    adjustSize();
}

void RerunEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    const CandidateId against{m_against->currentData().toLongLong()};
    Q_EMIT accepted(commands::Rerun{m_candidate, m_repeats->value(), against ? against : m_usual,
        shapeWords().toStdString(), m_device->currentData().toString().toStdString()});
    close();
}

} // namespace tilewright::ui
