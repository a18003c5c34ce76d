// SPDX-License-Identifier: GPL-3.0-or-later
// What a run does, in the words of toolbar and status line.
#pragma once

#include "core/engine/session/run_activity.h"
#include "core/model/measurement/listing.h"
#include "core/model/requests/model_request.h"
#include "core/model/requests/model_status.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <QString>
#include <cstdint>
#include <string>

class QDateTime;

namespace tilewright::ui {

/// "Running", "Waiting: 4 prompts", "Blocked: 8 reviews", "Paused"; "" without a session.
QString activityWords(const RunActivity& activity);
/// Without the state: "4 prompts"; the state where there is nothing else.
QString shortActivityWords(const RunActivity& activity);

// How long something waits for a user, and how much of it, in words. Pure.

/// "under a minute", "12 min", "2 h 5 min", "3 days"; empty where the time (ISO 8601) says nothing.
QString waitedFor(const std::string& sinceUtc, const QDateTime& now);
/// "waiting 12 min"
QString waitWords(const std::string& sinceUtc, const QDateTime& now);

/// "27 pending reviews": on the button beside the budgets, and where that is meant.
QString waitsForYou(std::int64_t count);

// Used tokens in words that a reader can add up: read and written are the whole, and what overlaps is named as a part
// of one of them. Pure.

/// "9 850 read, of them 1 024 from a cache and 512 into one"; without a cache the figure alone.
QString readWords(const TokenUsage& usage);
/// "2 193 written, of them 1 800 reasoning".
QString writtenWords(const TokenUsage& usage);
/// "12 043 tokens: 9 850 read, …; 2 193 written, …".
QString tokenWords(const TokenUsage& usage);

// What a model server told of its limits, in words for the screen. Pure.

/// "499 of 500 requests, 38 000 of 40 000 tokens left"; "" where none was told.
QString limitWords(const std::vector<ServerLimit>& limits);
/// A line each, with when it is all there again and when this was read.
QString limitLines(const std::vector<ServerLimit>& limits);

// The axes of a niche grid in words. Pure.

/// What an axis means: "tile size" for a product of constants that set how large the pieces of the work are, "code
/// length"; and its term in the task: "MC·NC·KC", "code_bytes".
QString axisName(const std::string& feature);
QString axisTerm(const std::string& feature);
/// "piece size: MC·NC·KC", a line an axis: the term behind each plain word; empty where they are the same.
QString axisTerms(const Task& task);

// Compiled code as it is shown: which grammar colours it. Pure.

/// Of highlight/languages: a name of its grammars.
inline QString languageOf(ListingForm form)
{
    return form == ListingForm::Ptx ? QStringLiteral("ptx")
        : form == ListingForm::Sass ? QStringLiteral("sass")
                                    : QStringLiteral("Intel x86 (NASM)");
}

// Which template a question was written with, as the screen Prompts numbers its versions. Pure.

/// "exploit v2", "exploit v2, system v1"; "exploit" where the text is none of a user's, "exploit, used once"
/// where it was written for one question.
QString templateWords(const RunState& run, const ModelRequest& modelRequest);

} // namespace tilewright::ui
