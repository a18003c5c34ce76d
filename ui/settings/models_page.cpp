// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/models_page.h"

#include "ui/models/display_text.h"
#include "ui/settings/endpoint_card.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/model_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTreeWidget>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int partRole = Qt::UserRole, atRole = Qt::UserRole + 1;

DraftEntry entryOf(const QTreeWidgetItem& item)
{
    return {static_cast<DraftPart>(item.data(0, partRole).toInt()),
        static_cast<std::size_t>(item.data(0, atRole).toULongLong())};
}

/// A menu of the templates below a button; `chosen` gets a template's name.
template <typename Chosen> QPushButton* addButton(QWidget* parent, Chosen chosen)
{
    auto* button = new QPushButton(icon(u"plus"_s, Tint::Secondary), ModelsPage::tr("Add endpoint"), parent);
    auto* menu = new QMenu(button);
    for (const EndpointTemplate& known : endpointTemplates()) {
        QAction* action = menu->addAction(text(known.title));
        action->setObjectName(u"template:"_s + text(known.name));
        QObject::connect(action, &QAction::triggered, parent, [chosen, name = text(known.name)] { chosen(name); });
    }
    button->setMenu(menu);
    return button;
}

} // namespace

ModelsPage::ModelsPage(ModelsBook& book, QWidget* parent)
    : QWidget(parent)
    , m_book(book)
    , m_tree(new QTreeWidget(this))
    , m_nothing(buildNothing())
    , m_broken(buildBroken())
    , m_clash(buildClash())
    , m_limitsCard(buildLimits())
    , m_title(new QLabel(this))
    , m_about(new QLabel(this))
    , m_endpoint(new EndpointCard(book, m_bench, this))
    , m_model(new ModelCard(book, m_bench, this))
{
    setObjectName(u"modelsPage"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(buildSide(), 1);
    auto* side = new QVBoxLayout;
    side->setSpacing(0);
    row->addLayout(side, 3);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* page = new QWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(px(16), px(14), px(16), px(16));
    column->setSpacing(px(10));
    m_title->setFont(fontOf(Type::Title));
    m_title->setObjectName(u"entryTitle"_s);
    m_about->setWordWrap(true);
    m_about->setProperty("tone", u"secondary"_s);
    column->addWidget(m_clash);
    column->addWidget(m_title);
    column->addWidget(m_about);
    for (QWidget* card : std::initializer_list<QWidget*>{m_nothing, m_broken, m_limitsCard, m_endpoint, m_model})
        column->addWidget(card);
    column->addStretch(1);
    scroll->setWidget(page);
    side->addWidget(scroll, 1);
    side->addWidget(buildFooter());

    connect(m_endpoint, &EndpointCard::modelWanted, this, [this](const QString& served) { addModel(served); });
    connect(m_endpoint, &EndpointCard::namesKnown, m_model, &ModelCard::offer);
    connect(&book, &ModelsBook::changed, this, [this] { fill(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { fill(); });
    if (book.draft().count(DraftPart::Endpoint) > 0)
        m_chosen = {DraftPart::Endpoint, 0};
    fill();
}

QWidget* ModelsPage::buildSide()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"side"_s);
    side->setMinimumWidth(px(165));
    side->setMaximumWidth(px(300));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(px(9), px(16), px(9), px(12));
    column->setSpacing(px(6));
    auto* title = new QLabel(tr("Models"), side);
    title->setFont(fontOf(Type::Title));
    auto* about = new QLabel(tr("Language models that generate edits: their servers and settings."), side);
    about->setWordWrap(true);
    about->setProperty("tone", u"secondary"_s);
    m_tree->setObjectName(u"modelsTree"_s);
    m_tree->setAccessibleName(tr("Endpoints and models"));
    m_tree->setHeaderHidden(true);
    m_tree->setColumnCount(2);
    m_tree->setRootIsDecorated(false);
    m_tree->setItemsExpandable(false);
    m_tree->setIndentation(px(14));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (!item || m_filling)
            return;
        m_chosen = entryOf(*item);
        refresh();
    });
    m_add = addButton(side, [this](const QString& name) { addEndpoint(name); });
    m_add->setObjectName(u"addEndpoint"_s);
    column->addWidget(title);
    column->addWidget(about);
    column->addSpacing(px(4));
    column->addWidget(m_tree, 1);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    return side;
}

QWidget* ModelsPage::buildNothing()
{
    auto* card = new QFrame(this);
    card->setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(px(16), px(14), px(16), px(16));
    column->setSpacing(px(10));
    auto* words = new QLabel(
        tr("No model is set up. The built-in mutator and the tuner work without one.\n\nAdd an endpoint: a provider, "
           "which needs a key, or your own server, which needs none. Keys are kept in the desktop's keychain, in the "
           "environment, or in memory until Tilewright ends; they are never written to a file."),
        card);
    words->setWordWrap(true);
    column->addWidget(words);
    QPushButton* add = addButton(card, [this](const QString& name) { addEndpoint(name); });
    add->setObjectName(u"addFirstEndpoint"_s);
    column->addWidget(add, 0, Qt::AlignLeft);
    return card;
}

QWidget* ModelsPage::buildBroken()
{
    auto* card = new QFrame(this);
    card->setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(px(16), px(14), px(16), px(16));
    column->setSpacing(px(10));
    m_brokenWords = new QLabel(card);
    m_brokenWords->setObjectName(u"brokenModels"_s);
    m_brokenWords->setTextFormat(Qt::PlainText);
    m_brokenWords->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_brokenWords->setWordWrap(true);
    m_brokenWords->setProperty("tone", u"bad"_s);
    auto* words = new QLabel(tr("Models can be set up again after the file is corrected or moved aside."), card);
    words->setWordWrap(true);
    auto* row = new QHBoxLayout;
    auto* again = new QPushButton(icon(u"redo"_s, Tint::Secondary), tr("Read it again"), card);
    again->setObjectName(u"readModelsAgain"_s);
    m_moveAside = new QPushButton(icon(u"file"_s, Tint::Secondary), tr("Move it aside"), card);
    m_moveAside->setObjectName(u"moveModelsAside"_s);
    row->setSpacing(px(8));
    row->addWidget(again);
    row->addWidget(m_moveAside);
    row->addStretch(1);
    column->addWidget(m_brokenWords);
    column->addWidget(words);
    column->addLayout(row);
    connect(again, &QPushButton::clicked, this, [this] { m_book.readAgain(); });
    connect(m_moveAside, &QPushButton::clicked, this, [this] { m_book.moveAside(); });
    return card;
}

/// Two versions of the file, of which the user chooses one.
QWidget* ModelsPage::buildClash()
{
    auto* card = new QFrame(this);
    card->setObjectName(u"modelsClash"_s);
    card->setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(px(16), px(14), px(16), px(16));
    column->setSpacing(px(10));
    m_clashWords = new QLabel(card);
    m_clashWords->setObjectName(u"modelsClashWords"_s);
    m_clashWords->setTextFormat(Qt::PlainText);
    m_clashWords->setWordWrap(true);
    m_clashWords->setProperty("tone", u"warning"_s);
    auto* words = new QLabel(
        tr("Choose one version. Undo restores the other one; nothing is written before you choose."), card);
    words->setWordWrap(true);
    auto* row = new QHBoxLayout;
    m_takeTheirs = new QPushButton(icon(u"redo"_s, Tint::Secondary), tr("Read it again"), card);
    m_takeTheirs->setObjectName(u"takeTheirModels"_s);
    auto* keep = new QPushButton(icon(u"save"_s, Tint::Secondary), tr("Keep mine"), card);
    keep->setObjectName(u"keepMyModels"_s);
    row->setSpacing(px(8));
    row->addWidget(m_takeTheirs);
    row->addWidget(keep);
    row->addStretch(1);
    column->addWidget(m_clashWords);
    column->addWidget(words);
    column->addLayout(row);
    connect(m_takeTheirs, &QPushButton::clicked, this, [this] { m_book.takeTheirs(); });
    connect(keep, &QPushButton::clicked, this, [this] { m_book.keepMine(); });
    return card;
}

QWidget* ModelsPage::buildLimits()
{
    auto* card = new QFrame(this);
    card->setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    m_limits = new FormGrid(card);
    m_limits->addText(
        {u"tokens"_s, tr("Tokens per run"), tr("prompt and reply tokens; used if a session sets no limit")});
    m_limits->addText({u"cost_usd"_s, tr("Cost per run"),
        tr("US dollars; with a limit, a run with a model of unknown price does not start")});
    m_limits->addText({u"in_flight"_s, tr("Concurrent requests"), tr("all endpoints together")});
    m_limits->addText({u"tries"_s, tr("Attempts per request"), tr("total, for failures that a retry can fix")});
    m_limits->addText({u"patience_s"_s, tr("Patience"), tr("seconds; a model that fails for this long is paused")});
    m_limits->setPlaceholder(u"tries"_s, u"6"_s);
    m_limits->setPlaceholder(u"patience_s"_s, u"300"_s);
    m_limits->setPlaceholder(u"tokens"_s, tr("no limit"));
    m_limits->setPlaceholder(u"cost_usd"_s, tr("no limit"));
    m_limits->setPlaceholder(u"in_flight"_s, u"16"_s);
    column->addWidget(m_limits);
    connect(m_limits, &FormGrid::edited, this, [this](const QString& field, const QString& value) {
        ModelsDraft draft = m_book.draft();
        draft.set({DraftPart::Limits, 0}, field.toStdString(), numberOrText(value));
        m_book.change(draft, tr("limits"));
    });
    return card;
}

QWidget* ModelsPage::buildFooter()
{
    auto* bar = new ActionBar(this);
    m_saved = new ElidedLabel({}, bar);
    m_saved->setObjectName(u"modelsSaved"_s);
    bar->addWidget(m_saved, 1);
    m_undo = bar->addButton(u"undoModels"_s, u"back"_s, tr("Undo"));
    m_redo = bar->addButton(u"redoModels"_s, u"forward"_s, tr("Redo"));
    m_duplicate = bar->addButton(u"duplicateEntry"_s, u"copy"_s, tr("Duplicate"));
    m_remove = bar->addButton(u"removeEntry"_s, u"x"_s, tr("Remove"));
    connect(m_undo, &QPushButton::clicked, this, [this] { m_book.undo(); });
    connect(m_redo, &QPushButton::clicked, this, [this] { m_book.redo(); });
    connect(m_duplicate, &QPushButton::clicked, this, [this] { duplicate(); });
    connect(m_remove, &QPushButton::clicked, this, [this] { remove(); });
    return bar;
}

void ModelsPage::fill()
{
    m_filling = true;
    m_tree->clear();
    const ModelsDraft& draft = m_book.draft();
    const std::size_t endpoints = draft.count(DraftPart::Endpoint), models = draft.count(DraftPart::Model);
    if ((m_chosen.part == DraftPart::Endpoint && m_chosen.at >= endpoints)
        || (m_chosen.part == DraftPart::Model && m_chosen.at >= models))
        m_chosen = endpoints ? DraftEntry{DraftPart::Endpoint, endpoints - 1} : DraftEntry{};
    const auto put = [&](QTreeWidgetItem* item, const DraftEntry& entry, const QString& name, const QString& aside) {
        const bool wrong = !draft.problemOf(entry, m_book.catalogue()).reason.empty();
        item->setText(0, name);
        item->setText(1, aside);
        item->setIcon(0,
            wrong ? icon(u"warn"_s, Tint::Bad)
                  : icon(entry.part == DraftPart::Model ? u"chat"_s : u"queue"_s, Tint::Text));
        item->setData(0, partRole, static_cast<int>(entry.part));
        item->setData(0, atRole, static_cast<qulonglong>(entry.at));
        item->setData(0, Qt::AccessibleTextRole, wrong ? tr("%1, has an error").arg(name) : name);
        item->setForeground(1, tokens().secondary);
        item->setSizeHint(0, QSize(0, px(28)));
        if (entry == m_chosen)
            m_tree->setCurrentItem(item);
    };
    for (std::size_t i = 0; i < endpoints; ++i) {
        const DraftEntry entry{DraftPart::Endpoint, i};
        const std::string name = draft.textAt(entry, "name");
        const EndpointTemplate* known = endpointTemplate(draft.textAt(entry, "template"));
        auto* home = new QTreeWidgetItem(m_tree);
        put(home, entry, text(name), known ? text(known->title) : QString());
        for (std::size_t j = 0; j < models; ++j) {
            const DraftEntry model{DraftPart::Model, j};
            if (draft.textAt(model, "endpoint") != name)
                continue;
            const QString weight = text(draft.textAt(model, "weight"));
            put(new QTreeWidgetItem(home), model, text(draft.textAt(model, "name")),
                weight == u"0"_s ? tr("off") : tr("weight %1").arg(weight.isEmpty() ? u"1"_s : weight));
        }
        home->setExpanded(true);
    }
    for (std::size_t j = 0; j < models; ++j) { // whose endpoint is gone: they must be seen to be mended
        bool homeless = true;
        for (std::size_t i = 0; i < endpoints; ++i)
            homeless = homeless
                && draft.textAt({DraftPart::Endpoint, i}, "name") != draft.textAt({DraftPart::Model, j}, "endpoint");
        if (homeless)
            put(new QTreeWidgetItem(m_tree), {DraftPart::Model, j}, text(draft.textAt({DraftPart::Model, j}, "name")),
                tr("no endpoint"));
    }
    if (endpoints + models > 0)
        put(new QTreeWidgetItem(m_tree), {DraftPart::Limits, 0}, tr("Limits per run"), {});
    m_filling = false;
    refresh();
}

void ModelsPage::refresh()
{
    const ModelsDraft& draft = m_book.draft();
    const bool any = draft.count(DraftPart::Endpoint) + draft.count(DraftPart::Model) > 0;
    const QString name = text(draft.textAt(m_chosen, "name"));
    m_remove->setEnabled(any && m_chosen.part != DraftPart::Limits);
    m_duplicate->setEnabled(m_remove->isEnabled());
    m_undo->setEnabled(m_book.canUndo());
    m_undo->setToolTip(m_book.canUndo() ? tr("Undo: %1").arg(m_book.undoText()) : QString());
    m_redo->setEnabled(m_book.canRedo());
    const bool well = m_book.trouble().isEmpty(), readable = m_book.isReadable();
    m_add->setEnabled(readable);
    m_clash->setVisible(!m_book.clash().isEmpty());
    if (!m_book.clash().isEmpty()) {
        m_clashWords->setText(m_book.clash());
        m_takeTheirs->setEnabled(m_book.canTakeTheirs());
        m_takeTheirs->setToolTip(m_takeTheirs->isEnabled() ? QString() : tr("Correct the file first"));
    }
    m_saved->setText(!readable                 ? tr("Nothing is saved")
            : !well                            ? m_book.trouble()
            : m_book.isTakenOver()             ? tr("Load the version of the other program; Undo restores yours")
            : QFileInfo::exists(m_book.path()) ? tr("Saved in %1").arg(m_book.path())
                                               : tr("Will be saved in %1").arg(m_book.path()));
    restyle(m_saved, "tone", well ? u"secondary"_s : u"bad"_s);
    if (!readable) {
        m_title->setText(tr("The models file cannot be read"));
        m_about->setVisible(false);
        m_brokenWords->setText(m_book.trouble());
        m_moveAside->setToolTip(tr("It will be named %1").arg(m_book.asidePath()));
        showCard(m_broken);
        return;
    }
    if (!any) {
        m_title->setText(tr("Set up models"));
        m_about->setVisible(false);
        showCard(m_nothing);
        return;
    }
    m_about->setVisible(true);
    switch (m_chosen.part) {
    case DraftPart::Limits:
        for (const char* field : {"tokens", "cost_usd", "in_flight", "tries", "patience_s"})
            m_limits->setValue(text(field), text(draft.textAt(m_chosen, field)));
        m_limits->setProblems(shownProblems(draft.problemsOf(m_chosen, m_book.catalogue())));
        m_title->setText(tr("Limits per run"));
        m_about->setText(tr("Checked with the worst case before each request. A session can set its own limits."));
        showCard(m_limitsCard);
        break;
    case DraftPart::Endpoint: {
        m_endpoint->show(m_chosen.at);
        const EndpointTemplate* known = endpointTemplate(draft.textAt(m_chosen, "template"));
        m_title->setText(name);
        m_about->setText(tr("Endpoint: %1").arg(known ? text(known->title) : tr("other")));
        showCard(m_endpoint);
        break;
    }
    case DraftPart::Model: {
        m_model->show(m_chosen.at);
        const auto spec = draft.model(m_chosen.at, m_book.catalogue());
        m_title->setText(name);
        m_about->setText(spec ? tr("Supports %1 · %2").arg(capabilityWords(spec->capabilities), priceWords(spec->price))
                              : tr("Model of %1").arg(text(draft.textAt(m_chosen, "endpoint"))));
        showCard(m_model);
        break;
    }
    }
}

void ModelsPage::showCard(const QWidget* card)
{
    for (QWidget* one : std::initializer_list<QWidget*>{m_nothing, m_broken, m_limitsCard, m_endpoint, m_model})
        one->setVisible(one == card);
}

void ModelsPage::choose(const DraftEntry& entry)
{
    m_chosen = entry;
    fill();
    Q_EMIT asked();
}

void ModelsPage::addEndpoint(const QString& templateName)
{
    ModelsDraft draft = m_book.draft();
    Q_EMIT asked();
    m_chosen = draft.addEndpoint(templateName.toStdString());
    m_book.change(draft, tr("add %1").arg(text(draft.textAt(m_chosen, "name"))));
}

void ModelsPage::addModel(const QString& served)
{
    ModelsDraft draft = m_book.draft();
    m_chosen = draft.addModel(draft.textAt(m_chosen, "name"), served.toStdString());
    m_book.change(draft, tr("add %1").arg(text(draft.textAt(m_chosen, "name"))));
}

void ModelsPage::duplicate()
{
    ModelsDraft draft = m_book.draft();
    m_chosen = draft.duplicate(m_chosen);
    m_book.change(draft, tr("duplicate %1").arg(text(draft.textAt(m_chosen, "name"))));
}

void ModelsPage::remove()
{
    ModelsDraft draft = m_book.draft();
    const QString name = text(draft.textAt(m_chosen, "name"));
    draft.remove(m_chosen);
    m_book.change(draft, tr("remove %1").arg(name));
}

} // namespace tilewright::ui
