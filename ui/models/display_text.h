// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as a user reads them: units always, tabular, thin spaces in thousands. Pure.
#pragma once

#include "core/model/candidate.h"
#include "core/model/requests/model_request.h"
#include "core/model/reviews/review_policies.h"

#include <QString>
#include <optional>

namespace tilewright::ui {

inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }
QString nameOfCandidate(CandidateId id); ///< "c-0287", "–" for none
QString namesOfParents(const std::vector<CandidateId>& parents); ///< "c-0287", "c-0268 × c-0251", "–" for none
QString times(double factor); ///< "2.31×"; three digits before the point lose the decimals: "137×"
QString times(const std::optional<Interval>& figure); ///< "–" for none
QString signedPercent(double ratio); ///< of a ratio around 1: "+5.5 %", "−1.2 %"
QString percent(double fraction); ///< "0.6 %"
QString halfWidth(const Interval& figure); ///< "± 0.02"
QString grouped(std::int64_t number); ///< "12 345"
/// The same text, in which no line ends between a figure and its unit or sign: "95 %", "± 0.2 %".
QString keptTogether(QString words);
/// At most so many characters of a text, in whole words, with an ellipsis where it goes on.
QString beginningOf(const QString& words, qsizetype most);
/// The same text, in which lines end between its phrases alone, which commas part, as far as they are short enough for
/// a narrow column.
QString phrasesTogether(const QString& words);
/// One of two translated texts with %1 for the number: "1 island", "4 islands".
QString counted(std::int64_t number, const QString& one, const QString& many);
QString vendorWords(const std::string& vendor); ///< of a task's "cublaslt": "cuBLASLt"
QString bytes(double number); ///< "512 B", "1.6 KiB", "6.9 MiB"
QString shortTime(double nanoseconds); ///< "412 µs", "3.07 ms"
QString duration(std::int64_t nanoseconds); ///< "3 h 12 min", "4 min 05 s", "12 s", "0.4 s": a count that runs up
QString tookTime(std::int64_t nanoseconds); ///< "4 min 05 s", "2.67 s", "0.4 s": of what is over
QString clockTime(const std::string& utc); ///< local "17:46:34"
QString rate(double gigaflopsPerSecond); ///< "53.4" (GFLOP/s)

/// What waits for a user's word, with the command line's name of the policy in it: "Every edit", "Risky edits",
/// "Automatic".
QString words(ReviewPolicy policy);
QString words(ProposerKind kind); ///< "Mutator", "Models", "Manual replies"
/// "Risky edits"; "Automatic: mutator, tuner. Risky edits: models."
QString words(const ReviewPolicies& policies);
QString words(Outcome outcome);
QString words(Stage stage);
QString words(Verdict verdict);
QString words(Purpose purpose);
QString words(Focus focus);
QString words(CallPurpose purpose);
QString asksFor(const ModelRequest& modelRequest); ///< "explore", "repair", "judgement": what a question is for
/// One or two words for where a candidate stands: "measuring", "confirmed", "provisional", "build failed".
QString stateWords(const Candidate& candidate);

} // namespace tilewright::ui
