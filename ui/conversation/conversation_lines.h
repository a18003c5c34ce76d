// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts and replies as lines to show, and the words about them. Pure.
#pragma once

#include "core/model/conversation.h"
#include "ui/widgets/code_view.h"

#include <QString>

namespace tilewright::ui {

/// The reply's lines, numbered; those of proposal `part` are marked (0: the whole reply is the proposal, none is).
std::vector<CodeLine> replyLines(const std::string& reply, int part);

/// "template explore v2 · writer · 12 340 tokens · $0.012 · 14 s"; what is unknown says so.
QString factsOf(const RunState& run, const Inquiry& inquiry);
/// "2 calls · 12 340 tokens read, 800 written · $0.012": of all calls that were needed for it; what is unknown says so.
/// Empty where no model was asked.
QString priceOf(const RunState& run, ProposalId id);
/// Why a proposal has no prompt, for a person; empty if it has one.
QString noPromptReason(const RunState& run, ProposalId id);
/// "$0.0123"; "unknown" for none.
QString costWords(const std::optional<std::int64_t>& microUsd);

} // namespace tilewright::ui
