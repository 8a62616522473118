// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tile_row.h"

#include "ui/widgets/stat_tile.h"

#include <QEvent>
#include <QHBoxLayout>

namespace roundpipe::ui::widgets {

TileRow::TileRow(const std::vector<Place>& places, QWidget* parent) : Card({}, parent) {
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    for (const Place& place : places) {
        if (row->count() > 0) {
            auto* line = new QFrame;
            line->setObjectName(QStringLiteral("column"));
            line->setFixedWidth(1);
            row->addWidget(line);
        }
        row->addWidget(place.tile, place.share);
        m_tiles.push_back(place.tile);
    }
    body()->setContentsMargins(2, 4, 2, 4);
    body()->addLayout(row);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // what is whole now keeps no window from getting narrower
}

// Each tile has its share of the width; where that is too little for one and the row has enough for all, the others
// give way.
void TileRow::arrange() {
    const QMargins margins = body()->contentsMargins();
    int needed = margins.left() + margins.right() + static_cast<int>(m_tiles.size()) + 1; // the lines, the frame
    for (const StatTile* tile : m_tiles)
        needed += tile->fullWidth();
    for (StatTile* tile : m_tiles)
        tile->setIsWhole(needed <= width());
}

bool TileRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) arrange();
    return Card::event(event);
}

void TileRow::resizeEvent(QResizeEvent* event) {
    arrange();
    Card::resizeEvent(event);
}

} // namespace roundpipe::ui::widgets
