// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/listing_view.h"

#include "core/base/files.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/find_box.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto settlingTime = 150ms, slowTime = 300ms;
constexpr std::size_t kindsShown = 6;

QString suffixOf(ListingForm form)
{
    return form == ListingForm::Ptx ? u"ptx"_s : form == ListingForm::Sass ? u"sass"_s : u"s"_s;
}

} // namespace

ListingView::ListingView(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_tools(new QWidget(this))
    , m_forms(new Segments(tr("Form of the listing"), {u"PTX"_s, u"SASS"_s}, this))
    , m_facts(new QLabel(this))
    , m_again(new QPushButton(icon(u"redo"_s, Tint::Secondary), tr("Try again"), this))
    , m_copy(new QPushButton(icon(u"copy"_s, Tint::Secondary), {}, this))
    , m_save(new QPushButton(icon(u"save"_s, Tint::Secondary), {}, this))
    , m_view(new CodeView(CodeView::Kind::Code, this))
    , m_find(new FindBox(*m_view, this))
    , m_answer(context.session, this)
{
    m_facts->setObjectName(u"listingFacts"_s);
    m_facts->setWordWrap(true);
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setFont(fontOf(Type::Secondary));
    m_view->setObjectName(u"listingText"_s);
    m_view->setAccessibleName(tr("Compiled code"));
    m_forms->setObjectName(u"listingForms"_s);
    m_find->setObjectName(u"listingFind"_s);
    m_again->setObjectName(u"askForListingAgain"_s);
    for (const auto& [button, name, help] :
        {std::tuple(m_copy, u"copyListing"_s, tr("Copy")), std::tuple(m_save, u"saveListing"_s, tr("Save as…"))}) {
        button->setObjectName(name);
        button->setAccessibleName(help);
        button->setToolTip(help);
    }
    for (QPushButton* button : {m_again, m_copy, m_save})
        button->setProperty("kind", u"small"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QFrame(this);
    head->setProperty("role", u"panel"_s);
    auto* rows = new QVBoxLayout(head);
    rows->setContentsMargins(px(10), px(6), px(10), px(6));
    rows->setSpacing(px(6));
    auto* row = new QHBoxLayout(m_tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(6));
    row->addWidget(m_forms);
    row->addWidget(m_find, 1);
    row->addWidget(m_copy);
    row->addWidget(m_save);
    rows->addWidget(m_tools);
    rows->addWidget(m_facts);
    rows->addWidget(m_again, 0, Qt::AlignLeft);
    column->addWidget(head);
    column->addWidget(m_view, 1);

    m_soon.setSingleShot(true);
    m_soon.setInterval(settlingTime);
    m_slow.setSingleShot(true);
    m_slow.setInterval(slowTime);
    connect(&m_soon, &QTimer::timeout, this, &ListingView::ask);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        m_isSlow = true;
        Q_EMIT loading(true);
    });
    connect(m_forms, &Segments::chosen, this, &ListingView::refresh);
    connect(m_again, &QPushButton::clicked, this, [this] {
        m_shown.reset();
        refresh();
    });
    connect(
        m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text(m_listing.text)); });
    connect(m_save, &QPushButton::clicked, this, &ListingView::save);
    connect(&m_answer, &ListingSlot::ready, this, &ListingView::take);
    clear();
}

QString ListingView::titleFor(Target target)
{
    const std::vector<ListingForm>& forms = listingFormsOf(target);
    return forms.empty() ? QString() : tr("Asm");
}

Target ListingView::target() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    return snapshot.pack ? snapshot.pack->task.target : Target::Cpp;
}

ListingForm ListingView::form() const
{
    if (target() == Target::Cpp)
        return ListingForm::Assembly;
    return m_forms->current() == 1 ? ListingForm::Sass : ListingForm::Ptx;
}

void ListingView::clear()
{
    drop();
    m_candidate = {};
    m_shown.reset();
    m_listing = {};
    m_again->hide();
    m_forms->setVisible(target() == Target::Cuda);
    m_tools->setEnabled(false);
    setHead({}, u"secondary"_s);
    m_view->setNote(tr("Choose a candidate to see its compiled code."));
}

void ListingView::show(const Candidate& candidate)
{
    m_candidate = candidate.id;
    m_forms->setVisible(target() == Target::Cuda);
    refresh();
}

void ListingView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ListingView::refresh()
{
    if (!isVisible() || !m_candidate)
        return;
    const Snapshot& snapshot = m_context.session.snapshot();
    if (!snapshot.pack)
        return;
    const auto wanted = listingRequestFor(snapshot.run, snapshot.pack->task, m_candidate, form());
    if (!wanted) {
        drop();
        m_shown.reset();
        fail(wanted.error());
        m_again->hide(); // it changes by itself, or never
        return;
    }
    if (m_shown == *wanted)
        return;
    drop();
    m_shown = *wanted;
    m_listing = {};
    m_again->hide();
    m_tools->setEnabled(true);
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
    setHead({}, u"secondary"_s);
    m_view->setNote(tr("Waiting: builds for the run go first."));
    setProperty(awaited, true);
    m_soon.start();
}

void ListingView::ask()
{
    if (!m_shown)
        return;
    m_slow.start();
    m_answer.request(m_candidate, m_shown->form);
}

void ListingView::drop()
{
    m_soon.stop();
    arrived();
    m_answer.drop();
}

void ListingView::arrived()
{
    setProperty(awaited, false);
    m_slow.stop();
    if (std::exchange(m_isSlow, false))
        Q_EMIT loading(false);
}

void ListingView::take(const ListingAnswer& answer)
{
    arrived();
    if (!answer.error.code.empty()) {
        fail(answer.error);
        m_again->show();
        return;
    }
    m_listing = answer.listing;
    m_tools->setEnabled(true);
    m_copy->setEnabled(true);
    m_save->setEnabled(true);
    const Candidate* candidate = m_context.session.run().candidate(m_candidate);
    const bool isMeasured = candidate && candidate->latest;
    QStringList facts;
    if (m_listing.code == ListedCode::AsBuilt)
        facts << (isMeasured ? tr("The code that was measured.") : tr("The code that was built; not measured yet."));
    else if (m_listing.code == ListedCode::Other)
        facts << (isMeasured ? tr("Differs from the code that was measured: see the first line.")
                             : tr("Differs from the code that was built: see the first line."));
    else
        facts << tr("It is unknown whether this is the code that was built: see the first line.");
    if (!m_listing.instructions.empty())
        facts << tr("Instructions: %1").arg(text(instructionWords(m_listing, kindsShown)));
    if (m_listing.leftOut > 0)
        facts << tr("%1 lines at the end are omitted.").arg(grouped(m_listing.leftOut));
    m_facts->setToolTip(m_listing.instructions.empty()
            ? QString()
            : tr("Counted in the listing, not by execution: %1")
                  .arg(text(instructionWords(m_listing, m_listing.instructions.size()))));
    setHead(facts.join(u'\n'), m_listing.code == ListedCode::AsBuilt ? u"secondary"_s : u"warning"_s);
    m_view->setLanguage(languageOf(m_listing.form));
    m_view->setNumbered(text(m_listing.text));
}

void ListingView::fail(const Error& error)
{
    m_listing = {};
    m_copy->setEnabled(false);
    m_save->setEnabled(false);
    m_tools->setEnabled(target() == Target::Cuda); // the other form may be there
    setHead({}, u"secondary"_s);
    m_view->setNote(error.hint.empty() ? tr("%1.").arg(text(error.text))
                                       : tr("%1. To do: %2.").arg(text(error.text), text(error.hint)));
}

void ListingView::setHead(const QString& words, const QString& tone)
{
    m_facts->setText(words);
    m_facts->setVisible(!words.isEmpty());
    restyle(m_facts, "tone", tone);
}

void ListingView::save()
{
    auto* dialog = new QFileDialog(this, tr("Save the compiled code"),
        u"%1.%2"_s.arg(nameOfCandidate(m_candidate), suffixOf(m_listing.form)),
        tr("Compiled code (*.%1);;All files (*)").arg(suffixOf(m_listing.form)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, this, [this, bytes = m_listing.text](const QString& path) {
        const auto written = saveFile(path.toStdString(), bytes);
        setHead(m_facts->text() + (m_facts->text().isEmpty() ? QString() : u"\n"_s)
                + (written ? tr("Written to %1.").arg(path) : ui::text(written.error().text)),
            m_facts->property("tone").toString());
    });
    dialog->open();
}

} // namespace tilewright::ui
