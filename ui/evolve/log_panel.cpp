// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/log_panel.h"

#include "ui/conversation/conversation_view.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
const QString keptAs = u"log"_s, wordsKey = u"words"_s, kindKey = u"kind"_s;
}

LogPanel::LogPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new Table(this))
    , m_words(new QLineEdit(this))
    , m_kind(new QComboBox(this))
    , m_count(new QLabel(this))
    , m_all(new QPushButton(tr("Show all"), this))
{
    m_filter.setSourceModel(&m_model);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(filterLine());
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    m_table->setObjectName(u"logTable"_s);
    m_table->setAccessibleName(tr("Event log"));
    m_table->setModel(&m_filter);
    m_table->setColumnWidth(static_cast<int>(LogModel::Column::Time), px(104));
    m_table->setColumnWidth(static_cast<int>(LogModel::Column::Candidate), px(90));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setRowHeight(px(24));
    connect(m_table, &Table::clicked, this, [this](const QModelIndex& index) {
        if (const CandidateId id = m_model.candidateAt(rowOf(index)))
            m_context.selection.select(id);
    });
    connect(m_table, &Table::activated, this, [this](const QModelIndex& index) {
        if (const CandidateId id = m_model.candidateAt(rowOf(index)))
            m_context.selection.select(id);
        else if (const ProposalId proposal = m_model.proposalAt(rowOf(index)))
            (new ConversationWindow(m_context, proposal, this))->show();
    });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    connect(&context.session, &SessionClient::replaced, this, &LogPanel::recall);
    connect(m_words, &QLineEdit::textChanged, this, [this] { filter(); });
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] { filter(); });
    refresh();
}

QWidget* LogPanel::filterLine()
{
    auto* line = new QFrame(this);
    line->setProperty("role", u"panel"_s);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(px(8), px(3), px(8), px(3));
    m_words->setObjectName(u"logFilter"_s);
    m_words->setPlaceholderText(tr("Words in the line (Ctrl+F)"));
    m_words->setAccessibleName(tr("Show the events that contain these words"));
    m_words->setClearButtonEnabled(true);
    m_words->setMinimumWidth(px(120));
    m_words->installEventFilter(this);
    m_kind->setObjectName(u"logKind"_s);
    m_kind->setAccessibleName(tr("Kind of event"));
    m_kind->addItems({tr("All events"), tr("Improvements"), tr("Warnings and errors")});
    m_count->setObjectName(u"logCount"_s);
    m_count->setFont(fontOf(Type::Secondary));
    m_all->setObjectName(u"logShowAll"_s);
    m_all->setProperty("kind", u"small"_s);
    m_all->setToolTip(tr("Clear the filter"));
    connect(m_all, &QPushButton::clicked, this, [this] { showAll(); });
    row->addWidget(m_words, 1);
    row->addWidget(m_kind);
    row->addWidget(m_count);
    row->addWidget(m_all);
    return line;
}

void LogPanel::find()
{
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
}

/// Escape empties the line, and leaves it where it is empty already; Return goes on to the rows.
bool LogPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_words || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape && !m_words->text().isEmpty())
        m_words->clear();
    else if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
        m_table->setFocus();
    else
        return false;
    return true;
}

/// The filter belongs to the session: another one's would hide what nobody looks for.
void LogPanel::recall()
{
    const QString path = m_context.session.isOpen() ? text(m_context.session.snapshot().status.sessionPath) : QString();
    if (!path.isEmpty() && path == m_filterOf)
        return; // the same was read to its end
    m_filterOf = path;
    const QByteArray kept = path.isEmpty() ? QByteArray() : m_context.settings.layout(layoutOf(keptAs, path));
    const QJsonObject look = QJsonDocument::fromJson(kept).object();
    const QSignalBlocker words(m_words), kind(m_kind);
    m_words->setText(look[wordsKey].toString());
    m_kind->setCurrentIndex(std::clamp(look[kindKey].toInt(), 0, m_kind->count() - 1));
    take();
}

void LogPanel::filter()
{
    const QJsonObject kept{{wordsKey, m_words->text()}, {kindKey, m_kind->currentIndex()}};
    if (!m_filterOf.isEmpty())
        m_context.settings.setLayout(layoutOf(keptAs, m_filterOf), QJsonDocument(kept).toJson(QJsonDocument::Compact));
    take();
}

void LogPanel::take()
{
    m_filter.setWords(m_words->text());
    m_filter.setKind(static_cast<LogFilter::Kind>(m_kind->currentIndex()));
    if (m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
    else
        m_table->scrollToBottom();
    sayHowMany();
}

void LogPanel::showAll()
{
    m_words->clear();
    m_kind->setCurrentIndex(0);
}

void LogPanel::sayHowMany()
{
    const int all = m_model.rowCount();
    const bool isFiltered = m_filter.isFiltered();
    m_count->setText(isFiltered ? tr("%1 of %2").arg(matching()).arg(all) : QString());
    m_count->setVisible(isFiltered);
    if (!isFiltered && m_all->hasFocus())
        m_words->setFocus();
    m_all->setVisible(isFiltered);
    m_table->setNothing(!isFiltered || matching() > 0 || all == 0
            ? QString()
            : tr("None of %1 matches the filter.").arg(counted(all, tr("%1 event"), tr("%1 events"))));
    Q_EMIT filtered();
}

void LogPanel::goTo(int row)
{
    m_follow.now(); // the newest lines may not be shown yet
    const QModelIndex line = m_model.index(row, static_cast<int>(LogModel::Column::Text));
    if (!line.isValid())
        return;
    if (!m_filter.mapFromSource(line).isValid())
        showAll();
    const QModelIndex index = m_filter.mapFromSource(line);
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void LogPanel::refresh()
{
    const QScrollBar* bar = m_table->verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - px(4);
    m_model.show(m_context.session.pointer());
    if (atEnd)
        m_table->scrollToBottom();
    sayHowMany();
}

} // namespace tilewright::ui
