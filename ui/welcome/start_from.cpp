// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/start_from.h"

#include "core/store/session_reader.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

StartFrom::StartFrom(QWidget* parent)
    : QWidget(parent)
    , m_box(new QComboBox(this))
    , m_remark(new QLabel(this))
{
    m_thread.setMaxThreadCount(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    auto* title = new QLabel(tr("Start from"), this);
    title->setFont(fontOf(Type::Strong));
    title->setBuddy(m_box);
    m_box->setObjectName(u"startFrom"_s);
    m_box->setAccessibleName(tr("Source of these choices"));
    m_box->setToolTip(tr("Copies the settings of an earlier session, without its candidates"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(16);
    m_remark->setObjectName(u"startFromRemark"_s);
    m_remark->setFont(fontOf(Type::Secondary));
    m_remark->setWordWrap(true);
    column->addWidget(title);
    column->addWidget(m_box);
    column->addWidget(m_remark);
    say({});
    offer({});
    connect(m_box, &QComboBox::activated, this, [this] { read(m_box->currentData().toString()); });
}

StartFrom::~StartFrom() { m_thread.waitForDone(); }

void StartFrom::offer(const QStringList& paths)
{
    const QString kept = m_box->currentData().toString();
    m_box->clear();
    m_box->addItem(tr("Defaults"), QString());
    for (const QString& path : paths) {
        m_box->addItem(QFileInfo(path).completeBaseName(), path);
        m_box->setItemData(m_box->count() - 1, path, Qt::ToolTipRole);
    }
    m_box->setCurrentIndex(std::max(0, m_box->findData(kept)));
    m_box->setEnabled(!paths.isEmpty());
}

void StartFrom::chooseDefaults()
{
    m_box->setCurrentIndex(0);
    read({});
}

void StartFrom::say(const QString& remark)
{
    restyle(m_remark, "tone", u"secondary"_s);
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
}

void StartFrom::read(const QString& path)
{
    m_wanted = path;
    say({});
    if (path.isEmpty()) {
        Q_EMIT chosen(std::nullopt);
        return;
    }
    say(tr("Reading…"));
    doAside(
        this, [path] { return readEarlierSession(path); },
        [this, path](const Result<EarlierSession>& session) {
            if (m_wanted != path)
                return; // another one was chosen meanwhile
            say({});
            if (session) {
                Q_EMIT chosen(*session);
                return;
            }
            say(asSentence(text(session.error().text)));
            restyle(m_remark, "tone", u"bad"_s);
        },
        m_thread);
}

EarlierSession earlierSessionOf(const RunState& run, const Task& task)
{
    EarlierSession session{run.settings, {}, {}, shapesOf(task)};
    for (const Island& island : run.islands) {
        if (island.id.value > run.settings.islands)
            continue;
        if (island.strategy != "evolve")
            session.strategies[island.id] = island.strategy;
        else if (island.steering != IslandSteering{})
            session.steering[island.id] = island.steering;
    }
    return session;
}

Result<EarlierSession> readEarlierSession(const QString& path)
{
    const auto reader = SessionReader::open(path.toStdString());
    const auto run = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = run ? (*reader)->pack(*run) : std::unexpected(run.error());
    if (!pack)
        return std::unexpected(pack.error());
    return earlierSessionOf(*run, pack->task);
}

} // namespace tilewright::ui
