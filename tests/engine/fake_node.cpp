// SPDX-License-Identifier: GPL-3.0-or-later
// A node for tests: speaks the real protocol on standard input and output, takes its figures from the synthetic
// landscape, and misbehaves where it is told to. Which program misbehaves depends on its text alone: its identity
// modulo N, or a marker in the source.
//   --build-error N --refuse N --crash N --silent N --garbage N   every N-th program (0: none)
//   --delay-ms MS   for every request    --builders N    --no-device    --crash-at-hello
//   --taken-ms MS   for the first timing another node holds the device
//   --cached   every build is one that was kept    --disturbed-ms MS   other work disturbs the first timing
//   --seed-fault   programs without tunables cannot even be tried to build
//   --busy N   the first N timings find the machine too busy    --busy-after N   all but the first N do --wrong-vendor
//   every confirmation finds the vendor wrong    --device-name NAME --compiler WORDS   what it says it measures on and
//   builds with    --machine-fault N after N builds the disk is full    --audited   every confirmation was audited
//   --rerun-slower PERCENT   what is measured again is slower by so much    --stuck N   a killed process hangs on the
//   device during the first N checks    --device-fault CODE   every check but the first finds this
//   --twins N   N devices cpu0, cpu1, … of one model, each busy with its own work; --lost-twin N   the device cpuN is
//   lost at its first work after the first three; --stuck-twin N   a killed process hangs on cpuN during its first
//   checks
//   --second-device NAME   a cpu1 of this model and a GPU beside cpu0    --wrong-rows M   every program but the seed is
//   wrong on shapes of so many rows    --seed-unbuilt-rows M   the seed does not build for tasks with such a shape
//   --confirm-s N   a confirmation says that it took so long    --falls N   every N-th program falls when it is
//   confirmed
//   --no-compiler   there is nothing to build with    --for-proofs   it leaves something out
//   --kill N   somebody ends what one request in N starts, as if at random    --kill-node N   or the node itself, at
//   its N-th request    --kill-own N   whatever checks every N-th program is ended each time
//   --build-fault C every build ends in this error, which is not the program's
//   --garbled-once FILE   the first screening of all nodes of this run; FILE says that it was
//   --no-counters   every timing says that the profiler cannot count
//   --crash-at-listing    --no-disassembler    --other-code   no listing is of what was measured
//   --speeds FILE   a line a program, its identity and its speed: these, and not the landscape's, hold for it
#include "core/model/work.h"
#include "core/protocol/frames.h"
#include "core/protocol/killed.h"
#include "core/protocol/messages.h"
#include "core/source/program_text.h"
#include "tests/engine/landscape.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

namespace {

using namespace tilewright;

/// Speeds of --speeds, by the identity of a program.
std::map<Hash, double>& givenSpeeds()
{
    static std::map<Hash, double> speeds;
    return speeds;
}

void readSpeeds(const char* path)
{
    std::ifstream file(path);
    std::string identity;
    for (double speed = 0; file >> identity >> speed;)
        givenSpeeds()[Hash::fromHex(identity)] = speed;
}

double speedOf(std::string_view text)
{
    const auto given = givenSpeeds().find(programIdentity(text));
    return given != givenSpeeds().end() ? given->second : testing::syntheticSpeed(text);
}

struct Manners {
    std::uint64_t buildError = 0, refuse = 0, crash = 0, silent = 0, garbage = 0, falls = 0, killOwn = 0;
    std::uint64_t kill = 0;
    int killNode = 0;
    std::int64_t confirmSeconds = 0;
    std::string garbledOnce;
    int delayMs = 0, takenMs = 0, disturbedMs = 0, builders = 2, busy = 0, machineFault = -1, rerunSlower = 0,
        stuck = 0;
    int twins = 1, lostTwin = -1, stuckTwin = -1;
    std::int64_t wrongRows = 0, seedUnbuiltRows = 0;
    bool crashAtListing = false, noDisassembler = false, otherCode = false, cached = false;
    bool noCompiler = false, noDevice = false, seedFault = false, crashAtHello = false, wrongVendor = false,
         audited = false, forProofs = false, noCounters = false;
    std::string deviceName = "Synthetic CPU", compiler = "g++ 12.2.0";
    std::string buildFault;
    std::string deviceFault = {}, secondDevice = {};
    std::optional<int> busyAfter = {};
};

void writeAll(const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const auto done = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (done <= 0)
            std::_Exit(0);
        at += static_cast<std::size_t>(done);
    }
}

template <typename Message> void answer(const Message& message) { writeAll(encodeFrame(toJson(message))); }

class FakeNode
{
public:
    explicit FakeNode(Manners manners)
        : m_manners(manners)
    {
    }

    void take(const Frame& frame)
    {
        if (frame.json.value("op", "") == "blob") {
            m_blobs[sha256(frame.blob)] = frame.blob;
            return;
        }
        const auto request = requestFromJson(frame.json);
        if (!request) {
            answer(Failure{
                frame.json.value("id", std::int64_t(0)), request.error().code, request.error().text, nullptr, false});
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(m_manners.delayMs));
        const std::int64_t id = frame.json.value("id", std::int64_t(0)); // of all that starts a process
        if (id > 0 && ++m_requests == m_manners.killNode)
            ::kill(::getpid(), SIGKILL);
        if (id > 0 && m_manners.kill > 0 && leading64(sha256(std::to_string(m_requests))) % m_manners.kill == 0)
            return answerKilled(id);
        std::visit([this](const auto& message) { serve(message); }, *request);
    }

private:
    static void answerKilled(std::int64_t id)
    {
        answer(
            Failure{id, killedFromOutside, "a compiler was killed by signal 9 (Killed), which Tilewright did not send",
                {{"signal", 9}}, false, killedRemedy});
    }

    void serve(const HelloRequest&)
    {
        if (m_manners.crashAtHello)
            std::abort();
        HelloReply hello;
        hello.host = "fake";
        hello.builders = m_manners.builders;
        for (int i = 0; i < m_manners.twins && !m_manners.noDevice; ++i)
            hello.devices.push_back({"cpu" + std::to_string(i), m_manners.deviceName, "x86-64", "sandbox",
                {{"cores", 1}, {"compiler", m_manners.compiler}}});
        if (!m_manners.secondDevice.empty()) {
            hello.devices.push_back({"cpu1", m_manners.secondDevice, "x86-64", "sandbox", {{"cores", 1}}});
            hello.devices.push_back({"GPU-fake", "Synthetic GPU", "sm_90a", "sandbox", {{"sms", 1}}});
        }
        for (HelloReply::Device& device : hello.devices)
            if (m_manners.forProofs)
                device.facts[onlyForProofs] = "static rules off";
        answer(hello);
        answer(Telemetry{"cpu0", 3000, 0.004, 50.0, 0, 0, 0, "sandbox"});
    }

    bool every(std::uint64_t n, const std::string& text, const char* mark) const
    {
        const Hash identity = programIdentity(text);
        // Programs without tunables, the seed among them, behave.
        return (n > 0 && leading64(identity) % n == 1 && !tunablesOf(text).empty())
            || text.find(mark) != std::string::npos;
    }

    void serve(const BuildRequest& request)
    {
        if (!m_blobs.contains(request.task) || !m_blobs.contains(request.program)) {
            answer(Failure{request.id, "protocol/blob-missing", "a blob was never sent", nullptr, false});
            return;
        }
        const std::string& text = m_blobs[request.program];
        if (m_manners.seedFault && tunablesOf(text).empty())
            return answer(Failure{request.id, "build/no-room", "the build folder is full", nullptr, false});
        if (m_manners.machineFault >= 0 && m_builds++ >= m_manners.machineFault)
            return answer(Failure{request.id, "machine/no-room",
                "the build cache /cache cannot be written: No space left on device", nullptr, false,
                "free some space there, then resume"});
        if (!m_manners.buildFault.empty())
            return answer(Failure{request.id, m_manners.buildFault, "nothing can be built", nullptr, false, "mend it"});
        BuildReply reply;
        reply.id = request.id;
        const std::string log = "built " + std::to_string(text.size()) + " bytes\n";
        reply.log = sha256(log);
        writeAll(encodeBlob(reply.log, log));
        reply.cached = m_manners.cached;
        reply.resources = {{"code_bytes", codeBytes(text)}, {"text_bytes", text.size() / 4}, {"rodata_bytes", 0}};
        if (m_manners.noCompiler) {
            reply.rule = "build/no-compiler";
            reply.text = "there is no NVRTC on this machine — install the CUDA toolkit";
        } else if (every(m_manners.buildError, text, "FAKE_BUILD_ERROR")
            || (tunablesOf(text).empty() && hasRows(request.task, m_manners.seedUnbuiltRows))) {
            reply.rule = "build/error";
            reply.text = "candidate.cpp:1: error: synthetic";
        } else {
            reply.ok = true;
            reply.artifact = sha256("artifact\n" + request.task.hex() + request.device + text);
            m_artifacts[reply.artifact] = {text, request.task, request.device};
        }
        answer(reply);
    }

    /// Whether the task has a shape of so many rows to be timed on; no rows: never.
    bool hasRows(const Hash& task, std::int64_t rows)
    {
        return rows > 0
            && std::ranges::any_of(packOf(task).task.train, [rows](const Shape& shape) { return shape[0] == rows; });
    }

    const TaskPack& packOf(const Hash& task)
    {
        auto known = m_packs.find(task);
        if (known == m_packs.end())
            known = m_packs.emplace(task, TaskPack::fromBlob(m_blobs.at(task)).value()).first;
        return known->second;
    }

    /// Its text, if it was built for this task and this device.
    template <typename Request> const std::string* artifact(const Hash& hash, const Request& request)
    {
        const std::int64_t id = request.id;
        const auto found = m_artifacts.find(hash);
        const bool isTwin = m_manners.twins > 1;
        if (found != m_artifacts.end() && found->second.task == request.task
            && (isTwin || found->second.device == request.device))
            return &found->second.text;
        answer(Failure{id, "protocol/artifact-missing", "this node has not built " + hash.hex(), nullptr, false});
        return nullptr;
    }

    void serve(const CheckRequest& request)
    {
        const std::string* text = artifact(request.artifact, request);
        if (!text)
            return;
        if (every(m_manners.crash, *text, "FAKE_CRASH"))
            std::abort();
        if (every(m_manners.killOwn, *text, "FAKE_KILL"))
            return answerKilled(request.id);
        if (every(m_manners.silent, *text, "FAKE_SILENCE"))
            std::this_thread::sleep_for(std::chrono::hours(1));
        if (every(m_manners.garbage, *text, "FAKE_GARBAGE"))
            return writeAll(std::string("\x08\x00\x00\x00notjson!", 12));
        if (m_manners.stuck > 0) {
            --m_manners.stuck;
            return answer(Failure{request.id, "device/stuck", "process 7 was killed and still hangs in the driver",
                {{"pids", {7}}}, false, "the run goes on by itself when it is gone"});
        }
        if (!m_manners.deviceFault.empty() && m_checks++ > 0)
            return answer(Failure{request.id, m_manners.deviceFault, "the GPU reported something", {{"xid", 48}},
                m_manners.deviceFault == "device/lost", "look at 'nvidia-smi'"});
        if (request.device == "cpu" + std::to_string(m_manners.lostTwin) && m_checks++ > 2)
            return answer(Failure{
                request.id, "device/lost", "the GPU is no longer on the bus", nullptr, true, "look at 'nvidia-smi'"});
        if (request.device == "cpu" + std::to_string(m_manners.stuckTwin) && m_checks++ < 2)
            return answer(Failure{request.id, "device/stuck", "process 7 was killed and still hangs in the driver",
                {{"pids", {7}}}, false, "the run goes on by itself when it is gone"});
        CheckReply reply;
        reply.id = request.id;
        reply.ok = !every(m_manners.refuse, *text, "FAKE_REFUSED")
            && (tunablesOf(*text).empty() || !hasRows(request.task, m_manners.wrongRows));
        reply.passed = {"verify/normwise", "verify/exact"};
        reply.measured.add({"norm", 1e-6, 2e-5, {31, 17, 20}, "normal"});
        if (!reply.ok) {
            reply.rule = "verify/poison";
            reply.text = "synthetic refusal";
            reply.evidence = {{"index", 7}};
        }
        answer(reply);
    }

    void serve(const TimeRequest& request)
    {
        const std::string* candidate = artifact(request.candidate, request);
        const std::string* incumbent = candidate ? artifact(request.incumbent, request) : nullptr;
        const std::string* baseline = incumbent ? artifact(request.baseline, request) : nullptr;
        if (!baseline)
            return;
        for (; m_manners.takenMs > 0; m_manners.takenMs -= 200) {
            answer(Progress{request.id, std::string(waitingStage), 0, 1});
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        for (; m_manners.disturbedMs > 0; m_manners.disturbedMs -= 200) {
            answer(Progress{request.id, std::string(disturbedStage) + "the host used time of this core", 5, 8});
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        if (m_manners.busyAfter && m_timings++ >= *m_manners.busyAfter)
            m_manners.busy = 1;
        if (m_manners.busy > 0) {
            --m_manners.busy;
            return answer(Failure{request.id, "time/unstable", "the machine was too busy",
                {{"because", "another process ran on the measuring core"}, {"shape_text", "64×64×64"}, {"void", 9},
                    {"blocks", 11}},
                false});
        }
        if (m_manners.wrongVendor && request.purpose == Purpose::Confirm)
            return answer(Failure{
                request.id, "verify/timed", "a timed launch gave a wrong result", {{"contestant", "vendor"}}, false});
        if (m_measuring++ % 3 == 0)
            answer(Progress{request.id, "time", 1, 2});
        if (!m_manners.garbledOnce.empty() && request.purpose == Purpose::Screen
            && !std::filesystem::exists(m_manners.garbledOnce)) {
            std::ofstream(m_manners.garbledOnce) << "done";
            return writeAll(std::string("\x08\x00\x00\x00notjson!", 12));
        }
        const bool confirming = request.purpose == Purpose::Confirm || request.purpose == Purpose::Rerun
            || request.purpose == Purpose::Export;
        const double share = confirming ? 0.001 : 0.004;
        const double pace = request.purpose == Purpose::Rerun ? 1 - 0.01 * m_manners.rerunSlower : 1;
        const auto speed = [&](const std::string& text) {
            return testing::disturbedSpeed(text, request.evaluation, share, speedOf) * (&text == candidate ? pace : 1);
        };
        const auto ratio = [&](double other) {
            const double value = request.candidate == request.incumbent && other == 0 ? 1 : speed(*candidate) / other;
            return Interval{value, value * (1 - share), value * (1 + share)};
        };
        TimeReply reply;
        reply.id = request.id;
        EvaluationResult& result = reply.result;
        result.purpose = request.purpose;
        result.outcome = Outcome::Ranked;
        result.versusIncumbent = ratio(speed(*incumbent));
        const double value = result.versusIncumbent->value;
        result.verdict = value > 1.005 + share ? Verdict::Better
            : value < 0.995 - share            ? Verdict::Worse
                                               : Verdict::Neutral;
        result.noiseFloor = 0.004;
        if (request.purpose == Purpose::Confirm) {
            result.wallNs = m_manners.confirmSeconds * 1'000'000'000;
            if (every(m_manners.falls, *candidate, "FAKE_FALLS")) {
                result.outcome = Outcome::Refused;
                result.verdict = Verdict::None;
                result.versusIncumbent.reset();
                result.rule = "verify/timed";
                result.text = "a timed launch gave a wrong result";
                return answer(reply);
            }
        }
        const bool isSecond = request.device == "cpu1";
        result.environment = {{"mode", "cold"}, {"isolation", "sandbox"},
            {"device", isSecond ? m_manners.secondDevice : m_manners.deviceName}};
        result.environment["rules_passed"] = {"timed-launches", "roofline"};
        if (m_manners.noCounters)
            result.environment["counters_missing"] = "ncu: not installed";
        result.environment["measured_checks"]
            = {{{"check", "timed-launches"}, {"measured", 0.5}, {"limit", 1}, {"shape", {64, 64, 64}}}};
        if (confirming) {
            result.environment["audited"] = m_manners.audited;
            const bool isBaseline = request.candidate == request.baseline;
            result.score = isBaseline ? Interval{1, 1, 1} : ratio(speed(*baseline));
            result.vsVendor = ratio(50.0);
            result.heldoutScore = result.score;
            result.heldoutVsVendor = ratio(52.0);
        } else if (request.incumbentScore) {
            const Interval held = *request.incumbentScore;
            result.score = Interval{
                held.value * value, held.lo * result.versusIncumbent->lo, held.hi * result.versusIncumbent->hi};
        }
        ShapeResult shape;
        shape.shape = {64, 64, 64};
        shape.candidateNs = 1e9 / speed(*candidate);
        shape.incumbentNs = 1e9 / speed(*incumbent);
        shape.versusIncumbent = result.versusIncumbent;
        shape.samples = 20 * request.repeats;
        result.shapes = {shape};
        if (confirming) {
            shape.versusBaseline = result.score;
            result.shapes.clear();
            for (const Shape& each : packOf(request.task).task.train) {
                shape.shape = each;
                result.shapes.push_back(shape);
            }
        }
        reply.noiseRatios = {0.001, -0.002};
        reply.blocks = nlohmann::json::array();
        answer(reply);
    }

    /// A line for each line of the program, as if it had been compiled to itself.
    void serve(const ListingRequest& request)
    {
        if (m_manners.crashAtListing)
            std::abort();
        if (!m_blobs.contains(request.task) || !m_blobs.contains(request.program))
            return answer(Failure{request.id, "protocol/blob-missing", "a blob was never sent", nullptr, false});
        if (m_manners.noDisassembler && request.form != ListingForm::Ptx)
            return answer(Failure{request.id, "tool/missing", "no disassembler is installed", nullptr, false,
                "the package binutils brings one"});
        const std::string& text = m_blobs[request.program];
        Listing listing;
        listing.form = request.form;
        const auto built = m_artifacts.find(request.artifact);
        const Hash ofAnother = sha256("artifact\n" + request.task.hex() + "cpu0" + text); // of a node before this one
        const bool isMeasured = !m_manners.otherCode
            && ((built != m_artifacts.end() && built->second.text == text) || request.artifact == ofAnother);
        listing.code = isMeasured ? ListedCode::AsBuilt : ListedCode::Other;
        listing.text = isMeasured ? "; This is the synthetic code of what was measured.\n"
                                  : "; This is NOT the code of what was measured.\n";
        listing.text += "; " + nameOf(request.form) + " " + std::to_string(m_listings++) + "\n";
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            listing.text += "    " + std::to_string(1000 + at) + ":\tmov    rax, " + std::to_string(end - at) + "\n";
            ++listing.lines;
            at = end;
        }
        listing.instructions = {{"mov", listing.lines}};
        listing.lines += 2;
        listing.tool = "fake";
        listing.compiler = m_manners.compiler;
        answer(ListingReply{request.id, std::move(listing), 1'000'000});
    }

    void serve(const CancelRequest&) { }

    Manners m_manners;
    struct Artifact {
        std::string text;
        Hash task;
        std::string device;
    };
    std::map<Hash, std::string> m_blobs;
    std::map<Hash, Artifact> m_artifacts;
    std::map<Hash, TaskPack> m_packs;
    int m_timings = 0, m_requests = 0;
    int m_listings = 0, m_measuring = 0, m_builds = 0, m_checks = 0;
};

} // namespace

int main(int argc, char** argv)
{
    Manners manners;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto number = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0ull; };
        if (name == "--build-error")
            manners.buildError = number();
        else if (name == "--refuse")
            manners.refuse = number();
        else if (name == "--falls")
            manners.falls = number();
        else if (name == "--confirm-s")
            manners.confirmSeconds = static_cast<std::int64_t>(number());
        else if (name == "--garbled-once" && i + 1 < argc)
            manners.garbledOnce = argv[++i];
        else if (name == "--crash-at-listing")
            manners.crashAtListing = true;
        else if (name == "--other-code")
            manners.otherCode = true;
        else if (name == "--no-disassembler")
            manners.noDisassembler = true;
        else if (name == "--crash")
            manners.crash = number();
        else if (name == "--kill")
            manners.kill = number();
        else if (name == "--kill-node")
            manners.killNode = static_cast<int>(number());
        else if (name == "--kill-own")
            manners.killOwn = number();
        else if (name == "--silent")
            manners.silent = number();
        else if (name == "--garbage")
            manners.garbage = number();
        else if (name == "--delay-ms")
            manners.delayMs = static_cast<int>(number());
        else if (name == "--taken-ms")
            manners.takenMs = static_cast<int>(number());
        else if (name == "--cached")
            manners.cached = true;
        else if (name == "--disturbed-ms")
            manners.disturbedMs = static_cast<int>(number());
        else if (name == "--seed-fault")
            manners.seedFault = true;
        else if (name == "--builders")
            manners.builders = static_cast<int>(number());
        else if (name == "--busy")
            manners.busy = static_cast<int>(number());
        else if (name == "--stuck")
            manners.stuck = static_cast<int>(number());
        else if (name == "--device-fault" && i + 1 < argc)
            manners.deviceFault = argv[++i];
        else if (name == "--twins")
            manners.twins = static_cast<int>(number());
        else if (name == "--lost-twin")
            manners.lostTwin = static_cast<int>(number());
        else if (name == "--stuck-twin")
            manners.stuckTwin = static_cast<int>(number());
        else if (name == "--second-device" && i + 1 < argc)
            manners.secondDevice = argv[++i];
        else if (name == "--wrong-rows")
            manners.wrongRows = static_cast<std::int64_t>(number());
        else if (name == "--seed-unbuilt-rows")
            manners.seedUnbuiltRows = static_cast<std::int64_t>(number());
        else if (name == "--busy-after")
            manners.busyAfter = static_cast<int>(number());
        else if (name == "--machine-fault")
            manners.machineFault = static_cast<int>(number());
        else if (name == "--device-name" && i + 1 < argc)
            manners.deviceName = argv[++i];
        else if (name == "--compiler" && i + 1 < argc)
            manners.compiler = argv[++i];
        else if (name == "--rerun-slower")
            manners.rerunSlower = static_cast<int>(number());
        else if (name == "--audited")
            manners.audited = true;
        else if (name == "--no-counters")
            manners.noCounters = true;
        else if (name == "--wrong-vendor")
            manners.wrongVendor = true;
        else if (name == "--build-fault" && i + 1 < argc)
            manners.buildFault = argv[++i];
        else if (name == "--speeds" && i + 1 < argc)
            readSpeeds(argv[++i]);
        else if (name == "--no-compiler")
            manners.noCompiler = true;
        else if (name == "--no-device")
            manners.noDevice = true;
        else if (name == "--crash-at-hello")
            manners.crashAtHello = true;
        else if (name == "--for-proofs")
            manners.forProofs = true;
    }
    FakeNode node(manners);
    FrameReader frames;
    char bytes[65536];
    for (;;) {
        const auto got = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (got <= 0)
            return 0;
        frames.append(std::string_view(bytes, static_cast<std::size_t>(got)));
        for (;;) {
            auto frame = frames.next();
            if (!frame)
                return 3;
            if (!frame->has_value())
                break;
            node.take(**frame);
        }
    }
}
