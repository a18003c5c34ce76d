// SPDX-License-Identifier: GPL-3.0-or-later
// Replies as providers send them. Shaped after their documentation and the tests of their own SDKs, never after our
// client; the source stands beside each, and what could not be confirmed says so.
#pragma once

#include "core/llm/model_endpoint.h"

#include <string>
#include <vector>

namespace tilewright::testing {

/// What a scripted model says.
struct Said {
    std::vector<std::string> pieces{"Hello", " there", "!"};
    std::string reasoning; ///< empty: none
    std::string finish; ///< the protocol's word; empty: its word for a natural end
    std::int64_t input = 11, cached = 0, cacheWrite = 0, output = 6, thought = 0; ///< disjoint, as we count them
    bool usage = true; ///< false: the server forgets it

    std::string text() const
    {
        std::string all;
        for (const std::string& piece : pieces)
            all += piece;
        return all;
    }
};

/// The events of a stream (lines for Ollama), one an entry, with their line ends; the last one is the terminal event.
std::vector<std::string> eventsOf(ModelProtocol protocol, const Said& said);
/// How many entries at the end belong to the ending: without them the stream is broken.
std::size_t endingOf(ModelProtocol protocol);
/// The same reply as one JSON, as a server that ignores "stream" sends it.
std::string wholeOf(ModelProtocol protocol, const Said& said);
/// An error body of the protocol's own shape.
std::string errorBody(ModelProtocol protocol, int status, const std::string& type, const std::string& message);
/// An error event inside a stream.
std::string errorEvent(ModelProtocol protocol, const std::string& type, const std::string& message);
/// The word for an answer cut at its limit.
std::string lengthWord(ModelProtocol protocol);
/// A 400's body that refuses the parameter "temperature".
std::string parameterRefusal(ModelProtocol protocol);

/// How a provider says that a prompt is longer than the model's context.
struct ContextRefusal {
    std::string type, message;
};
ContextRefusal contextRefusal(ModelProtocol protocol);

} // namespace tilewright::testing
