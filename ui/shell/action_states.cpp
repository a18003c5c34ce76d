// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/action_states.h"

#include "core/store/packed_session.h"
#include "ui/models/format.h"
#include "ui/review/review_page.h"
#include "ui/shell/undo_controller.h"
#include "ui/widgets/sentence.h"

#include <QFileInfo>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

bool canReplayHere(const Snapshot& snapshot)
{
    return snapshot.pack && std::ranges::any_of(snapshot.status.devices, [&](const DeviceStatus& each) {
        return each.device.id.starts_with("GPU-") == (snapshot.pack->task.target != Target::Cpp);
    });
}

void enableActions(const Desk& desk, const ReviewPage& review, const UndoController& undo, Mode mode)
{
    const RunState& run = desk.session.run();
    const EngineStatus& status = desk.session.snapshot().status;
    const SelectionContext& selection = desk.selection;
    const bool open = status.sessionOpen, writable = open && !status.readOnly;
    const bool running = status.phase == events::Phase::Running;
    const auto set = [&desk](const QString& id, bool enabled) { desk.actions[id].setEnabled(enabled); };
    const bool elsewhere = !status.elsewhere.empty();
    set(u"run.run"_s, writable && !running && !elsewhere);
    set(u"run.pause"_s, writable && running && !status.pausing);
    set(u"run.pause-cancel"_s, writable && running);
    set(u"run.step"_s, writable && !running && !elsewhere);
    set(u"run.step-islands"_s, writable && !running && !elsewhere);
    for (const QString& id : {u"run.run"_s, u"run.step"_s, u"run.step-islands"_s})
        desk.actions.giveReason(id, elsewhere ? asSentence(text(status.elsewhere)) : QString());
    set(u"run.stop"_s, writable && running);
    set(u"run.budget"_s, writable);
    const std::string& proposer = run.settings.proposer; // random search keeps to itself
    set(u"run.proposer"_s, writable && proposer != "random");
    set(u"run.hints"_s, writable);
    set(u"file.close"_s, open);
    set(u"file.copy"_s, open);
    set(u"file.demo"_s, QFileInfo::exists(text(shippedDemo("gemm-cpu").string())));
    set(u"file.gpuDemo"_s, QFileInfo::exists(text(shippedDemo("gemm-h200").string())));
    set(u"session.start"_s, mode == Mode::Welcome);
    set(u"view.find"_s, mode == Mode::Evolve || mode == Mode::Review || mode == Mode::Prompts);
    set(u"view.fit"_s, mode == Mode::Evolve || mode == Mode::Devices);
    // Their single letters belong to this mode alone.
    const bool decides = mode == Mode::Review && review.canDecide();
    for (const QString& id : {u"review.approve"_s, u"review.reject"_s, u"review.defer"_s, u"review.choose-all"_s,
             u"review.choose-next"_s, u"review.choose-previous"_s})
        set(id, decides);
    for (const QString& id : {u"review.approve-all"_s, u"review.automatic"_s})
        set(id, writable && run.waitingReviews > 0 && !review.isEditing());
    set(u"review.edit"_s, mode == Mode::Review && review.canEdit());
    set(u"review.judge"_s, mode == Mode::Review && review.canBeJudged());
    desk.actions.giveReason(u"review.judge"_s, review.whyNoJudge());
    set(u"review.quick"_s, mode == Mode::Review && review.canLook());
    desk.actions.giveReason(u"review.quick"_s, review.whyNoLook());
    // In a text the key undoes what was typed.
    const bool isInText = mode == Mode::Review && review.isEditing();
    set(u"review.undo"_s, (writable || undo.hasLocal()) && !isInText);
    set(u"review.redo"_s, (writable || undo.hasLocal()) && !isInText);
    for (const QString& id :
        {u"review.next"_s, u"review.previous"_s, u"review.next-change"_s, u"review.previous-change"_s})
        set(id, mode == Mode::Review && open);
    const Candidate* current = run.candidate(selection.current());
    set(u"candidate.best"_s, run.best() != nullptr);
    set(u"candidate.parent"_s, current && !current->parents.empty());
    set(u"candidate.child"_s, current != nullptr);
    set(u"candidate.reference"_s, current != nullptr);
    desk.actions[u"candidate.reference"_s].setChecked(current && selection.reference() == current->id);
    set(u"candidate.back"_s, selection.canGoBack());
    set(u"candidate.forward"_s, selection.canGoForward());
}

} // namespace tilewright::ui
