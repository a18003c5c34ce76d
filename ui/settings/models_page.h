// SPDX-License-Identifier: GPL-3.0-or-later
// Settings ▸ Models: endpoints and models at the left, the chosen one at the right. GUI thread.
#pragma once

#include "ui/settings/model_bench.h"
#include "ui/settings/models_book.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace tilewright::ui {

class EndpointCard;
class FormGrid;
class ModelCard;

class ModelsPage : public QWidget
{
    Q_OBJECT

public:
    /// The book must outlive the page.
    explicit ModelsPage(ModelsBook& book, QWidget* parent = nullptr);

    ModelBench& bench() { return m_bench; }
    void choose(const DraftEntry& entry);
    /// The fields that are shown where the limits are chosen.
    QWidget& limits() { return *m_limitsCard; }
    DraftEntry chosen() const { return m_chosen; }
    /// As the menu of templates does.
    void addEndpoint(const QString& templateName);

Q_SIGNALS:
    /// Something of it is to be seen.
    void asked();

private:
    QWidget* buildSide();
    QWidget* buildNothing();
    QWidget* buildBroken();
    QWidget* buildClash();
    QWidget* buildLimits();
    QWidget* buildFooter();
    void fill();
    void refresh();
    void showCard(const QWidget* card);
    void addModel(const QString& served);
    void remove();
    void duplicate();

    ModelsBook& m_book;
    ModelBench m_bench;
    DraftEntry m_chosen;
    QTreeWidget* m_tree;
    QWidget *m_nothing, *m_broken, *m_clash, *m_limitsCard;
    QLabel *m_title, *m_about, *m_brokenWords, *m_clashWords;
    QPushButton* m_takeTheirs;
    QPushButton *m_add, *m_moveAside;
    EndpointCard* m_endpoint;
    ModelCard* m_model;
    FormGrid* m_limits;
    QPushButton *m_remove, *m_duplicate, *m_undo, *m_redo;
    QLabel* m_saved;
    bool m_filling = false;
};

} // namespace tilewright::ui
