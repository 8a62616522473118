// SPDX-License-Identifier: GPL-3.0-or-later
// The models that were found, as a table: what each is, and whether it can be trained here.
#pragma once

#include "arch/model_folder.h"
#include "ui/widgets/pill.h"

#include <QAbstractTableModel>

#include <memory>
#include <utility>
#include <vector>

namespace roundpipe::ui::pages {

using ModelFact = std::pair<QString, QString>; // its name, and what it is

// What a planner said of a model on this rig.
struct ModelVerdict {
    enum class Kind { kUnknown, kFits, kDoesNotFit };
    Kind kind = Kind::kUnknown;
    QString text; // "2.85 s a step, 8.6 k tokens/s", or why not

    // Of one that fits alone:
    QString rig = {};                  // "4 × RTX 4090, PCIe 4.0 x8"
    std::vector<ModelFact> facts = {}; // what a step takes
    QString outline = {};              // how the model is cut

    QString brief = {}; // of one that does not: what it lacks most
};

class ModelList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kName, kParameters, kSize, kVerdict, kNumColumns };
    using QAbstractTableModel::QAbstractTableModel;

    void clear();
    void add(std::shared_ptr<const arch::ModelFolder> model, bool isCached);
    void setVerdict(int row, ModelVerdict verdict);
    const arch::ModelFolder& at(int row) const { return *m_rows[static_cast<std::size_t>(row)].model; }
    const ModelVerdict& verdictOf(int row) const { return m_rows[static_cast<std::size_t>(row)].verdict; }
    bool isCached(int row) const { return m_rows[static_cast<std::size_t>(row)].isCached; }
    int rowOf(const std::string& path) const; // -1: not found

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::shared_ptr<const arch::ModelFolder> model;
        bool isCached = false;
        ModelVerdict verdict;
    };
    QString textOf(const Row& row, int column, bool isWhole) const;
    static widgets::Tone toneOf(const Row& row);

    std::vector<Row> m_rows;
};

// "Qwen3 · 40,960 tokens · bf16 · apache-2.0"; of a folder that can't be read nothing.
QString outlineOf(const arch::ModelFolder& model);

} // namespace roundpipe::ui::pages
