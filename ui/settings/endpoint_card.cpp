// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/endpoint_card.h"

#include "ui/models/display_text.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/model_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

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

namespace {

constexpr CardField endpointFields[] = {{"name", FieldKind::Text}, {"protocol", FieldKind::Text},
    {"url", FieldKind::Text}, {"plain_http", FieldKind::Truth}, {"max_in_flight", FieldKind::Number},
    {"proxy", FieldKind::Text}, {"ca_file", FieldKind::Text}, {"requests_per_minute", FieldKind::Number},
    {"tokens_per_minute", FieldKind::Number}, {"headers", FieldKind::Headers},
    {"timeouts.connect_s", FieldKind::Number}, {"timeouts.first_byte_s", FieldKind::Number},
    {"timeouts.inactivity_s", FieldKind::Number}, {"timeouts.total_s", FieldKind::Number}};

} // namespace

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
    m_form->addText({u"name"_s, tr("Name"), tr("your choice; letters, digits, - _ .")});
    std::vector<FormGrid::Choice> protocols{{{}, tr("default of the protocol")}};
    for (const auto& [protocol, name] : modelProtocols)
        protocols.push_back({text(std::string(name)), text(std::string(name))});
    m_form->addChoice(
        {u"protocol"_s, tr("Protocol"), tr("openai-chat also works for all compatible servers")}, protocols);
    m_form->addText({u"url"_s, tr("Address"), tr("with or without /v1; http:// only for this machine")});
    m_form->addCheck({u"plain_http"_s, tr("Allow unencrypted http"),
        tr("for a private host other than this machine; never for public hosts")});
    m_form->addWidget({u"key"_s, tr("Key"), tr("files contain only its name, never the key")}, m_key);
    m_form->addText({u"max_in_flight"_s, tr("Concurrent requests"), tr("further requests are queued")});
    m_form->addText({u"proxy"_s, tr("Proxy"), tr("environment, none, or http://host:port")});
    m_form->setPlaceholder(u"max_in_flight"_s, u"8"_s);
    m_form->setPlaceholder(u"proxy"_s, u"environment"_s);
    addRareRows();
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

void EndpointCard::addRareRows()
{
    m_form->beginFold(tr("More: rate limits, headers, time limits, certificates"));
    m_form->addText(
        {u"requests_per_minute"_s, tr("Requests per minute"), tr("your own limit; the run waits when it is reached")});
    m_form->addText({u"tokens_per_minute"_s, tr("Tokens per minute"), tr("your own limit; prompt and reply tokens")});
    for (const QString& limit : {u"requests_per_minute"_s, u"tokens_per_minute"_s})
        m_form->setPlaceholder(limit, tr("no limit"));
    m_form->addLines(
        {u"headers"_s, tr("Headers"), tr("one per line, sent with each request; none that contains a key")}, 3);
    m_form->setPlaceholder(u"headers"_s, u"X-Title: Tilewright"_s);
    m_form->addText({u"timeouts.connect_s"_s, tr("Connection timeout"), tr("seconds, until the request is sent")});
    m_form->addText(
        {u"timeouts.first_byte_s"_s, tr("First-byte timeout"), tr("seconds; local servers load the model first")});
    m_form->addText({u"timeouts.inactivity_s"_s, tr("Idle timeout"), tr("seconds without a byte")});
    m_form->addText({u"timeouts.total_s"_s, tr("Request timeout"), tr("seconds, including pauses and retries")});
    m_form->addText({u"ca_file"_s, tr("Certificates"),
        tr("Extra CA certificate (PEM). Invalid certificates are always rejected.")});
    m_form->setPlaceholder(u"ca_file"_s, tr("of the system"));
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
    for (const CardField& field : endpointFields)
        m_form->setValue(text(field.name),
            field.kind == FieldKind::Headers ? headerLines(draft.at(entry()).value(field.name, ModelsDraft::Json()))
                                             : text(draft.textAt(entry(), field.name)));
    showTimeouts(draft);
    m_form->setPlaceholder(u"url"_s, known && !known->url.empty() ? text(known->url) : u"https://host/v1"_s);
    const std::string url = draft.textAt(entry(), "url");
    m_form->setRowVisible(u"plain_http"_s, url.starts_with("http://") && hostKindOf(url) == HostKind::Private);
    m_form->setRowVisible(u"protocol"_s, kind.empty() || kind == "other" || !draft.textAt(entry(), "protocol").empty());
    const bool says = draft.at(entry()).contains("key");
    m_key->show(says || !known ? text(draft.textAt(entry(), "key")) : text(known->key), name);
    const auto problems = draft.problemsOf(entry(), m_book.catalogue());
    m_form->setProblems(shownProblems(problems));
    m_list->setEnabled(problems.empty() || m_listing != 0);
    if (m_listedFor != name && m_listing == 0) {
        m_models.clear();
        m_listedFor = name;
        endListing({}, u"secondary"_s);
        showFound();
    }
}

/// What stands where nothing is typed: a server of one's own has more time than a provider.
void EndpointCard::showTimeouts(const ModelsDraft& draft)
{
    ModelsDraft plain = draft;
    for (const auto& [field, reason] : draft.problemsOf(entry(), m_book.catalogue()))
        plain.set(entry(), field, nullptr); // what is wrong elsewhere does not matter here
    plain.set(entry(), "timeouts", nullptr);
    const auto endpoint = plain.endpoint(m_at, m_book.catalogue());
    const ModelTimeouts usual = endpoint ? endpoint->timeouts : ModelTimeouts();
    for (const auto& [field, limit] :
        {std::pair(u"timeouts.connect_s"_s, usual.connect), {u"timeouts.first_byte_s"_s, usual.firstByte},
            {u"timeouts.inactivity_s"_s, usual.inactivity}, {u"timeouts.total_s"_s, usual.total}})
        m_form->setPlaceholder(field, QString::number(static_cast<double>(limit.count()) / 1000.0));
}

void EndpointCard::take(const QString& field, const QString& value)
{
    ModelsDraft draft = m_book.draft();
    const bool unset = field == u"plain_http"_s && value == u"false"_s; // as if it had never been allowed
    draft.set(entry(), field.toStdString(), fieldValue(endpointFields, field, unset ? QString() : value));
    m_book.change(draft, tr("%1 of %2").arg(field, text(m_book.draft().textAt(entry(), "name"))));
}

void EndpointCard::list()
{
    if (m_listing) {
        m_bench.cancel(m_listing);
        return endListing(tr("Cancelled."), u"secondary"_s);
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
            line += u"   "_s + tr("%1 tokens of context").arg(grouped(model.contextTokens));
        auto* item = new QListWidgetItem(line, m_found);
        item->setData(Qt::UserRole, text(model.id));
        item->setToolTip(text(model.title));
    }
    m_filter->setVisible(!m_models.empty());
    m_found->setVisible(!m_models.empty());
    m_found->setCurrentRow(0);
}

KeyRow::KeyRow(ModelBench& bench, QWidget* parent)
    : QWidget(parent)
    , m_bench(bench)
    , m_place(new QComboBox(this))
    , m_name(new QLineEdit(this))
    , m_secret(new QLineEdit(this))
    , m_store(new QPushButton(icon(u"key"_s, Tint::Secondary), tr("Store"), this))
    , m_state(new QLabel(this))
{
    m_place->setObjectName(u"keyPlace"_s);
    m_place->setAccessibleName(tr("Where the key is kept"));
    m_place->addItem(tr("no key"), QString());
    m_place->addItem(tr("environment variable"), u"env"_s);
    m_place->addItem(tr("desktop keychain"), u"keychain"_s);
    m_place->addItem(tr("memory, until Tilewright ends"), u"memory"_s);
    m_name->setObjectName(u"keyName"_s);
    m_name->setAccessibleName(tr("Name of the key"));
    m_secret->setObjectName(u"keySecret"_s);
    m_secret->setAccessibleName(tr("The key itself"));
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setPlaceholderText(tr("paste the key"));
    m_store->setObjectName(u"storeKey"_s);
    m_state->setObjectName(u"keyState"_s);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setFont(fontOf(Type::Secondary));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_place);
    column->addWidget(m_name); // a row of its own: names are long
    auto* row = new QHBoxLayout;
    row->setSpacing(px(6));
    row->addWidget(m_secret, 1);
    row->addWidget(m_store);
    column->addLayout(row);
    column->addWidget(m_state);
    connect(m_place, &QComboBox::activated, this, [this] { choose(); });
    connect(m_name, &QLineEdit::editingFinished, this, [this] { choose(); });
    connect(m_secret, &QLineEdit::textChanged, this, [this] { m_store->setEnabled(!m_secret->text().isEmpty()); });
    connect(m_secret, &QLineEdit::returnPressed, m_store, &QPushButton::click);
    connect(m_store, &QPushButton::clicked, this, [this] {
        tell(tr("Storing…"), u"secondary"_s);
        m_storing = m_bench.storeKey(chosen(), m_secret->text());
        m_secret->clear(); // from here on it is only where it is kept
    });
    connect(&bench, &ModelBench::keyAnswered, this, [this](quint64 tag, const Result<void>& answer) {
        const bool storing = tag == m_storing && tag != 0;
        if (!storing && (tag != m_finding || tag == 0))
            return;
        (storing ? m_storing : m_finding) = 0;
        if (!answer)
            return tell(text(answer.error().line()), u"bad"_s);
        const QString where = chosen().place == KeyPlace::Keychain ? tr("the desktop keychain")
            : chosen().place == KeyPlace::Memory                   ? tr("memory, until Tilewright ends")
                                                                   : tr("the environment");
        tell(storing ? tr("Stored in %1. It is not shown again.").arg(where) : tr("A key was found in %1.").arg(where),
            u"good"_s);
        if (storing)
            Q_EMIT stored();
    });
    show({}, {});
}

KeyName KeyRow::chosen() const { return parseKeyName(m_shown.toStdString()).value_or(KeyName{}); }

void KeyRow::show(const QString& key, const QString& usual)
{
    m_usual = usual;
    const bool same = key == m_shown && !m_state->text().isEmpty();
    m_shown = key;
    const QString place = key.section(u':', 0, 0);
    m_place->setCurrentIndex(std::max(0, m_place->findData(place)));
    m_name->setText(key.section(u':', 1));
    m_name->setVisible(!place.isEmpty());
    m_name->setPlaceholderText(place == u"env"_s ? tr("NAME_OF_VARIABLE") : tr("name"));
    const bool typed = place == u"keychain"_s || place == u"memory"_s;
    m_secret->setVisible(typed);
    m_store->setVisible(typed);
    m_store->setEnabled(!m_secret->text().isEmpty());
    if (!same)
        ask();
}

void KeyRow::ask()
{
    m_finding = 0;
    const KeyName name = chosen();
    if (name.place == KeyPlace::None)
        return tell(m_shown.isEmpty() ? tr("No key is sent.") : tr("Give the key a name: letters, digits, - _ ."),
            m_shown.isEmpty() ? u"secondary"_s : u"bad"_s);
    if (name.place == KeyPlace::Keychain && !KeyRing::hasKeychain())
        return tell(tr("This build has no keychain support. Use an environment variable, or memory."), u"bad"_s);
    tell(tr("Looking for the key…"), u"secondary"_s);
    m_finding = m_bench.findKey(name);
}

void KeyRow::choose()
{
    const QString place = m_place->currentData().toString();
    QString name = m_name->text().trimmed();
    if (place != m_shown.section(u':', 0, 0))
        name = place == u"env"_s ? m_usual.toUpper().replace(u'-', u'_').replace(u'.', u'_') + u"_API_KEY"_s : m_usual;
    const QString key = place.isEmpty() ? QString() : place + u':' + name;
    if (key == m_shown)
        return;
    show(key, m_usual);
    Q_EMIT edited(key);
}

void KeyRow::tell(const QString& text, const QString& tone)
{
    m_state->setText(text);
    restyle(m_state, "tone", tone);
}

} // namespace tilewright::ui
