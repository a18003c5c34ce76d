// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/shape_rows.h"

#include "core/base/files.h"
#include "core/model/measurement/shape_choice.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr std::size_t largestTable = 1 << 20; ///< bytes
constexpr int rowHeight = 30, headHeight = 26;

QString wordsOf(const Error& error) { return asSentences(text(error.text), text(error.hint)); }
} // namespace

ShapeRows::ShapeRows(QWidget* parent)
    : QWidget(parent)
    , m_table(new Table(this))
    , m_typed(new QLineEdit(this))
    , m_add(new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Add"), this))
    , m_file(new QPushButton(icon(u"folder"_s, Tint::Secondary), tr("From CSV…"), this))
    , m_reset(new QPushButton(tr("As in the task"), this))
    , m_trouble(new QLabel(this))
    , m_note(quietLabel(tr("Held-out shapes are measured when a candidate is confirmed; they never choose, and no "
                           "proposer sees them."),
          this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(8));
    m_table->setObjectName(u"taskShapes"_s);
    m_table->setAccessibleName(tr("Shapes of the session"));
    m_table->setModel(&m_model);
    m_table->setRowHeight(px(rowHeight));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::NoFocus); // its switches and buttons are reached one by one
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setNothing(tr("No shapes"));
    column->addWidget(m_table);

    auto* row = new QHBoxLayout;
    row->setSpacing(px(8));
    m_typed->setObjectName(u"newShape"_s);
    m_typed->setAccessibleName(tr("Sizes of a shape to add"));
    m_typed->setMinimumWidth(px(120));
    m_add->setObjectName(u"addShape"_s);
    m_add->setToolTip(tr("Add this shape to the train shapes"));
    m_file->setObjectName(u"shapesFromCsv"_s);
    m_file->setToolTip(tr("Read all shapes from a table: sizes separated by commas, then train or held-out"));
    m_reset->setObjectName(u"shapesOfTask"_s);
    row->addWidget(m_typed, 1);
    for (QPushButton* button : {m_add, m_file, m_reset})
        row->addWidget(button);
    column->addLayout(row);
    m_trouble->setObjectName(u"shapeTrouble"_s);
    m_trouble->setProperty("tone", u"bad"_s);
    for (QLabel* label : {m_trouble, m_note}) {
        label->setFont(fontOf(Type::Secondary));
        label->setWordWrap(true);
        column->addWidget(label);
    }
    m_trouble->hide();

    connect(m_add, &QPushButton::clicked, this, &ShapeRows::addTyped);
    connect(m_typed, &QLineEdit::returnPressed, this, &ShapeRows::addTyped);
    connect(m_typed, &QLineEdit::textEdited, this, [this] { say({}); });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (m_pack)
            replace(shapesOf(m_pack->task));
    });
    connect(m_file, &QPushButton::clicked, this, [this] {
        auto* dialog
            = new QFileDialog(this, tr("Table of shapes"), {}, tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &ShapeRows::takeFile);
        dialog->open();
    });
    show();
}

void ShapeRows::setTask(const std::shared_ptr<const TaskPack>& pack)
{
    if (pack == m_pack)
        return;
    m_pack = pack;
    m_shapes = pack ? shapesOf(pack->task) : SessionShapes{};
    QStringList example;
    if (pack)
        for (const Dimension& dim : pack->task.dims)
            example << QString::number(64 * dim.multiple);
    m_typed->setPlaceholderText(example.join(u'×'));
    say({});
    m_model.showAnew(m_pack ? &m_pack->task : nullptr, m_shapes);
    show();
}

void ShapeRows::take(const std::optional<SessionShapes>& shapes)
{
    m_typed->clear();
    if (m_pack)
        replace(shapes.value_or(shapesOf(m_pack->task)));
}

void ShapeRows::read(SessionChoices& choices) const
{
    choices.shapes.reset();
    if (m_pack && m_shapes != shapesOf(m_pack->task))
        choices.shapes = m_shapes;
}

void ShapeRows::takeFile(const QString& path)
{
    if (!m_pack)
        return;
    const auto table = readTextFile(path.toStdString(), largestTable);
    const auto shapes = table ? shapesFromTable(m_pack->task, *table) : std::unexpected(table.error());
    if (shapes)
        replace(*shapes);
    else
        say(tr("%1: %2").arg(path, wordsOf(shapes.error())));
}

void ShapeRows::addTyped()
{
    if (!m_pack)
        return;
    const auto shape = oneShape(m_pack->task, m_typed->text().toStdString());
    if (!shape)
        return say(wordsOf(shape.error()));
    for (const auto* list : {&m_shapes.train, &m_shapes.heldout})
        if (std::ranges::find(*list, *shape) != list->end())
            return say(tr("%1 exists already.").arg(text(shapeText(*shape))));
    SessionShapes shapes = m_shapes;
    shapes.train.push_back(*shape);
    m_typed->clear();
    edit(shapes);
}

bool ShapeRows::takeTyped()
{
    if (m_typed->text().trimmed().isEmpty())
        return true;
    addTyped();
    if (m_typed->text().isEmpty())
        return true;
    m_typed->setFocus();
    return false;
}

void ShapeRows::setSplit(const Shape& shape, bool heldout)
{
    SessionShapes shapes = m_shapes;
    std::erase(heldout ? shapes.train : shapes.heldout, shape);
    (heldout ? shapes.heldout : shapes.train).push_back(shape);
    edit(shapes);
}

void ShapeRows::remove(const Shape& shape)
{
    const int row = m_model.rowOf(shape);
    const QModelIndex cross = m_model.index(row, static_cast<int>(TaskShapes::Column::Remove));
    const bool hadFocus = m_table->indexWidget(cross) && m_table->indexWidget(cross)->hasFocus();
    SessionShapes shapes = m_shapes;
    std::erase(shapes.train, shape);
    std::erase(shapes.heldout, shape);
    edit(shapes);
    if (!hadFocus)
        return;
    const int next = std::min(row, m_model.rowCount() - 1);
    if (next >= 0)
        m_table->indexWidget(m_model.index(next, static_cast<int>(TaskShapes::Column::Remove)))->setFocus();
    else
        m_typed->setFocus();
}

void ShapeRows::edit(const SessionShapes& shapes)
{
    say({});
    if (m_pack)
        m_model.change(m_pack->task, shapes);
    m_shapes = m_model.shapes(); // in the order of the rows: what is changed back is as it was
    show();
    Q_EMIT changed();
}

void ShapeRows::replace(const SessionShapes& shapes)
{
    say({});
    m_shapes = shapes;
    m_model.showAnew(m_pack ? &m_pack->task : nullptr, m_shapes);
    show();
    Q_EMIT changed();
}

void ShapeRows::addControls(int row)
{
    const QModelIndex split = m_model.index(row, static_cast<int>(TaskShapes::Column::Split));
    if (auto* choice = static_cast<Segments*>(m_table->indexWidget(split)))
        return choice->setCurrent(m_model.row(row).isHeldout ? 1 : 0);
    const Shape shape = m_model.row(row).shape;
    const QString name = text(shapeText(shape));
    auto* choice = new Segments(tr("Split of %1").arg(name), {tr("train"), tr("held-out")}, m_table);
    choice->setCurrent(m_model.row(row).isHeldout ? 1 : 0);
    m_table->setIndexWidget(split, choice);
    connect(choice, &Segments::chosen, this, [this, shape](int index) { setSplit(shape, index == 1); });
    auto* gone = new QToolButton(m_table);
    gone->setIcon(icon(u"x"_s, Tint::Secondary));
    gone->setAutoRaise(true);
    gone->setFocusPolicy(Qt::StrongFocus);
    gone->setAccessibleName(tr("Leave %1 out").arg(name));
    gone->setToolTip(tr("Leave this shape out"));
    m_table->setIndexWidget(m_model.index(row, static_cast<int>(TaskShapes::Column::Remove)), gone);
    connect(
        gone, &QToolButton::clicked, this, [this, shape] { remove(shape); }, Qt::QueuedConnection); // it goes itself
}

void ShapeRows::show()
{
    std::vector<QWidget*> controls;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        addControls(row);
        for (const TaskShapes::Column column : {TaskShapes::Column::Split, TaskShapes::Column::Remove})
            controls.push_back(m_table->indexWidget(m_model.index(row, static_cast<int>(column))));
    }
    tabThrough(m_table, controls);
    // In a narrow window the sizes stay whole: what a shape costs goes first, and nothing is reached by scrolling.
    const auto widthOf = [this](TaskShapes::Column column, double least) {
        for (int row = 0; row < m_model.rowCount(); ++row) {
            const QModelIndex cell = m_model.index(row, static_cast<int>(column));
            least = std::max(least, 100.0 * (m_table->sizeHintForIndex(cell).width() + px(12)) / px(100));
        }
        return least;
    };
    m_table->setColumns({{widthOf(TaskShapes::Column::Shape, 84), 0, true}, {widthOf(TaskShapes::Column::Work, 54), 2},
        {widthOf(TaskShapes::Column::Traffic, 50), 1}, {144}, {30}});
    m_table->setFixedHeight(px(headHeight) + px(rowHeight) * std::max(1, m_model.rowCount()) + 1);
    m_reset->setVisible(m_pack && m_shapes != shapesOf(m_pack->task));
    for (QWidget* one : std::initializer_list<QWidget*>{m_typed, m_add, m_file})
        one->setEnabled(m_pack != nullptr);
}

void ShapeRows::say(const QString& trouble)
{
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
    restyle(m_typed, "invalid", !trouble.isEmpty() && !m_typed->text().isEmpty());
    if (!trouble.isEmpty())
        QTimer::singleShot(0, m_trouble, [this] { bringIntoSight(); }); // once it has its place
}

void ShapeRows::bringIntoSight()
{
    for (QWidget* each = parentWidget(); each; each = each->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(each))
            return area->ensureWidgetVisible(m_trouble, 0, px(12));
}

namespace {

constexpr double leastShown = 5e5; ///< operations that three digits of GFLOP still tell

std::vector<TaskShapes::Row> rowsOf(const Task& task, const SessionShapes& shapes)
{
    std::vector<TaskShapes::Row> rows;
    for (const auto* list : {&shapes.train, &shapes.heldout})
        for (const Shape& shape : *list)
            rows.push_back({shape, task.flopsOf(shape), task.bytesOf(shape), list == &shapes.heldout});
    return rows;
}

const TaskShapes::Row* rowIn(const std::vector<TaskShapes::Row>& rows, const Shape& shape)
{
    const auto found = std::ranges::find(rows, shape, &TaskShapes::Row::shape);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

void TaskShapes::showAnew(const Task* task, const SessionShapes& shapes)
{
    QStringList names;
    if (task)
        for (const Dimension& dimension : task->dims)
            names << text(dimension.name);
    beginResetModel();
    m_dims = names.join(u'×');
    m_rows = task ? rowsOf(*task, shapes) : std::vector<Row>();
    endResetModel();
}

void TaskShapes::change(const Task& task, const SessionShapes& shapes)
{
    const std::vector<Row> wanted = rowsOf(task, shapes);
    for (int row = rowCount() - 1; row >= 0; --row) {
        const Row* same = rowIn(wanted, m_rows[static_cast<std::size_t>(row)].shape);
        if (same) {
            m_rows[static_cast<std::size_t>(row)] = *same;
            continue;
        }
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    for (const Row& each : wanted) {
        if (rowIn(m_rows, each.shape))
            continue;
        beginInsertRows({}, rowCount(), rowCount());
        m_rows.push_back(each);
        endInsertRows();
    }
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

SessionShapes TaskShapes::shapes() const
{
    SessionShapes shapes;
    for (const Row& row : m_rows)
        (row.isHeldout ? shapes.heldout : shapes.train).push_back(row.shape);
    return shapes;
}

int TaskShapes::rowOf(const Shape& shape) const
{
    const Row* found = rowIn(m_rows, shape);
    return found ? static_cast<int>(found - m_rows.data()) : -1;
}

int TaskShapes::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TaskShapes::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant TaskShapes::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Work || column == Column::Traffic ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && column == Column::Split)
        return row.isHeldout ? tr("held-out") : tr("train");
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return text(shapeText(row.shape));
    case Column::Work:
        return row.flops < leastShown ? u"< 0.001"_s : u"%1"_s.arg(row.flops / 1e9, 0, 'f', 3);
    case Column::Traffic:
        return u"%1"_s.arg(row.bytes / 1048576.0, 0, 'f', 2);
    case Column::Split: // a switch stands there
    case Column::Remove:
    case Column::Count:
        break;
    }
    return {};
}

QVariant TaskShapes::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant(column == Column::Work || column == Column::Traffic ? Qt::AlignRight | Qt::AlignVCenter
                                                                            : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Shape:
        return m_dims.isEmpty() ? tr("Shape") : m_dims;
    case Column::Work:
        return tr("GFLOP");
    case Column::Traffic:
        return tr("MiB");
    case Column::Split:
        return tr("Split");
    case Column::Remove:
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
