// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a table whose waiting runs are moved by dragging.
#pragma once

#include "ui/pages/queue/line_rows.h"
#include "ui/theme/theme_manager.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::ui::pages {

class LineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kName, kState, kModel, kRows, kSettings, kTime, kNumber, kNumColumns };

    explicit LineModel(const theme::ThemeManager& themes, QObject* parent = nullptr);
    // Resets only where other runs stand there, or in another order.
    void setRows(std::vector<LineRow> rows, const std::vector<queue::QueuedRun>& waiting);
    const std::vector<LineRow>& rows() const { return m_rows; }
    const LineRow& row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(int64_t number) const; // -1: it is not there

    // Where a waiting run goes that is to stand `by` places later in its line (earlier: negative), or as far as it
    // goes; nothing: it stands there already.
    struct Target {
        std::optional<int64_t> before; // nothing: the end of the whole queue
    };
    std::optional<Target> targetOf(int64_t number, int by) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override; // moves nothing: moveWanted()

signals:
    void moveWanted(const std::vector<int64_t>& numbers, const std::optional<int64_t>& before);

private:
    QString textAt(const LineRow& row, int column) const;
    std::vector<int64_t> waitingIn(int line) const;
    std::optional<int64_t> following(int64_t number) const; // in the whole queue
    std::optional<Target> targetOfDrop(int row) const;

    const theme::ThemeManager& m_themes;
    std::vector<LineRow> m_rows;
    std::vector<int64_t> m_waiting; // numbers, in the order of the whole queue
};

} // namespace roundpipe::ui::pages
