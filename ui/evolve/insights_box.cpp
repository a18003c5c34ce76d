// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/insights_box.h"

#include "core/engine/session/undo_history.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* person = "person";
const QString draftPlace = u"insights"_s;

/// As high as whole lines of its text are.
class WholeLines : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        const int line = QFontMetrics(fontOf(Type::Secondary)).lineSpacing();
        verticalScrollBar()->setSingleStep(line);
        if (const QMargins rest(0, 0, 0, contentsRect().height() % line); rest != viewportMargins())
            setViewportMargins(rest);
    }
};

} // namespace

InsightsBox::InsightsBox(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_about(new QLabel(this))
    , m_learned(new QLabel(this))
    , m_own(new QPlainTextEdit(this))
    , m_save(new QPushButton(icon(u"save"_s, Tint::Secondary), tr("Save"), this))
    , m_undo(new QPushButton(icon(u"back"_s, Tint::Secondary), tr("Undo"), this))
    , m_learnedText(context.session, this)
    , m_ownText(context.session, this)
{
    setProperty("role", u"panel"_s);
    m_parts = new QBoxLayout(QBoxLayout::TopToBottom, this);
    m_parts->setContentsMargins(px(12), px(8), px(12), px(8));
    m_parts->setSpacing(px(6));
    auto *reading = new QVBoxLayout, *writing = new QVBoxLayout;
    for (QVBoxLayout* part : {reading, writing})
        part->setSpacing(px(6));
    auto* title = new QLabel(tr("Insights of the run"), this);
    title->setFont(fontOf(Type::Strong));
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    for (QPushButton* button : {m_undo, m_save})
        button->setProperty("kind", u"small"_s);
    row->addWidget(m_undo);
    row->addWidget(m_save);
    m_about->setObjectName(u"insightsAbout"_s);
    m_learned->setObjectName(u"insightsLearned"_s);
    for (QLabel* label : {m_about, m_learned}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setFont(fontOf(Type::Secondary));
    }
    m_about->setProperty("tone", u"secondary"_s);
    m_learned->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_learned->setAlignment(Qt::AlignTop);
    auto* scroll = new WholeLines(this);
    auto* read = new QWidget(scroll); // together: a low pane scrolls what does not fit instead of cutting it
    read->setProperty("role", u"plain"_s);
    auto* words = new QVBoxLayout(read);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(0); // a scroll area of whole lines
    words->addWidget(m_about);
    words->addWidget(m_learned, 1);
    scroll->setWidget(read);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(NoFrame);
    scroll->setProperty("role", u"plain"_s);
    scroll->viewport()->setProperty("role", u"plain"_s);
    m_own->setObjectName(u"insightsOwn"_s);
    m_own->setAccessibleName(tr("Your insights, for every prompt from now on"));
    m_own->setPlaceholderText(tr("Your insights: what every prompt should contain from now on."));
    m_own->setTabChangesFocus(true);
    m_own->setProperty("role", u"inset"_s);
    m_save->setObjectName(u"saveInsights"_s);
    m_undo->setObjectName(u"undoInsights"_s);
    reading->addWidget(title);
    reading->addWidget(scroll, 1);
    writing->addWidget(m_own, 1);
    writing->addLayout(row);
    m_parts->addLayout(reading, 2);
    m_parts->addLayout(writing, 1);
    connect(m_own, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_context.session.isOpen())
            return enable();
        if (m_own->toPlainText().trimmed() != m_saved)
            m_context.drafts.keep(draftPlace, m_own->toPlainText());
        else
            m_context.drafts.drop(draftPlace);
        enable();
    });
    connect(m_save, &QPushButton::clicked, this, [this] { write(m_own->toPlainText().trimmed()); });
    connect(m_undo, &QPushButton::clicked, this, [this] {
        if (m_own->toPlainText() != m_saved) { // first what was only typed
            m_own->setPlainText(m_saved);
            return;
        }
        if (const auto held = insightsHeld(m_context.session.run()); held.size() > 1)
            m_context.session.execute(commands::Undo{{held.back().seq}});
    });
    connect(&m_learnedText, &TextSlot::ready, m_learned, [this](const QString& text) { m_learned->setText(text); });
    connect(&m_ownText, &TextSlot::ready, this, &InsightsBox::takeOwn);
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_shownLearned = m_shownOwn = {};
        m_saved.clear();
        {
            const QSignalBlocker quiet(m_own); // no change by hand
            m_own->setPlainText(m_context.drafts.text(draftPlace));
        }
        m_learned->clear();
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    refresh();
}

void InsightsBox::setForm(Form form)
{
    m_parts->setDirection(form == Form::Column ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_parts->setSpacing(px(form == Form::Column ? 6 : 16));
}

void InsightsBox::takeOwn(const QString& text)
{
    const bool untouched = m_own->toPlainText() == m_saved;
    m_saved = text;
    if (untouched)
        m_own->setPlainText(text);
    if (m_own->toPlainText().trimmed() == m_saved)
        m_context.drafts.drop(draftPlace);
    enable();
}

void InsightsBox::write(const QString& text)
{
    m_saved = text;
    m_own->setPlainText(text);
    m_context.session.execute(commands::WriteInsights{text.toStdString()});
    enable();
}

void InsightsBox::refresh()
{
    const RunState& run = m_context.session.run();
    const InsightNote* learned = run.newestInsight();
    const InsightNote* own = run.personsInsight();
    m_about->setText(learned
            ? tr("written by %1 after %2; contained in every prompt")
                  .arg(learned->author == "statistics" ? tr("the run's statistics") : text(learned->author),
                      counted(learned->evaluations, tr("%1 evaluation"), tr("%1 evaluations")))
            : tr("Nothing yet: a summary of what worked and what failed is written every 25 evaluations."));
    const Hash learnedHash = learned ? learned->text : Hash{}, ownHash = own ? own->text : Hash{};
    if (learnedHash != m_shownLearned) {
        m_shownLearned = learnedHash;
        m_learnedText.request(learnedHash);
    }
    if (ownHash != m_shownOwn) {
        m_shownOwn = ownHash;
        m_ownText.request(ownHash);
        if (ownHash.isNull())
            takeOwn({});
    }
    enable();
}

void InsightsBox::enable()
{
    const EngineStatus& status = m_context.session.snapshot().status;
    const bool writable = status.sessionOpen && !status.readOnly;
    const bool typed = m_own->toPlainText().trimmed() != m_saved;
    m_own->setReadOnly(!writable);
    m_save->setEnabled(writable && typed);
    m_undo->setEnabled(writable && (typed || insightsHeld(m_context.session.run()).size() > 1));
}

} // namespace tilewright::ui
