// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/own/kernel_work.h"

#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/device/cpu.h"
#include "core/model/work.h"
#include "core/pack/host_part.h"
#include "core/pack/pack_texts.h"
#include "core/pack/pack_writer.h"
#include "ui/models/display_text.h"
#include "ui/widgets/aside.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// A step of the check as tilewright-cli names it.
QString stepInWords(const QString& step)
{
    if (step == u"reading"_s)
        return KernelWork::tr("Reading the pack…");
    if (step == u"compiling"_s)
        return KernelWork::tr("Compiling the kernel and the reference…");
    if (step == u"running"_s)
        return KernelWork::tr("Starting the kernel in its sandbox…");
    if (step == u"checking"_s)
        return KernelWork::tr("Running the kernel on all sizes and kinds of inputs…");
    if (step.toStdString() == waitingStage)
        return KernelWork::tr("Waiting for the device, which another process uses for measurements…");
    return step;
}

} // namespace

KernelWork::KernelWork(QObject* parent)
    : QObject(parent)
    , m_checker(text((programFolder() / "tilewright-cli").string()))
    , m_memory(readCpuFacts().memoryBytes)
{
    connect(&m_watch, &FileWatch::touched, this, &KernelWork::lookAtFile);
    connect(&m_referenceWatch, &FileWatch::touched, this, &KernelWork::lookAtReference);
}

KernelWork::~KernelWork() { cancel(); }

void KernelWork::say(Stage stage, const QString& word, const QString& remedy)
{
    m_stage = stage;
    m_word = word;
    m_remedy = remedy;
    Q_EMIT changed();
}

void KernelWork::openText(const QString& path, const std::string& text)
{
    begin(path);
    take(std::make_shared<const ReadFile>(
        ReadFile{text, kernelChoices(path.toStdString(), text), builtinMacros(false)}));
}

void KernelWork::begin(const QString& path)
{
    cancel();
    m_watch.follow({});
    m_referenceWatch.follow({});
    m_file = path;
    m_folder.clear();
    m_outdated.clear();
    m_source.clear();
    m_functions.clear();
    m_description = m_asRead = {};
    m_readings.clear();
    m_suppositions.clear();
    m_findings.clear();
}

std::vector<std::string> KernelWork::suppositions() const
{
    std::vector<std::string> all = m_readings;
    all.insert(all.end(), m_suppositions.begin(), m_suppositions.end());
    return all;
}

void KernelWork::openFile(const QString& path, std::string preferred)
{
    begin(path);
    m_watch.follow(path);
    const int turn = ++m_turn;
    if (path.isEmpty())
        return say(Stage::Nothing, {});
    say(Stage::Reading, tr("Reading %1…").arg(path));
    doAside(
        this, [path] { return readKernel(path); },
        [this, turn, preferred = std::move(preferred)](const std::shared_ptr<const ReadFile>& read) {
            if (turn == m_turn)
                take(read, preferred);
        });
}

std::shared_ptr<const KernelWork::ReadFile> KernelWork::readKernel(const QString& path)
{
    auto read = std::make_shared<ReadFile>(ReadFile{readKernelFile(path.toStdString()), {}, {}});
    if (read->text) {
        read->macros = compilerMacros(path.toStdString(), *read->text);
        read->functions = kernelChoices(path.toStdString(), *read->text, read->macros);
    }
    return read;
}

std::shared_ptr<const KernelWork::ReadFile> KernelWork::readReference(const QString& path)
{
    auto read = std::make_shared<ReadFile>(ReadFile{readKernelFile(path.toStdString()), {}, {}});
    if (read->text) {
        read->macros = compilerMacros(path.toStdString(), *read->text);
        read->functions = kernelFunctionsOf(*read->text, read->macros);
    }
    return read;
}

void KernelWork::take(const std::shared_ptr<const ReadFile>& read, const std::string& preferred)
{
    if (!read->text)
        return say(Stage::Nothing, text(read->text.error().text), text(read->text.error().hint));
    m_source = *read->text;
    m_macros = read->macros;
    m_functions = read->functions;
    if (m_functions.empty())
        return isCudaFile(m_file.toStdString()) ? say(Stage::Nothing, tr("No kernel was found in %1.").arg(m_file),
                   tr("A kernel is a function marked __global__, with a body, outside of classes."))
                                                : say(Stage::Nothing, tr("No function was found in %1.").arg(m_file),
                                                    tr("A kernel is a function with a body, outside of classes."));
    const auto known = std::ranges::find(m_functions, preferred, &KernelFunction::name);
    if (known != m_functions.end() && objectionTo(*known).code.empty())
        return chooseFunction(preferred);
    // The last that can be one: helpers stand above what calls them.
    for (auto function = m_functions.rbegin(); function != m_functions.rend(); ++function)
        if (objectionTo(*function).code.empty())
            return chooseFunction(function->name);
    const Error why = objectionTo(m_functions.back());
    say(Stage::Nothing, text(why.text), text(why.hint));
}

void KernelWork::chooseFunction(const std::string& name)
{
    cancel();
    m_costByHand = m_truthByHand = false;
    m_folder.clear();
    auto derived = describeKernel(m_file.toStdString(), m_source, name, m_macros);
    m_outdated.clear();
    if (!derived) {
        m_description = m_asRead = {};
        m_findings.clear();
        m_readings.clear();
        m_suppositions.clear();
        return say(Stage::Nothing, text(derived.error().text), text(derived.error().hint));
    }
    describe(std::move(*derived));
    look();
}

void KernelWork::describe(DerivedDescription derived)
{
    m_asRead = m_description = std::move(derived.description);
    m_readings = std::move(derived.readings);
    m_suppositions = std::move(derived.suppositions);
}

void KernelWork::openReference(const QString& path)
{
    m_referenceWatch.follow(path);
    doAside(
        this, [path] { return readReference(path); },
        [this, path](const std::shared_ptr<const ReadFile>& read) {
            m_referenceFunctions = read->functions;
            change(
                [&](KernelDescription& description) {
                    description.referenceFileName = path.toStdString();
                    description.referenceSource = read->text.value_or(std::string());
                    description.referenceFunction
                        = m_referenceFunctions.empty() ? "" : m_referenceFunctions.back().name;
                },
                Touches::Truth);
            if (!read->text)
                say(m_stage, text(read->text.error().text), text(read->text.error().hint));
        });
}

void KernelWork::change(const std::function<void(KernelDescription&)>& by, Touches what)
{
    cancel();
    by(m_description);
    m_costByHand = m_costByHand || what == Touches::Cost;
    m_truthByHand = m_truthByHand || what == Touches::Truth;
    if (what == Touches::Shapes) {
        // What follows from the shapes follows again, unless a user said it.
        if (!m_costByHand) {
            m_description.flops.clear();
            m_description.bytes.clear();
        }
        if (!m_truthByHand && m_description.truth == TruthSource::Product) {
            m_description.truth = TruthSource::Kernel;
            m_description.tolerance = Tolerance::Rounding;
        }
        const auto fits = [&](const Shape& shape) { return shape.size() == m_description.dims.size(); };
        if (!std::ranges::all_of(m_description.train, fits))
            m_description.train.clear();
        m_suppositions = supposeTheRest(m_description);
    }
    look();
}

void KernelWork::look()
{
    m_findings = findingsIn(m_description, m_memory);
    say(Stage::Described, {});
}

void KernelWork::writeAndCheck()
{
    if (!isDescribed() || isBusy() || !m_findings.empty())
        return;
    say(Stage::Writing, tr("Writing the pack…"));
    const int turn = ++m_turn;
    doAside(
        this,
        [description = m_description, memory = m_memory] {
            return std::make_shared<const Result<std::filesystem::path>>(
                writePack(description, dataFolder() / "kernels", memory));
        },
        [this, turn](const std::shared_ptr<const Result<std::filesystem::path>>& written) {
            if (turn != m_turn)
                return;
            if (!*written)
                return say(Stage::Refused, text(written->error().text), text(written->error().hint));
            m_folder = text((*written)->string());
            startCheck();
        });
}

void KernelWork::startCheck()
{
    m_share = -1;
    m_told.clear();
    m_check = new QProcess(this);
    connect(m_check, &QProcess::readyReadStandardError, this, &KernelWork::readProgress);
    connect(m_check, &QProcess::finished, this, &KernelWork::checkEnded);
    connect(m_check, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            checkEnded();
    });
    say(Stage::Checking, stepInWords(u"reading"_s));
    m_check->start(m_checker, {u"tasks"_s, u"--check"_s, m_folder, u"--run"_s, u"--progress"_s, u"--json"_s});
}

void KernelWork::readProgress()
{
    m_told += m_check->readAllStandardError();
    for (qsizetype end = m_told.indexOf('\n'); end >= 0; end = m_told.indexOf('\n')) {
        QString line = QString::fromUtf8(m_told.left(end));
        m_told.remove(0, end + 1);
        if (line.startsWith(u"tilewright-cli:"_s))
            continue; // the end of it, which the answer tells as well
        m_share = -1;
        const qsizetype blank = line.lastIndexOf(u' ');
        const QStringList figures = line.sliced(blank + 1).split(u'/');
        if (figures.size() == 2 && figures[1].toDouble() > 0) {
            m_share = figures[0].toDouble() / figures[1].toDouble();
            line.truncate(blank);
        }
        say(Stage::Checking, stepInWords(line));
    }
}

void KernelWork::checkEnded()
{
    QProcess* check = std::exchange(m_check, nullptr);
    if (!check)
        return;
    const QJsonObject answer = QJsonDocument::fromJson(check->readAllStandardOutput()).object();
    constexpr int missing = 6; // of tilewright-cli: no device, no compiler
    const bool lacking = check->exitStatus() == QProcess::NormalExit && check->exitCode() == missing;
    const QString failure = check->errorString();
    check->deleteLater();
    m_share = -1;
    if (answer.isEmpty())
        return say(Stage::Refused, tr("The check returned no result: %1.").arg(failure),
            tr("The pack is kept in %1, marked as not checked.").arg(m_folder));
    if (!answer[u"ok"_s].toBool() && lacking && m_description.target == Target::Cuda)
        return say(Stage::Unchecked, tr("Written, but not checked: %1.").arg(answer[u"error"_s].toString()),
            tr("A machine with a GPU can check results on all sizes and refuse cheating kernels: tilewright-cli tasks "
               "--check %1 --run")
                .arg(QString::fromStdString(shellQuoted(m_folder.toStdString()))));
    if (!answer[u"ok"_s].toBool())
        return say(Stage::Refused, text(inOwnLines(m_description, answer[u"error"_s].toString().toStdString())),
            answer[u"hint"_s].toString());
    say(Stage::Good,
        tr("The pack is valid: the kernel is right on all sizes (%1 train, %2 held-out and small ones), and the "
           "built-in cheating kernels are refused.")
            .arg(answer[u"train"_s].toInt())
            .arg(answer[u"heldout"_s].toInt()));
}

void KernelWork::cancel()
{
    ++m_turn;
    if (QProcess* check = std::exchange(m_check, nullptr)) {
        check->disconnect(this);
        check->kill();
        check->setParent(nullptr);
        connect(check, &QProcess::finished, check, &QObject::deleteLater);
    }
    if (isBusy())
        m_stage = isDescribed() ? Stage::Described : Stage::Nothing;
}

} // namespace tilewright::ui
