// SPDX-License-Identifier: GPL-3.0-or-later
// All runs as a table; those that are compared have a mark and a line style of their own.
#pragma once

#include "runs/stored_run.h"
#include "ui/theme/theme_manager.h"

#include <QAbstractTableModel>

#include <filesystem>
#include <vector>

namespace roundpipe::ui::pages {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kCompared, kName, kStarted, kState, kSteps, kValidation, kSpeed, kTook, kSize, kNumColumns };
    static constexpr int kSortRole = Qt::UserRole;

    explicit RunsModel(const theme::ThemeManager& themes, QObject* parent = nullptr);
    void setRuns(std::vector<runs::StoredRun> runs); // those that are compared stay so
    const std::vector<runs::StoredRun>& runs() const { return m_runs; }
    const runs::StoredRun& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }

    // Folders in the order in which they were marked, which is that of their line styles.
    const std::vector<std::filesystem::path>& compared() const { return m_compared; }
    void setCompared(int row, bool compared);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void comparedChanged();
    void renamed(const roundpipe::runs::StoredRun& run, const QString& name); // by the user, not done yet

private:
    int styleOf(const runs::StoredRun& run) const; // -1: not compared
    QString textAt(const runs::StoredRun& run, int column) const;
    QVariant sortKeyAt(const runs::StoredRun& run, int column) const;
    QVariant decorationAt(const runs::StoredRun& run, int column) const;

    const theme::ThemeManager& m_themes;
    std::vector<runs::StoredRun> m_runs;
    std::vector<std::filesystem::path> m_compared;
};

} // namespace roundpipe::ui::pages
