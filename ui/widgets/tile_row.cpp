#include "ui/widgets/tile_row.h"

#include "ui/widgets/stat_tile.h"

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
    }
    body()->setContentsMargins(2, 4, 2, 4);
    body()->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

} // namespace roundpipe::ui::widgets
