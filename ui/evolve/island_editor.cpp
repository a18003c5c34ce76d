// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/island_editor.h"

#include "core/evolve/usual_mix.h"
#include "core/model/event_names.h"
#include "ui/models/display_text.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int ownMix = static_cast<int>(aimNames.size()) + 1; ///< of the choices: after "strategy" and each focus
constexpr double noSampling = -0.01; ///< shown as "the models file's"

QString nameOfWeight(std::size_t i)
{
    const QString names[] = {IslandEditor::tr("Explore (any parent)"), IslandEditor::tr("Explore (near the best)"),
        IslandEditor::tr("Exploit"), IslandEditor::tr("Crossover"), IslandEditor::tr("Tune")};
    return names[i];
}

} // namespace

IslandEditor::IslandEditor(const Island& island, Asks asks, QWidget* parent)
    : EditPopup(parent)
    , m_island(island)
    , m_grid(new QGridLayout(this))
    , m_aim(new QComboBox(this))
    , m_weights{}
    , m_note(new QLabel(this))
    , m_fromWhen(tr("Applies to proposals from now on."))
{
    setObjectName(u"islandEditor"_s);
    setAccessibleName(tr("Steering of island %1").arg(text(islandLetter(island.id))));
    QGridLayout* grid = m_grid;
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    int line = 0;
    const auto row = [&](const QString& name, QWidget* field) {
        auto* label = new QLabel(name, this);
        label->setBuddy(field);
        grid->addWidget(label, line, 0);
        grid->addWidget(field, line++, 1);
    };
    auto* title = new QLabel(text(islandLetter(island.id) + " " + island.name), this);
    title->setFont(fontOf(Type::Strong));
    grid->addWidget(title, line++, 0, 1, 2);
    m_aim->setObjectName(u"islandAim"_s);
    m_aim->setAccessibleName(tr("Focus of its proposals"));
    m_aim->addItem(tr("Chosen by the strategy"));
    for (const auto& [focus, name] : aimNames)
        m_aim->addItem(tr("Only %1").arg(words(focus)));
    m_aim->addItem(tr("Own weights"));
    row(tr("Focus"), m_aim);
    const FocusMix mix = island.steering.mix.value_or(usualMix(island.focus));
    for (std::size_t i = 0; i < mixNames.size(); ++i) {
        m_weights[i] = numberBox<QDoubleSpinBox>(0.0, 1000.0, mix.*mixNames[i].first,
            u"weight."_s + text(std::string(mixNames[i].second)), tr("Weight: %1").arg(nameOfWeight(i)), this);
        row(nameOfWeight(i), m_weights[i]);
    }
    m_selection = numberBox<QDoubleSpinBox>(
        0.05, 20.0, island.steering.selection, u"selectionTemperature"_s, tr("Temperature of parent selection"), this);
    m_selection->setToolTip(
        tr("Near 0: always the best; 1: default of the strategy; above 1: more evenly. Explore always chooses evenly"));
    row(tr("Parent selection"), m_selection);
    auto* scale = new QLabel(tr("0: best only · 1: default · above 1: more even"), this);
    scale->setFont(fontOf(Type::Secondary));
    scale->setProperty("tone", u"secondary"_s);
    scale->setWordWrap(true);
    grid->addWidget(scale, line++, 0, 1, 2);
    m_sampling = numberBox<QDoubleSpinBox>(noSampling, 2.0, island.steering.sampling.value_or(noSampling),
        u"samplingTemperature"_s, tr("Sampling temperature sent to models"), this);
    m_sampling->setSpecialValueText(tr("from the models file"));
    m_sampling->setToolTip(tr("Sent with requests of this island to models that support it"));
    if (asks == Asks::Models)
        row(tr("Sampling temperature"), m_sampling);
    m_sampling->setVisible(asks == Asks::Models);
    const auto countBox = [&](const char* word, const QString& name, const QString& label, const QString& tip) {
        const SteeredCount* count = steeredCount(word);
        auto* box = new QSpinBox(this);
        box->setRange(0, count->most);
        box->setValue(island.steering.*count->member);
        box->setObjectName(name);
        box->setAccessibleName(label);
        box->setToolTip(tip);
        m_counts.emplace_back(count, box);
        return box;
    };
    QSpinBox* repairs = countBox("repairs", u"repairTurns"_s, tr("Repair turns"),
        tr("How often a program that failed, or is clearly slower, is sent back to its author with the findings; 0: "
           "never"));
    if (asks == Asks::Models)
        row(tr("Repair turns"), repairs);
    repairs->setVisible(asks == Asks::Models);
    QSpinBox* stagnation = countBox("stagnation", u"stagnation"_s, tr("Reset after"),
        tr("Number of candidates without improvement after which an island that is clearly behind restarts from the "
           "best program of the run; 0: never"));
    stagnation->setSpecialValueText(tr("never"));
    stagnation->setSuffix(tr(" candidates"));
    row(tr("Reset after"), stagnation);
    m_note->setObjectName(u"islandNote"_s);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setProperty("tone", u"secondary"_s);
    grid->addWidget(m_note, line++, 0, 1, 2);
    auto* apply = new QPushButton(tr("Apply"), this);
    apply->setObjectName(u"applyIsland"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, line, 1);
    m_apply = apply;
    if (island.steering.mix)
        m_aim->setCurrentIndex(ownMix);
    else if (island.steering.focus)
        for (std::size_t i = 0; i < aimNames.size(); ++i)
            if (aimNames[i].first == *island.steering.focus)
                m_aim->setCurrentIndex(static_cast<int>(i) + 1);
    connect(m_aim, &QComboBox::currentIndexChanged, this, [this] { enable(); });
    for (QDoubleSpinBox* box : findChildren<QDoubleSpinBox*>())
        connect(box, &QDoubleSpinBox::valueChanged, this, [this] { enable(); });
    for (const auto& [count, box] : m_counts)
        connect(box, &QSpinBox::valueChanged, this, [this] { enable(); });
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    enable();
    m_aim->setFocus();
}

void IslandEditor::offer(std::vector<ProposerChoice> choices)
{
    m_proposers = new ProposerWeights(std::move(choices), m_island.steering.proposers, this);
    m_grid->setColumnMinimumWidth(2, px(16)); // apart from the others
    m_grid->addWidget(m_proposers, 1, 3, m_grid->rowCount() - 1, 1, Qt::AlignTop);
    connect(m_proposers, &ProposerWeights::changed, this, [this] { enable(); });
    setTabOrder(m_sampling, m_proposers);
    enable();
}

IslandSteering IslandEditor::chosen() const
{
    IslandSteering steering;
    const int aim = m_aim->currentIndex();
    if (aim == ownMix) {
        steering.mix.emplace();
        for (std::size_t i = 0; i < mixNames.size(); ++i)
            (*steering.mix).*mixNames[i].first = m_weights[i]->value();
    } else if (aim > 0) {
        steering.focus = aimNames[static_cast<std::size_t>(aim - 1)].first;
    }
    steering.selection = m_selection->value();
    steering.sampling = m_island.steering.sampling;
    if (m_sampling->isVisibleTo(this))
        steering.sampling = m_sampling->value() < 0 ? std::nullopt : std::optional(m_sampling->value());
    for (const auto& [count, box] : m_counts)
        steering.*count->member = box->value();
    steering.proposers = m_proposers ? m_proposers->chosen() : m_island.steering.proposers;
    return steering;
}

void IslandEditor::enable()
{
    const bool weighs = m_aim->currentIndex() == ownMix;
    for (QDoubleSpinBox* weight : m_weights)
        weight->setEnabled(weighs);
    const bool isNothing = weighs && chosen().mix->sum() <= 0;
    const bool asksNobody = m_proposers && m_proposers->isNobody();
    const QString wrong = wrongNumberIn(*this);
    restyle(m_note, "tone", wrong.isEmpty() && !isNothing && !asksNobody ? u"secondary"_s : u"bad"_s);
    m_note->setText(!wrong.isEmpty()  ? wrong
            : isNothing || asksNobody ? tr("At least one weight must be above 0.")
                                      : m_fromWhen);
    m_apply->setEnabled(wrong.isEmpty() && !isNothing && !asksNobody);
}

void IslandEditor::sayFromWhen(const QString& words)
{
    m_fromWhen = words;
    enable();
}

void IslandEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    Q_EMIT accepted(chosen());
    close();
}

namespace {

constexpr int sessions = 0, own = 1; ///< of the choices whose weights hold
constexpr int asideWidth = 230;

/// A sentence below the weights, as high as its lines.
QLabel* aside(const QString& words, QWidget* parent)
{
    auto* made = new QLabel(words, parent);
    made->setFont(fontOf(Type::Secondary));
    made->setProperty("tone", u"secondary"_s);
    made->setWordWrap(true);
    made->setFixedWidth(px(asideWidth));
    made->setMinimumHeight(made->heightForWidth(px(asideWidth)));
    return made;
}

} // namespace

QString proposerWords(const std::string& name)
{
    if (name.starts_with(modelInMix))
        return text(name.substr(modelInMix.size()));
    return name == "mutator" ? ProposerWeights::tr("Built-in mutator")
        : name == "tuner"    ? ProposerWeights::tr("Tuner")
                             : ProposerWeights::tr("Manual replies");
}

ProposerWeights::ProposerWeights(std::vector<ProposerChoice> choices, const ProposerMix& mix, QWidget* parent)
    : QWidget(parent)
    , m_choices(std::move(choices))
    , m_mix(mix)
    , m_whose(new QComboBox(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(px(8));
    m_whose->setObjectName(u"whoseWeights"_s);
    m_whose->setAccessibleName(tr("Proposers of this island"));
    m_whose->addItem(tr("As set for the session"));
    m_whose->addItem(tr("Own weights"));
    auto* title = new QLabel(tr("Proposers"), this);
    title->setBuddy(m_whose);
    grid->addWidget(title, 0, 0);
    grid->addWidget(m_whose, 0, 1);
    int line = 1;
    for (const ProposerChoice& choice : m_choices) {
        const QString words = proposerWords(choice.name);
        const auto held = mix.find(choice.name);
        const double weight = mix.empty() ? choice.usual : held == mix.end() ? 0 : held->second;
        auto* box = numberBox<QDoubleSpinBox>(0.0, 1000.0, choice.objection.code.empty() ? weight : 0.0,
            u"proposerWeight:"_s + text(choice.name), tr("Weight of %1").arg(words), this);
        auto* label = new QLabel(words, this);
        label->setBuddy(box);
        label->setEnabled(choice.objection.code.empty());
        grid->addWidget(label, line, 0);
        grid->addWidget(box, line++, 1);
        m_weights.push_back(box);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ProposerWeights::changed);
        if (choice.objection.code.empty())
            continue;
        auto* why = aside(asSentence(text(choice.objection.text)), this);
        why->setObjectName(u"whyNot:"_s + text(choice.name));
        box->setToolTip(why->text());
        grid->addWidget(why, line++, 0, 1, 2);
    }
    const auto isOffered = [this](const char* name) {
        return std::ranges::any_of(
            m_choices, [name](const ProposerChoice& one) { return one.name == name && one.objection.code.empty(); });
    };
    if (isOffered("mutator") && isOffered("tuner"))
        grid->addWidget(
            aside(tr("For the focus tune, the tuner also takes the mutator's share."), this), line++, 0, 1, 2);
    if (std::ranges::none_of(m_choices, [](const ProposerChoice& one) { return one.name.starts_with(modelInMix); })) {
        auto* note
            = aside(tr("Models can take part once language models are the session's proposer (Run, Proposer)."), this);
        grid->addWidget(note, line++, 0, 1, 2);
    }
    grid->setRowStretch(line, 1);
    m_whose->setCurrentIndex(mix.empty() ? sessions : own);
    connect(m_whose, &QComboBox::currentIndexChanged, this, [this] {
        enable();
        Q_EMIT changed();
    });
    enable();
}

void ProposerWeights::enable()
{
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        m_weights[i]->setEnabled(m_whose->currentIndex() == own && m_choices[i].objection.code.empty());
}

ProposerMix ProposerWeights::chosen() const
{
    if (m_whose->currentIndex() != own)
        return {};
    ProposerMix mix = m_mix; // with those whom the session does not ask now
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        if (m_weights[i]->value() > 0 || mix.contains(m_choices[i].name))
            mix[m_choices[i].name] = m_weights[i]->value();
    return mix;
}

bool ProposerWeights::isNobody() const
{
    return m_whose->currentIndex() == own
        && std::ranges::all_of(m_weights, [](const QDoubleSpinBox* box) { return box->value() <= 0; });
}

} // namespace tilewright::ui
