// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU worker as its node sees it, without a GPU: it answers everything at once, as if all were right. Of a canary it
// tells the seed as its digest; a block's times tell the worker's count of blocks. A launch whose seed is hangingSeed
// never ends. Where the text of its kernels is a transcript, it replays the blocks of that instead:
// [{"wall_ns": how long that took, "reply": what was said}].
#include "core/protocol/gpu_messages.h"
#include "core/protocol/parked_programs.h"
#include "core/worker/cuda/frame_socket.h"

#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>
#include <unistd.h>
#include <variant>

using namespace tilewright;

constexpr std::uint64_t hangingSeed = 666;

/// The recorded blocks in which the programs ran in the order asked for, one after another and again from the first.
class Transcript
{
public:
    explicit Transcript(const std::string& text)
        : m_blocks(nlohmann::json::parse(text, nullptr, false))
    {
    }
    bool isThere() const { return m_blocks.is_array(); }

    nlohmann::json next(const std::vector<std::string>& order)
    {
        std::vector<const nlohmann::json*> fitting;
        for (const nlohmann::json& block : m_blocks) {
            std::vector<std::string> slots;
            for (const nlohmann::json& sample : block.at("reply").value("samples", nlohmann::json::array()))
                slots.push_back(sample.at("slot"));
            if (slots == order || slots.empty())
                fitting.push_back(&block);
        }
        if (fitting.empty())
            return failedJson({"protocol/field", "no such block was recorded", "", nullptr}, false);
        const nlohmann::json& block = *fitting[m_given[order]++ % fitting.size()];
        std::this_thread::sleep_for(std::chrono::nanoseconds(block.at("wall_ns").get<std::int64_t>()));
        return block.at("reply");
    }

private:
    nlohmann::json m_blocks;
    std::map<std::vector<std::string>, std::size_t> m_given;
};

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[2]));
    socket.send({{"op", "ready"}});
    double blocks = 0;
    std::map<std::string, Hash> slots;
    ParkedPrograms<std::monostate> parked;
    Transcript transcript("");
    while (const auto request = socket.next()) {
        const auto op = request->at("op").get<std::string>();
        if (op == "event_floor")
            socket.send({{"op", op}, {"ns", 500}});
        else if (op == "kernels") {
            transcript = Transcript(socket.blob(Hash::fromHex(request->at("kernels").get<std::string>())));
            socket.send({{"op", op}});
        } else if (op == "leave_references_open")
            socket.send({{"op", op}, {"at", 0x302000000}, {"bytes", 2 << 20}});
        else if (op == "block" && transcript.isThere())
            socket.send(transcript.next(blockRequestFrom(*request).order));
        else if (op == "canary")
            socket.send({{"op", op}, {"digest", request->at("seed")}});
        else if (op == "verify")
            socket.send(toJson(VerifyReply{}));
        else if (op == "verify_together") {
            nlohmann::json items = nlohmann::json::array();
            for (std::size_t i = 0; i < request->at("items").size(); ++i) {
                socket.send({{"op", "progress"}, {"item", i}, {"judging", false}});
                while (request->at("items")[i].at("seed") == hangingSeed)
                    pause();
                items.push_back(toJson(VerifyReply{}));
            }
            socket.send({{"op", "progress"}, {"item", request->at("items").size() - 1}, {"judging", true}});
            socket.send({{"op", op}, {"items", items}});
        } else if (op == "load") {
            // As the worker that has a GPU: what it does not have it cannot be asked for.
            const Hash hash = Hash::fromHex(request->at("cubin").get<std::string>());
            const bool came = !socket.blob(hash).empty(), isParked = parked.take(hash).has_value();
            const auto slot = request->at("slot").get<std::string>();
            if (const auto before = slots.find(slot); before != slots.end())
                parked.park(before->second, {});
            const bool isBroken = socket.blob(hash) == "broken";
            slots.erase(slot);
            if (!isBroken)
                slots[slot] = hash;
            socket.forgetBlobs();
            if (isBroken)
                socket.send(failedJson({"run/load", "broken", "", nullptr}, false));
            else if (came == isParked)
                socket.send(failedJson({"protocol/field", "sent in vain, or not there", "", nullptr}, false));
            else
                socket.send({{"op", op}});
        } else if (op == "block") {
            BlockReply reply;
            ++blocks;
            for (const std::string& slot : blockRequestFrom(*request).order) {
                BlockSample& sample = reply.samples.emplace_back();
                sample.slot = slot;
                sample.ns = blocks;
            }
            socket.send(toJson(reply));
        } else {
            socket.send({{"op", op}});
        }
    }
    return 0;
}
