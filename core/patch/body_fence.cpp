// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/body_fence.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace tilewright::patch {
namespace {

/// May a fence of this language hold a program with such comments? One that names none may.
bool isOurs(std::string_view language, Comments comments)
{
    constexpr std::array<std::string_view, 17> slashes{"", "cpp", "c++", "cxx", "cc", "c", "h", "hpp", "hxx", "cuda",
        "cu", "cuh", "cuda-cpp", "cuda-c++", "cudacpp", "hip", "text"};
    constexpr std::array<std::string_view, 7> hash{"", "python", "py", "python3", "triton", "py3", "text"};
    const std::string name = lowered(language);
    return comments == Comments::Slashes ? std::ranges::find(slashes, name) != slashes.end()
                                         : std::ranges::find(hash, name) != hash.end();
}

} // namespace

BodyFence bodyFenceOf(const std::vector<Fence>& fences, Comments comments)
{
    std::vector<const Fence*> named, unnamed;
    BodyFence found;
    for (const Fence& fence : fences) {
        if (trimmed(fence.text).empty())
            found.trouble = "the fence is empty: it must hold every line of the block";
        else if (!isOurs(fence.language, comments))
            found.trouble = "the fence holds '" + printable(fence.language) + "', not the program's language";
        else
            (fence.language.empty() ? unnamed : named).push_back(&fence);
    }
    const std::vector<const Fence*>& bodies = named.empty() ? unnamed : named;
    if (bodies.empty())
        return found;
    if (std::ranges::all_of(bodies, [&](const Fence* one) { return one->text == bodies[0]->text; }))
        return {bodies.back(), ""};
    return {nullptr, "several fences could be the block: the reply must hold one only"};
}

} // namespace tilewright::patch
