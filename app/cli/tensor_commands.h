// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of tilewright-cli tensor, each a function of its words and options. The table of all is in tensor.cpp.
#pragma once

#include "app/cli/cli_options.h"
#include "core/tensor/code.h"
#include "core/tensor/scheme_file.h"

namespace tilewright::cli {

struct TensorCommand {
    const char* name;
    const char* arguments; ///< for --help: "SCHEME ..."
    const char* summary;
    std::size_t fewestWords, mostWords; ///< behind the name
    std::vector<const char*> options; ///< that it takes, besides --json
    /// The exit code.
    int (*run)(const std::vector<std::string>& words, const Options& options);
};

int verifyScheme(const std::vector<std::string>& words, const Options& options);
int showScheme(const std::vector<std::string>& words, const Options& options);
int liftScheme(const std::vector<std::string>& words, const Options& options);
int composeSchemes(const std::vector<std::string>& words, const Options& options);
int writeSchemeCode(const std::vector<std::string>& words, const Options& options);
int writeSchemeTask(const std::vector<std::string>& words, const Options& options);
int playTensorGame(const std::vector<std::string>& words, const Options& options);

// What they have in common.

/// The scheme that a word names, a file or a built-in one, as --format chooses.
Result<tensor::ImportedScheme> schemeNamed(const std::string& word, const Options& options);
/// --levels, --cutoff and --leaf. Errors: usage, those of reading the leaf.
Result<tensor::CodeOptions> codeOptionsOf(const Options& options);
/// Writes to the file of --out, if there is one, in the form of --as. Errors: tensor/exists, tensor/form, and those of
/// saveFile().
Result<void> writeScheme(const tensor::Scheme& scheme, const Options& options);
/// Errors: tensor/exists where there is a file already, and those of saveFile().
Result<void> saveNewFile(const std::string& path, std::string_view bytes);
/// "4x4x4, rank 47, over Z2".
std::string headingOf(const tensor::Scheme& scheme);
/// Format, rank, ring, nonzeros, additions, growth factor, exponent.
nlohmann::json figuresOf(const tensor::Scheme& scheme, int reducedAdditions);
/// Complains, and returns the exit code that fits.
int refuseTensor(const Error& error);

} // namespace tilewright::cli
