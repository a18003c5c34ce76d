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
    RuleText{"build/limit", QT_TRANSLATE_NOOP("RuleWords", "compiling took more time or memory than it may"),
        QT_TRANSLATE_NOOP("RuleWords", "Make the program smaller: fewer instances of its templates, less unrolling.")},
    RuleText{"build/killed", QT_TRANSLATE_NOOP("RuleWords", "its compiler was ended from outside each time"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "It may need more memory than this machine has: make it smaller, or measure it again.")},
    RuleText{"build/no-entry", QT_TRANSLATE_NOOP("RuleWords", "lacks the function that every program has to have"),
        QT_TRANSLATE_NOOP("RuleWords", "Write it by hand: its name stands here.")},
    RuleText{"build/no-kernel", QT_TRANSLATE_NOOP("RuleWords", "its plan names a kernel that it does not have"),
        QT_TRANSLATE_NOOP("RuleWords", "Mend the name in tilewright_plan() by hand, or write the kernel.")},
    RuleText{"build/plan", QT_TRANSLATE_NOOP("RuleWords", "its plan of launches is not possible"),
        QT_TRANSLATE_NOOP("RuleWords", "Mend tilewright_plan() by hand: what it asked for stands here.")},
    RuleText{"build/include", QT_TRANSLATE_NOOP("RuleWords", "includes a file that it may not"),
        QT_TRANSLATE_NOOP("RuleWords", "Put what it needs into the program itself.")},
    RuleText{"build/", QT_TRANSLATE_NOOP("RuleWords", "does not compile"),
        QT_TRANSLATE_NOOP("RuleWords", "Read the compiler's words in the tab Log, then mend it with Edit by hand.")},
    RuleText{"duplicate/machine-code",
        QT_TRANSLATE_NOOP("RuleWords", "compiles to the machine code of another candidate"),
        QT_TRANSLATE_NOOP("RuleWords", "See the candidate that is named here: its measurements hold for both.")},
    RuleText{"duplicate/renamed",
        QT_TRANSLATE_NOOP("RuleWords", "the same program as an earlier one under other names"), ""},
    RuleText{"static/fast-math", QT_TRANSLATE_NOOP("RuleWords", "uses fast math, which the task does not allow"),
        QT_TRANSLATE_NOOP("RuleWords", "Edit it and use the exact function, or allow it in the task.")},
    RuleText{"static/", QT_TRANSLATE_NOOP("RuleWords", "the program's text breaks a rule"),
        QT_TRANSLATE_NOOP("RuleWords", "Edit it by hand: what the rule met stands here.")},
    RuleText{"plan/", QT_TRANSLATE_NOOP("RuleWords", "asks for a launch that this GPU cannot do"),
        QT_TRANSLATE_NOOP("RuleWords", "Smaller tiles or blocks fit: change its constants by hand, or let the tuner.")},
    RuleText{"verify/norm", QT_TRANSLATE_NOOP("RuleWords", "wrong result"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "See in Diff what computes the element named here, then mend it with Edit by hand.")},
    RuleText{"verify/elementwise", QT_TRANSLATE_NOOP("RuleWords", "an element is off by more than rounding explains"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "See in Diff what computes the element named here, then mend it with Edit by hand.")},
    RuleText{"verify/exact", QT_TRANSLATE_NOOP("RuleWords", "a sum that has to be exact is not"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "See in Diff what computes the element named here, then mend it with Edit by hand.")},
    RuleText{"verify/nan", QT_TRANSLATE_NOOP("RuleWords", "an output is not a finite number"),
        QT_TRANSLATE_NOOP("RuleWords", "Outputs arrive full of nonsense: it may add to one that it never set.")},
    RuleText{"verify/poison",
        QT_TRANSLATE_NOOP("RuleWords", "an output element is not written, or is computed from one that is not"),
        QT_TRANSLATE_NOOP("RuleWords",
            "Look at the ends of its loops, at shapes that no tile divides, and for an output that it adds to before "
            "it "
            "sets it.")},
    RuleText{"verify/determinism", QT_TRANSLATE_NOOP("RuleWords", "two runs on the same inputs differ"),
        QT_TRANSLATE_NOOP("RuleWords", "It reads memory that it never set, or threads race for an element.")},
    RuleText{"verify/input-write", QT_TRANSLATE_NOOP("RuleWords", "wrote to an input"),
        QT_TRANSLATE_NOOP("RuleWords", "Inputs are only read: let it write to its output or workspace.")},
    RuleText{"verify/out-of-bounds-write", QT_TRANSLATE_NOOP("RuleWords", "wrote outside of its buffers"),
        QT_TRANSLATE_NOOP("RuleWords", "Look at the ends of its loops and at shapes that no tile divides.")},
    RuleText{"verify/out-of-bounds", QT_TRANSLATE_NOOP("RuleWords", "reached outside of its buffers"),
        QT_TRANSLATE_NOOP("RuleWords", "Look at the ends of its loops and at shapes that no tile divides.")},
    RuleText{"verify/memcheck", QT_TRANSLATE_NOOP("RuleWords", "compute-sanitizer found an error of memory"),
        QT_TRANSLATE_NOOP("RuleWords", "What it found stands here; mend it with Edit by hand.")},
    RuleText{"verify/sweep", QT_TRANSLATE_NOOP("RuleWords", "wrong result on a size that the task does not list"),
        QT_TRANSLATE_NOOP(
            "RuleWords", "See in Diff how it handles that size: remainders of tiles, odd sizes, large sizes.")},
    RuleText{"verify/timed", QT_TRANSLATE_NOOP("RuleWords", "a timed launch gave a wrong result"),
        QT_TRANSLATE_NOOP("RuleWords", "It was right when it was checked: does it do less where it is timed?")},
    RuleText{"verify/", QT_TRANSLATE_NOOP("RuleWords", "wrong result"), ""},
    RuleText{"time/roofline", QT_TRANSLATE_NOOP("RuleWords", "faster than the device can be"),
        QT_TRANSLATE_NOOP("RuleWords", "It cannot have done all the work: see in Diff what it leaves out.")},
    RuleText{"time/uneven", QT_TRANSLATE_NOOP("RuleWords", "some launches did the work of others"),
        QT_TRANSLATE_NOOP("RuleWords", "Each launch has to compute what it is handed.")},
    RuleText{"time/unstable", QT_TRANSLATE_NOOP("RuleWords", "the machine was too busy to time it"),
        QT_TRANSLATE_NOOP("RuleWords", "Nothing is wrong with the program: measure it again on a quiet machine.")},
    RuleText{"time/", QT_TRANSLATE_NOOP("RuleWords", "its times cannot be true"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again; if it stays, the program tampers with the clock.")},
    RuleText{"audit/", QT_TRANSLATE_NOOP("RuleWords", "too good to count before it is audited"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again: what the audit could not clear stands here.")},
    RuleText{"run/timeout", QT_TRANSLATE_NOOP("RuleWords", "did not come to an end"),
        QT_TRANSLATE_NOOP("RuleWords", "Does every loop end, and does nothing wait for what never comes?")},
    RuleText{"run/killed", QT_TRANSLATE_NOOP("RuleWords", "was ended from outside each time it ran"),
        QT_TRANSLATE_NOOP("RuleWords", "Is the machine short of memory, or does somebody end it? Measure it again.")},
    RuleText{"run/memory", QT_TRANSLATE_NOOP("RuleWords", "the GPU had no memory for it"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again once other programs have let go of the GPU's memory.")},
    RuleText{"run/syscall", QT_TRANSLATE_NOOP("RuleWords", "asked the system for something that it may not"),
        QT_TRANSLATE_NOOP("RuleWords", "A program computes and does nothing else: take that out by hand.")},
    RuleText{"run/nonsense", QT_TRANSLATE_NOOP("RuleWords", "what measures it answered nonsense"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again.")},
    RuleText{"run/", QT_TRANSLATE_NOOP("RuleWords", "crashed"),
        QT_TRANSLATE_NOOP("RuleWords", "Look at what it reads and writes, on the shape named here.")},
    RuleText{"device/", QT_TRANSLATE_NOOP("RuleWords", "the device failed"),
        QT_TRANSLATE_NOOP("RuleWords", "Nothing is wrong with the program: measure it again once the device is well.")},
    RuleText{"node/killed", QT_TRANSLATE_NOOP("RuleWords", "what measures it was ended from outside"),
        QT_TRANSLATE_NOOP("RuleWords", "Nothing is wrong with the program: measure it again.")},
    RuleText{"node/", QT_TRANSLATE_NOOP("RuleWords", "what measures it ended"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again.")},
    RuleText{"machine/", QT_TRANSLATE_NOOP("RuleWords", "the machine lacked what it takes"),
        QT_TRANSLATE_NOOP("RuleWords", "Nothing is wrong with the program: measure it again.")},
    RuleText{"rerun/opponent", QT_TRANSLATE_NOOP("RuleWords", "what it was paired with failed"),
        QT_TRANSLATE_NOOP("RuleWords", "Measure it again, against another one.")},
    RuleText{"rerun/", QT_TRANSLATE_NOOP("RuleWords", "could not be measured again"), ""},
    RuleText{"vendor/", QT_TRANSLATE_NOOP("RuleWords", "the vendor's library could not be compared with"), ""},
    RuleText{"tool/", QT_TRANSLATE_NOOP("RuleWords", "a tool that looks at programs failed"), ""},
    RuleText{"protocol/", QT_TRANSLATE_NOOP("RuleWords", "what measures it answered nonsense"), ""},
    RuleText{"task/", QT_TRANSLATE_NOOP("RuleWords", "the task asks for what cannot be done here"), ""},
    RuleText{
        "source/", QT_TRANSLATE_NOOP("RuleWords", "the markers in the program's text are not as they have to be"), ""},
    RuleText{"patch/no-match", QT_TRANSLATE_NOOP("RuleWords", "the edit fits nowhere in its parent"), ""},
    RuleText{"patch/no-diff", QT_TRANSLATE_NOOP("RuleWords", "the reply holds no edit"), ""},
    RuleText{"patch/", QT_TRANSLATE_NOOP("RuleWords", "the edit cannot be made as it is written"), ""},
    RuleText{"reply/", QT_TRANSLATE_NOOP("RuleWords", "the reply holds more edits than are taken"), ""},
    RuleText{"duplicate", QT_TRANSLATE_NOOP("RuleWords", "the same program as an earlier one"), ""},
    RuleText{"cancelled", QT_TRANSLATE_NOOP("RuleWords", "cancelled"), ""},
    RuleText{"proposer/changed", QT_TRANSLATE_NOOP("RuleWords", "the proposer was changed meanwhile"), ""},
    RuleText{"island/taken-back", QT_TRANSLATE_NOOP("RuleWords", "its island was taken back"), ""},
    RuleText{"proposer/parent", QT_TRANSLATE_NOOP("RuleWords", "the program to edit is not in the session"), ""},
    RuleText{"proposer/exhausted", QT_TRANSLATE_NOOP("RuleWords", "nothing new was left to try there"), ""},
    RuleText{"proposer/", QT_TRANSLATE_NOOP("RuleWords", "no edit came of it"), ""},
    RuleText{
        "replay/parent", QT_TRANSLATE_NOOP("RuleWords", "the recorded edit needs a program that this run lacks"), ""},
    RuleText{"replay/", QT_TRANSLATE_NOOP("RuleWords", "no recorded edit fits here"), ""},
    RuleText{"prompt/", QT_TRANSLATE_NOOP("RuleWords", "no prompt could be made for it"), ""},
    RuleText{"models/", QT_TRANSLATE_NOOP("RuleWords", "no model could be asked"), ""},
    RuleText{"budget/", QT_TRANSLATE_NOOP("RuleWords", "the budget did not cover it"), ""},
    RuleText{"llm/budget", QT_TRANSLATE_NOOP("RuleWords", "the budget did not cover it"), ""},
    RuleText{"llm/cancelled", QT_TRANSLATE_NOOP("RuleWords", "cancelled"), ""},
    RuleText{"llm/lost", QT_TRANSLATE_NOOP("RuleWords", "broke off: the program ended meanwhile"), ""},
    RuleText{"llm/refused", QT_TRANSLATE_NOOP("RuleWords", "the model or a filter refused"), ""},
    RuleText{"llm/truncated", QT_TRANSLATE_NOOP("RuleWords", "cut off at the output limit"), ""},
    RuleText{"llm/empty", QT_TRANSLATE_NOOP("RuleWords", "the model answered nothing"), ""},
    RuleText{"llm/tool-call", QT_TRANSLATE_NOOP("RuleWords", "the model called a tool instead of answering"), ""},
    RuleText{"llm/auth", QT_TRANSLATE_NOOP("RuleWords", "the server did not accept the key"), ""},
    RuleText{"llm/key", QT_TRANSLATE_NOOP("RuleWords", "the key could not be had"), ""},
    RuleText{"llm/quota", QT_TRANSLATE_NOOP("RuleWords", "the account has no credit left, or met its cap"), ""},
    RuleText{"llm/rate-limit", QT_TRANSLATE_NOOP("RuleWords", "asked more often than the server allows"), ""},
    RuleText{"llm/overloaded", QT_TRANSLATE_NOOP("RuleWords", "the server was overloaded"), ""},
    RuleText{"llm/context-length", QT_TRANSLATE_NOOP("RuleWords", "the prompt is too long for this model"), ""},
    RuleText{"llm/too-large", QT_TRANSLATE_NOOP("RuleWords", "the request is too large for the server"), ""},
    RuleText{"llm/reply-too-large", QT_TRANSLATE_NOOP("RuleWords", "the answer was larger than any may be"), ""},
    RuleText{"llm/not-found", QT_TRANSLATE_NOOP("RuleWords", "the server knows no such model or address"), ""},
    RuleText{"llm/unknown-model", QT_TRANSLATE_NOOP("RuleWords", "no model of this name is set up"), ""},
    RuleText{"llm/timeout", QT_TRANSLATE_NOOP("RuleWords", "the server took too long"), ""},
    RuleText{"llm/connection-lost", QT_TRANSLATE_NOOP("RuleWords", "the connection broke off"), ""},
    RuleText{"llm/connect", QT_TRANSLATE_NOOP("RuleWords", "there was no connection to the server"), ""},
    RuleText{"llm/tls", QT_TRANSLATE_NOOP("RuleWords", "there was no secure connection to the server"), ""},
    RuleText{"llm/proxy", QT_TRANSLATE_NOOP("RuleWords", "there was no connection through the proxy"), ""},
    RuleText{"llm/incomplete", QT_TRANSLATE_NOOP("RuleWords", "the answer broke off"), ""},
    RuleText{"llm/garbled", QT_TRANSLATE_NOOP("RuleWords", "the answer could not be read"), ""},
    RuleText{"llm/not-a-reply", QT_TRANSLATE_NOOP("RuleWords", "the answer could not be read"), ""},
    RuleText{"llm/server", QT_TRANSLATE_NOOP("RuleWords", "the server failed"), ""},
    RuleText{"llm/", QT_TRANSLATE_NOOP("RuleWords", "no answer came"), ""},
};

struct NameAndWords {
    const char *name, *words;
};
constexpr std::array passedRules{
    // as a check names them, with or without "verify/"
    NameAndWords{"build", QT_TRANSLATE_NOOP("RuleWords", "it builds")},
    NameAndWords{"written", QT_TRANSLATE_NOOP("RuleWords", "every element of the output was written")},
    NameAndWords{"norm", QT_TRANSLATE_NOOP("RuleWords", "the whole output is off by no more than rounding explains")},
    NameAndWords{
        "normwise", QT_TRANSLATE_NOOP("RuleWords", "the whole output is off by no more than rounding explains")},
    NameAndWords{"elementwise", QT_TRANSLATE_NOOP("RuleWords", "no element is off by more than rounding explains")},
    NameAndWords{"exact", QT_TRANSLATE_NOOP("RuleWords", "what has to be exact is")},
    NameAndWords{"exact-integer", QT_TRANSLATE_NOOP("RuleWords", "on whole numbers the result is exact")},
    NameAndWords{"poison", QT_TRANSLATE_NOOP("RuleWords", "the result does not depend on what memory held before")},
    NameAndWords{"red-zones", QT_TRANSLATE_NOOP("RuleWords", "nothing was written beside its buffers")},
    NameAndWords{"surroundings", QT_TRANSLATE_NOOP("RuleWords", "nothing was written beside its buffers")},
    NameAndWords{"guard-pages", QT_TRANSLATE_NOOP("RuleWords", "nothing was touched beyond the ends of its buffers")},
    NameAndWords{"inputs-unchanged", QT_TRANSLATE_NOOP("RuleWords", "the inputs are as they were")},
    NameAndWords{"size-sweep",
        QT_TRANSLATE_NOOP(
            "RuleWords", "every residue modulo 128 of every dimension came out right, beyond the largest size too")},
    NameAndWords{"unannounced-shapes", QT_TRANSLATE_NOOP("RuleWords", "shapes that it was not told of came out right")},
    NameAndWords{"determinism", QT_TRANSLATE_NOOP("RuleWords", "two runs on the same inputs are equal")},
    NameAndWords{"timed-launches", QT_TRANSLATE_NOOP("RuleWords", "what was timed gave right results")},
    NameAndWords{"roofline", QT_TRANSLATE_NOOP("RuleWords", "no time is below what the device can do")},
    NameAndWords{"vendor-bound", QT_TRANSLATE_NOOP("RuleWords", "beside the vendor's library its speed can be true")},
    NameAndWords{"audit", QT_TRANSLATE_NOOP("RuleWords", "checked again in fresh processes")},
    NameAndWords{"judged-outside", QT_TRANSLATE_NOOP("RuleWords", "judged by a process that it did not run in")},
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
    NameAndWords{"elements", QT_TRANSLATE_NOOP("RuleWords", "elements concerned")},
    NameAndWords{"bytes", QT_TRANSLATE_NOOP("RuleWords", "bytes concerned")},
    NameAndWords{"ns", QT_TRANSLATE_NOOP("RuleWords", "time")},
    NameAndWords{"floor_ns", QT_TRANSLATE_NOOP("RuleWords", "least possible")},
    NameAndWords{"limit_ns", QT_TRANSLATE_NOOP("RuleWords", "limit")},
    NameAndWords{"exit", QT_TRANSLATE_NOOP("RuleWords", "how it ended")},
    NameAndWords{"field", QT_TRANSLATE_NOOP("RuleWords", "field of the plan")},
    NameAndWords{"value", QT_TRANSLATE_NOOP("RuleWords", "asked for")},
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
