// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own kernel, described so far that a task pack can be written: what its parameters are, which sizes it is
// for, and what "right" means. Pure.
#pragma once

#include "core/pack/kernel_launch.h"

namespace tilewright {

enum class TruthSource {
    Kernel, ///< what the kernel computes today is what it must compute
    File, ///< a plain reference that the user wrote
    Product, ///< C = A·B, as Tilewright knows it
};

/// How far a result may be off, as a user would say it.
enum class Tolerance {
    Exact, ///< every bit
    Rounding, ///< a few roundings of each element
    Sum, ///< roundings of a sum over one dimension
};

struct DescribedParameter {
    std::string name; ///< of the tensor, the dimension or the constant
    std::string type; ///< as the file writes it
    ParameterKind kind = ParameterKind::Unknown;
    Dtype dtype = Dtype::Fp32;
    std::vector<std::string> shape; ///< of a tensor, in names of dimensions and numbers, outermost first
    std::string value; ///< of a constant
    bool isConst = false; ///< of a tensor: the function cannot write to it
    bool isReference = false; ///< to an array
    std::vector<std::int64_t> extents{}; ///< of an array: 0 where the file leaves it out or it is no number
    bool roleSaid = false; ///< by the user: const does not decide it

    bool isTensor() const { return kind == ParameterKind::Input || kind == ParameterKind::Output; }
    bool operator==(const DescribedParameter&) const = default;
};

struct KernelDescription {
    std::string name, title; ///< of the task
    std::string fileName, source; ///< the user's file
    Macros macros; ///< of the compiler, for that file; see compilerMacros()
    std::string function; ///< with the arguments of an instance: "softmax<256>"
    Target target = Target::Cpp; ///< Cuda: the function is a kernel
    KernelLaunch launch; ///< of a kernel
    std::vector<DescribedParameter> parameters; ///< in the function's order
    std::vector<Dimension> dims;
    std::vector<Shape> train, heldout, verify;
    TruthSource truth = TruthSource::Kernel;
    std::string referenceFileName, referenceSource, referenceFunction; ///< of TruthSource::File
    Tolerance tolerance = Tolerance::Rounding;
    std::string reduction; ///< the dimension of Tolerance::Sum
    bool toleranceSaid = false; ///< by a user: what the text tells does not change it
    double tau = 2e-5; ///< of the result's type; see relativeTolerance()
    std::vector<InputKind> inputs{InputKind::Normal, InputKind::Scaled, InputKind::Mixed, InputKind::Integer};
    std::string flops, bytes; ///< expressions over the dimensions

    /// In the function's order; of a kernel the inputs first, as GPU workers have them.
    std::vector<const DescribedParameter*> tensors() const;
    /// Limit of the whole result's relative error: tau, or what the longest sum of the task's sizes may round to.
    double relativeTolerance() const;
    /// What stands in the way of computing the truth in double precision; empty where that is done: the sums of the
    /// kernel itself hold the rounding of one order, which is no truth for another one.
    std::string obstacleToDouble() const;
    /// The file with what is not compiled blank, in the same places.
    std::string compiledSource() const { return compiledTextOf(source, macros); }
    /// C[m,n] = A[m,k] B[k,n] by roles and shapes: what TruthSource::Product needs.
    bool looksLikeAProduct() const;
    bool operator==(const KernelDescription&) const = default;
};

/// The description as far as the file tells it, and what in it was supposed rather than read, for a user to confirm.
struct DerivedDescription {
    KernelDescription description;
    std::vector<std::string> readings; ///< of a kernel: how it is launched, what of the file is left out
    std::vector<std::string> suppositions;
};

/// A CUDA file or a function marked __global__ makes a task for the GPU. `macros`: of compilerMacros(); builtinMacros()
/// by default. Errors: those of kernelFunctionNamed(); own/target for a plain function of a CUDA file.
Result<DerivedDescription> describeKernel(const std::string& fileName, const std::string& source,
    const std::string& function, const std::optional<Macros>& macros = std::nullopt);
bool isCudaFile(const std::string& fileName);
/// What a user may choose from: every function, of a CUDA file its kernels and the instances that it launches.
std::vector<KernelFunction> kernelChoices(
    const std::string& fileName, const std::string& source, const std::optional<Macros>& macros = std::nullopt);
/// Extents as a task has them: dimensions' names stay, constants of the file become their numbers.
std::vector<std::string> resolvedExtents(const KernelDescription& description, std::vector<std::string> extents);
/// Sets shapes, sizes, tolerance and cost anew from the parameters' kinds as they are now; what a user gave stays.
std::vector<std::string> supposeTheRest(KernelDescription& description);

/// Something that has to be put right before a pack can be written: where, what, and the way out.
struct DescriptionFinding {
    std::string field; ///< "x.shape", "train", "name"
    std::string text, remedy;

    bool operator==(const DescriptionFinding&) const = default;
    std::string line() const { return field + ": " + text + (remedy.empty() ? "" : " — " + remedy); }
};

/// All that is wrong with it, in reading order. memoryBytes: what this machine has; 0: not known.
std::vector<DescriptionFinding> findingsIn(const KernelDescription& description, std::int64_t memoryBytes);

/// "512×1000, 64×64", also with 'x' or '*': sizes in the order of the dimensions; "none". Errors: own/sizes.
Result<std::vector<Shape>> parsedShapes(std::string_view text, std::size_t dims);
std::string writtenShapes(const std::vector<Shape>& shapes);
/// "rows, columns", "3x3". Blanks, commas, brackets and 'x' between numbers separate.
std::vector<std::string> parsedNames(std::string_view text);

} // namespace tilewright
