// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/host_part.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/kernel_description.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <poll.h>
#include <set>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright {
namespace {

/// What no kernel can have, as core/node refuses it: a function that uses it is the host's unless the kernel calls it.
constexpr std::array<std::string_view, 52> hostWords{"cout", "cerr", "cin", "clog", "endl", "printf", "fprintf", "puts",
    "scanf", "fscanf", "sscanf", "fopen", "fclose", "fread", "fwrite", "fgets", "getline", "ifstream", "ofstream",
    "fstream", "ostream", "istream", "stringstream", "chrono", "clock", "clock_gettime", "gettimeofday", "timespec",
    "timeval", "time", "omp_get_wtime", "rdtsc", "__rdtsc", "malloc", "calloc", "realloc", "free", "aligned_alloc",
    "posix_memalign", "_mm_malloc", "_mm_free", "new", "delete", "rand", "srand", "mt19937", "random_device", "thread",
    "getenv", "exit", "argv", "vector"};

/// Headers that only the host needs, and a word of the text that shows that it is needed after all.
struct HostHeader {
    std::string_view name;
    std::array<std::string_view, 5> words;
};
constexpr std::array<HostHeader, 7> hostHeaders{
    {{"iostream", {"cout", "cerr", "cin", "clog", "endl"}}, {"fstream", {"ifstream", "ofstream", "fstream", "", ""}},
        {"sstream", {"stringstream", "ostringstream", "istringstream", "", ""}},
        {"iomanip", {"setw", "setprecision", "fixed", "", ""}}, {"chrono", {"chrono", "", "", "", ""}},
        {"random", {"mt19937", "random_device", "normal_distribution", "uniform_real_distribution", ""}},
        {"thread", {"thread", "", "", "", ""}}}};

using Words = std::set<std::string_view>;

Words wordsOf(std::string_view text)
{
    const auto isOfWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    Words words;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t end = at;
        while (end < text.size() && isOfWord(text[end]))
            ++end;
        if (end > at)
            words.insert(text.substr(at, end - at));
        at = end;
    }
    return words;
}

class Parts
{
public:
    Parts(const std::string& source, const std::string& function, const Macros& macros)
        : m_source(source)
        , m_bare(stripCommentsAndStrings(compiledTextOf(source, macros)))
        , m_pieces(piecesOf(m_bare))
    {
        for (const SourcePiece& piece : m_pieces)
            m_words.push_back(wordsOf(bare(piece)));
        const std::string plain = function.substr(0, function.find('<'));
        const std::size_t colons = plain.rfind("::");
        findReached(colons == std::string::npos ? plain : plain.substr(colons + 2));
        findLeftOut();
    }

    HostPart part() const
    {
        HostPart part;
        std::vector<bool> isGone(m_source.size(), false);
        const auto leave = [&](const SourcePiece& piece, const std::string& what) {
            std::fill(isGone.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                isGone.begin() + static_cast<std::ptrdiff_t>(piece.end), true);
            part.leftOut.push_back(what + " in line " + std::to_string(piece.line));
        };
        for (const SourcePiece& piece : m_pieces)
            if (piece.kind == SourcePiece::Kind::Function && m_leftOut.contains(piece.begin))
                leave(piece, piece.name + "()");
        const std::string keptText = keptCode();
        const Words kept = wordsOf(keptText);
        for (const SourcePiece& piece : m_pieces)
            if (isHostVariable(piece, kept) && !m_leftOut.empty())
                leave(piece, "a variable");
            else if (const std::string header = hostHeader(piece, kept); !header.empty())
                leave(piece, "<" + header + ">");
        if (part.leftOut.empty()) {
            part.text = m_source;
            const auto lines = static_cast<int>(splitLines(m_source).size());
            for (int line = 1; line <= lines; ++line)
                part.lines.push_back(line);
            return part;
        }
        takeLines(part, isGone);
        return part;
    }

private:
    std::string_view bare(const SourcePiece& piece) const
    {
        return std::string_view(m_bare).substr(piece.begin, piece.end - piece.begin);
    }
    static bool isFunction(const SourcePiece& piece) { return piece.kind == SourcePiece::Kind::Function; }

    /// The kernel, what it calls, and what types and constants of the file call.
    void findReached(const std::string& function)
    {
        std::multimap<std::string_view, std::size_t> functions; // pieces by the names that they define
        for (std::size_t i = 0; i < m_pieces.size(); ++i)
            if (isFunction(m_pieces[i]))
                functions.emplace(m_pieces[i].name, i);
        std::vector<std::size_t> open; // pieces whose words are still to be followed
        const auto reach = [&](std::string_view name) {
            if (m_reached.contains(name))
                return;
            m_reached.emplace(name);
            for (auto [at, end] = functions.equal_range(name); at != end; ++at)
                open.push_back(at->second);
        };
        reach(function);
        for (std::size_t i = 0; i < m_pieces.size(); ++i)
            if (m_pieces[i].kind == SourcePiece::Kind::Directive || isType(m_pieces[i]))
                open.push_back(i);
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            for (const std::string_view word : m_words[at])
                if (functions.contains(word))
                    reach(word);
        }
    }

    bool isType(const SourcePiece& piece) const
    {
        const std::string_view text = bare(piece);
        return piece.kind == SourcePiece::Kind::Other
            && (holdsWord(text, "struct") || holdsWord(text, "class") || holdsWord(text, "constexpr"));
    }

    void findLeftOut()
    {
        std::multimap<std::string_view, std::size_t> users; // functions that are not reached, by the words in them
        std::vector<std::size_t> open;
        const auto leave = [&](std::size_t at) {
            if (m_leftOut.insert(m_pieces[at].begin).second)
                open.push_back(at);
        };
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            if (!isFunction(m_pieces[i]) || m_reached.contains(m_pieces[i].name))
                continue;
            for (const std::string_view word : m_words[i])
                users.emplace(word, i);
            if (m_pieces[i].name == "main"
                || std::ranges::any_of(hostWords, [&](std::string_view word) { return m_words[i].contains(word); }))
                leave(i);
        }
        while (!open.empty()) {
            const std::string& name = m_pieces[open.back()].name;
            open.pop_back();
            for (auto [at, end] = users.equal_range(name); at != end; ++at)
                leave(at->second);
        }
    }

    std::string keptCode() const
    {
        std::string kept;
        for (const SourcePiece& piece : m_pieces)
            if (piece.kind != SourcePiece::Kind::Directive && !m_leftOut.contains(piece.begin)
                && (isFunction(piece) || !isPlainVariable(piece)))
                (kept += bare(piece)) += '\n';
        return kept;
    }

    /// "float buffer[N];", "std::vector<float> x(100);": neither a type, nor a constant, nor a function.
    bool isPlainVariable(const SourcePiece& piece) const
    {
        const std::string_view text = bare(piece);
        if (piece.kind != SourcePiece::Kind::Other || text.size() < 3)
            return false;
        for (const std::string_view word : {"using", "typedef", "struct", "class", "union", "enum", "template", "const",
                 "constexpr", "extern", "namespace", "static_assert", "friend", "operator"})
            if (holdsWord(text, word))
                return false;
        const std::size_t bracket = text.find('('), equal = text.find('=');
        const bool isHosts
            = std::ranges::any_of(hostWords, [&](std::string_view word) { return holdsWord(text, word); });
        return isHosts || bracket == std::string_view::npos || equal < bracket;
    }

    static std::string nameOfVariable(std::string_view text)
    {
        text = trimmedRight(text.substr(0, std::min(text.find_first_of("=[;({"), text.size())));
        std::size_t begin = text.size();
        while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_'))
            --begin;
        return std::string(text.substr(begin));
    }

    bool isHostVariable(const SourcePiece& piece, const Words& kept) const
    {
        if (!isPlainVariable(piece))
            return false;
        const std::string name = nameOfVariable(bare(piece));
        return !name.empty() && !kept.contains(name);
    }

    /// The header's name if only the host needed it.
    std::string hostHeader(const SourcePiece& piece, const Words& kept) const
    {
        if (piece.kind != SourcePiece::Kind::Directive)
            return {};
        const std::string_view text = std::string_view(m_source).substr(piece.begin, piece.end - piece.begin);
        for (const HostHeader& header : hostHeaders) {
            const bool isIncluded = text.find("include") != std::string_view::npos
                && text.find("<" + std::string(header.name) + ">") != std::string_view::npos;
            const bool isNeeded = std::ranges::any_of(
                header.words, [&](std::string_view word) { return !word.empty() && kept.contains(word); });
            if (isIncluded && !isNeeded)
                return std::string(header.name);
        }
        return {};
    }

    /// Lines of which nothing is left go, with the comment right above what went, and further empty lines.
    void takeLines(HostPart& part, const std::vector<bool>& isGone) const
    {
        struct Line {
            std::string text;
            bool touched = false, isComment = false;
        };
        std::vector<Line> lines;
        std::size_t at = 0;
        for (const std::string_view whole : splitLines(m_source)) {
            Line line;
            for (std::size_t i = 0; i < whole.size(); ++i) {
                line.touched = line.touched || isGone[at + i];
                if (!isGone[at + i])
                    line.text += whole[i];
            }
            // An empty line within what went is touched as well.
            line.touched = line.touched || (at < isGone.size() && at > 0 && isGone[at - 1] && isGone[at]);
            line.isComment = !trimmed(whole).empty()
                && trimmed(std::string_view(m_bare).substr(at, whole.size())).empty() && trimmed(whole).front() != '#';
            lines.push_back(std::move(line));
            at += whole.size() + 1;
        }
        for (std::size_t i = lines.size(); i-- > 0;) // a comment that says what went
            if (lines[i].isComment && !lines[i].touched && i + 1 < lines.size() && lines[i + 1].touched
                && trimmed(lines[i + 1].text).empty())
                lines[i] = {{}, true, false};
        bool wasEmpty = true;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const bool isEmpty = trimmed(lines[i].text).empty();
            if (isEmpty && (lines[i].touched || wasEmpty))
                continue;
            wasEmpty = isEmpty;
            (part.text += trimmedRight(lines[i].text)) += '\n';
            part.lines.push_back(static_cast<int>(i) + 1);
        }
        while (part.text.ends_with("\n\n")) {
            part.text.pop_back();
            part.lines.pop_back();
        }
    }

    const std::string& m_source;
    std::string m_bare;
    std::vector<SourcePiece> m_pieces;
    std::vector<Words> m_words; ///< of each piece
    std::set<std::string, std::less<>> m_reached; ///< names of functions that the kernel needs
    std::set<std::size_t> m_leftOut; ///< where functions begin that go
};

} // namespace

HostPart hostPartOf(const std::string& source, const std::string& function, const Macros& macros)
{
    return Parts(source, function, macros).part();
}

namespace {

/// "#include <NAME>" lines of the code, each only if the compiler has that header; `conditions`: it has any "#if".
struct Asked {
    std::string includes;
    bool conditions = false;
};

Asked askedOf(std::string_view source)
{
    Asked asked;
    for (const ScannedLine& line : scanLines(source)) {
        std::string_view code = trimmed(line.code);
        if (!code.starts_with('#'))
            continue;
        code = trimmed(code.substr(1));
        asked.conditions = asked.conditions || code.starts_with("if");
        if (!code.starts_with("include"))
            continue;
        const std::size_t open = code.find('<'), close = code.find('>');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            continue;
        const std::string name(code.substr(open + 1, close - open - 1));
        constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+";
        if (name.empty() || name.front() == '/' || name.contains("..")
            || name.find_first_not_of(plain) != std::string::npos)
            continue;
        asked.includes += "#if __has_include(<" + name + ">)\n#include <" + name + ">\n#endif\n";
    }
    return asked;
}

/// What the preprocessor prints for this text; empty where it cannot be had.
std::string printedFor(const std::string& text)
{
    constexpr auto patience = std::chrono::seconds(10);
    // A pipe would end this process with SIGPIPE where the compiler ends without reading it.
    const int in = memfd_create("macros", MFD_CLOEXEC);
    int out[2];
    if (in < 0)
        return {};
    if (write(in, text.data(), text.size()) != static_cast<ssize_t>(text.size()) || lseek(in, 0, SEEK_SET) != 0
        || pipe2(out, O_CLOEXEC) != 0) {
        close(in);
        return {};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // As core/node/builder.cpp compiles a program for the CPU.
    std::array arguments{"g++", "-std=c++20", "-O3", "-march=native", "-fno-exceptions", "-fno-rtti", "-fPIC", "-dM",
        "-E", "-x", "c++", "-", static_cast<const char*>(nullptr)};
    pid_t child = 0;
    const int problem
        = posix_spawnp(&child, "g++", &actions, nullptr, const_cast<char* const*>(arguments.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in);
    close(out[1]);
    std::string printed;
    if (problem == 0) {
        const auto end = std::chrono::steady_clock::now() + patience;
        char buffer[65536];
        bool over = false;
        while (!over) {
            const auto left
                = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd ready{out[0], POLLIN, 0};
            const int polled = left.count() > 0 ? poll(&ready, 1, static_cast<int>(left.count())) : 0;
            const ssize_t got = polled > 0 ? read(out[0], buffer, sizeof buffer) : polled;
            if (got < 0 && errno == EINTR)
                continue;
            if (got > 0)
                printed.append(buffer, static_cast<std::size_t>(got));
            over = got <= 0;
            if (polled == 0) {
                kill(child, SIGKILL);
                printed.clear();
            }
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            printed.clear();
    }
    close(out[0]);
    return printed;
}

} // namespace

Macros compilerMacros(const std::string& fileName, std::string_view source)
{
    const Asked asked = askedOf(source);
    if (isCudaFile(fileName) || !asked.conditions)
        return builtinMacros(isCudaFile(fileName));
    static std::mutex mutex;
    static std::map<std::string, Macros> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(asked.includes);
    if (found != known.end())
        return found->second;
    Macros macros = macrosOf(printedFor(asked.includes));
    if (macros.empty())
        macros = builtinMacros(false);
    return known[asked.includes] = std::move(macros);
}

} // namespace tilewright
