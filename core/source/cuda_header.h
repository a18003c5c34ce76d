// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU candidate sees in front of its own text, and what is put behind it so that a compiler evaluates its plan.
// The counterpart of candidate_header.h for target cuda. Pure.
#pragma once

#include "core/device/cuda.h"
#include "core/model/task.h"

#include <string>
#include <vector>

namespace tilewright {

/// kernels/include/tilewright/plan.h, as it was when this program was built.
const char* planHeaderText();

/// The header by the name under which candidates may include it as well.
constexpr const char* planHeaderName = "tilewright/plan.h";

/// The contract header, Dims, Buffer, Args, and `#line 1 "FILE"`.
std::string cudaCandidateHeader(const Task& task, const std::string& fileName);
/// The same for a reference: Dims only, with the types of the task's tensors.
std::string cudaReferenceHeader(const Task& task, const std::string& fileName);

/// Goes before everything when only the plan is wanted: kernels become functions that nobody calls.
std::string planOnlyPrelude();
/// Goes behind the candidate: a table of its plans for these shapes under this name, which the compiler has to
/// evaluate. The facts are those a plan may ask for.
std::string planTable(const std::string& name, const std::vector<Shape>& shapes, const CudaFacts& facts);
/// In place of the table, when the compiler says of it that it is no constant: each plan as a constant of its own, one
/// a line in this order and in planPlace, of which it tells why they are none.
std::string planProbes(const std::vector<Shape>& shapes, const CudaFacts& facts);
/// The file that a compiler names where it complains of what planTable() and planProbes() put behind the candidate.
constexpr const char* planPlace = "plan";

} // namespace tilewright
