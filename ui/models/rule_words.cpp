// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rule_words.h"

#include "core/base/json_text.h"
#include "ui/models/display_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

struct RuleText {
    const char *rule, *words, *remedy; ///< a rule that ends in '/' stands for all that begin so
};

// The first that fits: a family comes after its members.
constexpr std::array rules{
    RuleText{"build/limit", QT_TRANSLATE_NOOP("RuleWords", "compilation exceeded its time or memory limit"),
        QT_TRANSLATE_NOOP("RuleWords", "Make the program smaller: fewer template instances, less unrolling.")},
    RuleText{"build/killed", QT_TRANSLATE_NOOP("RuleWords", "its compiler was killed externally each time"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "It may need more memory than this machine has: make it smaller, or measure it again.")},
    RuleText{"build/no-entry", QT_TRANSLATE_NOOP("RuleWords", "lacks the required entry function"),
        QT_TRANSLATE_NOOP("RuleWords", "Add the function named here, with Edit by hand.")},
    RuleText{"build/no-kernel", QT_TRANSLATE_NOOP("RuleWords", "its plan names a kernel that does not exist"),
        QT_TRANSLATE_NOOP("RuleWords", "Correct the name in tilewright_plan(), or add the kernel.")},
    RuleText{"build/plan", QT_TRANSLATE_NOOP("RuleWords", "its launch plan is invalid"),
        QT_TRANSLATE_NOOP("RuleWords", "Correct tilewright_plan(): the invalid value is shown here.")},
    RuleText{"build/include", QT_TRANSLATE_NOOP("RuleWords", "includes a file that is not allowed"),
        QT_TRANSLATE_NOOP("RuleWords", "Put the required code into the program itself.")},
    RuleText{"build/", QT_TRANSLATE_NOOP("RuleWords", "does not compile"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "Read the compiler output in the tab Build log, then correct it with Edit by hand.")},
    RuleText{"duplicate/machine-code", QT_TRANSLATE_NOOP("RuleWords", "same machine code as another candidate"),
        QT_TRANSLATE_NOOP("RuleWords", "See the candidate named here: its measurements apply to both.")},
    RuleText{"duplicate/renamed", QT_TRANSLATE_NOOP("RuleWords", "same as an earlier program with other names"), ""},
    RuleText{"static/fast-math", QT_TRANSLATE_NOOP("RuleWords", "uses fast math, which the task does not allow"),
        QT_TRANSLATE_NOOP("RuleWords", "Use the exact function, or allow fast math in the task.")},
    RuleText{"static/", QT_TRANSLATE_NOOP("RuleWords", "the program text violates a rule"),
        QT_TRANSLATE_NOOP("RuleWords", "Correct the text shown here with Edit by hand.")},
    RuleText{"plan/", QT_TRANSLATE_NOOP("RuleWords", "requests a launch that this GPU does not support"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "Use smaller tiles or blocks: change the constants with Edit by hand, or use the tuner.")},
    RuleText{"verify/norm", QT_TRANSLATE_NOOP("RuleWords", "wrong result"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "Find the code of the element named here in Diff, then correct it with Edit by hand.")},
    RuleText{"verify/elementwise", QT_TRANSLATE_NOOP("RuleWords", "error of an element above the tolerance"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "Find the code of the element named here in Diff, then correct it with Edit by hand.")},
    RuleText{"verify/exact", QT_TRANSLATE_NOOP("RuleWords", "a sum that must be exact is not exact"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "Find the code of the element named here in Diff, then correct it with Edit by hand.")},
    RuleText{"verify/nan", QT_TRANSLATE_NOOP("RuleWords", "an output is not a finite number"),
        QT_TRANSLATE_NOOP("RuleWords",
            "Outputs are filled with arbitrary values before a launch: the program may add to an element before it "
            "sets it.")},
    RuleText{"verify/poison",
        QT_TRANSLATE_NOOP("RuleWords", "an output element is not written, or depends on an unwritten one"),
        QT_TRANSLATE_NOOP("RuleWords",
            "Check loop bounds, shapes that are no multiple of the tile, and outputs that are added to before they are "
            "set.")},
    RuleText{"verify/determinism", QT_TRANSLATE_NOOP("RuleWords", "two runs on the same inputs differ"),
        QT_TRANSLATE_NOOP("RuleWords", "It reads uninitialised memory, or threads race for an element.")},
    RuleText{"verify/input-write", QT_TRANSLATE_NOOP("RuleWords", "wrote to an input"),
        QT_TRANSLATE_NOOP("RuleWords", "Inputs are read-only: write to the output or the workspace.")},
    RuleText{"verify/out-of-bounds-write", QT_TRANSLATE_NOOP("RuleWords", "wrote outside of its buffers"),
        QT_TRANSLATE_NOOP("RuleWords", "Check loop bounds and shapes that are no multiple of the tile.")},
    RuleText{"verify/out-of-bounds", QT_TRANSLATE_NOOP("RuleWords", "accessed memory outside of its buffers"),
        QT_TRANSLATE_NOOP("RuleWords", "Check loop bounds and shapes that are no multiple of the tile.")},
    RuleText{"verify/memcheck", QT_TRANSLATE_NOOP("RuleWords", "compute-sanitizer found a memory error"),
        QT_TRANSLATE_NOOP("RuleWords", "Correct the finding shown here with Edit by hand.")},
    RuleText{"verify/sweep", QT_TRANSLATE_NOOP("RuleWords", "wrong result on a size that the task does not list"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "See in Diff how it handles that size: tile remainders, odd sizes, large sizes.")},
    RuleText{"verify/timed", QT_TRANSLATE_NOOP("RuleWords", "a timed launch gave a wrong result"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "The result was right in the check: find code that does less work in timed launches.")},
    RuleText{"verify/", QT_TRANSLATE_NOOP("RuleWords", "wrong result"), ""},
    RuleText{"time/roofline", QT_TRANSLATE_NOOP("RuleWords", "faster than the device allows"),
        QT_TRANSLATE_NOOP("RuleWords", "It cannot have done all the work: find in Diff what it leaves out.")},
    RuleText{"time/uneven", QT_TRANSLATE_NOOP("RuleWords", "some launches did the work of other launches"),
        QT_TRANSLATE_NOOP("RuleWords", "Each launch must compute its own result.")},
    RuleText{"time/unstable", QT_TRANSLATE_NOOP("RuleWords", "the machine was too busy for a timing"),
        QT_TRANSLATE_NOOP("RuleWords", "The program is not at fault: measure it again on a quiet machine.")},
    RuleText{"time/", QT_TRANSLATE_NOOP("RuleWords", "its times are implausible"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again; if this repeats, the program interferes with the timing.")},
    RuleText{"audit/", QT_TRANSLATE_NOOP("RuleWords", "too fast to be ranked without an audit"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again: the finding of the audit is shown here.")},
    RuleText{"run/timeout", QT_TRANSLATE_NOOP("RuleWords", "exceeded its time limit"),
        QT_TRANSLATE_NOOP("RuleWords", "Check that all loops end and that nothing waits forever.")},
    RuleText{"run/killed", QT_TRANSLATE_NOOP("RuleWords", "was killed externally each time it ran"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "The machine may be short of memory, or someone ended the process. Measure it again.")},
    RuleText{"run/memory", QT_TRANSLATE_NOOP("RuleWords", "not enough free GPU memory"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again when other programs have released GPU memory.")},
    RuleText{"run/syscall", QT_TRANSLATE_NOOP("RuleWords", "made a system call that is not allowed"),
        QT_TRANSLATE_NOOP("RuleWords", "Remove the call: a program may only compute.")},
    RuleText{"run/nonsense", QT_TRANSLATE_NOOP("RuleWords", "the measuring program sent an invalid reply"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again.")},
    RuleText{"run/", QT_TRANSLATE_NOOP("RuleWords", "crashed"),
        QT_TRANSLATE_NOOP("RuleWords", "Check its memory accesses on the shape named here.")},
    RuleText{"device/", QT_TRANSLATE_NOOP("RuleWords", "the device failed"),
        QT_TRANSLATE_NOOP("RuleWords", "The program is not at fault: measure it again when the device works.")},
    RuleText{"node/killed", QT_TRANSLATE_NOOP("RuleWords", "the measuring program was killed externally"),
        QT_TRANSLATE_NOOP("RuleWords", "The program is not at fault: measure it again.")},
    RuleText{"node/", QT_TRANSLATE_NOOP("RuleWords", "the measuring program ended unexpectedly"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again.")},
    RuleText{"machine/", QT_TRANSLATE_NOOP("RuleWords", "the machine lacked a resource"),
        QT_TRANSLATE_NOOP("RuleWords", "The program is not at fault: measure it again.")},
    RuleText{"rerun/opponent", QT_TRANSLATE_NOOP("RuleWords", "the program it was paired with failed"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again, against another candidate.")},
    RuleText{"rerun/", QT_TRANSLATE_NOOP("RuleWords", "the re-run failed"), ""},
    RuleText{"vendor/", QT_TRANSLATE_NOOP("RuleWords", "comparison with the vendor library failed"), ""},
    RuleText{"tool/", QT_TRANSLATE_NOOP("RuleWords", "an analysis tool failed"), ""},
    RuleText{"protocol/", QT_TRANSLATE_NOOP("RuleWords", "the measuring program sent an invalid reply"), ""},
    RuleText{"task/", QT_TRANSLATE_NOOP("RuleWords", "the task cannot be evaluated here"), ""},
    RuleText{"source/", QT_TRANSLATE_NOOP("RuleWords", "the EVOLVE-BLOCK markers in the program are invalid"), ""},
    RuleText{"patch/no-match", QT_TRANSLATE_NOOP("RuleWords", "the edit matches no place in its parent"), ""},
    RuleText{"patch/no-diff", QT_TRANSLATE_NOOP("RuleWords", "the reply contains no edit"), ""},
    RuleText{"patch/", QT_TRANSLATE_NOOP("RuleWords", "the edit cannot be applied as written"), ""},
    RuleText{"reply/", QT_TRANSLATE_NOOP("RuleWords", "the reply contains too many edits"), ""},
    RuleText{"duplicate", QT_TRANSLATE_NOOP("RuleWords", "duplicate of an earlier program"), ""},
    RuleText{"cancelled", QT_TRANSLATE_NOOP("RuleWords", "cancelled"), ""},
    RuleText{"proposer/changed", QT_TRANSLATE_NOOP("RuleWords", "the proposer was changed meanwhile"), ""},
    RuleText{"island/taken-back", QT_TRANSLATE_NOOP("RuleWords", "its island was undone"), ""},
    RuleText{"proposer/parent", QT_TRANSLATE_NOOP("RuleWords", "the program to edit is not in the session"), ""},
    RuleText{"proposer/exhausted", QT_TRANSLATE_NOOP("RuleWords", "no new edits left to try"), ""},
    RuleText{"proposer/", QT_TRANSLATE_NOOP("RuleWords", "no edit was generated"), ""},
    RuleText{"replay/parent",
        QT_TRANSLATE_NOOP("RuleWords", "the recorded edit needs a program that this run does not have"), ""},
    RuleText{"replay/", QT_TRANSLATE_NOOP("RuleWords", "no recorded edit applies here"), ""},
    RuleText{"prompt/", QT_TRANSLATE_NOOP("RuleWords", "no prompt could be generated"), ""},
    RuleText{"models/", QT_TRANSLATE_NOOP("RuleWords", "no model was available"), ""},
    RuleText{"budget/", QT_TRANSLATE_NOOP("RuleWords", "the budget was too small for it"), ""},
    RuleText{"llm/budget", QT_TRANSLATE_NOOP("RuleWords", "the budget was too small for it"), ""},
    RuleText{"llm/cancelled", QT_TRANSLATE_NOOP("RuleWords", "cancelled"), ""},
    RuleText{"llm/lost", QT_TRANSLATE_NOOP("RuleWords", "interrupted: Tilewright ended meanwhile"), ""},
    RuleText{"llm/refused", QT_TRANSLATE_NOOP("RuleWords", "refused by the model or a filter"), ""},
    RuleText{"llm/truncated", QT_TRANSLATE_NOOP("RuleWords", "cut off at the output limit"), ""},
    RuleText{"llm/empty", QT_TRANSLATE_NOOP("RuleWords", "the model sent an empty reply"), ""},
    RuleText{"llm/tool-call", QT_TRANSLATE_NOOP("RuleWords", "the model called a tool instead of replying"), ""},
    RuleText{"llm/auth", QT_TRANSLATE_NOOP("RuleWords", "the server rejected the key"), ""},
    RuleText{"llm/key", QT_TRANSLATE_NOOP("RuleWords", "the key could not be read"), ""},
    RuleText{"llm/quota", QT_TRANSLATE_NOOP("RuleWords", "the account has no credit left, or reached its limit"), ""},
    RuleText{"llm/rate-limit", QT_TRANSLATE_NOOP("RuleWords", "the server's rate limit was reached"), ""},
    RuleText{"llm/overloaded", QT_TRANSLATE_NOOP("RuleWords", "the server was overloaded"), ""},
    RuleText{"llm/context-length", QT_TRANSLATE_NOOP("RuleWords", "the prompt is too long for this model"), ""},
    RuleText{"llm/too-large", QT_TRANSLATE_NOOP("RuleWords", "the request is too large for the server"), ""},
    RuleText{"llm/reply-too-large", QT_TRANSLATE_NOOP("RuleWords", "the reply exceeded the size limit"), ""},
    RuleText{"llm/not-found", QT_TRANSLATE_NOOP("RuleWords", "the server does not know this model or address"), ""},
    RuleText{"llm/unknown-model", QT_TRANSLATE_NOOP("RuleWords", "no model of this name is set up"), ""},
    RuleText{"llm/timeout", QT_TRANSLATE_NOOP("RuleWords", "the server did not reply in time"), ""},
    RuleText{"llm/connection-lost", QT_TRANSLATE_NOOP("RuleWords", "the connection was lost"), ""},
    RuleText{"llm/connect", QT_TRANSLATE_NOOP("RuleWords", "no connection to the server"), ""},
    RuleText{"llm/tls", QT_TRANSLATE_NOOP("RuleWords", "no secure connection to the server"), ""},
    RuleText{"llm/proxy", QT_TRANSLATE_NOOP("RuleWords", "no connection through the proxy"), ""},
    RuleText{"llm/incomplete", QT_TRANSLATE_NOOP("RuleWords", "the reply ended early"), ""},
    RuleText{"llm/garbled", QT_TRANSLATE_NOOP("RuleWords", "the reply could not be read"), ""},
    RuleText{"llm/not-a-reply", QT_TRANSLATE_NOOP("RuleWords", "the reply could not be read"), ""},
    RuleText{"llm/server", QT_TRANSLATE_NOOP("RuleWords", "the server reported an error"), ""},
    RuleText{"llm/", QT_TRANSLATE_NOOP("RuleWords", "no reply was received"), ""},
};

struct NameAndWords {
    const char *name, *words;
};
constexpr std::array passedRules{
    // as a check names them, with or without "verify/"
    NameAndWords{"build", QT_TRANSLATE_NOOP("RuleWords", "builds")},
    NameAndWords{"written", QT_TRANSLATE_NOOP("RuleWords", "every element of the output was written")},
    NameAndWords{"norm", QT_TRANSLATE_NOOP("RuleWords", "error of the whole output within tolerance")},
    NameAndWords{"normwise", QT_TRANSLATE_NOOP("RuleWords", "error of the whole output within tolerance")},
    NameAndWords{"elementwise", QT_TRANSLATE_NOOP("RuleWords", "max error within tolerance")},
    NameAndWords{"exact", QT_TRANSLATE_NOOP("RuleWords", "results that must be exact are exact")},
    NameAndWords{"exact-integer", QT_TRANSLATE_NOOP("RuleWords", "exact on integer inputs")},
    NameAndWords{"poison", QT_TRANSLATE_NOOP("RuleWords", "the result does not depend on previous memory contents")},
    NameAndWords{"red-zones", QT_TRANSLATE_NOOP("RuleWords", "no writes outside of its buffers")},
    NameAndWords{"surroundings", QT_TRANSLATE_NOOP("RuleWords", "no writes outside of its buffers")},
    NameAndWords{"guard-pages", QT_TRANSLATE_NOOP("RuleWords", "no accesses beyond the ends of its buffers")},
    NameAndWords{"inputs-unchanged", QT_TRANSLATE_NOOP("RuleWords", "inputs unchanged")},
    NameAndWords{"size-sweep",
        QT_TRANSLATE_NOOP("RuleWords",
            "right results for every residue modulo 128 of every dimension, also beyond the largest size")},
    NameAndWords{"unannounced-shapes",
        QT_TRANSLATE_NOOP("RuleWords", "right results on shapes that were not listed in advance")},
    NameAndWords{"determinism", QT_TRANSLATE_NOOP("RuleWords", "two runs on the same inputs are equal")},
    NameAndWords{"timed-launches", QT_TRANSLATE_NOOP("RuleWords", "right results in timed launches")},
    NameAndWords{"roofline", QT_TRANSLATE_NOOP("RuleWords", "no time below the device's limit")},
    NameAndWords{"vendor-bound", QT_TRANSLATE_NOOP("RuleWords", "plausible against the vendor library")},
    NameAndWords{"audit", QT_TRANSLATE_NOOP("RuleWords", "checked again in fresh processes")},
    NameAndWords{"judged-outside", QT_TRANSLATE_NOOP("RuleWords", "judged in a separate process")},
};

const RuleText* textOf(const std::string& rule)
{
    const auto found = std::ranges::find_if(rules, [&](const RuleText& each) { return rule.starts_with(each.rule); });
    return found == rules.end() ? nullptr : found;
}

constexpr std::array evidenceWords{
    NameAndWords{"shape", QT_TRANSLATE_NOOP("RuleWords", "shape")},
    NameAndWords{"tensor", QT_TRANSLATE_NOOP("RuleWords", "tensor")},
    NameAndWords{"index", QT_TRANSLATE_NOOP("RuleWords", "element")},
    NameAndWords{"want", QT_TRANSLATE_NOOP("RuleWords", "expected")},
    NameAndWords{"got", QT_TRANSLATE_NOOP("RuleWords", "got")},
    NameAndWords{"error", QT_TRANSLATE_NOOP("RuleWords", "relative error of the whole output")},
    NameAndWords{"bound", QT_TRANSLATE_NOOP("RuleWords", "limit")},
    NameAndWords{"inputs", QT_TRANSLATE_NOOP("RuleWords", "inputs")},
    NameAndWords{"elements", QT_TRANSLATE_NOOP("RuleWords", "affected elements")},
    NameAndWords{"bytes", QT_TRANSLATE_NOOP("RuleWords", "affected bytes")},
    NameAndWords{"ns", QT_TRANSLATE_NOOP("RuleWords", "time")},
    NameAndWords{"floor_ns", QT_TRANSLATE_NOOP("RuleWords", "least possible time")},
    NameAndWords{"limit_ns", QT_TRANSLATE_NOOP("RuleWords", "limit")},
    NameAndWords{"exit", QT_TRANSLATE_NOOP("RuleWords", "exit status")},
    NameAndWords{"field", QT_TRANSLATE_NOOP("RuleWords", "field of the plan")},
    NameAndWords{"value", QT_TRANSLATE_NOOP("RuleWords", "requested")},
    NameAndWords{"z", QT_TRANSLATE_NOOP("RuleWords", "worst row")},
    NameAndWords{"r", QT_TRANSLATE_NOOP("RuleWords", "all rows")},
};

QString translated(const char* words) { return QCoreApplication::translate("RuleWords", words); }

QString numberWords(double value)
{
    return std::abs(value) >= 1e6 || (value != 0 && std::abs(value) < 1e-3) ? QString::number(value, 'g', 3)
                                                                            : QString::number(value, 'g', 7);
}

QString valueWords(const std::string& key, const nlohmann::json& value)
{
    if (value.is_string())
        return text(value.get<std::string>());
    if (value.is_number() && key.ends_with("ns"))
        return shortTime(value.get<double>());
    if (value.is_number_float())
        return numberWords(value.get<double>());
    if (!value.is_array() || !std::ranges::all_of(value, &nlohmann::json::is_number_integer))
        return text(dumped(value));
    QStringList sizes;
    for (const nlohmann::json& size : value)
        sizes << QString::number(size.get<qint64>());
    if (key == "index")
        return u"[%1]"_s.arg(sizes.join(u", "_s));
    return sizes.join(key == "shape" ? u"×"_s : u", "_s);
}

QString line(const std::string& key, const nlohmann::json& value)
{
    const auto known = std::ranges::find_if(evidenceWords, [&](const NameAndWords& each) { return each.name == key; });
    const QString name = known == evidenceWords.end() ? text(key).replace(u'_', u' ') : translated(known->words);
    return u"%1: %2"_s.arg(name, valueWords(key, value));
}

} // namespace

QString ruleWords(const std::string& rule)
{
    const RuleText* known = textOf(rule);
    return known ? translated(known->words) : text(rule);
}

QString passedWords(const QString& rule)
{
    const QString name = rule.section(u'/', -1);
    const auto found
        = std::ranges::find_if(passedRules, [&](const NameAndWords& each) { return name == QLatin1String(each.name); });
    return found == passedRules.end() ? QString() : translated(found->words);
}

QStringList passedWords(const QStringList& rules)
{
    QStringList all;
    for (const QString& rule : rules) {
        const QString words = passedWords(rule);
        all << (words.isEmpty() ? rule : words);
    }
    all.removeDuplicates();
    return all;
}

QString ruleWithCode(const std::string& rule)
{
    const RuleText* known = rule.empty() ? nullptr : textOf(rule);
    return known ? u"%1 (%2)"_s.arg(translated(known->words), text(rule)) : text(rule);
}

QString ruleRemedy(const std::string& rule)
{
    const RuleText* known = textOf(rule);
    return known && *known->remedy ? translated(known->remedy) : QString();
}

QString evidenceText(const nlohmann::json& evidence)
{
    if (evidence.is_null())
        return {};
    if (!evidence.is_object())
        return text(evidence.is_string() ? evidence.get<std::string>() : dumped(evidence));
    QStringList lines;
    for (const NameAndWords& each : evidenceWords) // in the order in which a user asks
        if (const auto found = evidence.find(each.name); found != evidence.end())
            lines << line(each.name, *found);
    for (const auto& [key, value] : evidence.items())
        if (std::ranges::none_of(evidenceWords, [&](const NameAndWords& each) { return each.name == key; }))
            lines << line(key, value);
    return lines.join(u'\n');
}

} // namespace tilewright::ui
