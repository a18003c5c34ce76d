// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/build_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString kernelWords(const nlohmann::json& kernel)
{
    QStringList parts;
    const auto add = [&](const char* key, const QString& one, const QString& several) {
        if (const auto found = kernel.find(key); found != kernel.end() && found->is_number_integer())
            parts << counted(found->get<std::int64_t>(), one, several);
    };
    const auto addBytes = [&](const char* key, const QString& words) {
        if (const auto found = kernel.find(key); found != kernel.end() && found->is_number())
            parts << words.arg(bytes(found->get<double>()));
    };
    add("registers", tr("%1 register"), tr("%1 registers"));
    addBytes("shared_bytes", tr("%1 shared memory"));
    addBytes("local_bytes", tr("%1 local memory"));
    addBytes("code_bytes", tr("%1 machine code"));
    add("threads", tr("%1 thread a block"), tr("%1 threads a block"));
    add("blocks_per_sm", tr("%1 block per SM"), tr("%1 blocks per SM"));
    QString words = text(kernel.value("kernel", std::string()));
    for (qsizetype i = 0; i < parts.size(); ++i) // two a line: the tab is narrow
        words += (i % 2 ? u", "_s : u"\n    "_s) + parts[i];
    return words;
}

} // namespace

QString silentBuildWords(const EvaluationResult& result, const Task* task)
{
    const nlohmann::json none = nlohmann::json::array();
    const nlohmann::json& environment = result.environment;
    if (!environment.is_object())
        return {};
    const nlohmann::json passed = environment.value("rules_passed", none);
    if (std::ranges::find(passed, nlohmann::json("build")) == passed.end())
        return {};
    QStringList lines{tr("The compiler had nothing to say:"), tr("no errors, no warnings.")};
    if (const std::string compiler = environment.value("compiler", std::string()); !compiler.empty())
        lines << tr("Compiler: %1").arg(text(compiler));
    QStringList options;
    if (task)
        for (const std::string& option : task->buildOptions)
            options << text(option);
    if (!options.isEmpty())
        lines << tr("Options of the task: %1").arg(options.join(u' '));
    if (result.resources.is_object())
        for (const nlohmann::json& kernel : result.resources.value("kernels", none))
            if (kernel.is_object())
                lines << QString() << kernelWords(kernel);
    return lines.join(u'\n');
}

} // namespace tilewright::ui
