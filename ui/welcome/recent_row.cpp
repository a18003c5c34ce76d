// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/recent_row.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/store/session_reader.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/paint.h"

#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>
#include <QSaveFile>
#include <QToolButton>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// The curve's scale: what is slower than that lies on the bottom, and a gain of a hundredth is seen.
constexpr double lowestScore = 0.9, leastHighest = 1.05;

} // namespace

RecentRow::RecentRow(const QString& path, QWidget* parent)
    : QAbstractButton(parent)
    , m_look{path, {}, {}, {}}
    , m_remove(new QToolButton(this))
{
    setObjectName(u"recentRow"_s);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    m_remove->setObjectName(u"removeRecent"_s);
    m_remove->setIcon(ui::icon(u"x"_s, Tint::Secondary));
    m_remove->setToolTip(tr("Remove from list"));
    m_remove->setAccessibleName(tr("Remove %1 from the list").arg(path));
    m_remove->setFixedSize(px(22), px(22));
    m_remove->setVisible(false);
    connect(m_remove, &QToolButton::clicked, this, &RecentRow::removeWanted);
    auto* remove = new QAction(ui::icon(u"x"_s, Tint::Secondary), tr("Remove from list"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &RecentRow::removeWanted);
    addAction(remove);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setText(QFileInfo(path).completeBaseName());
    setToolTip(path);
    setAccessibleName(tr("Open %1").arg(path));
}

void RecentRow::show(const SessionLook& look)
{
    m_look = look;
    m_isKnown = true;
    m_remove->setVisible(!look.trouble.isEmpty());
    setToolTip(tip());
    const QString best = look.sketch && look.sketch->best ? tr("best %1").arg(times(look.sketch->best)) : QString();
    QStringList words{about(), best};
    words.removeAll(QString());
    setAccessibleDescription(words.join(u", "_s));
    update();
}

QString RecentRow::about() const
{
    if (!m_look.trouble.isEmpty() || !m_look.sketch)
        return m_look.trouble;
    return u"%1 · %2"_s.arg(ui::text(m_look.sketch->task), length());
}

QString RecentRow::length() const
{
    return m_look.sketch ? counted(m_look.sketch->evaluations, tr("%1 evaluation"), tr("%1 evaluations")) : QString();
}

QString RecentRow::tip() const
{
    QStringList lines{m_look.path};
    if (!m_look.trouble.isEmpty())
        lines << m_look.details;
    if (const auto& sketch = m_look.sketch) {
        lines << about();
        lines << (sketch->best ? tr("best %1 of the baseline, 95 % interval %2 to %3")
                                     .arg(times(sketch->best), times(sketch->best->lo), times(sketch->best->hi))
                               : tr("no confirmed candidate yet"));
        if (!sketch->device.empty())
            lines << tr("measured on %1").arg(ui::text(sketch->device));
        const QDateTime last = QDateTime::fromString(ui::text(sketch->lastEventUtc), Qt::ISODateWithMs);
        if (last.isValid())
            lines << tr("last change %1").arg(QLocale().toString(last.toLocalTime(), QLocale::ShortFormat));
    }
    return lines.join(u'\n');
}

QSize RecentRow::sizeHint() const { return {px(200), px(60)}; }

void RecentRow::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    m_remove->move(width() - m_remove->width() - px(4), (height() - m_remove->height()) / 2);
}

void RecentRow::drawPicture(QPainter& painter, const QRectF& box) const
{
    const Tokens& t = tokens();
    painter.setPen(t.border);
    painter.setBrush(t.raised);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (!m_look.sketch) {
        if (!m_isKnown)
            return;
        const int side = px(16);
        painter.drawPixmap(box.center() - QPointF(side / 2.0, side / 2.0),
            iconPixmap(u"warn"_s, t.warning, side, devicePixelRatioF()));
        return;
    }
    double high = leastHighest;
    std::vector<std::pair<std::int64_t, double>> curve;
    for (const auto& [evaluation, score] : m_look.sketch->curve) {
        high = std::max(high, score);
        curve.emplace_back(evaluation, std::log(std::max(score, lowestScore)));
    }
    const QRectF area = box.adjusted(px(4), px(5), -px(5), -px(4));
    const double low = std::log(lowestScore), top = std::log(high);
    const double baseline = area.bottom() - (0 - low) / (top - low) * area.height();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.tertiary, 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), baseline), QPointF(area.right(), baseline));
    drawSparkline(painter, area, curve, m_look.sketch->evaluations, low, top, t.accent);
}

void RecentRow::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (isDown() || underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(isDown() ? t.selected : t.track);
        painter.drawRoundedRect(whole, 5, 5);
    }
    const QRectF picture(px(4), px(5), px(60), height() - px(10));
    drawPicture(painter, picture);
    const qreal left = picture.right() + px(9);
    const qreal right = m_remove->isVisibleTo(this) ? m_remove->x() - px(4) : width() - px(6);
    const qreal step = (height() - px(10)) / 3.0;
    QRectF line(left, px(5), right - left, step);
    if (m_look.sketch && m_look.sketch->best) {
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        const QString best = times(m_look.sketch->best);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, best);
        line.setRight(line.right() - QFontMetricsF(painter.font()).horizontalAdvance(best) - px(8));
    }
    painter.setFont(fontOf(Type::Body));
    painter.setPen(m_look.trouble.isEmpty() ? t.text : t.secondary);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(painter.font()).elidedText(text(), Qt::ElideMiddle, line.width()));
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(m_look.trouble.isEmpty() ? t.secondary : t.warning);
    const auto below = [&](int lines) { return QRectF(left, px(5) + lines * step, right - left, step); };
    drawElided(painter, below(1), Qt::AlignLeft | Qt::AlignVCenter,
        m_look.sketch ? ui::text(m_look.sketch->task) : m_look.trouble);
    drawElided(painter, below(2), Qt::AlignLeft | Qt::AlignVCenter, length());
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(whole, 5, 5);
    }
}

nlohmann::json SessionSketch::json() const
{
    nlohmann::json points = nlohmann::json::array();
    for (const auto& [evaluation, score] : curve)
        points.push_back({evaluation, score});
    return {{"task", task}, {"device", device}, {"at", lastEventUtc}, {"evaluations", evaluations},
        {"best", best ? best->json() : nlohmann::json()}, {"curve", std::move(points)}, {"task_name", taskName},
        {"proposer", proposer}, {"devices", devices}, {"run_ns", runNs}, {"tokens", tokens},
        {"cost_micro_usd", costMicroUsd ? nlohmann::json(*costMicroUsd) : nlohmann::json()}, {"bytes", bytes},
        {"shapes", shapes}, {"seed_ns", seedNs}, {"first_ns", firstNs}, {"host", host}, {"began", beganUtc}};
}

std::optional<SessionSketch> SessionSketch::fromJson(const nlohmann::json& json)
{
    try {
        SessionSketch sketch{json.at("task").get<std::string>(), json.at("device").get<std::string>(),
            json.at("at").get<std::string>(), json.at("evaluations").get<std::int64_t>(),
            Interval::fromJson(json.at("best")), {}, json.at("task_name").get<std::string>(),
            json.at("proposer").get<std::string>(), json.at("devices").get<int>(),
            json.at("run_ns").get<std::int64_t>(), json.at("tokens").get<std::int64_t>(), std::nullopt,
            json.at("bytes").get<std::int64_t>(), json.at("shapes").get<std::string>(),
            json.at("seed_ns").get<std::int64_t>(), json.at("first_ns").get<std::int64_t>(),
            json.at("host").get<std::string>(), json.at("began").get<std::string>()};
        if (const nlohmann::json& cost = json.at("cost_micro_usd"); !cost.is_null())
            sketch.costMicroUsd = cost.get<std::int64_t>();
        for (const nlohmann::json& point : json.at("curve"))
            sketch.curve.emplace_back(point.at(0).get<std::int64_t>(), point.at(1).get<double>());
        return sketch;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

SessionSketch sketchOf(const RunState& run, const Task& task, const std::string& lastEventUtc)
{
    const Candidate* best = run.best();
    SessionStart start = startOf(run, task);
    return {task.title, start.device, lastEventUtc, run.evaluationsDone, best ? best->score : std::nullopt,
        run.bestTrace, start.task, start.proposer, 1 + static_cast<int>(run.otherDevices.size()), run.runNs,
        run.tokensSpent, run.unpriced == 0 && run.lost == 0 ? std::optional(run.costMicroUsd) : std::nullopt, 0,
        start.shapes, start.seedNs, start.firstNs, start.host, run.log.empty() ? "" : run.log[0].atUtc};
}

namespace {

using nlohmann::json;

constexpr int sketchFormat = 5;
constexpr std::size_t largestSketch = std::size_t(1) << 20;

QString lookText(const char* source) { return QCoreApplication::translate("SessionLook", source); }

QString sketchFile(const QString& path, const QString& folder)
{
    return QDir(folder).filePath(text(sha256(path.toStdString()).hex().substr(0, 32)) + u".json"_s);
}

/// Changes with everything that is written to the session: to the file, or to the log beside it that joins it later.
json stampOf(const QString& path)
{
    json stamp = json::array();
    for (const QString& name : {path, path + u"-wal"_s}) {
        const QFileInfo file(name);
        const bool counts = file.exists() && file.size() > 0; // an empty log comes and goes with every reader
        stamp.push_back(counts ? file.size() : 0);
        stamp.push_back(counts ? file.lastModified().toMSecsSinceEpoch() : 0);
    }
    return stamp;
}

std::optional<SessionSketch> keptSketch(const QString& file, const QString& path, const json& stamp)
{
    const auto bytes = readFile(file.toStdString(), largestSketch);
    const json kept = bytes ? parsedJson(*bytes) : json();
    if (!kept.is_object() || kept.value("format", json()) != sketchFormat
        || kept.value("path", json()) != path.toStdString() || kept.value("stamp", json()) != stamp)
        return std::nullopt;
    return SessionSketch::fromJson(kept.value("sketch", json()));
}

void keep(const SessionSketch& sketch, const QString& file, const QString& path, const json& stamp)
{
    QDir().mkpath(QFileInfo(file).path());
    QSaveFile out(file);
    const json kept{
        {"format", sketchFormat}, {"path", path.toStdString()}, {"stamp", stamp}, {"sketch", sketch.json()}};
    if (out.open(QIODevice::WriteOnly)) {
        out.write(QByteArray::fromStdString(dumped(kept)));
        out.commit();
    }
}

SessionLook troubled(const QString& path, const Error& error)
{
    QString words = lookText("cannot be read");
    if (error.code == "session/missing")
        words = lookText("moved or deleted");
    else if (error.code == "session/newer")
        words = lookText("of a newer version");
    else if (error.code == "session/damaged")
        words = lookText("damaged");
    else if (error.code == "session/not-a-session")
        words = lookText("not a session");
    else if (error.code == "session/empty")
        words = lookText("holds no run yet");
    QString details = asSentence(text(error.text));
    if (!error.hint.empty())
        details += u'\n' + asSentence(text(error.hint));
    return {path, {}, words, details};
}

} // namespace

SessionLook lookAtSession(const QString& path, const QString& folder)
{
    const QString file = sketchFile(path, folder);
    const json stamp = stampOf(path); // before reading: what is written meanwhile makes the sketch an old one
    if (QFileInfo::exists(path))
        if (const auto kept = keptSketch(file, path, stamp))
            return {path, kept, {}, {}};
    const auto reader = SessionReader::open(path.toStdString());
    const auto run = reader ? (*reader)->load() : std::unexpected(reader.error());
    const auto pack = run ? (*reader)->pack(*run) : std::unexpected(run.error());
    if (!pack)
        return troubled(path, pack.error());
    SessionSketch sketch = sketchOf(*run, pack->task, (*reader)->lastEventUtc());
    sketch.bytes = QFileInfo(path).size() + QFileInfo(path + u"-wal"_s).size();
    keep(sketch, file, path, stamp);
    return {path, sketch, {}, {}};
}

void forgetSketchesExcept(const QStringList& paths, const QString& folder)
{
    QStringList kept;
    for (const QString& path : paths)
        kept << QFileInfo(sketchFile(path, folder)).fileName();
    QDir all(folder);
    for (const QString& name : all.entryList({u"*.json"_s}, QDir::Files))
        if (!kept.contains(name))
            all.remove(name);
}

} // namespace tilewright::ui
