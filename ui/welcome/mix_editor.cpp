// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/mix_editor.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/room.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <numeric>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int sideOfMix = 4, topOfMix = 3, barOfMix = 4, bottomOfMix = 1; ///< margins of the button, and its bar

struct Part {
    QString model;
    double share;
};

/// The largest first.
std::vector<Part> partsOf(const std::map<std::string, double>& weights)
{
    const double all = std::accumulate(
        weights.begin(), weights.end(), 0.0, [](double sum, const auto& each) { return sum + each.second; });
    std::vector<Part> parts;
    for (const auto& [model, weight] : weights)
        if (weight > 0)
            parts.push_back({text(model), weight / all});
    std::ranges::stable_sort(parts, std::ranges::greater(), &Part::share);
    return parts;
}

} // namespace

QString mixWords(const std::map<std::string, double>& weights)
{
    QStringList said;
    for (const auto& [model, share] : partsOf(weights))
        said << u"%1 %2 %"_s.arg(model, QString::number(share * 100, 'f', 0));
    return said.isEmpty() ? tr("none") : said.join(u", "_s);
}

MixButton::MixButton(IslandId island, QWidget* parent)
    : QAbstractButton(parent)
    , m_island(island)
{
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void MixButton::show(const std::map<std::string, double>& weights)
{
    m_weights = weights;
    const QString words = mixWords(weights);
    setAccessibleName(tr("Models of island %1: %2").arg(ui::text(islandLetter(m_island)), words));
    setToolTip(tr("%1. Click to change the weights").arg(words));
    updateGeometry(); // of another number of lines, maybe
    update();
}

QSize MixButton::sizeHint() const { return {px(180), heightForWidth(px(180))}; }

int MixButton::heightForWidth(int width) const
{
    const QFontMetrics metrics(fontOf(Type::Secondary));
    const QRect room(0, 0, width - 2 * px(sideOfMix), QWIDGETSIZE_MAX);
    const int lines = metrics.boundingRect(room, Qt::TextWordWrap, keptTogether(mixWords(m_weights))).height();
    return px(topOfMix) + px(barOfMix) + px(2) + lines + px(bottomOfMix);
}

QSize MixButton::minimumSizeHint() const { return {px(90), px(30)}; }

void MixButton::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus() || underMouse()) {
        painter.setPen(QPen(hasFocus() ? t.accent : t.strongBorder, hasFocus() ? 2 : 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    const QRectF inner = QRectF(rect()).adjusted(px(sideOfMix), px(topOfMix), -px(sideOfMix), -px(bottomOfMix));
    const QRectF bar(inner.left(), inner.top(), inner.width(), px(barOfMix));
    painter.fillRect(bar, t.track);
    double done = 0, strength = 1;
    for (const auto& [model, share] : partsOf(m_weights)) {
        QColor shade = islandColour(t, m_island);
        shade.setAlphaF(static_cast<float>(strength));
        const qreal gap = done > 0 ? 1 : 0; // parts stand apart without colour, too
        painter.fillRect(
            QRectF(bar.left() + done * bar.width() + gap, bar.top(), share * bar.width() - gap, bar.height()), shade);
        done += share;
        strength = std::max(0.25, strength - 0.55);
    }
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    painter.drawText(inner.adjusted(0, px(barOfMix) + px(2), 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
        keptTogether(mixWords(m_weights)));
}

MixEditor::MixEditor(IslandId island, const std::map<std::string, double>& usual,
    const std::map<std::string, double>& weights, QWidget* parent)
    : EditPopup(parent)
    , m_note(new QLabel(this))
{
    const QString letter = text(islandLetter(island));
    setObjectName(u"mixEditor"_s);
    setAccessibleName(tr("Models of island %1").arg(letter));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    auto* title = new QLabel(tr("Models of island %1").arg(letter), this);
    title->setFont(fontOf(Type::Strong));
    grid->addWidget(title, 0, 0, 1, 2);
    auto* apply = new QPushButton(tr("Apply"), this);
    const auto judge = [this] {
        const bool isNobody = partsOf(chosen()).empty();
        const QString wrong = wrongNumberIn(*this);
        m_note->setText(!wrong.isEmpty() ? wrong
                : isNobody               ? tr("At least one weight must be above 0.")
                                         : mixWords(chosen()));
        restyle(m_note, "tone", isNobody || !wrong.isEmpty() ? u"bad"_s : u"secondary"_s);
        m_apply->setEnabled(!isNobody && wrong.isEmpty());
    };
    int line = 1;
    for (const auto& [model, weight] : usual) {
        const auto held = weights.find(model);
        auto* field = numberBox<QDoubleSpinBox>(0.0, 1000.0, held == weights.end() ? 0.0 : held->second,
            u"islandWeight:"_s + text(model), tr("Weight of %1 on island %2").arg(text(model), letter), this);
        auto* label = new QLabel(text(model), this);
        label->setBuddy(field);
        grid->addWidget(label, line, 0);
        grid->addWidget(field, line++, 1);
        m_fields[model] = field;
        connect(field, &QDoubleSpinBox::valueChanged, this, judge);
    }
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setObjectName(u"mixNote"_s);
    grid->addWidget(m_note, line++, 0, 1, 2);
    apply->setObjectName(u"applyMix"_s);
    apply->setProperty("kind", u"primary"_s);
    grid->addWidget(apply, line, 1);
    m_apply = apply;
    connect(apply, &QPushButton::clicked, this, [this] { accept(); });
    judge();
    if (!m_fields.empty())
        m_fields.begin()->second->setFocus();
}

std::map<std::string, double> MixEditor::chosen() const
{
    std::map<std::string, double> weights;
    for (const auto& [model, field] : m_fields)
        weights[model] = field->value();
    return weights;
}

void MixEditor::accept()
{
    if (!m_apply->isEnabled())
        return;
    Q_EMIT accepted(chosen());
    close();
}

} // namespace tilewright::ui
