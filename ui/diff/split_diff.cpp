// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/split_diff.h"

#include "ui/diff/diff_lines.h"
#include "ui/diff/written_lines.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBlock>
#include <algorithm>
#include <chrono>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// One side of the overview.
std::vector<CodeLine::Mark> without(CodeLine::Mark others, std::vector<CodeLine::Mark> marks)
{
    std::ranges::replace(marks, others, CodeLine::Mark::Plain);
    return marks;
}

std::vector<int> changesOf(const std::vector<CodeLine>& lines)
{
    const auto isChange
        = [](CodeLine::Mark mark) { return mark == CodeLine::Mark::Added || mark == CodeLine::Mark::Removed; };
    std::vector<int> rows;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (isChange(lines[i].mark) && (i == 0 || !isChange(lines[i - 1].mark)))
            rows.push_back(static_cast<int>(i));
    return rows;
}

} // namespace

SplitDiff::SplitDiff(QWidget* parent)
    : QWidget(parent)
    , m_forms(new QStackedWidget(this))
    , m_beforeTitle(new ElidedLabel({}, this))
    , m_afterTitle(new ElidedLabel({}, this))
    , m_left(new CodeView(CodeView::Kind::Diff, this))
    , m_right(new CodeView(CodeView::Kind::Diff, this))
    , m_unified(new CodeView(CodeView::Kind::Diff, this))
    , m_overview(new ChangeOverview(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_forms, 1);
    row->addWidget(m_overview);
    auto* pair = new QWidget(this);
    auto* columns = new QGridLayout(pair);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setHorizontalSpacing(1);
    columns->setVerticalSpacing(0);
    columns->setColumnStretch(0, 1);
    columns->setColumnStretch(1, 1);
    columns->addWidget(m_beforeTitle, 0, 0);
    columns->addWidget(m_afterTitle, 0, 1);
    columns->addWidget(new FindLine(*m_left, pair), 1, 0); // beside it the other column moves down as well
    columns->addWidget(new FindLine(*m_right, pair), 1, 1);
    columns->addWidget(m_left, 2, 0);
    columns->addWidget(m_right, 2, 1);
    columns->setRowStretch(2, 1);
    for (ElidedLabel* title : {m_beforeTitle, m_afterTitle}) {
        title->setFont(fontOf(Type::Secondary));
        title->setProperty("tone", u"secondary"_s);
        title->setContentsMargins(px(12), 0, px(8), 0);
        title->setFixedHeight(px(26));
    }
    m_forms->addWidget(pair);
    m_forms->addWidget(withFindLine(*m_unified, this));
    m_left->setObjectName(u"diffBefore"_s);
    m_right->setObjectName(u"diffAfter"_s);
    m_unified->setObjectName(u"diffUnified"_s);
    m_left->setAccessibleName(tr("Parent"));
    m_right->setAccessibleName(tr("Proposal"));
    m_unified->setAccessibleName(tr("Unified diff"));
    m_left->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (CodeView* view : {m_left, m_right})
        view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // equal heights, whichever has the longer lines
    const auto together = [](QScrollBar* one, QScrollBar* other) {
        connect(one, &QScrollBar::valueChanged, other, &QScrollBar::setValue);
        connect(other, &QScrollBar::valueChanged, one, &QScrollBar::setValue);
    };
    connect(m_left, &CodeView::unfolded, this, [this](int at) {
        m_right->unfold(at);
        showOverview();
    });
    connect(m_right, &CodeView::unfolded, this, [this](int at) {
        m_left->unfold(at);
        showOverview();
    });
    connect(m_unified, &CodeView::unfolded, this, &SplitDiff::showOverview);
    connect(m_left, &FoldingEdit::scrolled, m_right->verticalScrollBar(), &QScrollBar::setValue);
    connect(m_right, &FoldingEdit::scrolled, m_left->verticalScrollBar(), &QScrollBar::setValue);
    together(m_left->horizontalScrollBar(), m_right->horizontalScrollBar());
    for (CodeView* view : {m_right, m_unified}) {
        connect(view, &FoldingEdit::scrolled, this, &SplitDiff::follow);
        connect(view->verticalScrollBar(), &QScrollBar::rangeChanged, this, &SplitDiff::follow);
    }
    m_resized.setSingleShot(true);
    m_resized.setInterval(std::chrono::milliseconds(60)); // not at each step of a drag
    connect(&m_resized, &QTimer::timeout, this, [this] {
        if (!fits())
            layOut();
    });
    connect(m_overview, &ChangeOverview::rowChosen, this, [this](int at) { scrollTo(at); });
}

void SplitDiff::find() { FindLine::of(isUnified() ? *m_unified : m_left->hasFocus() ? *m_left : *m_right)->open(); }

void SplitDiff::setTitles(const QString& before, const QString& after)
{
    m_beforeTitle->setText(before);
    m_afterTitle->setText(after);
}

void SplitDiff::setNote(const QString& note)
{
    ++m_wanted;
    m_made = m_shown = {};
    m_madeUnified = m_shownUnified = {};
    m_unifiedChanges.clear();
    m_current = -1;
    m_overview->setRows({}, {});
    m_left->setNote({});
    m_right->setNote(note);
    m_unified->setNote(note);
    Q_EMIT moved();
}

void SplitDiff::setLanguage(const QString& language)
{
    for (CodeView* view : {m_left, m_right, m_unified})
        view->setLanguage(language);
}

void SplitDiff::show(const QString& before, const QString& after)
{
    m_before = before;
    m_after = after;
    compute();
}

void SplitDiff::setForm(Form form)
{
    m_forms->setCurrentIndex(form == Form::Unified ? 1 : 0);
    layOut();
    m_resized.start(); // what comes to the front may get another width than it had
}

void SplitDiff::setLongLines(LongLines longLines)
{
    m_longLines = longLines;
    const bool isWrapped = longLines == LongLines::Wrapped;
    for (CodeView* view : {m_left, m_right}) // equal heights, whichever has the longer lines
        view->setHorizontalScrollBarPolicy(isWrapped ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
    m_unified->setHorizontalScrollBarPolicy(isWrapped ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    layOut();
}

void SplitDiff::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_resized.start();
}

void SplitDiff::setUnchanged(Unchanged unchanged)
{
    m_unchanged = unchanged;
    if (m_made.changes.empty())
        return;
    fold();
    goToChange(0);
}

void SplitDiff::setWhitespace(Whitespace whitespace)
{
    m_whitespace = whitespace;
    compute();
}

void SplitDiff::compute()
{
    if (m_before.isEmpty() && m_after.isEmpty())
        return;
    using Both = std::pair<SideBySide, UnifiedDiff>;
    const quint64 id = ++m_wanted;
    doAside(
        this,
        [before = m_before.toStdString(), after = m_after.toStdString(), whitespace = m_whitespace]() -> Both {
            const AlignedTexts texts(before, after, whitespace);
            return {sideBySide(texts), unifiedDiff(texts)};
        },
        [this, id](Both both) {
            if (id == m_wanted)
                take(std::move(both.first), std::move(both.second));
        },
        awaitedThreads());
}

void SplitDiff::take(SideBySide lines, UnifiedDiff unified)
{
    m_made = std::move(lines);
    m_madeUnified = std::move(unified);
    if (m_made.changes.empty()) {
        const QString note
            = m_whitespace == Whitespace::Ignored ? tr("Only whitespace differs.") : tr("The texts are identical.");
        m_shown = {};
        m_left->setNote({});
        m_right->setNote(note);
        m_unified->setNote(note);
        m_overview->setRows({}, {});
        m_current = -1;
    } else {
        m_left->setTexts(m_before, m_before);
        m_right->setTexts(m_before, m_after);
        m_unified->setTexts(m_before, m_after);
        m_current = 0;
        layOut();
    }
    Q_EMIT moved();
}

int SplitDiff::changes() const
{
    return static_cast<int>(isUnified() && !m_made.changes.empty() ? m_unifiedChanges.size() : m_made.changes.size());
}

bool SplitDiff::isUnified() const { return m_forms->currentIndex() == 1; }

/// Of the form that is shown.
int SplitDiff::room() const
{
    return isUnified() ? m_unified->columns() : std::min(m_left->columns(), m_right->columns());
}

bool SplitDiff::fits() const { return m_longLines != LongLines::Wrapped || m_room == room(); }

void SplitDiff::layOut()
{
    if (m_made.changes.empty())
        return;
    makeRows();
    if (!fits()) // the numbers and the scroll bar beside the rows took some of the room
        makeRows();
    goToChange(0);
}

/// Of the form that is shown alone: rows are what takes long with a long program.
void SplitDiff::makeRows()
{
    const bool isWrapped = m_longLines == LongLines::Wrapped;
    m_room = room();
    if (isUnified()) {
        m_shownUnified = isWrapped ? wrapped(m_madeUnified, m_room) : m_madeUnified;
        m_unifiedChanges = changesOf(m_shownUnified.lines);
        m_unified->setLines(m_shownUnified.lines);
    } else {
        m_shown = isWrapped ? wrapped(m_made, m_room) : m_made;
        m_left->setLines(m_shown.left);
        m_right->setLines(m_shown.right);
    }
    fold();
}

void SplitDiff::fold()
{
    const bool isFolded = m_unchanged == Unchanged::Folded;
    const std::vector<Fold> none;
    m_left->setFolds(isFolded ? m_shown.folds : none);
    m_right->setFolds(isFolded ? m_shown.folds : none);
    m_unified->setFolds(isFolded ? m_shownUnified.folds : none);
    showOverview();
}

void SplitDiff::showOverview()
{
    if (isUnified()) {
        const std::vector<CodeLine::Mark> all = seenMarks(*m_unified);
        m_overview->setRows(without(CodeLine::Mark::Added, all), without(CodeLine::Mark::Removed, all));
    } else {
        m_overview->setRows(seenMarks(*m_left), seenMarks(*m_right));
    }
    follow();
}

void SplitDiff::goToChange(int step)
{
    if (m_made.changes.empty())
        return;
    m_current = (m_current + step + changes()) % changes();
    const auto at = static_cast<std::size_t>(m_current);
    const auto seen
        = [](const CodeView& view, int row) { return view.document()->findBlockByNumber(row).firstLineNumber(); };
    if (!isUnified())
        scrollTo(seen(*m_right, m_shown.changes[at]));
    else if (at < m_unifiedChanges.size())
        scrollTo(seen(*m_unified, m_unifiedChanges[at]));
    Q_EMIT moved();
}

/// To a row, counted among those that are seen.
void SplitDiff::scrollTo(int row)
{
    (isUnified() ? m_unified : m_right)->verticalScrollBar()->setValue(std::max(row - rowsAboveChange, 0));
    follow();
}

void SplitDiff::follow()
{
    const QScrollBar& bar = *(isUnified() ? m_unified : m_right)->verticalScrollBar();
    m_overview->setView(bar.value(), bar.pageStep());
}

} // namespace tilewright::ui
