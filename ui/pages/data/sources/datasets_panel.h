// SPDX-License-Identifier: GPL-3.0-or-later
// The project's datasets: what each holds, and how much an epoch takes of it. The current one is Document::dataset().
#pragma once

#include "session/workbench.h"
#include "ui/document/document.h"
#include "ui/widgets/card.h"

#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace roundpipe::ui::pages {

class DatasetsPanel : public widgets::Card {
    Q_OBJECT
public:
    explicit DatasetsPanel(document::Document& document, QWidget* parent = nullptr);
    void setReport(std::shared_ptr<const session::DatasetReport> report); // null: nothing is known of the rows

signals:
    void datasetWanted(); // one more

private:
    void buildTree();
    void buildSettings();
    void connectSettings();
    void showAll();
    void showList();
    void showSettings();
    QStringList cellsOf(std::size_t dataset) const;
    const batch::DatasetLengths* trainingOf(std::size_t dataset) const; // null: not known
    void chooseShare();
    void remove();

    document::Document& m_document;
    std::shared_ptr<const session::DatasetReport> m_report;
    QTreeWidget* m_tree;
    QPushButton* m_add;
    QPushButton* m_remove;
    QComboBox* m_share;
    QDoubleSpinBox* m_amount;
    QDoubleSpinBox* m_maxRows;
    QComboBox* m_subset;
    QLabel* m_epoch; // what an epoch takes of the current one
};

} // namespace roundpipe::ui::pages
