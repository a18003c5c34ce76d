// SPDX-License-Identifier: GPL-3.0-or-later
// The guided demo that leads from a scheme to a kernel that is measured.
#include "core/tensor/known_schemes.h"
#include "ui/lab/crossover_plot.h"
#include "ui/lab/crossover_run.h"
#include "ui/lab/guided_demo.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/scheme_kernel_page.h"
#include "ui/lab/strassen_page.h"
#include "ui/widgets/elided_label.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

using SchemeMaker = tensor::Scheme (*)();

std::function<void(LabPage&)> onProducts(SchemeMaker make, int product, int multiply, bool isRelative)
{
    return [=](LabPage& lab) {
        lab.showPage(LabPage::Page::Strassen);
        lab.lab().setScheme(make());
        lab.lab().setProduct(product);
        lab.strassen().setPrices(multiply, 1, 1);
        lab.strassen().setRelative(isRelative);
    };
}

void onKernel(LabPage& lab)
{
    lab.showPage(LabPage::Page::Kernel);
    lab.lab().setScheme(tensor::strassen());
    lab.kernel().setLevels(1);
}

/// What is measured, or else recorded, and how far measuring is.
QString crossoverFigures(LabPage& lab)
{
    const CrossoverRun& run = lab.crossover();
    QStringList sentences;
    if (run.isRunning())
        sentences << LabPage::tr("Measuring on this machine, %1.").arg(run.progressWords());
    else if (!run.problem().isEmpty())
        sentences << run.problem();
    const KeptCrossover* kept = run.of(lab.lab().scheme());
    if (kept)
        sentences << LabPage::tr("%1. %2: %3")
                         .arg(asSentence(provenanceWords(*kept)), comparedWords(kept->sweep),
                             crossoverWords(kept->sweep));
    if (!run.isRunning() && (!kept || !kept->isOfThisMachine))
        sentences << LabPage::tr("Nothing is measured on this machine yet.");
    return sentences.join(u' ');
}

DemoAction measureAction()
{
    return {[](LabPage& lab) { return lab.crossover().isRunning() ? LabPage::tr("Stop") : LabPage::tr("Measure"); },
        [](LabPage& lab) { lab.kernel().measureOrStop(); }};
}

} // namespace

GuidedDemo schemeToKernelDemo()
{
    return {u"scheme-to-kernel"_s, LabPage::tr("From scheme to measured kernel"), u"worksheets/scheme-to-kernel.md"_s,
        {{LabPage::tr("A scheme on paper: Strassen multiplies 2×2 matrices with 7 products instead of 8. Where the "
                      "entries are blocks, each product is a product of two blocks, half as large in each direction."),
             onProducts(tensor::strassen, 0, 20, false),
             LabPage::tr("Ask what a program has to contain besides the seven products.")},
            {LabPage::tr("Is it right? All 64 factors are compared with those of the definition, in exact integers. No "
                         "code is generated from a scheme that is not verified, or that is right modulo 2 only."),
                onProducts(tensor::strassen, 6, 20, false),
                LabPage::tr("A scheme modulo 2 has no signs. On the page Schemes its button is disabled, and the proof "
                            "that it does not lift stands below the table.")},
            {LabPage::tr("Fewer additions: sums that several products share are computed once. Winograd's variant has "
                         "24 additions where every sum is computed by itself, and 15 where shared sums are kept."),
                onProducts(tensor::winogradVariant, 6, 20, false),
                LabPage::tr("Each sum is a pass over memory. Ask which is better: fewer additions, or fewer passes?")},
            {LabPage::tr(
                 "The cost model: with blocks of 512 a product costs 512³ multiplications and a sum 512² additions, so "
                 "that one level saves almost an eighth. The model counts no memory traffic."),
                onProducts(tensor::strassen, 6, 20, true),
                LabPage::tr("The plot shows the recursion down to single entries, as a share of the definition's cost. "
                            "A program stops far earlier: at the cut-off.")},
            {LabPage::tr(
                 "The program that follows from the scheme: sums of blocks of A and of B, seven products by the leaf, "
                 "sums of products. Sizes that do not divide are padded with zeros. LEVELS and CUTOFF are tunables."),
                onKernel,
                LabPage::tr("Scroll to multiply_level: the sums are those of the first page. The leaf below is an "
                            "ordinary kernel; take the best one of a session where one is open.")},
            {LabPage::tr("The derived task: same inputs, same reference. But a fast scheme is accurate relative to the "
                         "whole matrix only, so the error is normwise, and the check of timed launches allows what the "
                         "error bound of the exact coefficients says, no more."),
                onKernel,
                LabPage::tr("A downcast of the inputs to TF32 would be at least twice as wrong as what is allowed: the "
                            "node checks that before the task is used.")},
            {LabPage::tr("Does it pay on this machine? Measure builds the program and its leaf, checks both, and times "
                         "them in turns at five sizes. It takes some minutes; Stop keeps what is measured."),
                onKernel,
                LabPage::tr(
                    "Start it now and go on with the next step while it runs. Without it, the figures are those "
                    "of a recorded measurement."),
                crossoverFigures, measureAction()},
            {LabPage::tr("The crossover: where the ratio rises above 1 for the last time. Its interval comes from the "
                         "intervals "
                         "of the points; where they overlap 1, this machine cannot tell which program is faster."),
                onKernel,
                LabPage::tr("Below the crossover the 18 sums cost more than the saved product. Ask what moves it: a "
                            "faster leaf, or a faster memory?"),
                crossoverFigures, measureAction()},
            {LabPage::tr("Theory and measurement in one plot. The curve is a recursion to the end, the points are one "
                         "level over a leaf on this machine, as a share of the leaf's time."),
                onProducts(tensor::strassen, 6, 20, true),
                LabPage::tr("One level can save 1/8 at most: no point lies below 0.875. Points appear once the "
                            "crossover was measured on this machine."),
                crossoverFigures},
            {LabPage::tr("Evolve from this makes the task a folder and opens New session with it. A search then "
                         "changes sums, cut-off and leaf, and every candidate has to pass the same checks. Question: "
                         "what would you change first?"),
                onKernel,
                LabPage::tr("Figures of the derived task do not stand beside those of the task that it is taken from: "
                            "its check allows another error.")}}};
}

} // namespace tilewright::ui
