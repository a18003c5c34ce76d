// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_lines.h"

#include "core/patch/proposals.h"
#include "ui/models/format.h"
#include "ui/models/template_words.h"
#include "ui/models/token_words.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

int lineAt(const std::string& text, std::size_t at)
{
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

} // namespace

std::vector<CodeLine> replyLines(const std::string& reply, int part)
{
    int first = -1, last = -1; // of the proposal, 0-based
    const std::vector<std::string> parts = part > 0 ? proposalsIn(reply) : std::vector<std::string>();
    if (part > 0 && static_cast<std::size_t>(part) <= parts.size()) {
        const std::string& own = parts[static_cast<std::size_t>(part - 1)];
        const std::size_t at = own.empty() ? std::string::npos : reply.find(own);
        if (at != std::string::npos) {
            first = lineAt(reply, at);
            last = lineAt(reply, at + own.size() - 1);
        }
    }
    std::vector<CodeLine> lines = conversationLines(QString::fromStdString(reply));
    for (CodeLine& line : lines)
        line.isChosen = line.number - 1 >= first && line.number - 1 <= last;
    return lines;
}

QString costWords(const std::optional<std::int64_t>& microUsd)
{
    if (!microUsd)
        return tr("cost unknown");
    const double usd = static_cast<double>(*microUsd) / 1e6;
    return u"$%1"_s.arg(usd, 0, 'f', usd == 0 || usd >= 1 ? 2 : usd >= 0.01 ? 3 : 6);
}

QString factsOf(const RunState& run, const Inquiry& inquiry)
{
    QStringList facts;
    facts << tr("template %1").arg(templateWords(run, inquiry));
    const std::string model = inquiry.answer.model.empty() ? inquiry.model : inquiry.answer.model;
    const bool byHand = inquiry.proposer == "manual";
    facts << (byHand ? tr("answered by hand") : text(model.empty() ? inquiry.proposer : model));
    if (inquiry.state == InquiryState::Open)
        return (facts << tr("no answer yet")).join(u" · "_s);
    if (!byHand) {
        const QString tokens
            = tr("tokens: %1, %2").arg(readWords(inquiry.answer.tokens), writtenWords(inquiry.answer.tokens));
        facts << (inquiry.answer.guessed.total() > 0 ? tr("%1 (partly estimated)").arg(tokens) : tokens);
        facts << costWords(inquiry.answer.costMicroUsd);
    }
    facts << tookTime(std::max<std::int64_t>(0, inquiry.answeredNs - inquiry.askedNs));
    if (inquiry.answer.tries > 1)
        facts << tr("%1 tries").arg(inquiry.answer.tries);
    if (inquiry.unwanted)
        facts << tr("not used: its island was taken back");
    return facts.join(u" · "_s);
}

QString priceOf(const RunState& run, ProposalId id)
{
    TokenUsage used;
    std::int64_t microUsd = 0;
    int calls = 0, priced = 0;
    bool isTold = true, isGuessed = false;
    for (const InquiryId each : callsOf(run, id)) {
        const Inquiry& inquiry = *run.inquiry(each);
        if (inquiry.proposer == "manual")
            continue;
        const InquiryAnswer& answer = inquiry.answer;
        ++calls;
        used += answer.tokens;
        isTold = isTold && answer.untold == 0 && answer.rule != "llm/lost";
        isGuessed = isGuessed || answer.guessed.total() > 0;
        priced += answer.costMicroUsd ? 1 : 0;
        microUsd += answer.costMicroUsd.value_or(0);
    }
    if (calls == 0)
        return {};
    QStringList words;
    if (calls > 1)
        words << tr("%1 calls").arg(calls);
    const QString tokens = tr("%1 tokens read, %2 written").arg(grouped(used.read()), grouped(used.written()));
    words << (!isTold   ? used.total() == 0 ? tr("tokens unknown") : tr("at least %1").arg(tokens)
              : isGuessed ? tr("%1 (partly estimated)").arg(tokens)
                        : tokens);
    const QString cost = costWords(priced == 0 ? std::nullopt : std::optional(microUsd));
    words << (priced > 0 && priced < calls ? tr("at least %1").arg(cost) : cost);
    return words.join(u" · "_s);
}

QString noPromptReason(const RunState& run, ProposalId id)
{
    const std::vector<Turn> turns = turnsOf(run, id);
    if (std::ranges::any_of(turns, [](const Turn& turn) { return bool(turn.inquiry); }))
        return {};
    const Proposal* proposal = run.proposal(id);
    if (!proposal || proposal->parents.empty() || proposal->proposer == "seed")
        return tr("This is the seed of the task: nobody was asked for it.");
    const std::string& who = proposal->proposer;
    if (who == "mutator")
        return tr(
            "There is no prompt: the built-in mutator made this edit from the task's textbook moves. No model was "
            "asked.");
    if (who == "tuner")
        return tr("There is no prompt: the tuner chose other constants. No model was asked.");
    if (who.starts_with("replay"))
        return tr("There is no prompt here: the reply was replayed from a recording. Its prompt stands in the recorded "
                  "session.");
    return tr("There is no prompt: “%1” made this edit without asking anybody.").arg(text(who));
}

} // namespace tilewright::ui
