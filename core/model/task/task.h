// SPDX-License-Identifier: Apache-2.0
// A task: the problem to optimise, as its pack declares it. The format is documented in kernels/README.md.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/model/task/task_scheme.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

enum class Dtype { Fp64, Fp32, Tf32, Fp16, Bf16, E4m3, E5m2, Int8, Int32 };
enum class TensorRole { Input, Output };
enum class Target { Cpp, Cuda, Outside };
enum class NumericBound { Product, Sum, Ulp, Exact };
enum class ErrorMeasure { Componentwise, Normwise };
enum class InputKind { Normal, Scaled, Mixed, Integer };
/// Own: none of the task's, but a user's choice for one measurement.
enum class ShapeSplit { Train, Heldout, Sealed, Verify, Own };

std::string nameOf(Dtype dtype);
std::string nameOf(Target target);
std::string nameOf(InputKind kind);
std::string nameOf(ShapeSplit split);
std::size_t bytesOf(Dtype dtype);
/// Largest relative error of rounding to a floating-point type: 2^-24 for fp32, 2^-8 for bf16; 0 for integers.
double unitRoundoff(Dtype dtype);

/// Values of the task's dimensions in the order the pack declares them: {M, N, K} for a GEMM.
using Shape = std::vector<std::int64_t>;
/// "256×256×256".
std::string shapeText(const Shape& shape);

struct Dimension {
    std::string name;
    std::int64_t min = 1;
    std::int64_t multiple = 1;

    bool operator==(const Dimension&) const = default;
};

struct Tensor {
    std::string name;
    TensorRole role = TensorRole::Input;
    Dtype dtype = Dtype::Fp32;
    std::vector<std::string> shape; ///< names of dimensions, row-major

    bool operator==(const Tensor&) const = default;
};

struct Numeric {
    NumericBound bound = NumericBound::Product;
    std::string reduction; ///< dimension summed over
    Dtype accumulate = Dtype::Fp32;
    ErrorMeasure error = ErrorMeasure::Componentwise;
    double tau = 2e-5; ///< limit of the norm-wise relative error
    bool allowTf32 = false, allowFastMath = false, allowAtomics = false;
    bool allowApproximations = false; ///< approximate instructions and functions, without fast math
    std::optional<TaskScheme> scheme; ///< of fp32 products with the error Normwise

    /// By what factor the rounding of an honest program may exceed that of the definition: 1 without a scheme.
    double growthOf(std::int64_t depth) const { return scheme ? schemeGrowth(*scheme, depth) : 1; }

    bool operator==(const Numeric&) const = default;
};

/// log2 of both ends of an axis of niches.
struct NicheScale {
    double lo = 6, hi = 27;

    bool operator==(const NicheScale&) const = default;
};

struct NicheAxis {
    std::string feature; ///< "tunables:MC*NC*KC", "code_bytes", …
    bool log2 = true;
    int bins = 7;
    std::optional<NicheScale> scale = {}; ///< where a run cut its grid anew; none: that of the feature

    bool operator==(const NicheAxis&) const = default;
};

struct TaskLimits {
    double buildSeconds = 30;
    std::int64_t workspaceBytes = 64 << 20;
    std::int64_t sourceBytes = 64 << 10;
    double quarantineOverVendor = 1.10;

    bool operator==(const TaskLimits&) const = default;
};

/// Of a tensor's shape: "9" is the number, a dimension's name is none.
std::optional<std::int64_t> fixedExtent(const std::string& extent);
inline bool isFixedExtent(const std::string& extent) { return fixedExtent(extent).has_value(); }

struct Task {
    std::string name, title, operation;
    Target target = Target::Cpp;
    std::vector<Dimension> dims;
    std::vector<Tensor> tensors;
    std::string flops, bytes; ///< expressions over the dimensions
    Numeric numeric;
    std::vector<InputKind> inputs;
    std::vector<Shape> train, heldout, sealed, verify;
    std::vector<std::string> sources; ///< file names; one for now
    std::string reference, moves, vendor; ///< moves and vendor may be empty
    std::vector<std::string> buildOptions;
    TaskLimits limits;
    std::string timingMode = "cold";
    int threads = 1;
    double precision = 0.005; ///< half width of a ratio's interval at which measuring ends; see kernels/README.md
    std::vector<NicheAxis> niches;

    bool operator==(const Task&) const = default;

    /// Useful work, of which rates are told: that of the definition, whatever scheme a program uses.
    double flopsOf(const Shape& shape) const;
    /// What no program can do without: the same, or with a scheme its multiplications. For limits of time.
    double leastFlopsOf(const Shape& shape) const;
    double bytesOf(const Shape& shape) const;
    /// Of one extent of a tensor's shape, a dimension's name or a number.
    std::int64_t extentOf(const std::string& extent, const Shape& shape) const;
    /// Elements of one tensor at one shape.
    std::int64_t elementsOf(const Tensor& tensor, const Shape& shape) const;
};

/// One textbook idea as a patch, from the pack's moves folder.
struct Move {
    std::string name; ///< file name without .patch
    std::string title, reasoning, expects;
    std::string diff; ///< unified diff, from "--- " on

    bool operator==(const Move&) const = default;
};

/// A task with the texts it is made of: self-contained, so that a session and a node need no folder.
struct TaskPack {
    Task task;
    std::string json; ///< task.json as it was read
    std::map<std::string, std::string> files; ///< file name → text: sources and the reference
    std::vector<Move> moves;
    std::string
        uncheckedIn; ///< its folder, where that says that the pack has not passed its check; no part of the task

    const std::string& seed() const { return files.at(task.sources.front()); }
    /// One JSON text that holds everything; its SHA-256 is the task's identity.
    std::string blob() const;
    static Result<TaskPack> fromBlob(std::string_view blob);
};

/// What became of a pack's check stands in this file of its folder, for as long as it has not passed.
constexpr const char* uncheckedFile = "NOT-CHECKED.txt";
/// What a user who runs it should know, and what to do: the pack was not checked. Code empty where it was.
Error uncheckedPack(const TaskPack& pack);

/// Reads task.json. Errors: task/syntax, task/field (names field and reason).
Result<Task> parseTask(std::string_view json);
/// Reads and checks a pack's folder: the task, every file it names, its moves. Errors name file, field and reason.
Result<TaskPack> loadTaskPack(const std::filesystem::path& folder);
/// The packs found in the shared kernels/ folder and in the user's data folder; broken ones come as errors.
std::vector<std::pair<std::filesystem::path, Result<TaskPack>>> findTaskPacks();
/// By name among findTaskPacks(), else as a path to a folder. Errors: task/unknown lists what there is.
Result<TaskPack> findTaskPack(const std::string& nameOrPath);

} // namespace tilewright
