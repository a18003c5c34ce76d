// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/finder.h"

#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int candidateRole = Qt::UserRole, actionRole = Qt::UserRole + 1;
constexpr int mostFound = 40;
} // namespace

Finder::Finder(const Desk& desk, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_desk(desk)
    , m_box(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"finder"_s);
    setProperty("role", u"card"_s);
    resize(px(460), px(340));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(8), px(8), px(8), px(8));
    m_box->setPlaceholderText(tr("Candidate or action"));
    m_box->setAccessibleName(tr("Candidate or action"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_box);
    column->addWidget(m_list);
    m_box->installEventFilter(this);
    connect(m_box, &QLineEdit::textChanged, this, [this](const QString& typed) { fill(typed); });
    connect(m_box, &QLineEdit::returnPressed, this, [this] { accept(); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { accept(); });
    fill({});
    m_box->setFocus();
}

bool Finder::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void Finder::fill(const QString& typed)
{
    m_list->clear();
    const QString wanted = typed.trimmed();
    for (QAction* action : m_desk.actions.all()) {
        const QString name = action->text().remove(u'&');
        if (!action->isEnabled() || (!wanted.isEmpty() && !name.contains(wanted, Qt::CaseInsensitive))
            || (wanted.isEmpty() && m_list->count() > 8))
            continue;
        auto* item = new QListWidgetItem(
            action->icon().isNull() ? icon(u"forward"_s, Tint::Secondary) : action->icon(), name, m_list);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            item->setText(u"%1   %2"_s.arg(name, keys));
        item->setData(actionRole, action->objectName());
    }
    if (!wanted.isEmpty())
        for (const Candidate& candidate : m_desk.session.run().candidates) {
            if (m_list->count() >= mostFound)
                break;
            const QString name = nameOfCandidate(candidate.id);
            if (!name.contains(wanted, Qt::CaseInsensitive))
                continue;
            auto* item = new QListWidgetItem(icon(u"fork"_s, Tint::Secondary),
                u"%1   %2   %3"_s.arg(name, text(islandLetter(candidate.island)),
                    candidate.isRanked() ? times(candidate.score) : stateWords(candidate)),
                m_list);
            item->setData(candidateRole, QVariant::fromValue<qlonglong>(candidate.id.value));
        }
    if (m_list->count() == 0) {
        auto* nothing = new QListWidgetItem(tr("Nothing found for “%1”").arg(wanted), m_list);
        nothing->setFlags(Qt::NoItemFlags);
        return;
    }
    m_list->setCurrentRow(0);
}

void Finder::accept()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const qlonglong candidate = item->data(candidateRole).toLongLong();
    QAction* action = m_desk.actions.find(item->data(actionRole).toString());
    close();
    if (candidate)
        m_desk.selection.select(CandidateId{candidate});
    else if (action)
        action->trigger();
}

} // namespace tilewright::ui
