// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/endpoint_card.h"

#include "ui/models/format.h"
#include "ui/settings/field_values.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/key_row.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

EndpointCard::EndpointCard(ModelsBook& book, ModelBench& bench, QWidget* parent)
    : QFrame(parent)
    , m_book(book)
    , m_bench(bench)
    , m_form(new FormGrid(this))
    , m_key(new KeyRow(bench, this))
    , m_list(new QPushButton(icon(u"search"_s, Tint::Secondary), {}, this))
    , m_add(new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Add model"), this))
    , m_said(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_found(new QListWidget(this))
{
    setProperty("role", u"card"_s);
    setObjectName(u"endpointCard"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    column->setSpacing(px(10));
    m_form->addText({u"name"_s, tr("Name"), tr("yours; letters, digits, - _ .")});
    std::vector<FormGrid::Choice> protocols{{{}, tr("as usual for it")}};
    for (const auto& [protocol, name] : modelProtocols)
        protocols.push_back({text(std::string(name)), text(std::string(name))});
    m_form->addChoice({u"protocol"_s, tr("Protocol"), tr("openai-chat also for every compatible server")}, protocols);
    m_form->addText({u"url"_s, tr("Address"), tr("with or without /v1; http:// only for this machine")});
    m_form->addCheck({u"plain_http"_s, tr("Allow unencrypted http"),
        tr("for a private host that is not this machine; public hosts never")});
    m_form->addWidget({u"key"_s, tr("Key"), tr("only its name stands in a file, never the key")}, m_key);
    m_form->addText({u"max_in_flight"_s, tr("Calls at a time"), tr("further ones wait in line")});
    m_form->addText({u"proxy"_s, tr("Proxy"), tr("environment, none, or http://host:port")});
    m_form->setPlaceholder(u"max_in_flight"_s, u"8"_s);
    m_form->setPlaceholder(u"proxy"_s, u"environment"_s);
    column->addWidget(m_form);
    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    m_list->setObjectName(u"listModels"_s);
    m_add->setObjectName(u"addModel"_s);
    m_said->setObjectName(u"listSaid"_s);
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    row->addWidget(m_list);
    row->addWidget(m_add);
    row->addWidget(m_said, 1);
    column->addLayout(row);
    column->addSpacing(px(2));
    m_filter->setPlaceholderText(tr("Filter the list"));
    m_filter->setAccessibleName(tr("Filter the models of the server"));
    m_filter->setObjectName(u"listFilter"_s);
    m_found->setObjectName(u"listedModels"_s);
    m_found->setAccessibleName(tr("Models of the server"));
    m_found->setMinimumHeight(px(180));
    m_found->setFont(fontOf(Type::Mono));
    column->addWidget(m_filter);
    column->addWidget(m_found);

    connect(
        m_form, &FormGrid::edited, this, [this](const QString& field, const QString& value) { take(field, value); });
    connect(m_key, &KeyRow::edited, this, [this](const QString& key) { take(u"key"_s, key); });
    connect(m_list, &QPushButton::clicked, this, [this] { list(); });
    connect(m_add, &QPushButton::clicked, this, [this] {
        const QListWidgetItem* item = m_found->isVisible() ? m_found->currentItem() : nullptr;
        Q_EMIT modelWanted(item ? item->data(Qt::UserRole).toString() : QString());
    });
    connect(m_found, &QListWidget::itemActivated, this,
        [this](const QListWidgetItem* item) { Q_EMIT modelWanted(item->data(Qt::UserRole).toString()); });
    connect(m_filter, &QLineEdit::textChanged, this, [this] { showFound(); });
    connect(&book, &ModelsBook::changed, this, [this] { refresh(); });
    connect(&bench, &ModelBench::listed, this, [this](quint64 tag, const Result<std::vector<ListedModel>>& models) {
        if (tag != m_listing)
            return; // superseded or given up
        if (!models)
            return endListing(text(models.error().line()), u"bad"_s);
        m_models = *models;
        QStringList names;
        for (const ListedModel& model : m_models)
            names << text(model.id);
        endListing(counted(static_cast<std::int64_t>(m_models.size()), tr("The server has %1 model."),
                       tr("The server has %1 models. Choose one and add it.")),
            u"secondary"_s);
        Q_EMIT namesKnown(m_listedFor, names);
        showFound();
    });
    endListing({}, u"secondary"_s);
}

void EndpointCard::show(std::size_t endpoint)
{
    m_at = endpoint;
    refresh();
}

void EndpointCard::refresh()
{
    const ModelsDraft& draft = m_book.draft();
    if (m_at >= draft.count(DraftPart::Endpoint))
        return;
    const QString name = text(draft.textAt(entry(), "name"));
    const std::string kind = draft.textAt(entry(), "template");
    const EndpointTemplate* known = endpointTemplate(kind.empty() ? "other" : kind);
    for (const char* field : {"name", "protocol", "url", "plain_http", "max_in_flight", "proxy"})
        m_form->setValue(text(field), text(draft.textAt(entry(), field)));
    m_form->setPlaceholder(u"url"_s, known && !known->url.empty() ? text(known->url) : u"https://host/v1"_s);
    const std::string url = draft.textAt(entry(), "url");
    m_form->setRowVisible(u"plain_http"_s, url.starts_with("http://") && hostKindOf(url) == HostKind::Private);
    m_form->setRowVisible(u"protocol"_s, kind.empty() || kind == "other" || !draft.textAt(entry(), "protocol").empty());
    const bool says = draft.at(entry()).contains("key");
    m_key->show(says || !known ? text(draft.textAt(entry(), "key")) : text(known->key), name);
    const DraftProblem problem = draft.problemOf(entry(), m_book.catalogue());
    m_form->setProblem(text(problem.field), text(problem.reason));
    m_list->setEnabled(problem.reason.empty() || m_listing != 0);
    if (m_listedFor != name && m_listing == 0) {
        m_models.clear();
        m_listedFor = name;
        endListing({}, u"secondary"_s);
        showFound();
    }
}

void EndpointCard::take(const QString& field, const QString& value)
{
    ModelsDraft draft = m_book.draft();
    ModelsDraft::Json json = field == u"max_in_flight"_s ? numberOrText(value)
        : field == u"plain_http"_s                       ? (value == u"true"_s ? ModelsDraft::Json(true) : nullptr)
                                                         : textOrNothing(value);
    draft.set(entry(), field.toStdString(), json);
    m_book.change(draft, tr("%1 of %2").arg(field, text(m_book.draft().textAt(entry(), "name"))));
}

void EndpointCard::list()
{
    if (m_listing) {
        m_bench.cancel(m_listing);
        return endListing(tr("Given up."), u"secondary"_s);
    }
    const auto endpoint = m_book.draft().endpoint(m_at, m_book.catalogue());
    if (!endpoint)
        return endListing(text(endpoint.error().line()), u"bad"_s);
    m_models.clear();
    m_listedFor = text(endpoint->name);
    showFound();
    m_listing = m_bench.list(*endpoint);
    m_list->setText(tr("Cancel"));
    m_said->setText(tr("Asking %1…").arg(text(originOf(endpoint->url))));
    restyle(m_said, "tone", u"secondary"_s);
}

void EndpointCard::endListing(const QString& said, const QString& tone)
{
    m_listing = 0;
    m_list->setText(tr("List models"));
    m_said->setText(said);
    restyle(m_said, "tone", tone);
}

void EndpointCard::showFound()
{
    const QString wanted = m_filter->text().trimmed();
    m_found->clear();
    for (const ListedModel& model : m_models) {
        QString line = text(model.id);
        if (!wanted.isEmpty() && !line.contains(wanted, Qt::CaseInsensitive)
            && !text(model.title).contains(wanted, Qt::CaseInsensitive))
            continue;
        if (model.contextTokens > 0)
            line += tr("   %1 tokens of context").arg(grouped(model.contextTokens));
        auto* item = new QListWidgetItem(line, m_found);
        item->setData(Qt::UserRole, text(model.id));
        item->setToolTip(text(model.title));
    }
    m_filter->setVisible(!m_models.empty());
    m_found->setVisible(!m_models.empty());
    m_found->setCurrentRow(0);
}

} // namespace tilewright::ui
