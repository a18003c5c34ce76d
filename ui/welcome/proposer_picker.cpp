// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/proposer_picker.h"

#include "core/llm/keys.h"
#include "ui/models/display_text.h"
#include "ui/settings/model_card.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pill.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Whether a request would have its key, as far as nobody has to be asked for it.
void tellKey(Pill& pill, const std::string& keyName)
{
    const auto key = parseKeyName(keyName);
    if (key && key->place == KeyPlace::None)
        return pill.show(ProposerPicker::tr("no key needed"), Pill::Mood::Plain);
    if (key && key->place == KeyPlace::Keychain && KeyRing::hasKeychain())
        return pill.show(ProposerPicker::tr("key in keychain"), Pill::Mood::Plain);
    if (key && key->place != KeyPlace::Keychain && !KeyRing::atHand(*key).empty())
        return pill.show(ProposerPicker::tr("key found"), Pill::Mood::Good, u"check"_s);
    pill.show(ProposerPicker::tr("no key"), Pill::Mood::Warning, u"warn"_s);
}

} // namespace

ProposerPicker::ProposerPicker(ModelsBook& book, QWidget* parent)
    : QWidget(parent)
    , m_book(book)
    , m_grid(new QGridLayout)
    , m_models(new QWidget(this))
    , m_replay(new QWidget(this))
    , m_lines(new QGridLayout)
    , m_recording(new QLineEdit(m_replay))
    , m_setUp(new QPushButton(icon(u"gear"_s, Tint::Secondary), tr("Set up models…"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(8));
    m_grid->setSpacing(px(8));
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    addCard(u"mutator"_s, tr("Built-in mutator"), tr("built-in transforms and tunables; free, no network"), u"dice"_s);
    addCard(u"tuner"_s, tr("Tuner"), tr("searches the declared tunables only; free"), u"filter"_s);
    addCard(u"model"_s, tr("Language models"), tr("your models, chosen by weight"), u"chat"_s);
    addCard(u"manual"_s, tr("Manual replies"), tr("you paste the replies to prompts"), u"hand"_s);
    addCard(u"replay"_s, tr("Replay"), tr("replays the replies of a recorded session"), u"redo"_s);

    auto* rows = new QVBoxLayout(m_models);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(px(6));
    m_lines->setHorizontalSpacing(px(8));
    m_lines->setVerticalSpacing(px(2));
    m_lines->setColumnStretch(3, 1);
    rows->addLayout(m_lines);
    auto* row = new QHBoxLayout(m_replay);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(6));
    m_recording->setObjectName(u"recording"_s);
    m_recording->setAccessibleName(tr("Recorded session or folder of replies"));
    m_recording->setPlaceholderText(tr("a .tilewright file, or a folder of replies"));
    auto* browse = new QToolButton(m_replay);
    browse->setIcon(icon(u"folder"_s, Tint::Secondary));
    browse->setAccessibleName(tr("Choose the recording"));
    row->addWidget(m_recording, 1);
    row->addWidget(browse);
    m_setUp->setObjectName(u"setUpModels"_s);
    column->addWidget(m_models);
    column->addWidget(m_replay);
    m_grid->addWidget(m_setUp, 2, 1, Qt::AlignLeft | Qt::AlignTop); // beside the last of five cards

    connect(m_setUp, &QPushButton::clicked, this, &ProposerPicker::settingsWanted);
    connect(m_cards.at(u"model"_s), &ChoiceCard::clicked, this, [this](bool) {
        if (!m_cards.at(u"model"_s)->isCheckable())
            Q_EMIT settingsWanted();
    });
    connect(m_recording, &QLineEdit::textChanged, this, &ProposerPicker::changed);
    connect(browse, &QToolButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(
            this, tr("A recorded session"), m_recording->text(), tr("Tilewright sessions (*.tilewright)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, m_recording, &QLineEdit::setText);
        dialog->open();
    });
    connect(&book, &ModelsBook::changed, this, [this] { fill(); });
    m_cards.at(u"mutator"_s)->setChecked(true);
    fill();
}

void ProposerPicker::addCard(const QString& id, const QString& title, const QString& about, const QString& iconName)
{
    auto* card = new ChoiceCard(title, about, iconName, this);
    card->setObjectName(u"proposer:"_s + id);
    const int at = static_cast<int>(m_cards.size());
    m_grid->addWidget(card, at / 2, at % 2);
    m_cards[id] = card;
    connect(card, &ChoiceCard::toggled, this, [this](bool on) {
        if (!on)
            return;
        showDetails();
        Q_EMIT changed();
    });
}

QString ProposerPicker::chosen() const
{
    for (const auto& [id, card] : m_cards)
        if (card->isChecked())
            return id;
    return u"mutator"_s;
}

bool ProposerPicker::choose(const QString& proposer, const QString& with)
{
    const auto card = m_cards.find(proposer);
    if (card == m_cards.end() || !card->second->isEnabled() || !card->second->isCheckable())
        return false;
    card->second->setChecked(true);
    if (proposer == u"replay"_s)
        m_recording->setText(with);
    return true;
}

void ProposerPicker::reset()
{
    m_recording->clear();
    m_weights.clear(); // what was chosen here
    fill();
    m_cards.at(u"mutator"_s)->setChecked(true);
}

void ProposerPicker::read(SessionChoices& choices) const
{
    choices.proposer = chosen();
    choices.recording = m_recording->text().trimmed();
    choices.modelsFile = m_book.path();
    choices.weights.clear();
    choices.asked.clear();
    choices.unpriced.clear();
    choices.weightsChanged = false;
    for (const ModelSpec& spec : m_book.usable()) {
        const auto line = m_weights.find(spec.name);
        if (line == m_weights.end())
            continue;
        const double weight = line->second.box->isChecked() ? line->second.weight->value() : 0;
        choices.weightsChanged = choices.weightsChanged || weight != spec.weight;
        if (weight <= 0)
            continue;
        choices.weights[spec.name] = weight;
        choices.asked.push_back(spec);
        if (!spec.price)
            choices.unpriced << text(spec.name);
    }
    choices.unusable.clear();
    choices.usualMixes.clear();
    if (const auto file = parseModelsFile(
            m_book.draft().withWeights(choices.weights).text(), m_book.catalogue(), m_book.path().toStdString())) {
        for (int id = 1; id <= choices.islands && !file->islands.empty(); ++id)
            choices.usualMixes[IslandId{id}] = file->weightsFor(islandLetter(IslandId{id}));
        if (const auto usable = checkUsable(*file, m_book.path().toStdString()); !usable)
            choices.unusable = asSentences(text(usable.error().text), text(usable.error().hint));
    }
}

void ProposerPicker::fill()
{
    const std::vector<ModelSpec> models = m_book.usable();
    ChoiceCard* card = m_cards.at(u"model"_s);
    if (models.empty()) {
        if (card->isChecked())
            m_cards.at(u"mutator"_s)->setChecked(true);
        card->setUnready(tr("no model is set up: click to set one up"));
    } else {
        card->setUsable();
    }
    std::map<std::string, double> before; // a choice made here stays while the settings change
    for (const auto& [name, line] : m_weights)
        before[name] = line.box->isChecked() ? line.weight->value() : 0;
    m_weights.clear();
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    std::map<std::string, std::string> keys; // by endpoint
    for (std::size_t i = 0; i < m_book.draft().count(DraftPart::Endpoint); ++i)
        if (const auto endpoint = m_book.draft().endpoint(i, m_book.catalogue())) // with its template's usual key
            keys[endpoint->name] = endpoint->key;
    int row = 0;
    for (const ModelSpec& spec : models) {
        auto* box = new QCheckBox(text(spec.name), m_models);
        box->setObjectName(u"useModel:"_s + text(spec.name));
        auto* weight = numberBox<QDoubleSpinBox>(
            0.01, 1000.0, 1.0, u"weightOf:"_s + text(spec.name), tr("Weight of %1").arg(text(spec.name)), m_models);
        weight->setMinimumWidth(0);
        const double kept = before.contains(spec.name) ? before[spec.name] : spec.weight;
        box->setChecked(kept > 0);
        weight->setValue(kept > 0 ? kept : spec.weight);
        weight->setEnabled(kept > 0);
        auto* key = new Pill(m_models);
        key->setObjectName(u"keyOf:"_s + text(spec.name));
        tellKey(*key, keys[spec.endpoint]);
        auto* about = new QLabel(u"%1 · %2"_s.arg(text(spec.model), priceWords(spec.price)), m_models);
        about->setObjectName(u"aboutModel:"_s + text(spec.name));
        about->setTextFormat(Qt::PlainText);
        about->setWordWrap(true);
        about->setContentsMargins(px(24), 0, 0, 0); // below the name
        about->setFont(fontOf(Type::Secondary));
        about->setProperty("tone", u"secondary"_s);
        m_lines->addWidget(box, row, 0);
        m_lines->addWidget(weight, row, 1);
        m_lines->addWidget(key, row++, 2);
        m_lines->addWidget(about, row++, 0, 1, 4);
        m_weights[spec.name] = {box, weight, key, keys[spec.endpoint]};
        connect(box, &QCheckBox::toggled, this, [this, weight](bool on) {
            weight->setEnabled(on);
            Q_EMIT changed();
        });
        connect(weight, &QDoubleSpinBox::valueChanged, this, &ProposerPicker::changed);
    }
    showDetails();
    Q_EMIT changed();
}

/// A key may have been stored, or set, since.
void ProposerPicker::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    for (const auto& [name, line] : m_weights)
        tellKey(*line.key, line.keyName);
}

void ProposerPicker::showDetails()
{
    const QString now = chosen();
    m_models->setVisible(now == u"model"_s);
    m_replay->setVisible(now == u"replay"_s);
    m_setUp->setVisible(now == u"model"_s || m_weights.empty());
}

} // namespace tilewright::ui
