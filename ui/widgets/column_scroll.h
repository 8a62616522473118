// SPDX-License-Identifier: GPL-3.0-or-later
// A column of cards that scrolls where the window is low.
#pragma once

#include <QScrollArea>

namespace roundpipe::ui::widgets {

// Its bar stands in a gutter at its right, which is there without the bar too: cards keep their width, and their edges
// line up with what does not scroll. Who lays it out lets it reach that far into the margin.
class ColumnScroll : public QScrollArea {
    Q_OBJECT
public:
    static constexpr int kGutter = 14;

    explicit ColumnScroll(QWidget* content, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the bar comes and goes
};

} // namespace roundpipe::ui::widgets
