// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a subcommand as a table: read strictly, one clear line for what is wrong, --help from the same table.
#pragma once

#include "app/cli/subcommand.h"
#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace tilewright::cli {

/// More: a whole number, or how many more: "+3".
/// Evaluations: a count as budgets allow it; More: one of them, or +N.
enum class Value { None, Text, Count, Evaluations, More, Seconds, Dollars };

struct Option {
    const char* name; ///< "--task"
    Value value;
    const char* placeholder; ///< "T"; nullptr for a switch
    const char* help;
};

struct Synopsis {
    const char* command; ///< "evolve"
    const char* arguments; ///< " --task T", " FILE": what stands after the name
    const char* summary;
    std::vector<Option> options;
    std::vector<std::pair<int, const char*>> exitCodes;
    std::size_t positionals = 0; ///< how many must be there
    std::size_t furtherPositionals = 0; ///< how many more may be
};

class Options
{
public:
    bool has(const char* name) const { return m_values.contains(name); }
    std::string text(const char* name, const std::string& otherwise = {}) const;
    /// Every value of an option that may be given several times, in their order.
    std::vector<std::string> texts(const char* name) const;
    /// Checked while parsing: a whole number from 0 to 2^63 − 1.
    std::int64_t count(const char* name, std::int64_t otherwise) const;
    /// A number of Value::More, counted on from `sofar` where it was said so.
    std::int64_t countFrom(const char* name, std::int64_t sofar, std::int64_t otherwise) const;
    double seconds(const char* name, double otherwise) const;
    /// Checked while parsing; in millionths of a dollar.
    std::int64_t microUsd(const char* name, std::int64_t otherwise) const;
    const std::vector<std::string>& positionals() const { return m_positionals; }

    /// The values, or the exit code to end with: 0 after --help, 2 after a complaint.
    static std::pair<std::optional<Options>, int> parse(const Synopsis& usage, const QStringList& arguments);

private:
    std::map<std::string, std::vector<std::string>> m_values; ///< the last one holds where one is wanted
    std::vector<std::string> m_positionals;
};

void printHelp(const Synopsis& usage);

// Texts that a command is given: a file, a pipe, or "-" for standard input.

constexpr std::size_t largestInput = std::size_t(16) << 20; ///< bytes

/// The whole text, as textOf() makes it: without a byte order mark, with LF line ends. A pipe is read to its end; where
/// nobody writes to it, standard error says that this waits. Errors: those of readTextFile().
Result<std::string> readText(const std::string& path, std::size_t largest = largestInput);
/// The same text with its own byte order mark and line ends. Errors: those of readText().
Result<std::string> readTextBytes(const std::string& path, std::size_t largest = largestInput);

} // namespace tilewright::cli
