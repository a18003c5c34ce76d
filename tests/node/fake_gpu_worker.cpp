// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU worker as its node sees it, without a GPU: it answers everything at once, as if all were right. Of a canary it
// tells the seed as its digest; a block's times tell the worker's count of blocks. A launch whose seed is hangingSeed
// never ends.
#include "core/protocol/gpu_messages.h"
#include "core/protocol/parked_programs.h"
#include "core/worker/cuda/frame_socket.h"

#include <cstdlib>
#include <map>
#include <unistd.h>
#include <variant>

using namespace tilewright;

constexpr std::uint64_t hangingSeed = 666;

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[2]));
    socket.send({{"op", "ready"}});
    double blocks = 0;
    std::map<std::string, Hash> slots;
    ParkedPrograms<std::monostate> parked;
    while (const auto request = socket.next()) {
        const auto op = request->at("op").get<std::string>();
        if (op == "event_floor")
            socket.send({{"op", op}, {"ns", 500}});
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
