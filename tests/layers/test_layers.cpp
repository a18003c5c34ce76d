// SPDX-License-Identifier: GPL-3.0-or-later
// Includes go downstairs only: every #include "core/…", "ui/…" or "app/…" is one that tests/layers.txt allows, and no
// file of core draws on the screen. Texts of the window are whole sentences.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/harness_sources.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace tilewright;
namespace fs = std::filesystem;

namespace {

const fs::path root = TILEWRIGHT_SOURCE_DIR;

std::map<std::string, std::vector<std::string>> readRules(const std::string& text)
{
    std::map<std::string, std::vector<std::string>> rules;
    for (const std::string_view line : splitLines(text)) {
        const std::size_t colon = line.find(':');
        if (line.starts_with('#') || colon == std::string_view::npos)
            continue;
        std::istringstream words{std::string(line.substr(colon + 1))};
        auto& allowed = rules[std::string(line.substr(0, colon))];
        for (std::string word; words >> word;)
            allowed.push_back(word);
    }
    return rules;
}

/// The room of a file: the longest rule name that its path begins with.
std::string roomOf(const std::string& path, const std::map<std::string, std::vector<std::string>>& rules)
{
    std::string best;
    for (const auto& [room, allowed] : rules)
        if (path.starts_with(room + "/") && room.size() > best.size())
            best = room;
    return best;
}

/// What is wrong with one include of a file; empty if nothing.
std::string complaint(
    const std::string& file, const std::string& included, const std::map<std::string, std::vector<std::string>>& rules)
{
    const std::string room = roomOf(file, rules);
    if (room.empty())
        return file + " stands in no room of tests/layers.txt";
    if (included.starts_with(room + "/"))
        return {};
    for (const std::string& allowed : rules.at(room))
        if (included == allowed || included.starts_with(allowed + "/"))
            return {};
    return file + " includes " + included + ", which " + room + " may not";
}

} // namespace

class TestLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void includesGoDownstairsOnly();
    void aForbiddenIncludeIsFound();
    void coreHasNoScreen();
    void everySourceFileSaysItsLicence();
    void whatAHarnessIsBuiltFromMayBePassedOn();
    void theTextsOfBothLicencesAreThere();
    void aCallThatUsesTheLocaleIsFound_data();
    void aCallThatUsesTheLocaleIsFound();
    void noFileWritesNumbersByTheLocale();
    void jsonBecomesTextWithoutExceptions();
    void aGluedTextIsFound_data();
    void aGluedTextIsFound();
    void noTextOfTheWindowIsGlued();

private:
    std::map<std::string, std::vector<std::string>> m_rules = readRules(*readFile(root / "tests/layers.txt"));
};

void TestLayers::includesGoDownstairsOnly()
{
    int files = 0;
    QStringList complaints;
    for (const char* top : {"core", "ui", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp")
                continue;
            ++files;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            const std::string content = *readFile(entry.path());
            for (const std::string_view line : splitLines(content)) {
                if (!line.starts_with("#include \""))
                    continue;
                const std::string included(line.substr(10, line.find('"', 10) - 10));
                if (!included.starts_with("core/") && !included.starts_with("ui/") && !included.starts_with("app/"))
                    continue;
                const std::string problem = complaint(file, included, m_rules);
                if (!problem.empty())
                    complaints << QString::fromStdString(problem);
            }
        }
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join(QLatin1Char('\n'))));
    QVERIFY(files > 50);
}

void TestLayers::aForbiddenIncludeIsFound()
{
    QVERIFY(!complaint("core/base/text.cpp", "core/model/task/task.h", m_rules).empty());
    QVERIFY(!complaint("ui/evolve/page.cpp", "core/store/session_writer.h", m_rules).empty());
    QVERIFY(!complaint("core/attic/x.cpp", "core/base/text.h", m_rules).empty());
    QVERIFY(complaint("core/model/task/task.cpp", "core/base/text.h", m_rules).empty());
}

void TestLayers::coreHasNoScreen()
{
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "core")) {
        if (!entry.is_regular_file())
            continue;
        const std::string content = *readFile(entry.path());
        for (const char* header : {"<QWidget", "<QApplication", "<QMainWindow", "<QPainter", "<QtWidgets", "<QtGui"})
            QVERIFY2(content.find(std::string("#include ") + header) == std::string::npos, entry.path().c_str());
    }
}

/// What an exported harness is built from, the template of a generated file included.
bool isOfHarness(const std::string& path)
{
    static const std::set<std::string> files = [] {
        std::vector<std::string> mains{planHeaderTemplate, cudaKernelMain};
        for (const HarnessProgram& program : harnessPrograms())
            mains.emplace_back(program.main);
        const auto closure = harnessClosure(root, mains);
        std::set<std::string> paths;
        for (const auto& [name, text] : closure.value_or(std::map<std::string, std::string>()))
            paths.insert(name);
        return paths;
    }();
    return files.contains(path);
}

/// What a file of this path has to say in its first lines; empty for files that hold no comment (REUSE.toml).
std::string licenceOf(const fs::path& path)
{
    static const std::set<std::string> sources{
        ".h", ".cpp", ".cu", ".cuh", ".in", ".inc", ".cmake", ".txt", ".py", ".sh", ".qrc", ".toml"};
    const std::string name = path.filename().string();
    const bool isScript
        = (path.begin()->string() == "packaging" || path.begin()->string() == ".ci") && path.extension().empty();
    if (!isScript && !sources.contains(path.extension().string()))
        return {};
    if (path.extension() == ".txt" && name != "CMakeLists.txt")
        return {};
    // In tests/gpu/own what task-from wrote of a kernel of kernels/examples.
    const bool isOfKernels = path.begin()->string() == "kernels"
        || (path.generic_string().starts_with("tests/gpu/own/") && (name == "seed.cu" || name == "reference.cu"));
    return isOfKernels || isOfHarness(path.generic_string()) ? "Apache-2.0" : "GPL-3.0-or-later";
}

void TestLayers::everySourceFileSaysItsLicence()
{
    int results = 0, programs = 0;
    QStringList wrong;
    for (const char* top : {".ci", "app", "core", "kernels", "packaging", "prompts", "resources", "tests", "ui"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const fs::path path = fs::relative(entry.path(), root);
            const std::string licence = entry.is_regular_file() ? licenceOf(path) : std::string();
            if (licence.empty())
                continue;
            const std::string head = readFile(entry.path())->substr(0, 400);
            if (head.find("SPDX-License-Identifier: " + licence + "\n") == std::string::npos
                && head.find("SPDX-License-Identifier: " + licence + " ") == std::string::npos)
                wrong << q(path.generic_string() + " has to say SPDX-License-Identifier: " + licence);
            ++(licence == "Apache-2.0" ? results : programs);
        }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    QVERIFY(results > 15 && programs > 1000);
}

void TestLayers::whatAHarnessIsBuiltFromMayBePassedOn()
{
    QVERIFY(isOfHarness("core/node/node.cpp") && isOfHarness("core/worker/guest.cpp")
        && isOfHarness("core/model/task/task_json.cpp") && isOfHarness("app/harness/main.cpp"));
    QVERIFY(!isOfHarness("core/model/run_state.cpp") && !isOfHarness("core/engine/engine.cpp"));
    const std::string head = readFile(root / "core/node/node.cpp")->substr(0, 100);
    QVERIFY(head.starts_with("// SPDX-License-Identifier: Apache-2.0\n"));
    const auto mit = readFile(root / "LICENSES/MIT.txt");
    QVERIFY(mit && mit->find("Niels Lohmann") != std::string::npos);
}

void TestLayers::theTextsOfBothLicencesAreThere()
{
    const std::string reuse = *readFile(root / "REUSE.toml");
    for (const char* licence : {"Apache-2.0", "GPL-3.0-or-later"}) {
        const auto text = readFile(root / "LICENSES" / (std::string(licence) + ".txt"));
        QVERIFY2(text.has_value() && text->size() > 10'000, licence);
        QVERIFY2(
            reuse.find(std::string("SPDX-License-Identifier = \"") + licence + "\"") != std::string::npos, licence);
    }
    QVERIFY(*readFile(root / "LICENSE") == *readFile(root / "LICENSES/GPL-3.0-or-later.txt"));
}

void TestLayers::aCallThatUsesTheLocaleIsFound_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("isFine");
    QTest::newRow("%f") << QByteArray("std::snprintf(text, sizeof text, \"%.3f s\", value);") << false;
    QTest::newRow("%g") << QByteArray("std::printf(\"%*g\", 3, value);") << false;
    QTest::newRow("strtod") << QByteArray("std::strtod(begin, &end)") << false;
    QTest::newRow("stod") << QByteArray("std::stod(text)") << false;
    QTest::newRow("tolower") << QByteArray("std::tolower(c)") << false;
    QTest::newRow("%s") << QByteArray("std::printf(\"%-9s %5lld %%\", name, count);") << true;
    QTest::newRow("a part of a name") << QByteArray("const double atofs = my_strtod;") << true;
}

/// Few lines do: regular expressions are slow.
bool mayUseTheLocale(std::string_view line)
{
    for (const std::string_view word :
        {"printf", "format(", "strto", "atof", "std::sto", "tolower", "toupper", "localeconv"})
        if (line.find(word) != std::string_view::npos)
            return !trimmed(line).starts_with("//");
    return false;
}

/// What takes the decimal point, the digits or the letters of the user's locale.
bool usesTheLocale(const std::string& line)
{
    static const std::regex number(R"(%[-+ #0]*[0-9*]*(\.[0-9*]+)?l?[fFeEgGaA]\b)");
    static const std::regex call(R"(\b(strtod|strtof|strtold|atof|stod|stof|stold|tolower|toupper|localeconv)\s*\()");
    const bool prints = line.find("printf") != std::string::npos || line.find("format(") != std::string::npos;
    return (line.find('%') != std::string::npos && prints && std::regex_search(line, number))
        || std::regex_search(line, call);
}

void TestLayers::aCallThatUsesTheLocaleIsFound()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, isFine);
    QCOMPARE(!usesTheLocale(line.toStdString()), isFine);
}

void TestLayers::noFileWritesNumbersByTheLocale()
{
    for (const char* top : {"core", "ui", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
                continue;
            const std::string content = *readFile(entry.path());
            for (const std::string_view line : splitLines(content))
                QVERIFY2(!mayUseTheLocale(line) || !usesTheLocale(std::string(line)),
                    (entry.path().string() + ": " + std::string(line)).c_str());
        }
}

void TestLayers::jsonBecomesTextWithoutExceptions()
{
    // The library's dump() throws where a string is not UTF-8; what its parse() reads of great depth overflows the
    // stack when it is copied.
    const std::set<std::string> mayCallTheLibrary{"core/base/json_text.h", "core/base/json_text.cpp"};
    QStringList places;
    for (const char* top : {"core", "ui", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string file = fs::relative(entry.path(), root).generic_string();
            if (!entry.is_regular_file() || mayCallTheLibrary.contains(file))
                continue;
            const std::string content = *readFile(entry.path());
            if (content.find(".dump(") != std::string::npos || content.find("son::parse(") != std::string::npos)
                places << QString::fromStdString(file);
        }
    QVERIFY2(places.isEmpty(),
        qPrintable(places.join(QLatin1Char('\n')) + QStringLiteral(": use dumped() and parsedJson()")));
}

namespace {

/// The end of the brackets that open at `at`; strings and characters within them may hold brackets.
std::size_t behindBrackets(std::string_view source, std::size_t at)
{
    int depth = 0;
    for (; at < source.size(); ++at) {
        const char sign = source[at];
        if (sign == '"' || sign == '\'') {
            for (++at; at < source.size() && source[at] != sign; ++at)
                at += source[at] == '\\' ? 1 : 0;
        } else if (sign == '(') {
            ++depth;
        } else if (sign == ')' && --depth == 0) {
            return at + 1;
        }
    }
    return at;
}

bool isBlank(char sign) { return sign == ' ' || sign == '\n' || sign == '\t'; }

std::string_view withoutBlanksInFront(std::string_view source)
{
    const auto first = std::ranges::find_if_not(source, isBlank);
    return source.substr(static_cast<std::size_t>(first - source.begin()));
}

std::string_view withoutBlanksBehind(std::string_view source)
{
    while (!source.empty() && isBlank(source.back()))
        source.remove_suffix(1);
    return source;
}

/// The texts of tr() that no translator can turn round, as a part of their sentence is elsewhere: they are added to
/// something else than a separator between sentences, or begin or end within a sentence.
std::vector<std::string> gluedTexts(const std::string& source)
{
    static const std::regex call(R"RE(\b(?:\w+::)*tr\(\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)\))RE");
    static const std::regex separatorInFront(R"RE(^u?(?:'|")(?:[^A-Za-z'"]|\\n|<br>)*['"](?:_s)?)RE");
    static const std::regex separatorBehind(R"RE(u?(?:'|")(?:[^A-Za-z'"]|\\n|<br>)*['"](?:_s)?$)RE");
    std::vector<std::string> glued;
    for (auto each = std::sregex_iterator(source.begin(), source.end(), call); each != std::sregex_iterator(); ++each) {
        const auto start = static_cast<std::size_t>(each->position());
        std::string text;
        bool isInside = false;
        for (const char sign : each->str(1)) {
            if (sign == '"')
                isInside = !isInside;
            else if (isInside)
                text += sign;
        }
        std::size_t end = start + static_cast<std::size_t>(each->length());
        for (std::string_view rest = withoutBlanksInFront(std::string_view(source).substr(end));
             rest.starts_with(".arg("); rest = withoutBlanksInFront(std::string_view(source).substr(end)))
            end = behindBrackets(source, static_cast<std::size_t>(rest.data() - source.data()) + 4);
        const std::string_view after = withoutBlanksInFront(std::string_view(source).substr(end));
        const std::string_view before = withoutBlanksBehind(std::string_view(source).substr(0, start));
        const auto isSeparated = [](std::string_view operand, const std::regex& separator) {
            return std::regex_search(operand.begin(), operand.end(), separator);
        };
        constexpr std::size_t longest = 16; // characters of a separator
        const std::string_view next = after.starts_with('+') ? withoutBlanksInFront(after.substr(1)) : "' '";
        const std::string_view former
            = before.ends_with('+') ? withoutBlanksBehind(before.substr(0, before.size() - 1)) : "' '";
        if (text.starts_with(' ') || text.starts_with(',') || text.starts_with(';') || text.ends_with(' ')
            || !isSeparated(next.substr(0, longest), separatorInFront)
            || !isSeparated(former.substr(former.size() - std::min(former.size(), longest)), separatorBehind))
            glued.push_back(text);
    }
    return glued;
}

} // namespace

void TestLayers::aGluedTextIsFound_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<int>("glued");
    QTest::newRow("one text") << QByteArray("show(tr(\"%1 of %2\").arg(one, two));") << 0;
    QTest::newRow("sentences") << QByteArray("show(tr(\"One.\") + u' ' + tr(\"Two.\") + u\" · \"_s + tr(\"Three.\"));")
                               << 0;
    QTest::newRow("lines") << QByteArray("tip += u'\\n'\n    + tr(\"What to do: %1\").arg(f(\")\")) + '\\n';") << 0;
    QTest::newRow("two texts") << QByteArray("show(tr(\"One\") + tr(\"two\"));") << 2;
    QTest::newRow("a value behind") << QByteArray("show(tr(\"Cost: %1 \"\n    \"$\").arg(f(1)) + name);") << 1;
    QTest::newRow("a value in front") << QByteArray("show(count + Page::tr(\"files\"));") << 1;
    QTest::newRow("words in front") << QByteArray("show(u\"at \"_s + tr(\"noon\"));") << 1;
    QTest::newRow("a fragment") << QByteArray("line += tr(\", %1 apart\").arg(time);") << 1;
}

void TestLayers::aGluedTextIsFound()
{
    QFETCH(QByteArray, source);
    QFETCH(int, glued);
    QCOMPARE(static_cast<int>(gluedTexts(source.toStdString()).size()), glued);
}

void TestLayers::noTextOfTheWindowIsGlued()
{
    // The unit behind a number field; and what the lab paints behind a number.
    const std::set<std::string> allowed{" candidates", " cycles", ", chosen: %1, %2"};
    QStringList complaints;
    int files = 0;
    for (const char* top : {"ui", "app/gui"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            if (entry.path().extension() != ".cpp")
                continue;
            ++files;
            for (const std::string& text : gluedTexts(*readFile(entry.path())))
                if (!allowed.contains(text))
                    complaints << QString::fromStdString(
                        fs::relative(entry.path(), root).generic_string() + ": \"" + text + "\"");
        }
    QVERIFY2(complaints.isEmpty(),
        qPrintable(QStringLiteral("write whole sentences with numbered arguments: ") + complaints.join(u'\n')));
    QVERIFY(files > 100);
}

TILEWRIGHT_TEST(TestLayers)
#include "test_layers.moc"
