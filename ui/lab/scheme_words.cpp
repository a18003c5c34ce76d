// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scheme_words.h"

#include "core/pack/scheme_task.h"
#include "ui/lab/schemes_page.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using tensor::Coefficient;
using tensor::Operand;

QString entryWords(const tensor::Format& format, Operand operand, int entry)
{
    return text(tensor::entryName(format, operand, entry)).toUpper();
}

QString productName(int product) { return u"m%1"_s.arg(product + 1); }

namespace {

bool isNegative(const Coefficient& value) { return value.re < 0 || (value.re == 0 && value.im < 0); }

QString magnitudeWords(const Coefficient& value)
{
    const Coefficient positive = isNegative(value) ? tensor::negated(value) : value;
    return positive.isUnit() ? QString() : text(tensor::textOf(positive));
}

} // namespace

QString signWords(const Coefficient& value)
{
    if (value.isZero())
        return {};
    return (isNegative(value) ? u"−"_s : u"+"_s) + magnitudeWords(value);
}

QString sumWords(const tensor::LinearForm& form, const std::function<QString(int)>& nameOf)
{
    QString words;
    tensor::LinearForm terms = form; // the first is one that is added, where there is one
    const auto added = std::ranges::find_if(terms, [](const auto& term) { return !isNegative(term.coefficient); });
    if (added != terms.end())
        std::rotate(terms.begin(), added, added + 1);
    for (const tensor::LinearTerm& term : terms) {
        const bool minus = isNegative(term.coefficient);
        if (words.isEmpty())
            words = minus ? u"−"_s : QString();
        else
            words += minus ? u" − "_s : u" + "_s;
        const QString factor = magnitudeWords(term.coefficient);
        words += factor.isEmpty() ? nameOf(term.variable) : factor + u' ' + nameOf(term.variable);
    }
    return words.isEmpty() ? u"0"_s : words;
}

QString productWords(const tensor::Scheme& scheme, int product)
{
    const auto side = [&](Operand operand) {
        const tensor::LinearForm form = tensor::formsOf(scheme, operand).at(static_cast<std::size_t>(product));
        const QString words = sumWords(form, [&](int entry) { return entryWords(scheme.format, operand, entry); });
        return form.size() == 1 && !words.startsWith(u"−"_s) ? words : u"(%1)"_s.arg(words);
    };
    const QString a = side(Operand::A), b = side(Operand::B);
    return a.endsWith(u')') && b.startsWith(u'(') ? a + b : a + u' ' + b;
}

QString whyNoTask(const tensor::Scheme& scheme, bool isExact)
{
    if (scheme.ring == tensor::Ring::Mod2)
        return SchemesPage::tr("It is exact modulo 2 only and cannot become floating-point code: signs and even "
                               "coefficients are missing. Only a lift to the integers has them.");
    if (scheme.ring == tensor::Ring::Gaussian)
        return SchemesPage::tr(
            "It has complex coefficients: no program for products of real matrices follows from it.");
    if (!isExact)
        return SchemesPage::tr("It is wrong: only a scheme that is verified exactly becomes a program.");
    const auto possible = checkBecomesTask(scheme);
    return possible ? QString() : asSentences(text(possible.error().text), text(possible.error().hint));
}

QString liftWords(const tensor::Lift& lift)
{
    switch (lift.outcome) {
    case tensor::LiftOutcome::Lifted:
        return SchemesPage::tr("It lifts to the integers, verified exactly.");
    case tensor::LiftOutcome::Impossible:
        return SchemesPage::tr("Proof that it does not lift: %1 of its equations modulo 4 add up to 0 = 1. Another "
                               "scheme of this rank may lift.")
            .arg(lift.proof.equations.size());
    case tensor::LiftOutcome::Undecided:
        return SchemesPage::tr("No lift to the integers was found; that is no proof that there is none.");
    }
    return {};
}

QColor plusColour() { return tokens().islands[0]; }
QColor minusColour() { return tokens().islands[1]; }

QColor colourOf(const Coefficient& coefficient)
{
    return coefficient.isZero() ? tokens().track : isNegative(coefficient) ? minusColour() : plusColour();
}

} // namespace tilewright::ui
