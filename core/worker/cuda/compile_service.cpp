// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/cuda/compile_service.h"

#include "core/protocol/gpu_messages.h"
#include "core/worker/cuda/frame_socket.h"
#include "core/worker/cuda/nvrtc.h"

#include <cstdlib>

namespace tilewright {
namespace {

constexpr std::size_t longestLog = 64 << 10;

CompileReply compiled(FrameSocket& socket, const Nvrtc& nvrtc, const CompileRequest& request,
    const std::map<std::string, std::string>& headers)
{
    const NvrtcResult result
        = nvrtc.compile({socket.blob(request.source), request.fileName, headers, request.options, request.expressions});
    CompileReply reply;
    reply.code = result.code;
    reply.ok = result.code == 0 && !result.cubin.empty();
    reply.log = result.log.substr(0, longestLog);
    reply.lowered = result.lowered;
    if (reply.ok) {
        reply.cubin = socket.sendBlob(result.cubin);
        reply.ptx = socket.sendBlob(result.ptx);
    }
    return reply;
}

} // namespace

int runCompileService(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[1]));
    const auto nvrtc = Nvrtc::load(argv[2]);
    if (!nvrtc) {
        socket.send(failedJson(nvrtc.error(), true));
        return 1;
    }
    socket.send({{"op", "ready"}, {"version", (*nvrtc)->version()}, {"architectures", (*nvrtc)->architectures()}});
    std::map<std::string, std::string> headers;
    while (const auto request = socket.next()) {
        try {
            if (request->at("op") == "headers") {
                for (const auto& [name, hash] : request->at("files").items())
                    headers[name] = socket.blob(Hash::fromHex(hash.get<std::string>()));
                socket.send({{"op", "headers"}});
            } else {
                socket.send(toJson(compiled(socket, **nvrtc, compileRequestFrom(*request), headers)));
            }
        } catch (const nlohmann::json::exception& problem) {
            socket.send(failedJson({"protocol/field", problem.what(), "", nullptr}, false));
        }
        socket.forgetBlobs();
    }
    return 0;
}

} // namespace tilewright
