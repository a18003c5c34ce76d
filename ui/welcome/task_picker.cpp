// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/task_picker.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"

#include <QLabel>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// "/…/kernels/mine/task.json: tolerance: unknown field — see …": file, field, reason, what to do.
QString reasonOf(const std::filesystem::path& folder, const Error& error)
{
    std::string file = "task.json";
    if (error.evidence.is_object() && error.evidence.contains("file") && error.evidence["file"].is_string())
        file = error.evidence["file"].get<std::string>();
    const QString whole = text((folder / file).string()), line = text(error.line());
    return line.contains(whole) ? line : u"%1: %2"_s.arg(whole, line);
}

} // namespace

TaskPicker::TaskPicker(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_note(new QLabel(tr("Looking for task packs…"), this))
{
    setAccessibleName(tr("Tasks"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(px(8));
    m_note->setWordWrap(true);
    m_note->setProperty("tone", u"secondary"_s);
    m_column->addWidget(m_note);
}

void TaskPicker::search()
{
    QtConcurrent::run([] {
        return std::make_shared<const Found>(findTaskPacks());
    }).then(this, [this](const std::shared_ptr<const Found>& found) { show(*found); });
}

void TaskPicker::show(const Found& found)
{
    for (ChoiceCard* card : findChildren<ChoiceCard*>())
        delete card;
    m_chosen.reset();
    for (const auto& [folder, pack] : found) {
        if (!pack) {
            auto* card = new ChoiceCard(text(folder.filename().string()), {}, u"warn"_s, this);
            card->setBroken(reasonOf(folder, pack.error()));
            m_column->addWidget(card);
            continue;
        }
        const auto shared = std::make_shared<const TaskPack>(*pack);
        const Task& task = shared->task;
        const bool cpu = task.target == Target::Cpp;
        QString about = text(task.operation);
        if (!task.vendor.empty())
            about += tr(", compared with %1").arg(text(task.vendor));
        auto* card = new ChoiceCard(
            text(task.title.empty() ? task.name : task.title), about, cpu ? u"cpu"_s : u"flask"_s, this);
        card->setObjectName(u"task:"_s + text(task.name));
        if (!cpu)
            card->setBroken(tr("needs a GPU node, which this version does not have"));
        m_column->addWidget(card);
        connect(card, &ChoiceCard::toggled, this, [this, shared](bool on) {
            if (!on)
                return;
            m_chosen = shared;
            Q_EMIT changed();
        });
        if (cpu && !m_chosen)
            card->setChecked(true);
    }
    m_note->setText(
        tr("No task pack was found. Packs are folders with a task.json in kernels/ or in the data folder."));
    m_note->setVisible(found.empty());
    Q_EMIT changed();
}

} // namespace tilewright::ui
