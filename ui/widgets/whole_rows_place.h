// SPDX-License-Identifier: GPL-3.0-or-later
// Room for a table with rows of one height, of which it takes what whole rows need: half of one would look cut off.
#pragma once

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace roundpipe::ui::widgets {

class WholeRowsPlace : public QWidget {
public:
    explicit WholeRowsPlace(QTableView& table) : m_table(table) {
        table.setParent(this);
        setSizePolicy(table.sizePolicy());
    }
    QSize sizeHint() const override { return m_table.sizeHint(); }
    QSize minimumSizeHint() const override { return m_table.minimumSizeHint(); }

protected:
    void resizeEvent(QResizeEvent*) override {
        const int around = 2 * m_table.frameWidth() + m_table.horizontalHeader()->sizeHint().height();
        const int row = m_table.verticalHeader()->defaultSectionSize();
        const int rest = std::max(height() - around, 0) % row;
        const bool isSeen = m_table.viewport()->rect().contains(m_table.visualRect(m_table.currentIndex()));
        m_table.setGeometry(0, 0, width(), height() - (row - rest > kMarginOfRow ? rest : 0));
        if (isSeen) m_table.scrollTo(m_table.currentIndex()); // stays so in a lower one
    }

private:
    static constexpr int kMarginOfRow = 4; // pixels below its text, without which it looks whole

    QTableView& m_table;
};

} // namespace roundpipe::ui::widgets
