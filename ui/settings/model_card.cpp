// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_card.h"

#include "ui/models/format.h"
#include "ui/settings/field_values.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/model_words.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ModelCard::ModelCard(ModelsBook& book, ModelBench& bench, QWidget* parent)
    : QFrame(parent)
    , m_book(book)
    , m_bench(bench)
    , m_form(new FormGrid(this))
    , m_test(new QPushButton(icon(u"play"_s, Tint::Secondary), tr("Test"), this))
    , m_verdict(new QLabel(this))
    , m_result(new QLabel(this))
{
    setProperty("role", u"card"_s);
    setObjectName(u"modelCard"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    column->setSpacing(px(10));
    m_form->addCheck({u"enabled"_s, tr("Ask this model"), tr("off: it keeps its settings and is never asked")});
    m_form->addText({u"name"_s, tr("Name"), tr("yours; it stands on screen and in sessions")});
    m_form->addChoice({u"endpoint"_s, tr("Endpoint"), {}}, {});
    m_form->addOpenChoice(
        {u"model"_s, tr("Model"), tr("as its server calls it; list the endpoint's models to choose")}, {});
    m_form->addText({u"weight"_s, tr("Weight"), tr("share of requests until results are measured")});
    m_form->addText(
        {u"temperature"_s, tr("Temperature"), tr("sent where the model takes it; empty: the server's own")});
    m_form->addOpenChoice({u"reasoning_effort"_s, tr("Reasoning effort"), tr("sent where the model takes it")},
        {{{}, tr("as the server likes")}, {u"minimal"_s, u"minimal"_s}, {u"low"_s, u"low"_s},
            {u"medium"_s, u"medium"_s}, {u"high"_s, u"high"_s}});
    m_form->addText({u"max_output_tokens"_s, tr("Output limit"),
        tr("tokens, reasoning counts; budgets are checked with it as the worst case")});
    m_form->addText({u"price.input"_s, tr("Price, read"), tr("US dollars per million tokens; 0 for your own machine")});
    m_form->addText({u"price.output"_s, tr("Price, written"), tr("reasoning costs the same")});
    m_form->addText({u"price.cache_read"_s, tr("Price, from cache"), tr("may stay unknown")});
    m_form->addText({u"price.cache_write"_s, tr("Price, into cache"), tr("may stay unknown")});
    m_form->addText({u"price.date"_s, tr("Price of"), tr("the day you read it, like 2026-11-21")});
    m_form->setPlaceholder(u"weight"_s, u"1"_s);
    m_form->setPlaceholder(u"max_output_tokens"_s, u"16384"_s);
    column->addWidget(m_form);
    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    m_test->setObjectName(u"testModel"_s);
    m_test->setToolTip(tr("One tiny call: does it answer, how fast, at what cost"));
    m_verdict->setObjectName(u"testVerdict"_s);
    m_verdict->setFont(fontOf(Type::Strong));
    m_result->setObjectName(u"testResult"_s);
    m_result->setWordWrap(true);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row->addWidget(m_test);
    row->addWidget(m_verdict);
    row->addStretch(1);
    column->addLayout(row);
    column->addWidget(m_result);
    column->addStretch(1);

    connect(
        m_form, &FormGrid::edited, this, [this](const QString& field, const QString& value) { take(field, value); });
    connect(m_test, &QPushButton::clicked, this, [this] { test(); });
    connect(&book, &ModelsBook::changed, this, [this] { refresh(); });
    connect(&bench, &ModelBench::tested, this,
        [this](quint64 tag, const ProbeReport& report, const Capabilities& before, const Capabilities& after) {
            for (auto& [name, probe] : m_probes)
                if (probe.tag == tag) {
                    probe = {0, report.works, report.error.code == "llm/cancelled",
                        probeWords(report, before, after).join(u'\n')};
                    showTest();
                }
        });
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
    for (const char* field : {"name", "endpoint", "model", "weight", "temperature", "reasoning_effort",
             "max_output_tokens", "price.input", "price.output", "price.cache_read", "price.cache_write", "price.date"})
        m_form->setValue(text(field), text(draft.textAt(entry(), field)));
    const bool off = draft.textAt(entry(), "weight") == "0";
    m_form->setValue(u"enabled"_s, off ? u"false"_s : u"true"_s);
    m_form->setRowVisible(u"weight"_s, !off);
    const DraftProblem problem = draft.problemOf(entry(), m_book.catalogue());
    m_form->setProblem(text(problem.field), text(problem.reason));
    const auto spec = draft.model(m_at, m_book.catalogue());
    const auto figure
        = [](const std::optional<double>& price) { return price ? QString::number(*price, 'g', 6) : tr("unknown"); };
    const std::optional<TokenPrice> price = spec ? spec->price : std::nullopt;
    m_form->setPlaceholder(u"price.input"_s, figure(price ? std::optional(price->input) : std::nullopt));
    m_form->setPlaceholder(u"price.output"_s, figure(price ? std::optional(price->output) : std::nullopt));
    m_form->setPlaceholder(u"price.cache_read"_s, figure(price ? price->cacheRead : std::nullopt));
    m_form->setPlaceholder(u"price.cache_write"_s, figure(price ? price->cacheWrite : std::nullopt));
    m_form->setPlaceholder(u"price.date"_s, price ? text(price->date) : tr("unknown"));
    m_test->setEnabled(problem.reason.empty());
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
        const bool words = field == u"name"_s || field == u"endpoint"_s || field == u"model"_s
            || field == u"reasoning_effort"_s || field == u"price.date"_s;
        draft.set(entry(), field.toStdString(), words ? textOrNothing(value) : numberOrText(value));
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
        probe = {0, false, false, text(file.error().line())};
    else
        probe = {m_bench.test(*file, file->models.front().name), false, false, {}};
    showTest();
}

void ModelCard::showTest()
{
    const auto found = m_probes.find(text(m_book.draft().textAt(entry(), "name")));
    const bool any = found != m_probes.end(), under = any && found->second.tag != 0;
    m_test->setText(under ? tr("Cancel") : tr("Test"));
    m_verdict->setVisible(any);
    m_result->setVisible(any && !under);
    if (!any)
        return;
    const bool quiet = under || found->second.givenUp;
    m_verdict->setText(under        ? tr("Asking…")
            : found->second.givenUp ? tr("Given up.")
            : found->second.works   ? tr("It works.")
                                    : tr("It does not work."));
    restyle(m_verdict, "tone", quiet ? u"secondary"_s : found->second.works ? u"good"_s : u"bad"_s);
    m_result->setText(found->second.words);
}

} // namespace tilewright::ui
