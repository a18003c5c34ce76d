// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/call_purpose.h"

#include "core/base/names.h"
#include "core/model/inquiry.h"

namespace tilewright {
namespace {

constexpr NameTable<CallPurpose, 6> callPurposes{
    {{CallPurpose::Propose, "propose"}, {CallPurpose::Translate, "translate"}, {CallPurpose::Repair, "repair"},
        {CallPurpose::Rewrite, "rewrite"}, {CallPurpose::Summary, "summary"}, {CallPurpose::Judge, "judge"}}};

} // namespace

std::string nameOf(CallPurpose purpose) { return nameIn(callPurposes, purpose); }

CallPurpose purposeOf(const Inquiry& inquiry)
{
    if (inquiry.asksForSummary())
        return CallPurpose::Summary;
    if (inquiry.asksForJudgement())
        return CallPurpose::Judge;
    if (inquiry.promptName == "translate")
        return CallPurpose::Translate;
    if (inquiry.focus == Focus::Repair)
        return CallPurpose::Repair;
    return inquiry.focus == Focus::Rewrite ? CallPurpose::Rewrite : CallPurpose::Propose;
}

} // namespace tilewright
