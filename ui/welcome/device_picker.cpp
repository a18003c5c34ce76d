// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/device_picker.h"

#include "core/device/cpu.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/widgets/elided_label.h"

#include <QJsonArray>
#include <QVBoxLayout>
#include <algorithm>
#include <unistd.h>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Not those this thread may use: the window leaves the measuring core alone.
std::int64_t coresOfThisMachine() { return std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)); }

void check(ChoiceCard& card, bool on)
{
    const QSignalBlocker quiet(card);
    card.setAutoExclusive(false);
    card.setChecked(on);
    card.setAutoExclusive(true);
    card.update();
}

bool runs(const QString& device, Target target) { return (device == u"cpu"_s) == (target == Target::Cpp); }

} // namespace

DevicePicker::DevicePicker(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_whyNoGpu(tr("Still searching."))
{
    setAccessibleName(tr("Devices"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(px(8));
    add({u"cpu"_s, nullptr, readCpuFacts().model, 1}, tr("CPU of this machine"),
        counted(coresOfThisMachine(), tr("%1 core, used for timing, in a sandbox if the system supports it"),
            tr("%1 cores, one reserved for timing, in a sandbox if the system supports it")));
    offer();
}

void DevicePicker::add(const Device& device, const QString& name, const QString& about)
{
    auto* card = new ChoiceCard(name, about, u"cpu"_s, this);
    card->setObjectName(u"device:"_s + device.id);
    m_column->addWidget(card);
    m_devices.push_back({device.id, card, device.kind, device.count});
    connect(card, &ChoiceCard::toggled, this, [this](bool on) {
        if (on)
            Q_EMIT changed();
    });
}

void DevicePicker::show(const QJsonObject& report)
{
    std::erase_if(m_devices, [](const Device& device) {
        if (device.id == u"cpu"_s)
            return false;
        delete device.card;
        return true;
    });
    m_whyNoGpu.clear();
    for (const QJsonValue& value : report[u"findings"_s].toArray()) {
        const QJsonObject finding = value.toObject(), device = finding[u"device"_s].toObject();
        if (!device.isEmpty())
            add({device[u"id"_s].toString(), nullptr, device[u"name"_s].toString().toStdString(), 1},
                tr("%1 · GPU %2").arg(device[u"name"_s].toString()).arg(device[u"index"_s].toInt()),
                tr("%1 · %2 multiprocessors · %3 GB")
                    .arg(device[u"architecture"_s].toString())
                    .arg(device[u"multiprocessors"_s].toInt())
                    .arg(qRound(device[u"memory_bytes"_s].toDouble() / 1e9)));
        else if (finding[u"what"_s] == u"GPU"_s)
            m_whyNoGpu = asSentence(finding[u"detail"_s].toString());
    }
    addAll(report);
    if (m_devices.size() == 1 && m_whyNoGpu.isEmpty())
        m_whyNoGpu = tr("tilewright-cli doctor returned no result.");
    offer();
    Q_EMIT changed();
}

/// All GPUs together, where there are several of one kind.
void DevicePicker::addAll(const QJsonObject& report)
{
    QStringList names;
    for (const QJsonValue& value : report[u"findings"_s].toArray())
        if (const QJsonObject device = value[u"device"_s].toObject(); !device.isEmpty())
            names << device[u"name"_s].toString();
    if (names.size() > 1 && names.count(names.first()) == names.size())
        add({u"cuda:all"_s, nullptr, names.first().toStdString(), static_cast<int>(names.size())},
            tr("All %1 GPUs, %2 each").arg(QString::number(names.size()), names.first()),
            tr("Candidates are measured in parallel; programs that are compared are timed on one GPU"));
}

void DevicePicker::setTask(const Task* task)
{
    const std::optional<Target> target = task ? std::optional(task->target) : std::nullopt;
    if (target == m_target)
        return;
    m_target = target;
    offer();
}

void DevicePicker::offer()
{
    ChoiceCard* first = nullptr;
    bool kept = false;
    for (const auto& [id, card, kind, count] : m_devices) {
        const bool fits = !m_target || runs(id, *m_target);
        if (fits)
            card->setUsable();
        else
            card->setBroken(id == u"cpu"_s ? tr("the selected task is for GPUs") : tr("the selected task is for CPUs"));
        kept |= fits && card->isChecked();
        if (fits && (!first || id == m_preferred))
            first = card;
    }
    if (kept)
        return;
    for (const Device& device : m_devices) // none is checked while nothing fits
        check(*device.card, device.card == first);
}

void DevicePicker::prefer(const QString& device)
{
    if (m_preferred == device)
        return;
    m_preferred = device;
    const auto gpu = std::ranges::find_if(
        m_devices, [&](const Device& each) { return each.id != u"cpu"_s && (device.isEmpty() || each.id == device); });
    if (gpu != m_devices.end() && chosen() != u"cpu"_s) // a task for the CPU is not what this is about
        choose(gpu->id);
}

std::vector<std::pair<QString, QString>> DevicePicker::gpus() const
{
    std::vector<std::pair<QString, QString>> found;
    for (const Device& device : m_devices)
        if (device.id != u"cpu"_s)
            found.emplace_back(device.id, device.card->text());
    return found;
}

bool DevicePicker::choose(const QString& device)
{
    const auto found = std::ranges::find(m_devices, device, &Device::id);
    if (found == m_devices.end() || !found->card->isEnabled())
        return false;
    found->card->setChecked(true);
    return true;
}

void DevicePicker::reset()
{
    for (const Device& device : m_devices)
        check(*device.card, false);
    offer();
    Q_EMIT changed();
}

const DevicePicker::Device* DevicePicker::chosenDevice() const
{
    const auto device = std::ranges::find_if(m_devices, [](const Device& each) { return each.card->isChecked(); });
    return device == m_devices.end() ? nullptr : &*device;
}

QString DevicePicker::chosen() const { return chosenDevice() ? chosenDevice()->id : QString(); }

QString DevicePicker::chosenName() const
{
    const Device* device = chosenDevice();
    return !device ? tr("none") : device->id == u"cpu"_s ? tr("CPU") : device->card->text();
}

std::string DevicePicker::chosenKind() const { return chosenDevice() ? chosenDevice()->kind : std::string(); }

int DevicePicker::chosenCount() const { return chosenDevice() ? chosenDevice()->count : 1; }

} // namespace tilewright::ui
