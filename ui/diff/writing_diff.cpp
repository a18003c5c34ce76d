// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/writing_diff.h"

#include "core/patch/guards.h"
#include "ui/diff/written_lines.h"
#include "ui/theme/theme.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"

#include <QGridLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds rest{200}; ///< without a key

/// 1-based; 1 where none differs.
int firstDifference(const QString& text, const QString& other)
{
    const QStringList lines = text.split(u'\n'), others = other.split(u'\n');
    const auto at = std::ranges::mismatch(lines, others).in1;
    if (at == lines.end() && lines.size() == others.size())
        return 1;
    return static_cast<int>(at - lines.begin()) + 1;
}

/// 1-based; 1 where nothing may.
int firstThatMayChange(const QString& program)
{
    const std::string text = program.toStdString();
    const std::vector<EvolveBlock> blocks = patch::blocksIn(text);
    return blocks.empty() ? 1 : static_cast<int>(blocks.front().firstLine) + 1;
}

} // namespace

QString WritingDiff::whyRefused()
{
    return tr("Shaded lines are read-only: only text between the EVOLVE-BLOCK markers can be changed.");
}

WritingDiff::WritingDiff(QWidget* parent)
    : QWidget(parent)
    , m_beforeTitle(new ElidedLabel({}, this))
    , m_afterTitle(new ElidedLabel({}, this))
    , m_left(new CodeView(CodeView::Kind::Diff, this))
    , m_right(new NumberedEditor(this))
    , m_overview(new ChangeOverview(this))
{
    auto* columns = new QGridLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setHorizontalSpacing(1);
    columns->setVerticalSpacing(0);
    for (int column = 0; column < 2; ++column)
        columns->setColumnStretch(column, 1);
    columns->addWidget(m_beforeTitle, 0, 0);
    columns->addWidget(m_afterTitle, 0, 1);
    columns->addWidget(new FindLine(*m_left, this), 1, 0); // beside it the other column moves down as well
    columns->addWidget(new FindLine(*m_right, this), 1, 1);
    columns->addWidget(m_left, 2, 0);
    columns->addWidget(m_right, 2, 1);
    columns->addWidget(m_overview, 0, 2, 3, 1);
    columns->setRowStretch(2, 1);
    for (ElidedLabel* title : {m_beforeTitle, m_afterTitle}) {
        title->setFont(fontOf(Type::Secondary));
        title->setProperty("tone", u"secondary"_s);
        title->setContentsMargins(px(12), 0, px(8), 0);
        title->setFixedHeight(px(26));
    }
    m_left->setObjectName(u"writtenBefore"_s);
    m_left->setAccessibleName(tr("Parent"));
    m_left->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_right->setLineWrapMode(QPlainTextEdit::NoWrap);
    for (FoldingEdit* side : std::initializer_list<FoldingEdit*>{m_left, m_right}) {
        side->setHanging(true);
        side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // equal heights, whichever has the longer lines
    }
    connect(m_left, &CodeView::unfolded, this, [this](int row) {
        m_right->unfold(lineAt(row));
        place();
        showOverview();
    });
    connect(m_right, &NumberedEditor::unfolded, this, [this](int line) {
        if (static_cast<std::size_t>(line) < m_shown.rows.size())
            m_left->unfold(m_shown.rows[static_cast<std::size_t>(line)]);
        place();
        followRight();
        showOverview();
    });
    connect(m_left->horizontalScrollBar(), &QScrollBar::valueChanged, m_right->horizontalScrollBar(),
        &QScrollBar::setValue);
    connect(m_right->horizontalScrollBar(), &QScrollBar::valueChanged, m_left->horizontalScrollBar(),
        &QScrollBar::setValue);
    connect(m_right, &FoldingEdit::scrolled, this, &WritingDiff::followRight);
    connect(m_left, &FoldingEdit::scrolled, this, &WritingDiff::followLeft);
    connect(m_left, &FoldingEdit::scrolled, this, &WritingDiff::showView);
    connect(m_left->verticalScrollBar(), &QScrollBar::rangeChanged, this, &WritingDiff::showView);
    connect(m_overview, &ChangeOverview::rowChosen, this,
        [this](int row) { m_left->setTopRow(m_left->rowBelow(std::max(row - rowsAboveChange, 0))); });
    connect(m_right, &QPlainTextEdit::cursorPositionChanged, this, &WritingDiff::noteCurrent);
    connect(m_right, &NumberedEditor::edited, this, [this] { m_step = 0; }); // the cursor is wanted where it is
    m_rest.setSingleShot(true);
    m_rest.setInterval(rest);
    connect(&m_rest, &QTimer::timeout, this, &WritingDiff::compute);
    connect(m_right->document(), &QTextDocument::contentsChanged, &m_rest, qOverload<>(&QTimer::start));
}

void WritingDiff::setTitles(const QString& before, const QString& after)
{
    m_beforeTitle->setText(before);
    m_afterTitle->setText(after);
}

void WritingDiff::open(const QString& before, const QString& after)
{
    m_before = before;
    m_shown = {};
    m_step = 0;
    m_left->setNumbered(before);
    m_left->setTexts(before, before); // after it, which knows of no text before: removed lines have colours, too
    m_right->setLines({});
    m_right->setPlainText(after);
    // A draft from elsewhere may have other lines than the parent: those it keeps, or they are mended.
    m_right->setFence([before = before.toStdString(), opened = after.toStdString()](const QString& text) {
        const std::string now = text.toStdString();
        return patch::keepsProtectedLines(before, now) || patch::keepsProtectedLines(opened, now);
    });
    m_right->goToLine(after == before ? firstThatMayChange(before) : firstDifference(after, before));
    m_foldsNext = m_isFolded;
    compute();
}

void WritingDiff::setBefore(Beside beside)
{
    m_isBeside = beside == Beside::Shown;
    for (QWidget* each : std::initializer_list<QWidget*>{m_left, m_beforeTitle, m_afterTitle, m_overview})
        each->setVisible(m_isBeside);
    if (!m_isBeside)
        FindLine::of(*m_left)->hide();
    static_cast<QGridLayout*>(layout())->setColumnStretch(0, m_isBeside ? 1 : 0);
    place();
    fold();
}

void WritingDiff::setFolded(bool on)
{
    m_isFolded = on;
    fold();
}

void WritingDiff::setWhitespace(Whitespace whitespace)
{
    m_whitespace = whitespace;
    if (m_before.isEmpty())
        return;
    m_foldsNext = m_isFolded;
    compute();
}

void WritingDiff::find()
{
    FindLine::of(m_left->hasFocus() ? static_cast<const QPlainTextEdit&>(*m_left) : *m_right)->open();
}

/// A text alone is whole; beside the other one it is folded where both are equal.
void WritingDiff::fold()
{
    m_foldsNext = false;
    m_right->setFolds(m_isBeside && m_isFolded ? m_shown.folds : std::vector<Fold>());
    foldLeft();
    m_right->centerCursor();
}

/// As the right side is folded, whatever was opened there.
void WritingDiff::foldLeft()
{
    std::vector<Fold> folds;
    for (Fold fold : m_right->folds())
        if (static_cast<std::size_t>(fold.first + fold.rows) <= m_shown.rows.size()) {
            fold.first = m_shown.rows[static_cast<std::size_t>(fold.first)];
            folds.push_back(fold);
        }
    m_left->setFolds(folds);
    if (m_isWrapped) // other rows are seen
        place();
    followRight();
    showOverview();
}

void WritingDiff::showOverview()
{
    m_overview->setRows(seenMarks(*m_left), seenMarks(*m_left, writtenMarks(m_shown)));
    showView();
}

void WritingDiff::showView()
{
    const auto [above, seen] = m_left->rowsOnScreen();
    m_overview->setView(above, seen);
}

/// Filler lines on the right; where lines are wrapped, on whichever side takes fewer rows.
void WritingDiff::place()
{
    RoomBeside room;
    if (m_isBeside && m_isWrapped)
        room = roomBeside(m_shown, m_left->heights(), m_right->heights());
    else if (m_isBeside)
        room.after = m_shown.roomBelow;
    m_left->setRoomBelow(room.before);
    m_right->setRoomBelow(room.after);
}

void WritingDiff::setLongLines(SplitDiff::LongLines longLines)
{
    m_isWrapped = longLines == SplitDiff::LongLines::Wrapped;
    for (QPlainTextEdit* side : std::initializer_list<QPlainTextEdit*>{m_left, m_right}) {
        side->setLineWrapMode(m_isWrapped ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
        side->setHorizontalScrollBarPolicy(m_isWrapped ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
    }
    place();
    followRight();
}

void WritingDiff::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_isWrapped)
        return;
    place();
    followRight();
}

void WritingDiff::goToFirstChange()
{
    if (m_before != m_right->toPlainText())
        m_right->goToLine(firstDifference(m_right->toPlainText(), m_before));
}

void WritingDiff::goToChange(int step)
{
    m_step = step;
    if (m_rest.isActive())
        compute();
    if (m_taken == m_wanted)
        takeStep();
}

void WritingDiff::takeStep()
{
    const int step = std::exchange(m_step, 0), count = changes();
    if (step == 0 || count == 0)
        return;
    const int line = m_right->textCursor().blockNumber();
    const auto above = std::ranges::lower_bound(m_shown.changes, line) - m_shown.changes.begin();
    const int from = step > 0 ? current() : static_cast<int>(above);
    m_right->goToLine(m_shown.changes[static_cast<std::size_t>((from + step + count) % count)] + 1);
}

int WritingDiff::current() const
{
    const auto below = std::ranges::upper_bound(m_shown.changes, m_right->textCursor().blockNumber());
    return static_cast<int>(below - m_shown.changes.begin()) - 1;
}

void WritingDiff::noteCurrent()
{
    if (std::exchange(m_current, current()) != m_current)
        Q_EMIT moved();
}

void WritingDiff::compute()
{
    m_rest.stop();
    const quint64 id = ++m_wanted;
    doAside(
        this,
        [before = m_before.toStdString(), after = m_right->toPlainText().toStdString(), whitespace = m_whitespace] {
            return writtenLines(before, after, whitespace);
        },
        [this, id](WrittenLines lines) {
            if (id != m_wanted)
                return;
            m_taken = id;
            take(std::move(lines));
        });
}

void WritingDiff::take(WrittenLines lines)
{
    m_shown = std::move(lines);
    if (m_right->toPlainText().endsWith(u'\n'))
        m_shown.before.emplace_back(); // beside the empty line behind it, so that both sides end in the same row
    {
        const QScopedValueRollback ours(m_follows, true);
        const int across = m_right->horizontalScrollBar()->value();
        m_left->setLines(m_shown.before);
        m_left->horizontalScrollBar()->setValue(across);
    }
    m_right->setLines(m_shown.after);
    place();
    if (m_foldsNext)
        fold();
    else
        foldLeft();
    m_current = current();
    Q_EMIT marked();
    takeStep();
}

/// The written line that stands in this row of the left side, or the last one above it.
int WritingDiff::lineAt(int row) const
{
    const auto behind = std::ranges::upper_bound(m_shown.rows, row);
    return std::max(static_cast<int>(behind - m_shown.rows.begin()) - 1, 0);
}

void WritingDiff::followRight()
{
    if (m_follows || m_shown.rows.empty())
        return;
    const QScopedValueRollback ours(m_follows, true);
    const auto top = std::min(static_cast<std::size_t>(m_right->topRow()), m_shown.rows.size() - 1);
    m_left->setTopRow(m_shown.rows[top], m_right->topLine());
}

void WritingDiff::followLeft()
{
    if (m_follows || m_shown.rows.empty())
        return;
    const QScopedValueRollback ours(m_follows, true);
    m_right->setTopRow(lineAt(m_left->topRow()), m_left->topLine());
}

} // namespace tilewright::ui
