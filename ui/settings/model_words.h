// SPDX-License-Identifier: GPL-3.0-or-later
// What servers and prices tell, as a person reads it. Pure.
#pragma once

#include "core/llm/model_directory.h"
#include "core/llm/models_file.h"

#include <QString>
#include <QStringList>
#include <map>

namespace tilewright::ui {

/// "$0.0012", "$12.40"; "unknown" for none, which is not 0.
QString dollars(const std::optional<double>& usd);
/// "in $1.25, out $10 per million tokens (2026-11-21)", or that the price is unknown.
QString priceWords(const std::optional<TokenPrice>& price);
/// A test call's result, a line each: times, tokens, cost, who answered, what was found.
QStringList probeWords(const ProbeReport& report, const Capabilities& before, const Capabilities& after);
/// What the model takes, as its table says: "temperature, top-p, seed".
QString capabilityWords(const Capabilities& capabilities);
/// Field and reason, as a form shows them: for a person who sees fields and no JSON.
std::map<QString, QString> shownProblems(const std::map<std::string, std::string>& problems);

} // namespace tilewright::ui
