// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/prompt_preview_pane.h"

#include "core/prompt/template_files.h"
#include "core/prompt/template_use.h"
#include "ui/code/code_colours.h"
#include "ui/code/colouring.h"
#include "ui/models/display_text.h"
#include "ui/prompts/template_picker.h"
#include "ui/prompts/token_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

/// Tints stretches of a text, given by their place in the whole, and colours the headings and the code in it.
class SpanHighlighter : public QSyntaxHighlighter
{
public:
    explicit SpanHighlighter(QTextDocument* document)
        : QSyntaxHighlighter(document)
    {
        connect(&m_colours, &TextColours::changed, this, [this] { rehighlight(); });
    }

    void setText(const QString& text) { m_colours.ask(text, u"conversation"_s); }
    /// Of the text that is set next; (start, length) in UTF-16, ascending.
    void setSpans(std::vector<std::pair<int, int>> spans) { m_spans = std::move(spans); }

protected:
    void highlightBlock(const QString& line) override
    {
        const int from = currentBlock().position(), to = from + static_cast<int>(line.size());
        QTextCharFormat format;
        format.setBackground(tokens().selected);
        auto span
            = std::ranges::lower_bound(m_spans, from, {}, [](const auto& each) { return each.first + each.second; });
        for (; span != m_spans.end() && span->first < to; ++span) {
            const int start = std::max(span->first, from), end = std::min(span->first + span->second, to);
            if (end > start)
                setFormat(start - from, end - start, format);
        }
        if (m_colours.spans())
            for (const CodeSpan& code : m_colours.spans()->ofLine(currentBlock().blockNumber()))
                colour(code, static_cast<int>(line.size()));
    }

private:
    /// Upon whatever ground the text has.
    void colour(const CodeSpan& code, int lineLength)
    {
        const int end = std::min(code.start + code.length, lineLength);
        for (int at = code.start; at < end;) {
            QTextCharFormat coloured = format(at);
            const QTextCharFormat before = coloured;
            int to = at + 1;
            while (to < end && format(to) == before)
                ++to;
            const bool isTinted = before.hasProperty(QTextFormat::BackgroundBrush);
            applyCodeStyle(coloured, tokens(), code.style, isTinted ? tokens().selected : tokens().panel);
            setFormat(at, to - at, coloured);
            at = to;
        }
    }

    TextColours m_colours;
    std::vector<std::pair<int, int>> m_spans;
};

namespace {

constexpr std::size_t mostParents = 12;

std::vector<std::pair<int, int>> placesOf(const std::string& utf8, const std::vector<FilledSpan>& spans)
{
    std::vector<std::pair<int, int>> places;
    std::size_t at = 0;
    int units = 0;
    for (const FilledSpan& span : spans) {
        units += static_cast<int>(QString::fromUtf8(utf8.data() + at, static_cast<qsizetype>(span.at - at)).size());
        const int length
            = static_cast<int>(QString::fromUtf8(utf8.data() + span.at, static_cast<qsizetype>(span.size)).size());
        if (length > 0)
            places.emplace_back(units, length);
        units += length;
        at = span.at + span.size;
    }
    return places;
}

/// How long it is, and how long it may be.
QString lengthWords(std::int64_t tokens, const PromptRoom& room, bool asksModels)
{
    const QString all = PromptPreviewPane::tr("≈ %1 tokens").arg(grouped(tokens));
    return room.tokens > 0 ? PromptPreviewPane::tr("%1 of at most %2").arg(all, grouped(room.tokens))
        : asksModels       ? PromptPreviewPane::tr("%1, limit unknown").arg(all)
                           : all;
}

QString dollars(double usd) { return u"$"_s + QString::number(usd, 'f', usd < 0.01 ? 4 : 2); }

/// Of the prompt, and of its reply where there were replies to such prompts.
QString costWords(double tokens, const PromptRoom& room, const std::optional<ReplyLength>& reply, bool asksModels)
{
    if (!room.usdPerToken)
        return asksModels ? PromptPreviewPane::tr("cost unknown") : QString();
    const QString sent = dollars(tokens * *room.usdPerToken);
    return reply && room.usdPerTokenWritten
        ? PromptPreviewPane::tr("≈ %1 + reply ≈ %2").arg(sent, dollars(reply->tokens * *room.usdPerTokenWritten))
        : PromptPreviewPane::tr("≈ %1 to send").arg(sent);
}

} // namespace

PromptPreviewPane::PromptPreviewPane(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Preview"), this))
    , m_parents(new QComboBox(this))
    , m_tokens(new ElidedLabel({}, this))
    , m_cost(new QLabel(this))
    , m_note(new ElidedLabel({}, this))
    , m_bar(new TokenBar(this))
    , m_parts(new Segments(tr("Part of the prompt"), {tr("User"), tr("System")}, this))
    , m_text(new QPlainTextEdit(this))
    , m_spans(new SpanHighlighter(m_text->document()))
{
    setProperty("role", u"panel"_s);
    setMinimumWidth(px(285));
    m_parents->setObjectName(u"previewParent"_s);
    m_parents->setAccessibleName(tr("Parent that the prompt is about"));
    m_parents->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_parents->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed); // whoever it is about can be read
    m_parts->setObjectName(u"previewParts"_s);
    m_title->addControl(m_parents);
    m_title->addControl(m_parts);

    auto* head = new QWidget(this);
    auto* rows = new QVBoxLayout(head);
    rows->setContentsMargins(px(12), px(10), px(12), px(8));
    rows->setSpacing(px(6));
    auto* figures = new QHBoxLayout;
    m_tokens->setObjectName(u"previewTokens"_s);
    m_tokens->setFont(fontOf(Type::Strong));
    m_cost->setObjectName(u"previewCost"_s);
    m_cost->setProperty("tone", u"secondary"_s);
    figures->addWidget(m_tokens);
    figures->addStretch(1);
    figures->addWidget(m_cost);
    m_note->setObjectName(u"previewNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setProperty("tone", u"secondary"_s);
    rows->addLayout(figures);
    rows->addWidget(m_bar);
    rows->addWidget(m_note);

    m_text->setObjectName(u"promptPreview"_s);
    m_text->setAccessibleName(tr("Preview of the prompt"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(fontOf(Type::Code));
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_text->document()->setDocumentMargin(px(12));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(withFindLine(*m_text, this), 1);

    connect(m_parts, &Segments::chosen, this, [this] { showText(); });
    connect(m_parents, &QComboBox::activated, this, [this] { Q_EMIT parentChosen(); });
    connect(&context.session, &SessionClient::changed, this, [this] { fillParents(); });
    connect(&context.selection, &SelectionContext::currentChanged, this, [this] {
        fillParents();
        Q_EMIT parentChosen();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_spans->rehighlight(); });
    fillParents();
}

CandidateId PromptPreviewPane::parent() const { return {m_parents->currentData().toLongLong()}; }

void PromptPreviewPane::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    fillParents();
}

void PromptPreviewPane::fillParents()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const RunState& run = m_context.session.run();
    std::vector<const Candidate*> ranked;
    for (const Candidate& candidate : run.candidates)
        if (candidate.isRanked() && candidate.score && !candidate.migrated)
            ranked.push_back(&candidate);
    const std::size_t shown = std::min(mostParents, ranked.size());
    std::ranges::partial_sort(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(shown), std::ranges::greater(),
        [](const Candidate* candidate) { return candidate->score->value; });
    std::vector<std::pair<QString, CandidateId>> entries{
        {run.best() ? tr("%1, best").arg(nameOfCandidate(run.incumbent)) : tr("best so far"), CandidateId{}}};
    if (const CandidateId chosen = m_context.selection.current(); run.candidate(chosen) && chosen != run.incumbent)
        entries.emplace_back(tr("%1, selected").arg(nameOfCandidate(chosen)), chosen);
    for (std::size_t i = 0; i < shown; ++i)
        if (ranked[i]->id != run.incumbent && ranked[i]->id != m_context.selection.current())
            entries.emplace_back(
                tr("%1, %2").arg(nameOfCandidate(ranked[i]->id), times(ranked[i]->score->value)), ranked[i]->id);
    bool same = m_parents->count() == static_cast<int>(entries.size());
    for (int i = 0; same && i < m_parents->count(); ++i)
        same = m_parents->itemText(i) == entries[static_cast<std::size_t>(i)].first;
    if (same)
        return;
    const QVariant kept = m_parents->currentData();
    m_parents->clear();
    for (const auto& [words, id] : entries)
        m_parents->addItem(words, QVariant::fromValue<qlonglong>(id.value));
    m_parents->setCurrentIndex(std::max(m_parents->findData(kept), 0));
}

bool PromptPreviewPane::hasKeyboard() const { return m_text->hasFocus(); }

void PromptPreviewPane::find() { FindLine::of(*m_text)->open(); }

void PromptPreviewPane::show(const PromptPreview& preview)
{
    const bool isThere = !m_preview.error && !m_preview.prompt.user.empty();
    if (preview.error && isThere) { // a mistake while one writes: what stood there stays, and is said to be old
        m_note->setText(tr("uses the text before the error shown in the editor"));
        m_note->setToolTip(text(preview.error->text));
        restyle(m_note, "tone", u"warning"_s);
        return;
    }
    m_note->setToolTip({});
    restyle(m_note, "tone", u"secondary"_s);
    m_preview = preview;
    const bool shown = !preview.error;
    m_bar->setVisible(shown);
    m_tokens->setVisible(shown);
    const bool asksModels = m_context.session.run().settings.proposer.starts_with("model");
    const auto reply = replyLengthOf(m_context.session.run(), preview.shownBy);
    m_cost->setText(shown ? costWords(preview.prompt.estimatedTokens, preview.room, reply, asksModels) : QString());
    m_cost->setToolTip(shown && reply && preview.room.usdPerTokenWritten
            ? tr("Reply length: average of %1 in this run. Prices: the most expensive model that may be used")
                  .arg(counted(reply->replies, tr("%1 reply to such a prompt"), tr("%1 replies to such prompts")))
            : QString());
    if (shown) {
        m_tokens->setText(lengthWords(preview.prompt.estimatedTokens, preview.room, asksModels));
        m_bar->show(preview.parts, preview.room.tokens);
        QStringList note;
        if (!preview.prompt.trimmed.empty()) {
            QStringList left;
            for (const std::string& words : preview.prompt.trimmed)
                left << text(words);
            note << tr("left out: %1").arg(left.join(u", "_s));
        }
        note << (preview.room.tokensPerByte > 0 ? tr("tokens estimated from earlier replies")
                : preview.room.model.empty() && !asksModels
                ? tr("no model is used: no limit, no cost") + u" · "_s + tr("tokens estimated")
                : preview.room.model.empty()
                ? tr("tokens estimated: no server has reported counts since this session was opened")
                : tr("tokens estimated: the server of %1 has reported no counts since this session was opened")
                      .arg(text(preview.room.model)));
        m_note->setText(note.join(u" · "_s));
    } else {
        m_note->setText({});
    }
    m_note->setVisible(shown);
    showText();
}

void PromptPreviewPane::showText()
{
    if (m_preview.error) {
        m_spans->setSpans({});
        m_spans->setText({});
        m_text->setPlainText(tr("No prompt available: %1").arg(text(m_preview.error->text)));
        return;
    }
    const bool system = m_parts->current() == 1;
    const std::string& whole = system ? m_preview.prompt.system : m_preview.prompt.user;
    m_spans->setSpans(placesOf(whole, system ? m_preview.prompt.systemSpans : m_preview.prompt.userSpans));
    const QString words = text(whole);
    m_spans->setText(words);
    if (words == m_text->toPlainText()) {
        m_spans->rehighlight();
        return;
    }
    const int place = m_text->verticalScrollBar()->value();
    m_text->setPlainText(words);
    m_text->verticalScrollBar()->setValue(place);
}

namespace {

constexpr int nameRole = Qt::UserRole + 1;
constexpr int meaningRole = Qt::UserRole + 2;
constexpr int tokensRole = Qt::UserRole + 3;

class PlaceholderDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {px(120), px(44)}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Tokens& t = tokens();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, t.selected);
        const QRectF inside = QRectF(option.rect).adjusted(px(12), px(4), -px(12), -px(4));
        const QRectF upper(inside.left(), inside.top(), inside.width(), px(18));
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.secondary);
        const QString count = index.data(tokensRole).toString();
        painter->drawText(upper, Qt::AlignRight | Qt::AlignVCenter, count);
        painter->setFont(fontOf(Type::Mono));
        const QString tag = index.data(Qt::DisplayRole).toString();
        const double wide = QFontMetricsF(painter->font()).horizontalAdvance(tag) + px(8);
        painter->setPen(QPen(t.border, 1));
        painter->setBrush(t.pill);
        painter->drawRoundedRect(
            QRectF(upper.left(), upper.top(), wide, upper.height()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter->setPen(t.accent);
        painter->drawText(upper.adjusted(px(4), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, tag);
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.text);
        drawElided(*painter, QRectF(inside.left(), upper.bottom(), inside.width(), px(18)),
            Qt::AlignLeft | Qt::AlignVCenter, index.data(meaningRole).toString());
        painter->restore();
    }
};

} // namespace

PlaceholderList::PlaceholderList(QWidget* parent)
    : QListView(parent)
{
    for (const Placeholder& placeholder : placeholders()) {
        auto* item = new QStandardItem(u"{{%1}}"_s.arg(text(placeholder.name)));
        item->setData(text(placeholder.name), nameRole);
        item->setData(text(placeholder.meaning), meaningRole);
        item->setToolTip(text(placeholder.meaning));
        item->setAccessibleText(u"%1: %2"_s.arg(text(placeholder.name), text(placeholder.meaning)));
        item->setEditable(false);
        m_rows.appendRow(item);
    }
    setModel(&m_rows);
    setItemDelegate(new PlaceholderDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListView::activated, this,
        [this](const QModelIndex& at) { Q_EMIT picked(at.data(nameRole).toString()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void PlaceholderList::setTokens(const std::vector<std::pair<std::string, int>>& parts)
{
    for (int row = 0; row < m_rows.rowCount(); ++row) {
        QStandardItem* item = m_rows.item(row);
        const std::string name = item->data(nameRole).toString().toStdString();
        const auto part = std::ranges::find(parts, name, [](const auto& each) { return each.first; });
        item->setData(part == parts.end() ? QString()
                : part->second == 0       ? tr("no value")
                                          : tr("≈ %1 tokens").arg(grouped(part->second)),
            tokensRole);
    }
}

} // namespace tilewright::ui
