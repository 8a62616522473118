// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in which runs differ, and what came out, a column for each run.
#pragma once

#include "ui/bridge/run_library_controller.h"

#include <QTableWidget>

#include <memory>
#include <vector>

namespace roundpipe::ui::pages {

class DifferencesTable : public QTableWidget {
    Q_OBJECT
public:
    using Details = std::shared_ptr<const bridge::RunDetails>;

    explicit DifferencesTable(QWidget* parent = nullptr);
    void compare(const std::vector<Details>& runs);
    int numDifferent() const { return m_numDifferent; } // settings

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeColumns();
    // Values that are not the first one's are bold.
    void addRow(const QString& title, const QStringList& values, const QString& toolTip = {});
    void addHeading(const QString& text);

    int m_numDifferent = 0;
};

} // namespace roundpipe::ui::pages
