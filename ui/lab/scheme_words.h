// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and products of a scheme as they are written on paper. Pure.
#pragma once

#include "core/tensor/additions.h"
#include "core/tensor/lift.h"
#include "core/tensor/scheme.h"

#include <QString>
#include <functional>

class QColor;

namespace tilewright::ui {

/// "A11": an entry of A, B or C, rows and columns from 1.
QString entryWords(const tensor::Format& format, tensor::Operand operand, int entry);
/// "m5": a product, from 0.
QString productName(int product);
/// "A11 + A22", "−m2 + ½ m5"; "0" for an empty sum.
QString sumWords(const tensor::LinearForm& form, const std::function<QString(int)>& nameOf);
/// "(A11 + A22)(B11 + B22)", "A11 (B12 − B22)".
QString productWords(const tensor::Scheme& scheme, int product);
/// "+", "−", "+2", "−1/2": what stands before an entry; "" for 0.
QString signWords(const tensor::Coefficient& coefficient);

/// Why no floating-point program, and so no task, follows from this scheme; "" where one does.
QString whyNoTask(const tensor::Scheme& scheme, bool isExact);

/// What came of looking for a lift: the proof that there is none, or what lifts.
QString liftWords(const tensor::Lift& lift);

/// What is added, and what is subtracted. Read from the theme while painting.
QColor plusColour();
QColor minusColour();
QColor colourOf(const tensor::Coefficient& coefficient);

} // namespace tilewright::ui
