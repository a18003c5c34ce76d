// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/proposer_weights.h"

#include "ui/models/format.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/sentence.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

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
                             : ProposerWeights::tr("By hand");
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
    m_whose->setAccessibleName(tr("Who is asked for its edits"));
    m_whose->addItem(tr("As the session says"));
    m_whose->addItem(tr("Own weights"));
    auto* title = new QLabel(tr("Edits come from"), this);
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
        grid->addWidget(aside(tr("Where a tune is asked for, the tuner makes the mutator's share of it too."), this),
            line++, 0, 1, 2);
    if (std::ranges::none_of(m_choices, [](const ProposerChoice& one) { return one.name.starts_with(modelInMix); })) {
        auto* note = aside(
            tr("Models can have a part once language models are the session's proposer (Run, Proposer)."), this);
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
