// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU worker as its node sees it, without a GPU: it answers everything at once, as if all were right. Of a canary it
// tells the seed as its digest; a block's times tell the worker's count of blocks. A launch whose seed is hangingSeed
// never ends.
#include "core/protocol/gpu_messages.h"
#include "core/worker/cuda/frame_socket.h"

#include <cstdlib>
#include <unistd.h>

using namespace tilewright;

constexpr std::uint64_t hangingSeed = 666;

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[2]));
    socket.send({{"op", "ready"}});
    double blocks = 0;
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
