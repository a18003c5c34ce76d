// SPDX-License-Identifier: GPL-3.0-or-later
// The rules that end a candidate, an edit or a call, in words for the screen: what happened, what a user can do, and
// what was found. The rule's code itself stands where somebody looks for it: the inspector, tooltips, the table's
// query. Pure.
#pragma once

#include <QString>
#include <QStringList>
#include <nlohmann/json.hpp>
#include <string>

namespace tilewright::ui {

/// "an output is off by more than rounding"; the code itself where it has no words here.
QString ruleWords(const std::string& rule);
/// What a program that passed the rule of this name has shown: "poison"; empty where it has no words here.
QString passedWords(const QString& rule);
/// The same of several, each once; the name itself where it has no words here.
QStringList passedWords(const QStringList& rules);
/// The words with the code behind them, for a tooltip; empty without a rule.
QString ruleWithCode(const std::string& rule);
/// What a user can do about it, one sentence; empty where there is nothing to say.
QString ruleRemedy(const std::string& rule);
/// What was found, a line each: "expected: 1.5", "element: [0, 5]". Empty where nothing was kept.
QString evidenceText(const nlohmann::json& evidence);

} // namespace tilewright::ui
