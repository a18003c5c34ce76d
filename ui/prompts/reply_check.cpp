// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/reply_check.h"

#include "core/patch/diff.h"
#include "core/patch/patch.h"
#include "core/patch/proposals.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

int firstLine(const Error& error)
{
    const nlohmann::json& evidence = error.evidence;
    const bool known = evidence.is_object() && evidence.contains("lines") && evidence["lines"].is_array()
        && !evidence["lines"].empty() && evidence["lines"][0].is_number_integer();
    return known ? evidence["lines"][0].get<int>() : 0;
}

PartCheck checkPart(
    const std::string& parent, const std::string& fileName, const std::string& reply, const PatchOptions& options)
{
    PartCheck check;
    const auto result = applyReply(parent, fileName, reply, options);
    if (!result) {
        const Error error = result.error().error();
        check.rule = text(ruleOfCode(result.error().code));
        check.refusal = text(error.text);
        check.line = firstLine(error);
        return check;
    }
    check.applies = true;
    for (const Repair& repair : result->repairs)
        check.repairs << text(repair.line());
    for (const Repair& note : result->notes)
        check.notes << text(note.line());
    for (const DiffLine& line : diffLines(parent, result->text)) {
        check.added += line.change == LineChange::Added;
        check.removed += line.change == LineChange::Removed;
    }
    return check;
}

} // namespace

int ReplyCheck::applying() const
{
    return static_cast<int>(std::ranges::count_if(parts, [](const PartCheck& part) { return part.applies; }));
}

ReplyCheck checkReply(
    const std::string& parent, const std::string& fileName, const std::string& reply, AskedFor askedFor)
{
    ReplyCheck check;
    if (QString::fromStdString(reply).trimmed().isEmpty())
        return check;
    PatchOptions options;
    options.prompt = askedFor == AskedFor::Block ? Prompt::Rewrite : Prompt::Edit;
    for (const std::string& part : proposalsIn(reply))
        check.parts.push_back(checkPart(parent, fileName, part, options));
    return check;
}

QStringList wordsOf(const ReplyCheck& check)
{
    QStringList lines;
    for (std::size_t i = 0; i < check.parts.size(); ++i) {
        const PartCheck& part = check.parts[i];
        const QString name = check.parts.size() > 1 ? tr("Proposal %1").arg(i + 1) : tr("The patch");
        if (part.applies) {
            lines << tr("%1 applies: +%2 −%3 lines%4")
                         .arg(name)
                         .arg(part.added)
                         .arg(part.removed)
                         .arg(part.repairs.isEmpty() ? tr(", nothing to repair") : QString());
            for (const QString& repair : part.repairs)
                lines << tr("repaired: %1").arg(repair);
            for (const QString& note : part.notes)
                lines << tr("noted: %1").arg(note);
        } else {
            const QString where = part.line > 0 ? tr(" at line %1").arg(part.line) : QString();
            lines << tr("%1 does not apply%2 (%3): %4").arg(name, where, part.rule, part.refusal);
        }
    }
    return lines;
}

} // namespace tilewright::ui
