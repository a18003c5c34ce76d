// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_page.h"

#include "ui/models/display_text.h"
#include "ui/settings/form_grid.h"
#include "ui/settings/models_page.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/table.h"

#include <QButtonGroup>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString asTheDesktop = u"desktop"_s;

QFrame* settingsCard(FormGrid* form)
{
    auto* card = new QFrame;
    card->setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(px(16), px(12), px(16), px(14));
    column->setSpacing(px(8));
    column->addWidget(form);
    return card;
}

QString signOf(SettingsSection section)
{
    const QString signs[] = {u"contrast"_s, u"key"_s, u"file"_s, u"cpu"_s, u"keyboard"_s};
    return signs[static_cast<std::size_t>(section)];
}

} // namespace

QString nameOf(SettingsSection section)
{
    const QString names[]
        = {tr("Appearance"), tr("Models and keys"), tr("Session files"), tr("Default devices"), tr("All shortcuts")};
    return names[static_cast<std::size_t>(section)];
}

QString actionOf(SettingsSection section)
{
    const QString names[] = {u"appearance"_s, u"models"_s, u"sessions"_s, u"devices"_s, u"shortcuts"_s};
    return u"settings."_s + names[static_cast<std::size_t>(section)];
}

SettingsPage::SettingsPage(Settings& settings, ModelsBook& book, const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_models(new ModelsPage(book, this))
    , m_sections(new QButtonGroup(this))
    , m_stack(new QStackedWidget(this))
{
    setObjectName(u"settingsPage"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(buildSide());
    row->addWidget(m_stack, 1);
    m_stack->addWidget(buildAppearance());
    m_stack->addWidget(m_models);
    m_stack->addWidget(buildSessions());
    m_stack->addWidget(buildDevices());
    auto* shortcuts = new ShortcutTable(actions, this);
    m_stack->addWidget(shortcuts);
    connect(m_models, &ModelsPage::asked, this, [this] { goTo(SettingsSection::Models); });
    connect(&settings, &Settings::lookChanged, this, &SettingsPage::showLook);
    connect(&Theme::instance(), &Theme::changed, this, &SettingsPage::showLook);
    connect(&settings, &Settings::sessionsFolderChanged, this, &SettingsPage::showSessions);
    connect(&settings, &Settings::recentFilesChanged, this, &SettingsPage::showSessions);
    connect(&settings, &Settings::preferredGpuChanged, this, &SettingsPage::offerGpus);
    showLook();
    showSessions();
    showGpus({}, {});
    goTo(SettingsSection::Appearance);
}

QWidget* SettingsPage::buildSide()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"side"_s);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(px(12), px(16), px(12), px(12));
    column->setSpacing(px(4));
    auto* title = new QLabel(tr("Settings"), side);
    title->setFont(fontOf(Type::Title));
    column->addWidget(title);
    column->addSpacing(px(6));
    for (const SettingsSection section : settingsSections) {
        auto* button = new QToolButton(side);
        button->setObjectName(u"settingsSection:"_s + actionOf(section));
        button->setText(nameOf(section));
        button->setIcon(icon(signOf(section), Tint::Secondary));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setCheckable(true);
        button->setMinimumHeight(px(30));
        button->setIconSize(QSize(px(16), px(16)));
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_sections->addButton(button, static_cast<int>(section));
        column->addWidget(button);
    }
    column->addStretch(1);
    connect(m_sections, &QButtonGroup::idClicked, this, [this](int id) { goTo(static_cast<SettingsSection>(id)); });
    return side;
}

QWidget* SettingsPage::page(const QString& title, const QString& about, QWidget* card)
{
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(area);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(px(16), px(14), px(16), px(16));
    column->setSpacing(px(10));
    auto* head = new QLabel(title, inside);
    head->setFont(fontOf(Type::Title));
    auto* words = new QLabel(about, inside);
    words->setWordWrap(true);
    words->setProperty("tone", u"secondary"_s);
    column->addWidget(head);
    column->addWidget(words);
    column->addWidget(card);
    column->addStretch(1);
    area->setWidget(inside);
    return area;
}

static QString aboutTheme() { return SettingsPage::tr("same as the desktop theme when Tilewright started"); }

QWidget* SettingsPage::buildAppearance()
{
    m_look = new FormGrid;
    m_look->setObjectName(u"lookForm"_s);
    m_look->addChoice({u"theme"_s, tr("Theme"), aboutTheme()},
        {{u"light"_s, tr("light")}, {u"dark"_s, tr("dark")}, {u"contrast"_s, tr("high contrast")},
            {asTheDesktop, tr("as the desktop")}});
    std::vector<FormGrid::Choice> sizes{{asTheDesktop, tr("as the desktop")}};
    for (int points = 9; points <= 14; ++points)
        sizes.push_back({QString::number(points), tr("%1 points").arg(points)});
    m_look->addChoice({u"font"_s, tr("Text size"), tr("font size of body text; other sizes are proportional")}, sizes);
    m_look->addCheck({u"motion"_s, tr("Reduce motion"),
        tr("docks and menus change without animation, and the text cursor does not blink")});
    connect(m_look, &FormGrid::edited, this, [this](const QString& field, const QString& value) {
        if (field == u"theme"_s)
            m_settings.setTheme(themeFromName(value));
        else if (field == u"font"_s)
            m_settings.setFontPoints(value == asTheDesktop ? std::nullopt : std::optional(value.toDouble()));
        else
            m_settings.setReducedMotion(value == u"true"_s);
    });
    return page(nameOf(SettingsSection::Appearance), tr("Appearance of the window. Changes apply at once."),
        settingsCard(m_look));
}

QWidget* SettingsPage::buildSessions()
{
    m_files = new FormGrid;
    m_files->setObjectName(u"sessionsForm"_s);
    m_files->addText(
        {u"folder"_s, tr("Folder"), tr("where new sessions are written and Open starts; empty: the default folder")});
    std::vector<FormGrid::Choice> counts;
    for (const int count :
        std::set<int>{0, 4, Settings::usualRecent, 15, Settings::mostRecent, m_settings.keptRecent()})
        counts.push_back({QString::number(count), count == 0 ? tr("none") : QString::number(count)});
    m_files->addChoice({u"kept"_s, tr("Recent sessions"),
                           tr("number of sessions in the menu and on the Welcome page; files are never deleted")},
        counts);
    auto* buttons = new QWidget(m_files);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(8));
    auto* browse = new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("Choose a folder…"), buttons);
    browse->setObjectName(u"chooseSessionsFolder"_s);
    auto* clear = new QPushButton(icon(u"x"_s, Tint::Secondary), tr("Clear the list"), buttons);
    clear->setObjectName(u"forgetRecent"_s);
    row->addWidget(browse);
    row->addWidget(clear);
    row->addStretch(1);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder of new sessions"), m_settings.sessionsFolder());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        connect(dialog, &QFileDialog::fileSelected, this, &SettingsPage::takeFolder);
        dialog->open();
    });
    connect(clear, &QPushButton::clicked, this, [this] { m_settings.forgetRecentFiles(); });
    connect(m_files, &FormGrid::edited, this, [this](const QString& field, const QString& value) {
        field == u"kept"_s ? m_settings.setKeptRecent(value.toInt()) : takeFolder(value.trimmed());
    });
    auto* card = settingsCard(m_files);
    card->layout()->addWidget(buttons);
    return page(nameOf(SettingsSection::Sessions), tr("Folder of sessions and list of recent sessions."), card);
}

void SettingsPage::takeFolder(const QString& folder)
{
    const bool taken = m_settings.setSessionsFolder(folder);
    m_files->setProblem(
        u"folder"_s, taken ? QString() : tr("The folder is not writable, or the path is not absolute."));
}

QWidget* SettingsPage::buildDevices()
{
    m_devices = new FormGrid;
    m_devices->setObjectName(u"devicesForm"_s);
    m_devices->addChoice({u"gpu"_s, tr("Tasks for a GPU"), {}}, {{QString(), tr("the first GPU")}});
    connect(m_devices, &FormGrid::edited, this,
        [this](const QString&, const QString& value) { m_settings.setPreferredGpu(value); });
    return page(nameOf(SettingsSection::Devices),
        tr("Device for new sessions if several are possible; the New session page can choose another. CPU tasks are "
           "measured on this machine's CPU."),
        settingsCard(m_devices));
}

void SettingsPage::showLook()
{
    const auto theme = m_settings.chosenTheme();
    const bool isSet = Theme::instance().kind() == m_settings.theme();
    m_look->setValue(u"theme"_s,
        !isSet      ? ui::nameOf(Theme::instance().kind())
            : theme ? ui::nameOf(*theme)
                    : asTheDesktop);
    m_look->setNote(u"theme"_s,
        isSet ? aboutTheme()
              : tr("this window was started with another theme (--theme), used until you choose one here"));
    const auto points = m_settings.fontPoints();
    m_look->setValue(u"font"_s, points ? QString::number(qRound(*points)) : asTheDesktop);
    m_look->setValue(u"motion"_s, m_settings.reducesMotion() ? u"true"_s : u"false"_s);
}

void SettingsPage::showSessions()
{
    m_files->setValue(u"folder"_s, m_settings.ownSessionsFolder());
    m_files->setPlaceholder(u"folder"_s, m_settings.sessionsFolder());
    m_files->setValue(u"kept"_s, QString::number(m_settings.keptRecent()));
    const qsizetype count = m_settings.recentFiles().size();
    findChild<QPushButton*>(u"forgetRecent"_s)->setEnabled(count > 0);
}

void SettingsPage::showGpus(const std::vector<std::pair<QString, QString>>& gpus, const QString& whyNone)
{
    m_gpus = gpus;
    m_devices->setNote(u"gpu"_s, gpus.empty() ? whyNone : tr("the first in the driver's numbering"));
    offerGpus();
}

void SettingsPage::offerGpus()
{
    const QString preferred = m_settings.preferredGpu();
    std::vector<FormGrid::Choice> choices{{QString(), tr("the first GPU")}};
    for (const auto& [id, name] : m_gpus)
        choices.push_back({id, name});
    const auto has = [&](const QString& id) { return std::ranges::count(choices, id, &FormGrid::Choice::value) > 0; };
    if (!has(u"cuda:all"_s))
        choices.push_back({u"cuda:all"_s, tr("all GPUs of one kind")});
    if (!has(preferred))
        choices.push_back({preferred, tr("%1, not available now").arg(preferred)});
    m_devices->setChoices(u"gpu"_s, choices);
    m_devices->setValue(u"gpu"_s, preferred);
}

void SettingsPage::goTo(SettingsSection section)
{
    m_sections->button(static_cast<int>(section))->setChecked(true);
    m_stack->setCurrentIndex(static_cast<int>(section));
}

SettingsSection SettingsPage::section() const { return static_cast<SettingsSection>(m_stack->currentIndex()); }

QWidget& SettingsPage::partOf(SettingsSection section) { return *m_stack->widget(static_cast<int>(section)); }

ShortcutTable::ShortcutTable(const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent)
{
    auto* model = new QStandardItemModel(0, static_cast<int>(Column::Count), this);
    model->setHorizontalHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
    const auto row = [model](const QString& name, const QString& keys, const QString& purpose) {
        model->appendRow({new QStandardItem(name), new QStandardItem(keys), new QStandardItem(purpose)});
    };
    for (const QAction* action : actions.all())
        row(action->text().remove(u'&').remove(u'…'),
            QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
            actions.purposeOf(action->objectName()));
    row(tr("In a plot: zoom, fit"), tr("+  −  0, wheel, double click"), {});
    row(tr("In a plot: pan"), tr("←  →, drag"), {});
    auto* found = new QSortFilterProxyModel(this);
    found->setSourceModel(model);
    found->setFilterKeyColumn(-1);
    found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* wanted = new QLineEdit(this);
    wanted->setObjectName(u"shortcutSearch"_s);
    wanted->setAccessibleName(tr("Find an action or a key"));
    wanted->setPlaceholderText(tr("Find an action or a key"));
    wanted->setClearButtonEnabled(true);
    connect(wanted, &QLineEdit::textChanged, found, &QSortFilterProxyModel::setFilterFixedString);
    auto* table = new Table(this);
    table->setObjectName(u"shortcutTable"_s);
    table->setModel(found);
    table->setAccessibleName(tr("Actions and their keys"));
    table->setNothing(tr("No action matches."));
    table->setItemDelegate(new WrappingDelegate(table));
    table->setColumns({{220, 0}, {160, 0}, {180, 1, true}});
    fitRowsToWords(*table);
    connect(found, &QSortFilterProxyModel::rowsInserted, table, &QTableView::resizeRowsToContents);
    table->resizeRowsToContents();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(10), px(10), px(10), 0);
    column->setSpacing(px(8));
    column->addWidget(wanted);
    column->addWidget(table, 1);
}

} // namespace tilewright::ui
