// SPDX-License-Identifier: GPL-3.0-or-later
// Includes go downstairs only: every #include "core/…", "ui/…" or "app/…" is one that tests/layers.txt allows, and no
// file of core draws on the screen.
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/test_program.h"

#include <QTest>
#include <filesystem>
#include <map>
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
    QVERIFY(!complaint("core/base/text.cpp", "core/model/task.h", m_rules).empty());
    QVERIFY(!complaint("ui/evolve/page.cpp", "core/store/session_writer.h", m_rules).empty());
    QVERIFY(!complaint("core/attic/x.cpp", "core/base/text.h", m_rules).empty());
    QVERIFY(complaint("core/model/task.cpp", "core/base/text.h", m_rules).empty());
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

TILEWRIGHT_TEST(TestLayers)
#include "test_layers.moc"
