// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/action_words.h"

#include "ui/theme/words.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void addWords(ActionRegistry& a)
{
    const std::pair<QString, QString> all[] = {
        {u"file.new"_s, tr("create begin start setup wizard")},
        {u"file.own-kernel"_s, tr("import add custom task function cuda cpp")},
        {u"file.open"_s, tr("load")},
        {u"file.demo"_s, tr("example sample tutorial")},
        {u"file.gpuDemo"_s, tr("example sample tutorial cuda")},
        {u"file.copy"_s, tr("save copy save as export backup duplicate session")},
        {u"file.quit"_s, tr("exit leave")},
        {u"run.run"_s, tr("start continue resume go play")},
        {u"run.pause"_s, tr("hold halt wait")},
        {u"run.pause-cancel"_s, tr("abort kill halt")},
        {u"run.step"_s, tr("one single next candidate")},
        {u"run.stop"_s, tr("abort end finish quit")},
        {u"run.budget"_s, tr("limit evaluations tokens cost time extend more")},
        {u"run.proposer"_s, tr("model mutator tuner mix llm")},
        {u"run.hints"_s, tr("advice instruction tell note")},
        {u"run.history"_s, tr("revert take back log")},
        {u"mode.settings"_s, tr("preferences options configuration")},
        {u"settings.appearance"_s, tr("dark light colour color zoom")},
        {u"settings.models"_s, tr("api key endpoint llm provider")},
        {u"settings.shortcuts"_s, tr("keys hotkeys keyboard")},
        {u"view.table"_s, tr("list numbers accessible")},
        {u"view.fit"_s, tr("zoom reset all data")},
        {u"view.reset"_s, tr("restore panes docks windows default")},
        {u"view.find"_s, tr("search")},
        {u"candidate.find"_s, tr("search jump")},
        {u"candidate.best"_s, tr("winner top fastest")},
        {u"candidate.reference"_s, tr("compare pin baseline diff")},
        {u"candidate.save"_s, tr("save export write download code source kernel program file copy")},
        {u"candidate.star"_s, tr("favourite favorite bookmark")},
        {u"candidate.tags"_s, tr("label mark")},
        {u"candidate.keep"_s, tr("keep protect elite")},
        {u"candidate.ban"_s, tr("exclude block remove delete")},
        {u"candidate.boost"_s, tr("weight prefer favour favor")},
        {u"candidate.more"_s, tr("branch fork derive parent")},
        {u"candidate.idea"_s, tr("prompt ask suggest once")},
        {u"candidate.translate"_s, tr("translate rewrite")},
        {u"candidate.copy"_s, tr("migrate duplicate")},
        {u"candidate.move"_s, tr("migrate")},
        {u"candidate.inject"_s, tr("write own manual inject modify change code")},
        {u"candidate.rerun"_s, tr("rerun re-run repeat again retry benchmark remeasure re-measure")},
        {u"candidate.rerun-more"_s,
            tr("rerun re-run repeat again retry benchmark samples remeasure re-measure compare")},
        {u"review.approve"_s, tr("accept allow yes")},
        {u"review.edit"_s, tr("modify change accept")},
        {u"review.reject"_s, tr("refuse deny decline no")},
        {u"review.defer"_s, tr("skip later postpone")},
        {u"review.quick"_s, tr("measure benchmark test preview")},
        {u"review.undo"_s, tr("revert take back")},
        {u"review.redo"_s, tr("repeat again")},
        {u"help.messages"_s, tr("notifications log errors history")},
        {u"help.about"_s, tr("version licence license")},
    };
    for (const auto& [id, words] : all)
        a.giveWords(id, words);
}

} // namespace tilewright::ui
