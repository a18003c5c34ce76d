// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of proposers: what generates the edits of a run. Names are those of RunSettings::proposer and
// Proposal::proposer.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

enum class ProposerKind { Mutator, Tuner, Random, Model, Manual, Replay };
inline constexpr std::array proposerKinds{ProposerKind::Mutator, ProposerKind::Tuner, ProposerKind::Random,
    ProposerKind::Model, ProposerKind::Manual, ProposerKind::Replay};
std::string nameOf(ProposerKind kind);
/// The kind of "mutator", "model:FILE", "model:NAME" or "manual:DIR"; none for other names.
std::optional<ProposerKind> proposerKindFromName(std::string_view name);
/// It reads prompts, and with them hints, and each of its replies costs money or a user's time: a model, manual
/// replies.
bool readsPrompts(std::string_view proposer);

} // namespace tilewright
