// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/wish.h"

#include "core/model/editing.h"

#include <algorithm>

namespace tilewright {
namespace {

std::unexpected<Error> unknown(WishId id)
{
    return fail("event/unknown-id", "an event names the unknown wish " + std::to_string(id.value));
}

std::string wishWords(const Wish& wish)
{
    const std::string parent = candidateName(wish.parent);
    if (wish.isForJudge())
        return "a judge's word on " + parent;
    if (wish.prompt)
        return "the prompt '" + wish.prompt.templateName + "' about " + parent
            + (wish.prompt.text.isNull() ? "" : ", with a text of '" + wish.prompt.changed + "' for this once");
    if (!wish.idea.empty())
        return "to try on " + parent + ": " + wish.idea;
    return wish.count == 1 ? "an edit of " + parent : std::to_string(wish.count) + " edits of " + parent;
}

} // namespace

const Wish* wishOf(const RunState& state, WishId id)
{
    const bool known = id.value >= 1 && static_cast<std::size_t>(id.value) <= state.wishes.size();
    return known ? &state.wishes[static_cast<std::size_t>(id.value - 1)] : nullptr;
}

const Wish* nextWish(const RunState& state)
{
    const auto next = std::ranges::find_if(state.wishes,
        [&](const Wish& wish) { return wish.isOpen() && !wish.isForJudge() && !isBanned(state, wish.parent); });
    return next == state.wishes.end() ? nullptr : &*next;
}

Result<LogLine> applyWish(RunState& state, const events::Wished& e)
{
    if (e.wish.id.value != static_cast<std::int64_t>(state.wishes.size()) + 1)
        return unknown(e.wish.id);
    if (!state.candidate(e.wish.parent))
        return fail("event/unknown-id", "a wish names the unknown candidate " + std::to_string(e.wish.parent.value));
    state.wishes.push_back(e.wish);
    state.wishes.back().seq = seqOfEvent(state);
    return LogLine{0, "", "info", e.wish.parent, "wished next: " + wishWords(e.wish)};
}

Result<LogLine> applyWish(RunState& state, const events::WishWithdrawn& e)
{
    Wish* wish = edit(state, e.id);
    if (!wish || !wish->isOpen())
        return wish ? fail("event/order", "a wish is taken back that is not open") : unknown(e.id);
    wish->withdrawn = true;
    return LogLine{0, "", "info", wish->parent,
        "wished no more: " + wishWords(*wish) + (wish->granted ? ", " + std::to_string(wish->granted) + " came" : "")};
}

Result<void> grantWish(RunState& state, WishId id)
{
    if (!id)
        return {};
    Wish* wish = edit(state, id);
    if (!wish)
        return unknown(id);
    ++wish->granted;
    return {};
}

Result<void> returnWish(RunState& state, WishId id)
{
    if (!id)
        return {};
    Wish* wish = edit(state, id);
    if (!wish)
        return unknown(id);
    wish->granted = std::max(wish->granted - 1, 0);
    return {};
}

} // namespace tilewright
