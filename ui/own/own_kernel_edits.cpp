// SPDX-License-Identifier: GPL-3.0-or-later
// What a user types on the page, put into the description.
#include "core/model/task/pack_rules.h"
#include "ui/models/display_text.h"
#include "ui/own/own_kernel_page.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void OwnKernelPage::setSizes(std::vector<Shape> KernelDescription::*sizes, const QString& field, const QString& value)
{
    const auto parsed = parsedShapes(value.toStdString(), m_work->description().dims.size());
    m_typedField = parsed ? QString() : field;
    m_typedProblem = parsed ? QString() : text(parsed.error().line());
    if (!parsed)
        return read();
    m_work->change([&](KernelDescription& d) { d.*sizes = *parsed; }, KernelWork::Touches::Words);
}

void OwnKernelPage::edited(const QString& field, const QString& value)
{
    using Touches = KernelWork::Touches;
    const std::string words = value.trimmed().toStdString();
    const auto change
        = [&](Touches what, const std::function<void(KernelDescription&)>& by) { m_work->change(by, what); };
    if (field == u"train"_s)
        return setSizes(&KernelDescription::train, field, value);
    if (field == u"held-out"_s)
        return setSizes(&KernelDescription::heldout, field, value);
    if (field == u"verify"_s)
        return setSizes(&KernelDescription::verify, field, value);
    if (field == u"reference"_s)
        return m_work->openReference(value.trimmed());
    if (field == u"grid"_s)
        return change(Touches::Words, [&](KernelDescription& d) { d.launch.grid = expressionParts(words); });
    if (field == u"block"_s)
        return change(Touches::Words, [&](KernelDescription& d) { d.launch.block = expressionParts(words); });
    if (field == u"shared"_s)
        return change(Touches::Words, [&](KernelDescription& d) { d.launch.shared = words; });
    if (field == u"name"_s)
        return change(Touches::Words, [&](KernelDescription& d) { d.name = words; });
    if (field == u"title"_s)
        return change(Touches::Words, [&](KernelDescription& d) { d.title = words; });
    if (field == u"operations"_s)
        return change(Touches::Cost, [&](KernelDescription& d) { d.flops = words; });
    if (field == u"bytes"_s)
        return change(Touches::Cost, [&](KernelDescription& d) { d.bytes = words; });
    if (field == u"referenceFunction"_s)
        return change(Touches::Truth, [&](KernelDescription& d) { d.referenceFunction = words; });
    if (field == u"reduction"_s)
        return change(Touches::Truth, [&](KernelDescription& d) {
            d.reduction = words;
            d.toleranceSaid = true;
        });
    if (field == u"right is"_s)
        return change(Touches::Truth, [&](KernelDescription& d) {
            d.truth = words == "file" ? TruthSource::File
                : words == "product"  ? TruthSource::Product
                                      : TruthSource::Kernel;
        });
    if (field == u"tolerance"_s)
        return change(Touches::Truth, [&](KernelDescription& d) {
            d.tolerance = words == "exact" ? Tolerance::Exact : words == "sum" ? Tolerance::Sum : Tolerance::Rounding;
            d.toleranceSaid = true;
            if (d.tolerance == Tolerance::Sum && d.reduction.empty() && !d.dims.empty())
                d.reduction = d.dims.back().name;
        });
    if (field != u"inputs"_s)
        return;
    std::vector<InputKind> kinds;
    QString unknown;
    for (const std::string& name : parsedNames(words)) {
        if (const auto kind = valueIn(inputKinds, name))
            kinds.push_back(*kind);
        else
            unknown = text(name);
    }
    m_typedField = unknown.isEmpty() ? QString() : field;
    m_typedProblem
        = unknown.isEmpty() ? QString() : tr("'%1' is not one of normal, scaled, mixed, integer").arg(unknown);
    if (!unknown.isEmpty())
        return read();
    change(Touches::Words, [&](KernelDescription& d) { d.inputs = kinds; });
}

} // namespace tilewright::ui
