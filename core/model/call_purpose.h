// SPDX-License-Identifier: GPL-3.0-or-later
// What a question to somebody outside is for, as its record tells: also in files of older versions. Pure.
#pragma once

#include <string>

namespace tilewright {

struct Inquiry;

/// Propose: an edit of a program. Translate: a program written anew from the operation's plain form. Repair and
/// Rewrite: a further turn on a reply whose patch did not apply. Summary: what the run has taught. Judge: what an edit
/// is worth.
enum class CallPurpose { Propose, Translate, Repair, Rewrite, Summary, Judge };
/// "propose", "translate", …
std::string nameOf(CallPurpose purpose);

CallPurpose purposeOf(const Inquiry& inquiry);

} // namespace tilewright
