// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli_options.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/spent_budget.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <poll.h>
#include <unistd.h>

namespace tilewright::cli {
namespace {

std::optional<std::int64_t> wholeNumber(const std::string& text)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc{} && end == text.data() + text.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

std::string withoutPlus(const std::string& text) { return text.starts_with('+') ? text.substr(1) : text; }

std::optional<double> duration(const std::string& text)
{
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = problem == std::errc{} && end == text.data() + text.size() && std::isfinite(value) && value >= 0;
    return good ? std::optional(value) : std::nullopt;
}

constexpr double mostDollars = 1e6, leastDollars = 1e-6;

/// Why the text is no such value; empty if it is one.
std::string objection(const Option& option, const std::string& text)
{
    if (option.value == Value::Count && !wholeNumber(text))
        return std::string(option.name) + " takes a whole number from 0 to 9223372036854775807, not '" + text + "'";
    const bool mayBeMore = option.value == Value::More;
    if ((option.value == Value::Evaluations || mayBeMore)
        && wholeNumber(mayBeMore ? withoutPlus(text) : text).value_or(mostEvaluations + 1) > mostEvaluations)
        return std::string(option.name) + " takes a whole number from 0 to " + std::to_string(mostEvaluations)
            + " (0: no limit)" + (mayBeMore ? ", or +N for N more" : "") + ", not '" + text + "'";
    if (option.value == Value::Seconds && !duration(text))
        return std::string(option.name) + " takes seconds, not '" + text + "'";
    if (option.value == Value::Seconds && *duration(text) > mostWallSeconds)
        return std::string(option.name) + " takes at most " + std::to_string(std::llround(mostWallSeconds))
            + " seconds (0: no limit), not '" + text + "'";
    if (option.value == Value::Dollars && duration(text).value_or(mostDollars + 1) > mostDollars)
        return std::string(option.name) + " takes US dollars, not '" + text + "'";
    if (option.value == Value::Dollars && *duration(text) > 0 && *duration(text) < leastDollars)
        return std::string(option.name) + " takes 0 or at least one millionth of a dollar, not '" + text + "'";
    if (option.value == Value::Text && text.empty())
        return std::string(option.name) + " takes a value that is not empty";
    return {};
}

std::pair<std::optional<Options>, int> refuse(const Synopsis& synopsis, const std::string& why)
{
    complain(why + " (see tilewright-cli " + synopsis.command + " --help)");
    return {std::nullopt, Usage};
}

} // namespace

std::string Options::text(const char* name, const std::string& otherwise) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? otherwise : found->second.back();
}

std::vector<std::string> Options::texts(const char* name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>{} : found->second;
}

std::int64_t Options::count(const char* name, std::int64_t otherwise) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? otherwise : wholeNumber(found->second.back()).value_or(otherwise);
}

std::int64_t Options::countFrom(const char* name, std::int64_t sofar, std::int64_t otherwise) const
{
    const std::string said = text(name);
    const auto number = wholeNumber(withoutPlus(said));
    if (said.empty() || !number)
        return otherwise;
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() - sofar;
    return said.starts_with('+') ? sofar + std::min(*number, most) : *number;
}

double Options::seconds(const char* name, double otherwise) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? otherwise : duration(found->second.back()).value_or(otherwise);
}

std::int64_t Options::microUsd(const char* name, std::int64_t otherwise) const
{
    const auto found = m_values.find(name);
    const auto dollars = found == m_values.end() ? std::nullopt : duration(found->second.back());
    return dollars ? std::llround(*dollars * 1e6) : otherwise;
}

std::pair<std::optional<Options>, int> Options::parse(const Synopsis& synopsis, const QStringList& arguments)
{
    Options options;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const std::string argument = arguments[i].toStdString();
        if (argument == "--help" || argument == "-h") {
            printHelp(synopsis);
            return {std::nullopt, Done};
        }
        const bool isNumber = argument.size() > 1 && argument[0] == '-' && argument[1] >= '0' && argument[1] <= '9';
        if (!argument.starts_with('-') || argument == "-" || isNumber) {
            options.m_positionals.push_back(argument);
            continue;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const auto known = std::find_if(synopsis.options.begin(), synopsis.options.end(),
            [&](const Option& option) { return name == option.name; });
        if (known == synopsis.options.end())
            return refuse(synopsis, "unknown option " + name);
        if (known->value == Value::None) {
            if (equals != std::string::npos)
                return refuse(synopsis, name + " takes no value");
            options.m_values[name] = {""};
            continue;
        }
        if (equals == std::string::npos && i + 1 >= arguments.size())
            return refuse(synopsis, name + " needs a value");
        const std::string value
            = equals == std::string::npos ? arguments[++i].toStdString() : argument.substr(equals + 1);
        if (const std::string why = objection(*known, value); !why.empty())
            return refuse(synopsis, why);
        options.m_values[name].push_back(value);
    }
    if (options.m_positionals.size() < synopsis.positionals)
        return refuse(synopsis, std::string(synopsis.command) + " needs:" + synopsis.arguments);
    const std::size_t most = synopsis.positionals + synopsis.furtherPositionals;
    if (options.m_positionals.size() > most)
        return refuse(synopsis, "unexpected argument '" + options.m_positionals[most] + "'");
    return {std::move(options), Done};
}

void printHelp(const Synopsis& synopsis)
{
    std::printf("tilewright-cli %s%s\n  %s\n", synopsis.command, synopsis.arguments, synopsis.summary);
    if (!synopsis.options.empty())
        std::printf("\nOptions:\n");
    for (const Option& option : synopsis.options) {
        const std::string left
            = std::string(option.name) + (option.placeholder ? " " + std::string(option.placeholder) : std::string());
        std::printf("  %-22s %s\n", left.c_str(), option.help);
    }
    std::printf("\nExit codes:\n");
    for (const auto& [code, meaning] : synopsis.exitCodes)
        std::printf("  %-4d %s\n", code, meaning);
}

namespace {

constexpr int worthMentioningMs = 1000; ///< a wait that is longer is told

Result<std::string> readToEnd(int file, const std::string& name)
{
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail("file/unreadable", name + " cannot be read: " + std::strerror(errno));
        if (got == 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > largestInput)
            return fail("file/too-large", name + " has more than " + std::to_string(largestInput) + " bytes");
    }
}

/// A pipe that nobody writes yet would be waited for without a word: opened so, it is told.
Result<std::string> readPipe(const std::string& path)
{
    const int pipe = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return fail("file/unreadable", path + " cannot be read: " + std::strerror(errno));
    pollfd wanted{pipe, POLLIN, 0};
    if (::poll(&wanted, 1, worthMentioningMs) == 0) {
        std::fprintf(stderr,
            "tilewright-cli: waiting for another program to write to the pipe %s; Ctrl+C ends the wait\n",
            path.c_str());
        while (::poll(&wanted, 1, -1) < 0 && errno == EINTR) { }
    }
    ::fcntl(pipe, F_SETFL, 0); // from here on it is read as any file
    auto text = readToEnd(pipe, path);
    ::close(pipe);
    return text;
}

/// The bytes of a file, of a pipe to its end, or of standard input.
Result<std::string> readBytes(const std::string& path)
{
    if (path == "-")
        return readToEnd(STDIN_FILENO, "standard input");
    std::error_code problem;
    if (!std::filesystem::is_fifo(path, problem))
        return readFile(path, largestInput);
    return readPipe(path);
}

std::string nameOfInput(const std::string& path) { return path == "-" ? "standard input" : path; }

} // namespace

Result<std::string> readTextBytes(const std::string& path, std::size_t most)
{
    auto bytes = readBytes(path);
    if (!bytes)
        return bytes;
    const std::string name = nameOfInput(path);
    if (bytes->size() > most)
        return fail("file/too-large",
            printable(name) + " has " + std::to_string(bytes->size()) + " bytes, at most " + std::to_string(most)
                + " are read",
            "check that it is the right file");
    if (const auto checked = checkText(*bytes, name); !checked)
        return std::unexpected(checked.error());
    return bytes;
}

Result<std::string> readText(const std::string& path, std::size_t most)
{
    const auto bytes = readTextBytes(path, most);
    return bytes ? textOf(*bytes, nameOfInput(path)) : bytes;
}

} // namespace tilewright::cli
