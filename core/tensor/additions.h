// SPDX-License-Identifier: GPL-3.0-or-later
// Fewer additions: sums that several products or several entries of C have in common are computed once. Pure.
#pragma once

#include "core/tensor/scheme.h"

namespace tilewright::tensor {

struct LinearTerm {
    int variable = 0;
    Coefficient coefficient;

    bool operator==(const LinearTerm&) const = default;
};
using LinearForm = std::vector<LinearTerm>; ///< the sum of its terms; by variable, none twice, none with 0

/// A new variable: the sum of one and a multiple of another.
struct LinearStep {
    int left = 0, right = 0;
    Coefficient ratio; ///< left + ratio · right
};

/// How linear forms are computed. Variables are the inputs, and then one for each step.
struct LinearProgram {
    int inputs = 0;
    std::vector<LinearStep> steps;
    std::vector<LinearForm> outputs;

    /// One for each step, and in each output its terms less one.
    int additions() const;
};

/// The sums of entries of A (one for each product), of entries of B, or of products (one for each entry of C).
std::vector<LinearForm> formsOf(const Scheme& scheme, Operand operand);
/// Every form by itself.
LinearProgram plainProgram(int inputs, std::vector<LinearForm> forms);
/// Greedily: the pair of variables with the same ratio that most forms contain becomes a variable, until no pair occurs
/// twice; ties by chance, the best of several tries, always the same for the same forms. Where the forms are too large
/// for that, and where the result would not compute them, the plain program.
LinearProgram reducedProgram(int inputs, const std::vector<LinearForm>& forms, Ring ring);
/// Whether the program computes these forms, by inserting its steps into its outputs symbolically.
bool computes(const LinearProgram& program, const std::vector<LinearForm>& forms, Ring ring);

/// The three parts of one level of a scheme.
struct SchemePrograms {
    LinearProgram a, b; ///< outputs: one for each product
    LinearProgram c; ///< inputs: the products; outputs: the entries of C

    int additions() const { return a.additions() + b.additions() + c.additions(); }
};
/// Both are verified to compute what the scheme says.
SchemePrograms reducedPrograms(const Scheme& scheme);
SchemePrograms plainPrograms(const Scheme& scheme);

} // namespace tilewright::tensor
