// SPDX-License-Identifier: GPL-3.0-or-later
// What came of the runs that have left the queue, as a table.
#pragma once

#include "ui/bridge/queue_controller.h"
#include "ui/theme/theme_manager.h"

#include <QAbstractTableModel>

#include <vector>

namespace roundpipe::ui::pages {

class ResultsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kName, kState, kValidation, kLoss, kSpeed, kTook, kStarted, kNumColumns };
    static constexpr int kSortRole = Qt::UserRole;

    explicit ResultsModel(const theme::ThemeManager& themes, QObject* parent = nullptr);
    void setRuns(std::vector<bridge::QueueView::Begun> runs); // resets only where others stand there
    const bridge::QueueView::Begun& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // Why it failed, or what else its state deserves; empty: nothing.
    static QString problemOf(const bridge::QueueView::Begun& run);

private:
    QString textAt(const bridge::QueueView::Begun& begun, int column) const;
    QVariant sortKeyAt(const bridge::QueueView::Begun& begun, int column) const;

    const theme::ThemeManager& m_themes;
    std::vector<bridge::QueueView::Begun> m_runs;
};

} // namespace roundpipe::ui::pages
