// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_status.h"

#include "core/base/names.h"

namespace tilewright {

std::string nameOf(ModelCondition condition)
{
    static constexpr NameTable<ModelCondition, 5> names{
        {{ModelCondition::Ready, "ready"}, {ModelCondition::Slow, "slow"}, {ModelCondition::Waiting, "waiting"},
            {ModelCondition::Resting, "resting"}, {ModelCondition::Paused, "paused"}}};
    return nameIn(names, condition);
}

} // namespace tilewright
