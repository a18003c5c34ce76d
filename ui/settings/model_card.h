// SPDX-License-Identifier: GPL-3.0-or-later
// One model: who serves it, how often and how it is asked, what it costs, and a test call. GUI thread.
#pragma once

#include "core/llm/model_directory.h"
#include "core/llm/models_file.h"
#include "ui/settings/model_bench.h"
#include "ui/settings/models_book.h"

#include <QFrame>
#include <QString>
#include <QStringList>
#include <map>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class FormGrid;

class ModelCard : public QFrame
{
    Q_OBJECT

public:
    ModelCard(ModelsBook& book, ModelBench& bench, QWidget* parent = nullptr);
    void show(std::size_t model);
    /// Names to choose from, as an endpoint's server listed them.
    void offer(const QString& endpoint, const QStringList& models);

private:
    DraftEntry entry() const { return {DraftPart::Model, m_at}; }
    void addCapabilities();
    void refresh();
    void showUsualCapabilities(const ModelsDraft& draft);
    void take(const QString& field, const QString& value);
    void test();
    void showTest();
    void keepFound();

    /// What a model's last test showed, or that one is under way.
    struct Probe {
        quint64 tag = 0; ///< 0: it has ended
        bool works = false, givenUp = false;
        QString words;
        nlohmann::json found; ///< capabilities that the server showed to be others than the table said
    };

    ModelsBook& m_book;
    ModelBench& m_bench;
    std::size_t m_at = 0;
    FormGrid* m_form;
    QPushButton* m_test;
    QLabel *m_verdict, *m_result;
    QPushButton* m_keep;
    std::map<QString, QStringList> m_offers; ///< by endpoint
    std::map<QString, double> m_weights; ///< of models that are switched off, by name
    std::map<QString, Probe> m_probes; ///< by the model's name
};

// What servers and prices tell, as a user reads it. Pure.

/// "$0.0012", "$12.40"; "unknown" for none, which is not 0.
QString dollars(const std::optional<double>& usd);
/// "in $1.25, out $10 per million tokens (2026-11-21)", or that the price is unknown.
QString priceWords(const std::optional<TokenPrice>& price);
/// A test call's result, a line each: times, tokens, cost, who answered, what was found.
QStringList probeWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after);
/// What the model takes, as its table says: "temperature, top-p, seed".
QString capabilityWords(const Capabilities& capabilities);
/// Field and reason, as a form shows them: for a user who sees fields and no JSON.
std::map<QString, QString> shownProblems(const std::map<std::string, std::string>& problems);

} // namespace tilewright::ui
