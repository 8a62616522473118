// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces in numbers: what each measure is in the one and in the other, and the difference.
#pragma once

#include "trace/analysis/comparison.h"
#include "ui/theme/theme_manager.h"

#include <QTableWidget>

namespace roundpipe::ui::timeline {

class ComparisonTable : public QTableWidget {
    Q_OBJECT
public:
    explicit ComparisonTable(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    // `deviceNames` by DeviceId.
    void set(std::vector<trace::Measure> measures, const QString& first, const QString& second,
             std::vector<std::string> deviceNames);
    int neededWidth() const; // that every column is whole

private:
    void fill();
    QString nameOf(const trace::Measure& measure) const;

    const theme::ThemeManager& m_themes;
    std::vector<trace::Measure> m_measures;
    std::vector<std::string> m_deviceNames;
};

} // namespace roundpipe::ui::timeline
