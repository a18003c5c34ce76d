// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_card.h"

#include "core/model/measurement/steadiness.h"
#include "ui/devices/conditions_panel.h"
#include "ui/devices/work_words.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pill.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

DeviceCard::DeviceCard(QWidget* parent)
    : QFrame(parent)
    , m_name(new ElidedLabel({}, this))
    , m_state(new Pill(this))
    , m_grid(new QGridLayout)
{
    setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(10), px(12), px(12));
    column->setSpacing(px(6));
    QFont font = fontOf(Type::Prose);
    font.setWeight(QFont::DemiBold);
    m_name->setFont(font);
    m_name->setObjectName(u"deviceName"_s);
    column->addWidget(m_name);
    column->addWidget(m_state, 0, Qt::AlignLeft);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(5));
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
}

void DeviceCard::addRow()
{
    const Row row{new QLabel(this), new QLabel(this)};
    for (QLabel* label : {row.label, row.value}) {
        label->setFont(fontOf(Type::Secondary));
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    row.label->setProperty("tone", u"secondary"_s);
    row.value->setWordWrap(true);
    const int line = static_cast<int>(m_rows.size());
    m_grid->addWidget(row.label, line, 0);
    m_grid->addWidget(row.value, line, 1);
    m_rows.push_back(row);
}

void DeviceCard::show(const DeviceFacts& device)
{
    setAccessibleName(device.name);
    m_name->setText(device.name);
    m_name->setToolTip(device.id);
    m_state->show(device.state, device.measures ? Pill::Mood::Good : Pill::Mood::Plain, {});
    while (m_rows.size() < device.facts.size())
        addRow();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool used = i < device.facts.size();
        row.label->setVisible(used);
        row.value->setVisible(used);
        if (!used)
            continue;
        const DeviceFact& fact = device.facts[i];
        row.label->setText(fact.label);
        row.value->setText(fact.value);
        row.value->setToolTip(fact.tip);
        row.value->setAccessibleName(u"%1: %2"_s.arg(fact.label, fact.value));
        const QString tone = fact.warns ? u"warning"_s : fact.known ? u"plain"_s : u"tertiary"_s;
        if (row.value->property("tone").toString() != tone) {
            row.value->setProperty("tone", tone);
            row.value->style()->unpolish(row.value);
            row.value->style()->polish(row.value);
        }
    }
}

QString DeviceCard::valueOf(const QString& label) const
{
    for (const Row& row : m_rows)
        if (row.label->isVisibleTo(this) && row.label->text() == label)
            return row.value->text();
    return {};
}

namespace {

/// What stands beside the newest timing on a device: {"temp_c", "power_w", "mhz": [low, high]}; null before the first.
nlohmann::json newestEnvironment(const RunState& run, const std::string& device)
{
    constexpr std::size_t farthest = 64; // failures before it have no such figures
    for (std::size_t i = run.evaluations.size(); i > 0 && i + farthest > run.evaluations.size(); --i)
        if (const nlohmann::json& told = run.evaluations[i - 1].result.environment;
            run.evaluations[i - 1].device == device && told.is_object()
            && (told.contains("mhz") || told.contains("temp_c")))
            return told;
    return nullptr;
}

std::optional<double> figureIn(const nlohmann::json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                                         : std::nullopt;
}

QString textIn(const nlohmann::json& json, const char* key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? text(found->get<std::string>()) : QString();
}

class Collector
{
public:
    /// `absent`: what is said where there is no value.
    Collector(DeviceFacts& facts, QString absent)
        : m_facts(facts)
        , m_absent(std::move(absent))
    {
    }

    void add(const QString& label, const QString& value, const QString& tip)
    {
        m_facts.facts.push_back(value.isEmpty() ? DeviceFact{label, m_absent, tip, false, false}
                                                : DeviceFact{label, value, tip, true, false});
    }
    void warnIf(bool bad) { m_facts.facts.back().warns = bad; }

private:
    DeviceFacts& m_facts;
    QString m_absent;
};

QString megahertz(std::optional<double> mhz) { return mhz && *mhz > 0 ? tr("%1 MHz").arg(*mhz, 0, 'f', 0) : QString(); }

/// "1 965–1 980 MHz", of all timings on the device, as the plot has them.
QString clockWhileTiming(const Readings& range) { return readingWords(range) + u' ' + unitOf(Condition::Clock); }

QString slowdownWords(const std::optional<std::string>& throttling)
{
    if (!throttling)
        return {};
    return throttling->empty() ? tr("none") : text(*throttling);
}

/// `rests`: nothing is measured on it now, which is when a device lowers its clock.
void addTelemetry(Collector& add, bool isHere, bool rests, const Telemetry* now, const nlohmann::json& then,
    const std::optional<Readings>& clockRange)
{
    const QString live = tr("Reported by the measuring program now"), past = tr("Read at the newest measurement");
    const auto clock = now && now->nowMhz ? now->nowMhz : std::nullopt;
    const QString current = megahertz(clock);
    add.add(tr("Current clock"),
        !isHere                           ? tr("the device is not on this machine")
            : rests && !current.isEmpty() ? tr("%1, idle").arg(current)
                                          : current,
        tr("As reported by the driver or the system; low while idle, never set by Tilewright. If neither reports it, "
           "the clock is still measured during each timing"));
    const QString probed // before the first measurement
        = now && now->mhz > 0 ? tr("%1, from a probe").arg(megahertz(now->mhz)) : QString();
    add.add(tr("Clock while timing"), clockRange ? clockWhileTiming(*clockRange) : probed,
        tr("Lowest and highest of all measurements of this session on this device, read with each timing block; for a "
           "processor, the highest value of each measurement counts, because an interrupted probe reads too low. Never "
           "set by Tilewright"));
    const auto degrees = now ? now->temperature : figureIn(then, "temp_c");
    add.add(tr("Temperature"), degrees ? tr("%1 °C").arg(*degrees, 0, 'f', 0) : QString(), now ? live : past);
    const auto watts = now ? now->watts : figureIn(then, "power_w");
    add.add(tr("Power"), watts ? tr("%1 W").arg(*watts, 0, 'f', 0) : QString(), now ? live : past);
    const auto reasons = now ? std::nullopt : figureIn(then, "clock_reasons");
    add.add(tr("Throttling"),
        now           ? slowdownWords(now->throttling)
            : reasons ? (*reasons == 0 ? tr("none") : tr("slowed down"))
                      : QString(),
        tr("Reasons for throttling: heat, a fault of the power supply, the power limit") + u"; "_s
            + (now ? live : past));
    add.warnIf(now ? now->throttling && !now->throttling->empty() : reasons.value_or(0) != 0);
}

/// Whether nothing is under way on the device; builds are not on it.
bool restsNow(const Snapshot& snapshot, const std::string& id)
{
    return std::ranges::none_of(snapshot.status.work, [&](const WorkSpan& span) {
        return span.work != Work::Build && (span.on.empty() ? snapshot.run.device : span.on) == id;
    });
}

const DeviceStatus* statusOf(const EngineStatus& status, const std::string& id)
{
    const auto found
        = std::ranges::find_if(status.devices, [&](const DeviceStatus& each) { return each.device.id == id; });
    return found == status.devices.end() ? nullptr : &*found;
}

DeviceFacts measuringDevice(const Snapshot& snapshot, const std::string& id, double busyPart)
{
    const RunState& run = snapshot.run;
    // Another device may go by the same name: the CPU of this machine is "cpu" as that of the session was.
    const DeviceStatus* here = snapshot.status.elsewhere.empty() ? statusOf(snapshot.status, id) : nullptr;
    DeviceFacts device;
    device.id = text(id);
    device.name = deviceName(run, id);
    device.measures = here != nullptr;
    device.state = here ? tr("used by this session") : tr("recorded");
    Collector add(device, here ? tr("not reported by this machine") : tr("not recorded"));
    add.add(tr("Host"), text(run.host), tr("Machine that has the device"));
    add.add(tr("Isolation"), textIn(run.deviceFacts, "isolation"), tr("Isolation of candidates on that machine"));
    add.warnIf(textIn(run.deviceFacts, "isolation") == u"reduced"_s);
    addTelemetry(add, here != nullptr, restsNow(snapshot, id), here && here->telemetry ? &*here->telemetry : nullptr,
        newestEnvironment(run, id), rangeOf(run.work, Condition::Clock, id));
    const auto measured = run.noise.find(id);
    const NoiseFloor noise = measured == run.noise.end() ? NoiseFloor{} : measured->second;
    add.add(tr("Noise floor"),
        noise.floor > 0 ? tr("± %1, from %2 timings").arg(percent(noise.floor)).arg(noise.blocks) : noiseNotYet(run),
        tr("95th percentile of the difference measured when the best candidate is timed against itself"));
    add.warnIf(isNoisy(noise.floor));
    // Derived times count waits as work.
    const bool derived = !run.work.spans.empty() && run.work.spans[0].derived;
    add.add(tr("Busy"), (derived ? tr("at most %1 of the run") : tr("%1 of the run")).arg(percent(busyPart)),
        tr("Time in checks, timings and noise-floor measurements, including in-flight work"));
    if (id != run.device) { // the measuring program is one for all, and so is the count
        add.add(tr("Restarts"), tr("reported at %1").arg(deviceName(run, run.device)),
            tr("One measuring program serves all devices of the session"));
        return device;
    }
    const auto failed = run.outcomes.find("run_failed");
    const std::int64_t crashed = failed == run.outcomes.end() ? 0 : failed->second;
    add.add(tr("Restarts"), tr("measuring program %1, workers lost %2").arg(run.work.nodeEnds.size()).arg(crashed),
        tr("Unexpected ends of the measuring program, and candidates that ended their worker process"));
    add.warnIf(!run.work.nodeEnds.empty());
    return device;
}

} // namespace

std::vector<DeviceFacts> devicesOf(
    const Snapshot& snapshot, const std::function<double(const std::string& device)>& busyPart)
{
    const RunState& run = snapshot.run;
    std::vector<DeviceFacts> devices;
    if (!run.device.empty())
        devices.push_back(measuringDevice(snapshot, run.device, busyPart(run.device)));
    for (const std::string& id : run.otherDevices)
        devices.push_back(measuringDevice(snapshot, id, busyPart(id)));
    for (const MeasuringDevice& earlier : run.work.devices) // before the run went on with others of their kind
        if (earlier.id != run.device && std::ranges::count(run.otherDevices, earlier.id) == 0)
            devices.push_back(measuringDevice(snapshot, earlier.id, busyPart(earlier.id)));
    std::ranges::stable_sort(devices, {}, [&run](const DeviceFacts& device) { // as they are numbered
        return std::ranges::find(run.work.devices, device.id.toStdString(), &MeasuringDevice::id);
    });
    for (const DeviceStatus& other : snapshot.status.devices) {
        if (other.measures || std::ranges::count(devices, text(other.device.id), &DeviceFacts::id) > 0)
            continue;
        DeviceFacts device;
        device.id = text(other.device.id);
        device.name = text(other.device.name);
        device.state = tr("not used by this session");
        Collector add(device, tr("not reported by this machine"));
        add.add(tr("Isolation"), text(other.device.isolation), tr("Isolation of candidates on that machine"));
        addTelemetry(add, true, restsNow(snapshot, other.device.id), other.telemetry ? &*other.telemetry : nullptr,
            nullptr, std::nullopt);
        devices.push_back(std::move(device));
    }
    return devices;
}

} // namespace tilewright::ui
