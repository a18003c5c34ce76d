// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/finder_places.h"

#include "ui/evolve/evolve_page.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/island_levers.h"
#include "ui/evolve/migration_editor.h"
#include "ui/models/format.h"
#include "ui/review/policy_box.h"
#include "ui/review/review_page.h"
#include "ui/settings/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/shell/budget_editor.h"
#include "ui/shell/main_window.h"
#include "ui/shell/proposer_editor.h"
#include "ui/welcome/machine_card.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/card.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <memory>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

bool isField(const QWidget& widget)
{
    if (qobject_cast<const QLineEdit*>(&widget)) // not the one that a box is made of
        return !qobject_cast<const QAbstractSpinBox*>(widget.parentWidget())
            && !qobject_cast<const QComboBox*>(widget.parentWidget());
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget)
        || qobject_cast<const QPlainTextEdit*>(&widget) || (button && button->isCheckable());
}

/// The label beside it; empty where there is none.
QString labelOf(const QWidget& part, const QWidget& field)
{
    for (const QLabel* label : part.findChildren<QLabel*>())
        if (label->buddy() == &field)
            return label->text().remove(u'&');
    return {};
}

/// As it is read aloud, else as the label beside it says, else what stands on it.
QString nameOfField(const QWidget& part, const QWidget& field)
{
    if (!field.accessibleName().isEmpty())
        return field.accessibleName();
    const auto* button = qobject_cast<const QAbstractButton*>(&field);
    const QString label = labelOf(part, field);
    return label.isEmpty() && button ? button->text().remove(u'&') : label;
}

struct NamedField {
    QString name;
    QString words; ///< by which it is found as well: its label and what is told of it
    QWidget* field;
};

/// The fields of a part of the window in the order in which they were made, without those that are put away.
std::vector<NamedField> fieldsOf(const QWidget& part)
{
    std::vector<NamedField> fields;
    std::set<QString> names;
    for (QWidget* field : part.findChildren<QWidget*>()) {
        const QString name = isField(*field) && field->isVisibleTo(&part) ? nameOfField(part, *field) : QString();
        if (!name.isEmpty() && names.insert(name).second)
            fields.push_back(
                {name, QStringList{labelOf(part, *field), field->toolTip(), field->accessibleDescription()}.join(u' '),
                    field});
    }
    return fields;
}

void focus(QWidget* field)
{
    if (field)
        field->setFocus(Qt::ShortcutFocusReason);
}

/// The field of this name in a card that has just opened.
void focusIn(const QWidget* part, const QString& name)
{
    if (!part)
        return;
    for (const auto& [known, words, field] : fieldsOf(*part))
        if (known == name)
            focus(field);
}

/// The one on screen: another may be on its way out.
template <typename T> T* opened(const QWidget& window)
{
    for (T* one : window.findChildren<T*>())
        if (one->isVisible())
            return one;
    return nullptr;
}

void addNewSession(MainWindow& window, std::vector<FinderPlace>& into)
{
    const QString page = MainWindow::tr("New session");
    for (const Section section : sections) {
        into.push_back({nameOf(section), page, {}, [&window, section] {
                            window.showMode(Mode::Welcome);
                            window.welcome().goTo(section, nullptr);
                        }});
        const QWidget* card = window.welcome().cardOf(section);
        if (!card)
            continue;
        for (const auto& [name, words, field] : fieldsOf(*card))
            into.push_back({name, u"%1 › %2"_s.arg(page, nameOf(section)), words,
                [&window, section, at = QPointer<QWidget>(field)] {
                    window.showMode(Mode::Welcome);
                    window.welcome().goTo(section, at);
                }});
    }
    into.push_back({window.welcome().machine().accessibleName(), page,
        MainWindow::tr("doctor check of driver, toolkit, compiler, libraries and isolation; what is missing"),
        [&window] {
            window.showMode(Mode::Welcome);
            window.welcome().showMachine();
        }});
}

void addModels(MainWindow& window, std::vector<FinderPlace>& into)
{
    const QString page = MainWindow::tr("Settings › Models");
    const auto add = [&](const DraftEntry& entry, const QString& name) {
        const auto go = [&window, entry] {
            window.showMode(Mode::Settings);
            window.modelsPage().choose(entry);
        };
        into.push_back({name, page, {}, [&window, go] {
                            go();
                            focus(window.findChild<QWidget*>(u"modelsTree"_s));
                        }});
        if (entry.part != DraftPart::Limits)
            return;
        for (const auto& [label, words, field] : fieldsOf(window.modelsPage().limits()))
            into.push_back({label, u"%1 › %2"_s.arg(page, name), words, [go, at = QPointer<QWidget>(field)] {
                                go();
                                focus(at);
                            }});
    };
    const ModelsDraft& draft = window.models().draft();
    const std::size_t endpoints = draft.count(DraftPart::Endpoint), models = draft.count(DraftPart::Model);
    for (std::size_t i = 0; i < endpoints; ++i)
        add({DraftPart::Endpoint, i},
            MainWindow::tr("Endpoint %1").arg(text(draft.textAt({DraftPart::Endpoint, i}, "name"))));
    for (std::size_t i = 0; i < models; ++i)
        add({DraftPart::Model, i}, MainWindow::tr("Model %1").arg(text(draft.textAt({DraftPart::Model, i}, "name"))));
    if (endpoints + models > 0)
        add({DraftPart::Limits, 0}, MainWindow::tr("Limits of a run"));
    else
        into.push_back({MainWindow::tr("Endpoints and models"), page, {}, [&window] {
                            window.actions()[u"settings.models"_s].trigger();
                            focus(window.modelsPage().findChild<QWidget*>(u"addFirstEndpoint"_s));
                        }});
}

/// The fields of the sections that are not about models.
void addSettings(MainWindow& window, std::vector<FinderPlace>& into)
{
    for (const SettingsSection section :
        {SettingsSection::Appearance, SettingsSection::Sessions, SettingsSection::Devices})
        for (const auto& [label, words, field] : fieldsOf(window.settingsPage().partOf(section)))
            into.push_back({label, MainWindow::tr("Settings › %1").arg(nameOf(section)), words,
                [&window, section, at = QPointer<QWidget>(field)] {
                    window.actions()[actionOf(section)].trigger();
                    focus(at);
                }});
}

void addReview(MainWindow& window, std::vector<FinderPlace>& into)
{
    const auto* box = window.review().findChild<PolicyBox*>();
    if (!box)
        return;
    for (const auto& [name, words, field] : fieldsOf(*box))
        if (field->isEnabled())
            into.push_back({name, MainWindow::tr("Review"), words, [&window, at = QPointer<QWidget>(field)] {
                                window.showMode(Mode::Review);
                                focus(at);
                            }});
}

/// Cards that open over the window: what they hold is read from one that is never shown.
void addRun(MainWindow& window, std::vector<FinderPlace>& into)
{
    const Snapshot& snapshot = window.session().snapshot();
    const QString budgets = MainWindow::tr("Budgets of the run"), proposer = MainWindow::tr("Proposer of the run");
    const BudgetEditor budget(snapshot, &window);
    for (const auto& [name, words, field] : fieldsOf(budget))
        into.push_back({name, budgets, words, [&window, name] {
                            window.actions()[u"run.budget"_s].trigger();
                            focusIn(opened<BudgetEditor>(window), name);
                        }});
    const ProposerEditor asked(snapshot, &window);
    for (const auto& [name, words, field] : fieldsOf(asked))
        into.push_back({name, proposer, words, [&window, name] {
                            window.actions()[u"run.proposer"_s].trigger();
                            focusIn(opened<ProposerEditor>(window), name);
                        }});
}

void addIslands(MainWindow& window, std::vector<FinderPlace>& into)
{
    const RunState& run = window.session().run();
    std::vector<IslandId> living;
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended)
            living.push_back(island.id);
    if (living.empty())
        return;
    const auto show = [&window] { window.showMode(Mode::Evolve); };
    const IslandEditor editor(*run.island(living.front()), IslandEditor::Asks::Models, &window);
    for (const IslandId island : living)
        for (const auto& [name, words, field] : fieldsOf(editor))
            into.push_back({name, MainWindow::tr("Island %1").arg(text(islandLetter(island))), words,
                [&window, show, island, name] {
                    show();
                    window.evolve().islandLevers().steer(island);
                    focusIn(opened<IslandEditor>(window), name);
                }});
    const MigrationEditor migration(run.settings.migration, living, &window);
    for (const auto& [name, words, field] : fieldsOf(migration))
        into.push_back({name, MainWindow::tr("Migration between islands"), words, [&window, show, name] {
                            show();
                            window.evolve().islandLevers().planMigration();
                            focusIn(opened<MigrationEditor>(window), name);
                        }});
}

struct MenuEntry {
    QStringList path; ///< "Merge into", "B Exploit"
    QAction* action;
};

void addEntries(const QMenu& menu, const QStringList& path, std::vector<MenuEntry>& into)
{
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isEnabled())
            continue;
        const QStringList here = path + QStringList{action->text().remove(u'&').remove(u'…')};
        if (action->menu())
            addEntries(*action->menu(), here, into);
        else
            into.push_back({here, action});
    }
}

/// The orders of the islands' menus, which hold those to all once for each island as well.
void addLevers(MainWindow& window, std::vector<FinderPlace>& into)
{
    const auto menu = std::make_shared<QMenu>();
    window.evolve().islandLevers().fillAll(*menu);
    std::vector<MenuEntry> entries;
    addEntries(*menu, {}, entries);
    std::set<QStringList> ofAll;
    for (const MenuEntry& entry : entries)
        ofAll.insert(entry.path);
    for (const auto& [path, action] : entries)
        if (!ofAll.contains(path.mid(1)))
            into.push_back({path.join(u" › "_s), MainWindow::tr("Islands"), {}, [&window, menu, action] {
                                window.showMode(Mode::Evolve);
                                action->trigger();
                            }});
}

} // namespace

std::vector<FinderPlace> finderPlaces(MainWindow& window)
{
    std::vector<FinderPlace> places;
    const EngineStatus& status = window.session().snapshot().status;
    if (status.sessionOpen && !status.readOnly) {
        addRun(window, places);
        addIslands(window, places);
        addLevers(window, places);
        addReview(window, places);
    }
    addNewSession(window, places);
    addModels(window, places);
    addSettings(window, places);
    return places;
}

void openFinder(MainWindow& window)
{
    auto* finder = new Finder(window.desk(), &window);
    finder->setPlaces(finderPlaces(window));
    const auto select = [&window](CandidateId candidate) {
        window.showMode(Mode::Evolve);
        if (candidate)
            window.selection().select(candidate);
    };
    QObject::connect(finder, &Finder::candidateChosen, &window, select);
    QObject::connect(finder, &Finder::codeChosen, &window, [&window, select](CandidateId candidate, int line) {
        select(candidate);
        window.evolve().showLine(TextTabs::Code, line);
    });
    QObject::connect(finder, &Finder::buildLogChosen, &window, [&window, select](CandidateId candidate, int line) {
        select(candidate);
        window.evolve().showLine(TextTabs::BuildLog, line);
    });
    QObject::connect(finder, &Finder::eventChosen, &window, [&window, select](CandidateId candidate, int row) {
        select(candidate);
        window.evolve().showEventLine(row);
    });
    finder->popUpOver(window);
}

} // namespace tilewright::ui
