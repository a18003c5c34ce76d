// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/leaf_box.h"

#include "core/engine/measuring/tile_sweeper.h"
#include "core/pack/scheme_task.h"
#include "ui/models/display_text.h"

#include <QSignalBlocker>
#include <algorithm>

namespace tilewright::ui {

LeafBox::LeafBox(SessionClient& session, QWidget* parent)
    : QComboBox(parent)
    , m_session(session)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(20);
    setToolTip(tr("The program that multiplies the blocks"));
    connect(this, &QComboBox::currentIndexChanged, this, &LeafBox::leafChanged);
    connect(this, &QComboBox::activated, this, [this] { m_isChosen = true; });
    connect(&m_session, &SessionClient::textReady, this, [this](quint64 tag, const QString& program) {
        if (m_asked == 0 || tag != m_asked)
            return;
        m_asked = 0;
        m_bestText = program.toStdString();
        fill();
    });
    lookAtSession();
    fill();
}

void LeafBox::setTask(const Task* task)
{
    const std::string name = task ? task->name : std::string();
    if (name == m_task)
        return;
    m_task = name;
    m_blocks = task ? tileProgram(*task).value_or(std::string()) : std::string();
    fill();
}

void LeafBox::lookAtSession()
{
    const Snapshot& now = m_session.snapshot();
    const Candidate* best = now.pack && m_session.isOpen() ? now.run.best() : nullptr;
    if (best && !checkSchemeOrigin(now.pack->task))
        best = nullptr;
    if (best && best->source == m_bestSource && now.pack->task.name == m_bestTask)
        return;
    if (!best && m_bestTask.empty())
        return;
    m_best = best ? best->id : CandidateId{};
    m_bestTask = best ? now.pack->task.name : std::string();
    m_bestSource = best ? best->source : Hash{};
    m_bestText.clear();
    m_asked = best ? m_session.readText(best->source) : 0;
    fill();
}

void LeafBox::fill()
{
    const SchemeLeaf before = leaf();
    const QVariant kindBefore = currentData();
    {
        const QSignalBlocker quiet(this);
        clear();
        if (m_task == m_bestTask && !m_bestText.empty())
            addItem(tr("%1, best of the session").arg(nameOfCandidate(m_best)), int(Kind::Best));
        if (!m_blocks.empty())
            addItem(tr("tiling explorer's program"), int(Kind::Blocks));
        addItem(tr("plain loop"), int(Kind::Loop));
        setCurrentIndex(std::max(0, m_isChosen ? findData(kindBefore) : 0)); // the fastest is the first
    }
    if (leaf() != before)
        Q_EMIT leafChanged();
}

SchemeLeaf LeafBox::leaf() const
{
    switch (static_cast<Kind>(currentData().toInt())) {
    case Kind::Best:
        return {m_bestText, nameOfCandidate(m_best).toStdString()};
    case Kind::Blocks:
        return {m_blocks, "the tiling explorer's program"};
    case Kind::Loop:
        break;
    }
    return {{}, "a plain loop"};
}

} // namespace tilewright::ui
