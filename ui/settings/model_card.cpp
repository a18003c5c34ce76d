// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_card.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/settings/form_grid.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/room.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr CardField modelFields[] = {{"name", FieldKind::Text}, {"endpoint", FieldKind::Text},
    {"model", FieldKind::Text}, {"weight", FieldKind::Number}, {"temperature", FieldKind::Number},
    {"top_p", FieldKind::Number}, {"reasoning_effort", FieldKind::Text}, {"max_output_tokens", FieldKind::Number},
    {"price.input", FieldKind::Number}, {"price.output", FieldKind::Number}, {"price.cache_read", FieldKind::Number},
    {"price.cache_write", FieldKind::Number}, {"price.date", FieldKind::Text},
    {"capabilities.temperature", FieldKind::Truth}, {"capabilities.top_p", FieldKind::Truth},
    {"capabilities.seed", FieldKind::Truth}, {"capabilities.stop", FieldKind::Truth},
    {"capabilities.samples", FieldKind::Truth}, {"capabilities.reasoning_effort", FieldKind::Truth},
    {"capabilities.stream_usage", FieldKind::Truth}, {"capabilities.system_role", FieldKind::Text},
    {"capabilities.output_limit", FieldKind::Text}, {"capabilities.context_tokens", FieldKind::Number},
    {"capabilities.most_output_tokens", FieldKind::Number}};

/// Choices of which the first leaves a capability as the catalogue and the protocol have it.
std::vector<FormGrid::Choice> capabilityChoices(const std::string& field, const nlohmann::json& usual)
{
    std::vector<FormGrid::Choice> choices;
    const auto name = [](const nlohmann::json& value) {
        return value.is_boolean() ? (value.get<bool>() ? ModelCard::tr("yes") : ModelCard::tr("no"))
                                  : text(value.get<std::string>());
    };
    choices.push_back({{}, ModelCard::tr("default: %1").arg(name(usual))});
    const auto add = [&choices](const auto& table) {
        for (const auto& [value, word] : table)
            choices.push_back({text(std::string(word)), text(std::string(word))});
    };
    if (field == "system_role")
        add(systemRoles);
    else if (field == "output_limit")
        add(outputLimitNames);
    else
        choices.insert(choices.end(), {{u"true"_s, name(true)}, {u"false"_s, name(false)}});
    return choices;
}

constexpr std::string_view ofCapabilities = "capabilities.";

} // namespace

ModelCard::ModelCard(ModelsBook& book, ModelBench& bench, QWidget* parent)
    : QFrame(parent)
    , m_book(book)
    , m_bench(bench)
    , m_form(new FormGrid(this))
    , m_test(new QPushButton(icon(u"play"_s, Tint::Secondary), tr("Test"), this))
    , m_verdict(new QLabel(this))
    , m_result(new QLabel(this))
    , m_keep(new QPushButton(tr("Keep findings"), this))
{
    setProperty("role", u"card"_s);
    setObjectName(u"modelCard"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    column->setSpacing(px(10));
    m_form->addCheck({u"enabled"_s, tr("Test this model"), tr("off: the settings are kept and the model is not used")});
    m_form->addText({u"name"_s, tr("Name"), tr("your choice; shown on screen and in sessions")});
    m_form->addChoice({u"endpoint"_s, tr("Endpoint"), {}}, {});
    m_form->addOpenChoice(
        {u"model"_s, tr("Model"), tr("name on the server; list the endpoint's models to choose")}, {});
    m_form->addText({u"weight"_s, tr("Weight"), tr("share of requests until results are measured")});
    m_form->addText(
        {u"temperature"_s, tr("Temperature"), tr("sent if the model supports it; empty: default of the server")});
    m_form->addOpenChoice({u"reasoning_effort"_s, tr("Reasoning effort"), tr("sent if the model supports it")},
        {{{}, tr("default of the server")}, {u"minimal"_s, u"minimal"_s}, {u"low"_s, u"low"_s},
            {u"medium"_s, u"medium"_s}, {u"high"_s, u"high"_s}});
    m_form->addText({u"max_output_tokens"_s, tr("Output limit"),
        tr("tokens, including reasoning; budgets are checked with it as the worst case")});
    m_form->addText(
        {u"price.input"_s, tr("Price, input"), tr("US dollars per million tokens; 0 for your own machine")});
    m_form->addText({u"price.output"_s, tr("Price, output"), tr("reasoning tokens have the same price")});
    m_form->addText({u"price.cache_read"_s, tr("Price, cache read"), tr("may be left empty")});
    m_form->addText({u"price.cache_write"_s, tr("Price, cache write"), tr("may be left empty")});
    m_form->addText({u"price.date"_s, tr("Price date"), tr("day you read the price, such as 2026-11-21")});
    m_form->setPlaceholder(u"weight"_s, u"1"_s);
    m_form->setPlaceholder(u"max_output_tokens"_s, u"16384"_s);
    addCapabilities();
    column->addWidget(m_form);
    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    m_test->setObjectName(u"testModel"_s);
    m_test->setToolTip(tr("Send one very small request: reports whether it works, latency and cost"));
    m_verdict->setObjectName(u"testVerdict"_s);
    m_verdict->setFont(fontOf(Type::Strong));
    m_result->setObjectName(u"testResult"_s);
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row->addWidget(m_test);
    row->addWidget(m_verdict);
    m_keep->setObjectName(u"keepFound"_s);
    m_keep->setToolTip(tr("Parameters that the server refused are never sent to it again"));
    row->addWidget(m_keep);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_result);
    column->addStretch(1);

    connect(
        m_form, &FormGrid::edited, this, [this](const QString& field, const QString& value) { take(field, value); });
    connect(m_test, &QPushButton::clicked, this, [this] { test(); });
    connect(m_keep, &QPushButton::clicked, this, [this] { keepFound(); });
    connect(&book, &ModelsBook::changed, this, [this] { refresh(); });
    connect(&bench, &ModelBench::tested, this,
        [this](quint64 tag, const ProbeReport& report, const Capabilities& before, const Capabilities& after) {
            for (auto& [name, probe] : m_probes)
                if (probe.tag == tag) {
                    probe = {0, report.works, report.error.code == "llm/cancelled",
                        probeWords(report, before, after).join(u'\n'), nlohmann::json::object()};
                    const nlohmann::json allowed = toJson(before), left = toJson(after);
                    for (const auto& [capability, value] : left.items())
                        if (allowed.at(capability) != value)
                            probe.found[capability] = value;
                    showTest();
                }
        });
}

void ModelCard::addCapabilities()
{
    m_form->beginFold(tr("More: supported parameters, context, top-p"));
    m_form->addText(
        {u"top_p"_s, tr("Top-p"), tr("0 to 1, sent if the model supports it; empty: default of the server")});
    const auto choice = [this](const char* name, const QString& label, const QString& note) {
        m_form->addChoice({text(std::string(ofCapabilities) + name), label, note}, {});
    };
    choice("temperature", tr("Supports temperature"), {});
    choice("top_p", tr("Supports top-p"), {});
    choice("seed", tr("Supports a seed"), {});
    choice("stop", tr("Supports stop words"), {});
    choice("samples", tr("Several replies"), tr("to one prompt"));
    choice("reasoning_effort", tr("Supports reasoning effort"), {});
    choice("stream_usage", tr("Reports token counts"), tr("stream_options.include_usage"));
    choice("system_role", tr("Role of instructions"), tr("role of the message that contains them"));
    choice("output_limit", tr("Output limit parameter"), tr("name of the parameter in Chat Completions"));
    m_form->addText({u"capabilities.context_tokens"_s, tr("Context"),
        tr("tokens; prompts are limited to it, and Ollama is sent it")});
    m_form->addText({u"capabilities.most_output_tokens"_s, tr("Longest reply"), tr("tokens, limit of the server")});
}

/// What stands where nothing is chosen is what the catalogue and the protocol say of this model.
void ModelCard::showUsualCapabilities(const ModelsDraft& draft)
{
    ModelsDraft plain = draft;
    plain.set(entry(), "capabilities", nullptr);
    const auto spec = plain.model(m_at, m_book.catalogue());
    const nlohmann::json usual = toJson(spec ? spec->capabilities : Capabilities());
    for (const CardField& field : modelFields) {
        const std::string name = field.name;
        if (!name.starts_with(ofCapabilities))
            continue;
        const std::string capability = name.substr(ofCapabilities.size());
        const nlohmann::json& value = usual.at(capability);
        if (field.kind == FieldKind::Number)
            m_form->setPlaceholder(text(name), value.get<std::int64_t>() > 0 ? text(dumped(value)) : tr("unknown"));
        else
            m_form->setChoices(text(name), capabilityChoices(capability, value));
    }
}

void ModelCard::keepFound()
{
    ModelsDraft draft = m_book.draft();
    const QString name = text(draft.textAt(entry(), "name"));
    const auto probe = m_probes.find(name);
    if (probe == m_probes.end())
        return;
    for (const auto& [capability, value] : probe->second.found.items())
        draft.set(entry(), std::string(ofCapabilities) + capability, value);
    probe->second.found.clear();
    m_book.change(draft, tr("findings of the test of %1").arg(name));
}

void ModelCard::show(std::size_t model)
{
    m_at = model;
    refresh();
}

void ModelCard::offer(const QString& endpoint, const QStringList& models)
{
    m_offers[endpoint] = models;
    refresh();
}

void ModelCard::refresh()
{
    const ModelsDraft& draft = m_book.draft();
    if (m_at >= draft.count(DraftPart::Model))
        return;
    std::vector<FormGrid::Choice> endpoints, offers;
    for (std::size_t i = 0; i < draft.count(DraftPart::Endpoint); ++i) {
        const QString name = text(draft.textAt({DraftPart::Endpoint, i}, "name"));
        endpoints.push_back({name, name});
    }
    const QString home = text(draft.textAt(entry(), "endpoint"));
    if (const auto known = m_offers.find(home); known != m_offers.end())
        for (const QString& model : known->second)
            offers.push_back({model, model});
    m_form->setChoices(u"endpoint"_s, endpoints);
    m_form->setChoices(u"model"_s, offers);
    showUsualCapabilities(draft);
    for (const CardField& field : modelFields)
        m_form->setValue(text(field.name), text(draft.textAt(entry(), field.name)));
    const bool off = draft.textAt(entry(), "weight") == "0";
    m_form->setValue(u"enabled"_s, off ? u"false"_s : u"true"_s);
    m_form->setRowVisible(u"weight"_s, !off);
    const auto problems = draft.problemsOf(entry(), m_book.catalogue());
    m_form->setProblems(shownProblems(problems));
    const auto spec = draft.model(m_at, m_book.catalogue());
    const auto figure
        = [](const std::optional<double>& price) { return price ? QString::number(*price, 'g', 6) : tr("unknown"); };
    const std::optional<TokenPrice> price = spec ? spec->price : std::nullopt;
    m_form->setPlaceholder(u"price.input"_s, figure(price ? std::optional(price->input) : std::nullopt));
    m_form->setPlaceholder(u"price.output"_s, figure(price ? std::optional(price->output) : std::nullopt));
    m_form->setPlaceholder(u"price.cache_read"_s, figure(price ? price->cacheRead : std::nullopt));
    m_form->setPlaceholder(u"price.cache_write"_s, figure(price ? price->cacheWrite : std::nullopt));
    m_form->setPlaceholder(u"price.date"_s, price ? text(price->date) : tr("unknown"));
    m_test->setEnabled(problems.empty());
    showTest();
}

void ModelCard::take(const QString& field, const QString& value)
{
    ModelsDraft draft = m_book.draft();
    const QString name = text(draft.textAt(entry(), "name"));
    if (field == u"enabled"_s) {
        if (value == u"false"_s)
            m_weights[name] = QString::fromStdString(draft.textAt(entry(), "weight")).toDouble();
        const double kept = m_weights.contains(name) && m_weights[name] > 0 ? m_weights[name] : 1;
        draft.set(entry(), "weight", value == u"true"_s ? numberOrText(QString::number(kept)) : ModelsDraft::Json(0));
    } else {
        draft.set(entry(), field.toStdString(), fieldValue(modelFields, field, value));
        // A price without its day would be refused: it was read today.
        if (field.startsWith(u"price."_s) && draft.at(entry()).contains("price")
            && draft.textAt(entry(), "price.date").empty()) {
            if (field == u"price.date"_s || draft.at(entry())["price"].empty())
                draft.set(entry(), "price", nullptr);
            else
                draft.set(entry(), "price.date", QDate::currentDate().toString(Qt::ISODate).toStdString());
        }
    }
    m_book.change(draft, tr("%1 of %2").arg(field, name));
}

void ModelCard::test()
{
    const QString name = text(m_book.draft().textAt(entry(), "name"));
    Probe& probe = m_probes[name];
    if (probe.tag) {
        m_bench.cancel(probe.tag); // what was used until then is told
        return;
    }
    const auto file = m_book.draft().fileOf(m_at, m_book.catalogue());
    if (!file)
        probe = {0, false, false, text(file.error().line()), {}};
    else
        probe = {m_bench.test(*file, file->models.front().name), false, false, {}, {}};
    showTest();
}

void ModelCard::showTest()
{
    const auto found = m_probes.find(text(m_book.draft().textAt(entry(), "name")));
    const bool any = found != m_probes.end(), under = any && found->second.tag != 0;
    m_test->setText(under ? tr("Cancel") : tr("Test"));
    m_verdict->setVisible(any);
    m_result->setVisible(any && !under);
    m_keep->setVisible(any && !under && !found->second.found.empty());
    if (!any)
        return;
    const bool quiet = under || found->second.givenUp;
    m_verdict->setText(under        ? tr("Waiting for a reply…")
            : found->second.givenUp ? tr("Cancelled.")
            : found->second.works   ? tr("The model works.")
                                    : tr("The model does not work."));
    restyle(m_verdict, "tone", quiet ? u"secondary"_s : found->second.works ? u"good"_s : u"bad"_s);
    m_result->setText(found->second.words);
}

QString dollars(const std::optional<double>& usd)
{
    if (!usd)
        return tr("unknown");
    if (*usd == 0)
        return u"$0"_s;
    const int places = *usd >= 1 ? 2 : *usd >= 0.01 ? 3 : static_cast<int>(std::ceil(-std::log10(*usd))) + 1;
    return u"$%1"_s.arg(*usd, 0, 'f', std::min(places, 8));
}

QString priceWords(const std::optional<TokenPrice>& price)
{
    return price ? tr("input $%1, output $%2 per million tokens (%3)")
                       .arg(price->input, 0, 'g', 6)
                       .arg(price->output, 0, 'g', 6)
                       .arg(text(price->date))
                 : tr("price unknown: its cost is counted as unknown, never as 0");
}

namespace {

QStringList capabilityNames(const Capabilities& capabilities)
{
    QStringList takes;
    const std::pair<bool, QString> table[] = {{capabilities.temperature, tr("temperature")},
        {capabilities.topP, tr("top-p")}, {capabilities.seed, tr("seed")}, {capabilities.stop, tr("stop words")},
        {capabilities.samples, tr("several replies")}, {capabilities.reasoningEffort, tr("reasoning effort")},
        {capabilities.streamUsage, tr("token counts while streaming")}};
    for (const auto& [can, name] : table)
        if (can)
            takes << name;
    return takes;
}

/// Each switch as `pick` makes it of those of two tables.
template <typename Pick> Capabilities combined(const Capabilities& a, const Capabilities& b, Pick pick)
{
    Capabilities both;
    for (const auto field : {&Capabilities::temperature, &Capabilities::topP, &Capabilities::seed, &Capabilities::stop,
             &Capabilities::samples, &Capabilities::reasoningEffort, &Capabilities::streamUsage})
        both.*field = pick(a.*field, b.*field);
    return both;
}

/// What the test showed of the table, what the server refused of it, and what nobody tried.
QStringList foundWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after)
{
    const auto both = [](bool a, bool b) { return a && b; };
    const auto without = [](bool a, bool b) { return a && !b; };
    Capabilities found = combined(after, report.tried, both);
    found.streamUsage = found.streamUsage && report.usageSource == UsageSource::Reported;
    const QStringList taken = capabilityNames(found), refused = capabilityNames(combined(before, after, without)),
                      assumed = capabilityNames(combined(after, report.tried, without));
    QStringList lines;
    if (!taken.isEmpty())
        lines << tr("Found: supports %1").arg(taken.join(u", "_s));
    if (!refused.isEmpty())
        lines << tr("Found: does not support %1").arg(refused.join(u", "_s));
    if (!assumed.isEmpty())
        lines << tr("Assumed, not tested: %1").arg(assumed.join(u", "_s));
    return lines;
}

} // namespace

QString capabilityWords(const Capabilities& capabilities)
{
    const QStringList takes = capabilityNames(capabilities);
    return takes.isEmpty() ? tr("none of the optional parameters") : takes.join(u", "_s);
}

QStringList probeWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after)
{
    QStringList lines;
    if (!report.works)
        lines << text(report.error.text.empty() ? "no answer came" : report.error.text);
    if (!report.works && !report.error.hint.empty())
        lines << tr("What to do: %1").arg(text(report.error.hint));
    if (report.firstByte.count() >= 0)
        lines << tr("First byte after %1, complete reply after %2")
                     .arg(text(timeText(report.firstByte)), text(timeText(report.took)));
    if (report.usageSource != UsageSource::None) {
        const QString counted
            = report.usageSource == UsageSource::Reported ? tr("counted by the server") : tr("estimated");
        lines << tr("Tokens: %1; %2 (%3)").arg(readWords(report.usage), writtenWords(report.usage), counted);
        lines << tr("Cost: %1").arg(dollars(report.usd));
    }
    if (!report.servedBy.empty())
        lines << tr("Reply from %1").arg(text(report.servedBy));
    if (report.works) {
        lines << foundWords(report, before, after);
    }
    for (const auto& [name, limit] : report.limits)
        if (limit.limit >= 0)
            lines << tr("Rate limit of the server: %1 %2, %3 left")
                         .arg(grouped(limit.limit), text(name),
                             limit.remaining >= 0 ? grouped(limit.remaining) : tr("unknown"));
    for (const std::string& note : report.notes)
        lines << text(note);
    return lines;
}

std::map<QString, QString> shownProblems(const std::map<std::string, std::string>& problems)
{
    std::map<QString, QString> shown;
    for (const auto& [field, reason] : problems) {
        QString words = text(reason);
        words.replace(u"with \"plain_http\": true"_s, tr("with the box below"));
        words.replace(u"\"key\": \"env:NAME\""_s, tr("a variable's name under Key"));
        words.replace(u"by name in \"key\""_s, tr("under Key"));
        shown[text(field)] = words == u"is missing"_s ? tr("is required") : words;
    }
    return shown;
}

} // namespace tilewright::ui
