// SPDX-License-Identifier: GPL-3.0-or-later
// What a dataset comes to, in five numbers.
#pragma once

#include "ui/widgets/tile_row.h"

namespace roundpipe::session {
struct DatasetReport;
struct RunSpec;
} // namespace roundpipe::session

namespace roundpipe::ui::pages {

class DatasetTiles : public widgets::TileRow {
    Q_OBJECT
public:
    explicit DatasetTiles(QWidget* parent = nullptr);
    void show(const session::DatasetReport& report, const session::RunSpec& spec);
    void clear(); // nothing of the rows before

private:
    struct Tiles {
        widgets::StatTile* used;
        widgets::StatTile* split;
        widgets::StatTile* tokens;
        widgets::StatTile* trained;
        widgets::StatTile* length;
    };
    DatasetTiles(const Tiles& tiles, QWidget* parent);

    Tiles m_tiles;
};

} // namespace roundpipe::ui::pages
