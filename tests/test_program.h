// SPDX-License-Identifier: GPL-3.0-or-later
// A program that holds several tests: each file is one, by its name, and one run of the program runs one of them:
// `ui-tests test-settings [arguments of Qt Test]`.
#pragma once

#include <QtTest>
#include <string>

namespace tilewright {

/// Qt Test tells what a QString is.
inline QString q(const std::string& text) { return QString::fromStdString(text); }

namespace test {

using TestRun = int (*)(const QStringList& arguments);

/// Adds a test to those of the program, named as its file: tests/ui/test_settings.cpp is test-settings.
struct InProgram {
    InProgram(const char* file, TestRun run);
};

template <typename Test> int runTest(const QStringList& arguments)
{
    Test test;
    return QTest::qExec(&test, arguments);
}

} // namespace test
} // namespace tilewright

/// In the place of QTEST_MAIN.
#define TILEWRIGHT_TEST(Test)                                                                                          \
    static const tilewright::test::InProgram inProgram##Test(__FILE__, &tilewright::test::runTest<Test>);
