// SPDX-License-Identifier: GPL-3.0-or-later
// Includes go downstairs only: every #include "core/…", "ui/…" or "app/…" is one that tests/layers.txt allows, and no
// file of core draws on the screen.
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/test_program.h"

#include <QTest>
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
    void theTextsOfBothLicencesAreThere();
    void aCallThatUsesTheLocaleIsFound_data();
    void aCallThatUsesTheLocaleIsFound();
    void noFileWritesNumbersByTheLocale();
    void jsonBecomesTextWithoutExceptions();

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
    return isOfKernels ? "Apache-2.0" : "GPL-3.0-or-later";
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

TILEWRIGHT_TEST(TestLayers)
#include "test_layers.moc"
