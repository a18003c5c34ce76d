// SPDX-License-Identifier: Apache-2.0
// What a CPU candidate sees in front of its own text: Dims and Args, generated from the task. Pure.
#pragma once

#include "core/device/cuda.h"
#include "core/model/task/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// On what is generated and belongs to a result: a program that a search finds is its user's.
constexpr const char* resultLicence = "// SPDX-License-Identifier: Apache-2.0\n";

/// `struct Dims { int M, N, K; };`
std::string dimsStruct(const Task& task);
/// The structs of the 16- and 8-bit types that the task's tensors have.
std::string smallTypes(const Task& task);

/// struct Dims, struct Args, the two entry points, and `#line 1 "FILE"`.
std::string candidateHeader(const Task& task, const std::string& fileName);
/// The same for the reference: struct Dims only.
std::string referenceHeader(const Task& task, const std::string& fileName);
/// Goes behind a reference: one entry for every list of tensors, tilewright_reference_entry(dims, inputs, outputs,
/// magnitudes). The reference itself takes the tensors in their order, then a magnitude for each output.
std::string referenceFooter(const Task& task);
/// Bytes of an Args with these dimensions and addresses, as the compiler lays it out: ints, then 8-byte aligned
/// pointers in the order of the task's tensors, workspace, workspace_bytes.
std::vector<std::uint8_t> argsBytes(const Shape& shape, const std::vector<std::uint64_t>& tensors,
    std::uint64_t workspace, std::uint64_t workspaceBytes);

// What a GPU candidate sees in front of its own text, and what is put behind it so that a compiler evaluates its plan.
// The counterpart of candidate_header.h for target cuda. Pure.

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
