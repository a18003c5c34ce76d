// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/task_picker.h"

#include "core/base/folders.h"
#include "core/pack/pack_writer.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/widgets/aside.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// "/…/kernels/mine/task.json: tolerance: unknown field — see …": file, field, reason, what to do.
QString reasonOf(const std::filesystem::path& folder, const Error& error)
{
    std::string file = "task.json";
    if (error.evidence.is_object() && error.evidence.contains("file") && error.evidence["file"].is_string())
        file = error.evidence["file"].get<std::string>();
    const QString whole = text((folder / file).string()), line = text(error.line()), name = text(file) + u": "_s;
    if (line.contains(whole))
        return line;
    return u"%1: %2"_s.arg(whole, line.startsWith(name) ? line.sliced(name.size()) : line);
}

} // namespace

/// What a pool thread found.
struct TaskPicker::Around {
    Found packs;
    std::map<std::string, std::string> unchecked;

    static std::shared_ptr<const Around> looked(const QStringList& further, const QStringList& hidden)
    {
        Around around{findTaskPacks(), {}};
        for (const QString& folder : further) {
            const std::filesystem::path path = folder.toStdString();
            if (std::ranges::find(around.packs, path, [](const auto& found) { return found.first; })
                == around.packs.end())
                around.packs.emplace_back(path, loadTaskPack(path));
        }
        std::erase_if(
            around.packs, [&hidden](const auto& found) { return hidden.contains(text(found.first.string())); });
        for (const auto& [folder, pack] : around.packs)
            if (isPackUnchecked(folder))
                around.unchecked[folder.string()] = whyUnchecked(folder);
        return std::make_shared<const Around>(std::move(around));
    }

    bool isAs(const Around& other) const
    {
        const auto contents = [](const Result<TaskPack>& pack) { return pack ? pack->blob() : pack.error().line(); };
        return unchecked == other.unchecked
            && std::ranges::equal(packs, other.packs, [&](const auto& one, const auto& another) {
                   return one.first == another.first && contents(one.second) == contents(another.second);
               });
    }
};

void TaskPicker::take(const std::shared_ptr<const Around>& around)
{
    if (m_around && m_around->isAs(*around))
        return; // a card that has the keyboard keeps it
    m_around = around;
    m_unchecked = around->unchecked;
    show(around->packs);
}

QString TaskPicker::uncheckedBecause() const
{
    const auto why = m_unchecked.find(m_chosenFolder);
    return m_chosen && why != m_unchecked.end() ? text(why->second) : QString();
}

TaskPicker::TaskPicker(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_note(new QLabel(tr("Looking for task packs…"), this))
{
    setAccessibleName(tr("Tasks"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(px(8));
    m_note->setWordWrap(true);
    m_note->setProperty("tone", u"secondary"_s);
    m_column->addWidget(m_note);
    m_add = new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("Add a pack folder…"), this);
    m_add->setObjectName(u"addPackFolder"_s);
    m_add->setToolTip(tr("A folder with a task.json"));
    auto* own = new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Bring your own kernel…"), this);
    own->setObjectName(u"ownKernel"_s);
    own->setToolTip(tr("Create a task from a C++ function"));
    auto* more = new QHBoxLayout;
    more->setSpacing(px(8));
    more->addWidget(own);
    more->addWidget(m_add);
    more->addStretch(1);
    m_column->addLayout(more);
    connect(own, &QPushButton::clicked, this, &TaskPicker::ownKernelWanted);
    connect(m_add, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder of a task pack"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { addFolder(folder); });
        dialog->open();
    });
}

void TaskPicker::search()
{
    doAside(
        this, [folders = m_folders, hidden = m_hidden] { return Around::looked(folders, hidden); },
        [this, number = ++m_lastSearch](const std::shared_ptr<const Around>& around) {
            if (number != m_lastSearch)
                return;
            take(around);
            chooseFolder(std::exchange(m_wanted, {}));
        });
}

void TaskPicker::addFolder(const QString& folder)
{
    if (!m_folders.contains(folder))
        m_folders << folder;
    m_hidden.removeAll(folder);
    Q_EMIT folderAdded(folder);
    m_wanted = folder.toStdString();
    search();
}

void TaskPicker::hideFolder(const QString& folder)
{
    m_folders.removeAll(folder);
    m_hidden << folder;
    Q_EMIT folderHidden(folder);
    search();
}

void TaskPicker::place(ChoiceCard* card, int at, const std::filesystem::path& folder)
{
    auto* row = new QHBoxLayout; // no widget: cards exclude each other because they have one parent
    row->setSpacing(px(4));
    row->addWidget(card, 1);
    m_column->insertLayout(at, row);
    m_rows.push_back(row);
    if (folder.parent_path() == sharedFolder() / "kernels")
        return;
    const QString path = text(folder.string());
    auto* remove = new QToolButton(this);
    remove->setObjectName(u"hidePack"_s);
    remove->setIcon(icon(u"x"_s, Tint::Secondary));
    remove->setToolTip(tr("Remove %1 from the list; its files stay").arg(path));
    remove->setAccessibleName(tr("Remove %1 from the list").arg(path));
    remove->setFixedSize(px(22), px(22));
    row->addWidget(remove, 0, Qt::AlignTop);
    connect(remove, &QToolButton::clicked, this, [this, path] { hideFolder(path); });
}

bool TaskPicker::choose(const std::string& name)
{
    if (m_chosen && m_chosen->task.name == name)
        return true;
    auto* card = findChild<ChoiceCard*>(u"task:"_s + text(name));
    if (card)
        card->setChecked(true);
    return card != nullptr;
}

void TaskPicker::reset()
{
    if (m_usual)
        m_usual->setChecked(true);
}

void TaskPicker::chooseFolder(const std::filesystem::path& folder)
{
    const auto card = m_cards.find(folder.string());
    if (card != m_cards.end() && card->second->isEnabled())
        card->second->setChecked(true);
}

void TaskPicker::setChosen(const std::string& folder, const std::shared_ptr<const TaskPack>& pack)
{
    m_chosen = pack;
    m_chosenFolder = folder;
    Q_EMIT changed();
}

void TaskPicker::show(const Found& found)
{
    for (ChoiceCard* card : findChildren<ChoiceCard*>())
        delete card;
    qDeleteAll(findChildren<QToolButton*>(u"hidePack"_s)); // packs come from another thread: none is being clicked
    qDeleteAll(std::exchange(m_rows, {}));
    m_usual = nullptr;
    m_cards.clear();
    const auto before = std::exchange(m_chosen, nullptr);
    const std::string chosenBefore = std::exchange(m_chosenFolder, {});
    ChoiceCard* usual = nullptr;
    int cardsEnd = m_column->indexOf(m_note) + 1;
    const auto titleOf = [](const Task& task) { return task.title.empty() ? task.name : task.title; };
    const auto hasNamesake = [&](const Task& task) {
        return std::ranges::count_if(found, [&](const auto& other) {
            return other.second
                && (titleOf(other.second->task) == titleOf(task) || other.second->task.name == task.name);
        }) > 1;
    };
    for (const auto& [folder, pack] : found) {
        if (!pack) {
            auto* card = new ChoiceCard(text(folder.filename().string()), {}, u"warn"_s, this);
            card->setBroken(reasonOf(folder, pack.error()));
            place(card, cardsEnd++, folder);
            continue;
        }
        // The same pack stays the same: what was chosen for it, its shapes among it, holds.
        const bool isAsBefore = before && folder.string() == chosenBefore && before->blob() == pack->blob()
            && before->uncheckedIn == pack->uncheckedIn;
        const auto shared = isAsBefore ? before : std::make_shared<const TaskPack>(*pack);
        const Task& task = shared->task;
        const bool cpu = task.target == Target::Cpp;
        QStringList about{task.vendor.empty()
                ? text(task.operation)
                : tr("%1, compared with %2").arg(text(task.operation), vendorWords(task.vendor))};
        if (m_unchecked.contains(folder.string()))
            about << tr("has not passed its check");
        if (hasNamesake(task))
            about << tr("from %1").arg(text(folder.string()));
        auto* card = new ChoiceCard(text(titleOf(task)), about.join(u'\n'), cpu ? u"cpu"_s : u"flask"_s, this);
        card->setObjectName(u"task:"_s + text(task.name));
        m_cards[folder.string()] = card;
        place(card, cardsEnd++, folder);
        connect(card, &ChoiceCard::toggled, this, [this, shared, name = folder.string()](bool on) {
            if (on)
                setChosen(name, shared);
        });
        if (cpu && !usual)
            usual = card;
    }
    m_usual = usual;
    if (const auto kept = m_cards.find(chosenBefore); kept != m_cards.end())
        usual = kept->second;
    if (usual)
        usual->setChecked(true);
    m_note->setText(
        tr("No task pack was found. Packs are folders with a task.json in kernels/ or in the data folder."));
    m_note->setVisible(found.empty());
    Q_EMIT changed();
}

} // namespace tilewright::ui
