// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/finding_words.h"

#include "ui/theme/words.h"

#include <QStringList>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

struct KnownFinding {
    const char *what, *title, *found, *missing; ///< to be translated
};

constexpr KnownFinding knownFindings[] = {
    {"compiler", QT_TRANSLATE_NOOP("Words", "C++ compiler"),
        QT_TRANSLATE_NOOP("Words", "builds the programs that are tried"),
        QT_TRANSLATE_NOOP("Words", "there is none (g++), so nothing can be built; on Debian: apt install g++")},
    {"caches", QT_TRANSLATE_NOOP("Words", "Memory inside the processor"),
        QT_TRANSLATE_NOOP("Words", "its sizes are known; it is emptied before each timing, so that all begin alike"),
        QT_TRANSLATE_NOOP("Words", "its sizes are not known; 2 MiB of it are emptied before each timing")},
    {"measuring core", QT_TRANSLATE_NOOP("Words", "A core kept for timing"),
        QT_TRANSLATE_NOOP("Words", "one core only times, the others build"),
        QT_TRANSLATE_NOOP("Words",
            "there is a single core: nothing is built while something is timed, so runs take about twice as long")},
    {"sandbox", QT_TRANSLATE_NOOP("Words", "Shut-off room for programs"),
        QT_TRANSLATE_NOOP("Words", "programs run where they cannot reach the rest of this machine"),
        QT_TRANSLATE_NOOP("Words",
            "only the system's simpler locks hold programs back (Landlock, seccomp); bubblewrap would shut them off")},
    {"OpenBLAS", QT_TRANSLATE_NOOP("Words", "Yardstick for the CPU"),
        QT_TRANSLATE_NOOP("Words", "results are compared with a library that experts wrote (OpenBLAS)"),
        QT_TRANSLATE_NOOP("Words",
            "nothing to compare with on the CPU; each confirmed program is checked once more instead; on Debian: apt "
            "install libopenblas0")},
    {"GPU", QT_TRANSLATE_NOOP("Words", "Graphics card (GPU)"), QT_TRANSLATE_NOOP("Words", "there is one"),
        QT_TRANSLATE_NOOP("Words", "none can be used: tasks for a GPU cannot be measured here, those for the CPU can")},
    {"driver", QT_TRANSLATE_NOOP("Words", "Driver of the GPU"),
        QT_TRANSLATE_NOOP("Words", "lets programs run on the GPU"),
        QT_TRANSLATE_NOOP("Words", "not installed: tasks for a GPU cannot be measured here, those for the CPU can")},
    {"CUDA toolkit", QT_TRANSLATE_NOOP("Words", "Compiler for GPU programs"),
        QT_TRANSLATE_NOOP("Words", "builds programs for a GPU"),
        QT_TRANSLATE_NOOP("Words", "not found: programs for a GPU cannot be built; those for the CPU can")},
    {"cuBLAS", QT_TRANSLATE_NOOP("Words", "Yardstick for the GPU"),
        QT_TRANSLATE_NOOP("Words", "results are compared with NVIDIA's own library (cuBLAS)"),
        QT_TRANSLATE_NOOP("Words", "NVIDIA's library (cuBLAS) is not found: nothing to compare with on a GPU")},
    {"compute-sanitizer", QT_TRANSLATE_NOOP("Words", "Checker of GPU memory"),
        QT_TRANSLATE_NOOP("Words", "looks for wrong memory accesses in what is confirmed"),
        QT_TRANSLATE_NOOP("Words", "not found: GPU programs are confirmed without that look, and say so")},
    {"ncu", QT_TRANSLATE_NOOP("Words", "Profiler of the GPU"),
        QT_TRANSLATE_NOOP("Words", "tells where a GPU program spends its time when it is measured again"),
        QT_TRANSLATE_NOOP("Words", "not found: figures of where a GPU program spends its time are missing")},
    {"objdump", QT_TRANSLATE_NOOP("Words", "Machine code of CPU programs"), QT_TRANSLATE_NOOP("Words", "can be shown"),
        QT_TRANSLATE_NOOP("Words", "cannot be shown; on Debian: apt install binutils")},
    {"nvdisasm", QT_TRANSLATE_NOOP("Words", "Machine code of GPU programs"), QT_TRANSLATE_NOOP("Words", "can be shown"),
        QT_TRANSLATE_NOOP("Words", "cannot be shown, only the step before it (PTX)")},
    {"keyring", QT_TRANSLATE_NOOP("Words", "Safe place for keys"),
        QT_TRANSLATE_NOOP("Words", "the desktop's keyring can keep the keys of model providers"),
        QT_TRANSLATE_NOOP(
            "Words", "not reachable: keys come from the environment, or are forgotten when the program ends")},
    {"node and worker", QT_TRANSLATE_NOOP("Words", "Tilewright's own programs"),
        QT_TRANSLATE_NOOP("Words", "all of them are there"),
        QT_TRANSLATE_NOOP("Words", "some are not beside this one: build all of Tilewright")},
    {"git", QT_TRANSLATE_NOOP("Words", "Keeper of versions (git)"),
        QT_TRANSLATE_NOOP("Words", "there, but not needed yet"),
        QT_TRANSLATE_NOOP("Words", "not there, and not needed yet")},
    {"Slurm", QT_TRANSLATE_NOOP("Words", "Queue of a cluster (Slurm)"),
        QT_TRANSLATE_NOOP("Words", "there, but not needed yet"),
        QT_TRANSLATE_NOOP("Words", "not there, and not needed yet")},
};

/// What a finding that is there still lacks.
QString lackOf(const QString& detail)
{
    if (detail.contains(u"no headers"_s))
        return tr("not those that include CUDA's own headers");
    if (detail.contains(u"without NVML"_s))
        return tr("clock, heat and power of the GPU stay unknown");
    if (detail.contains(u"can read this machine's memory"_s))
        return tr("its programs can read this machine's memory");
    return {};
}

} // namespace

FindingWords wordsOfFinding(const QJsonObject& finding)
{
    const QString what = finding[u"what"].toString(), detail = finding[u"detail"].toString();
    const bool found = finding[u"found"].toBool();
    FindingWords words{what, detail, u"%1: %2"_s.arg(what, detail)};
    if (const QJsonObject gpu = finding[u"device"].toObject(); !gpu.isEmpty()) {
        words.title = tr("Graphics card (GPU) %1").arg(gpu[u"index"].toInt());
        words.meaning = tr("%1 with %2 GB of memory")
                            .arg(gpu[u"name"].toString())
                            .arg(qRound(gpu[u"memory_bytes"].toDouble() / 1e9));
    } else if (what == u"processor"_s) {
        words.title = tr("Processor");
        words.meaning = detail.section(u':', 0, 0); // its name and cores; what it can do beyond is for the tooltip
    } else {
        for (const KnownFinding& known : knownFindings)
            if (what == QLatin1String(known.what)) {
                words.title = tr(known.title);
                words.meaning = tr(found ? known.found : known.missing);
            }
    }
    if (const QString lack = found ? lackOf(detail) : QString(); !lack.isEmpty() && words.meaning != detail)
        words.meaning += u"; "_s + lack;
    return words;
}

} // namespace tilewright::ui
