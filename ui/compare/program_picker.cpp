// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/program_picker.h"

#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int mostShown = 200; ///< rows; the search finds the others
}

ProgramPicker::ProgramPicker(const QString& accessibleName, std::vector<Row> rows, QWidget* parent)
    : EditPopup(parent)
    , m_rows(std::move(rows))
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setObjectName(u"programPicker"_s);
    setAccessibleName(accessibleName);
    m_search->setObjectName(u"pickerSearch"_s);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search"));
    m_search->installEventFilter(this);
    m_list->setObjectName(u"pickerList"_s);
    m_list->setAccessibleName(accessibleName);
    m_list->setMinimumSize(px(320), px(240));
    m_list->setFont(fontOf(Type::Mono));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(10), px(10), px(10), px(10));
    column->setSpacing(px(8));
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &ProgramPicker::fill);
    connect(m_list, &QListWidget::itemClicked, this, [this] { accept(); });
    fill();
    setFocusProxy(m_search);
    m_search->setFocus();
}

void ProgramPicker::fill()
{
    m_list->clear();
    const QString wanted = m_search->text().trimmed();
    for (std::size_t i = 0; i < m_rows.size() && m_list->count() < mostShown; ++i) {
        const Row& row = m_rows[i];
        const QString words = row.detail.isEmpty() ? row.name : u"%1  %2"_s.arg(row.name, row.detail);
        if (!wanted.isEmpty() && !words.contains(wanted, Qt::CaseInsensitive))
            continue;
        auto* item = new QListWidgetItem(row.sign, words, m_list);
        item->setToolTip(words);
        item->setData(Qt::UserRole, static_cast<int>(i));
    }
    m_list->setCurrentRow(0);
}

/// Arrows in the line lead through the list.
bool ProgramPicker::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (by != 0) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, std::max(m_list->count() - 1, 0)));
            return true;
        }
    }
    return EditPopup::eventFilter(watched, event);
}

void ProgramPicker::accept()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    const auto pick = m_rows[static_cast<std::size_t>(item->data(Qt::UserRole).toInt())].pick;
    close();
    pick();
}

} // namespace tilewright::ui
