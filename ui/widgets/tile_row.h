// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that matter on a page, beside each other in one card.
#pragma once

#include "ui/widgets/card.h"

#include <vector>

namespace roundpipe::ui::widgets {

class StatTile;

class TileRow : public Card {
    Q_OBJECT
public:
    struct Place {
        StatTile* tile;
        int share; // of the width: by what each has to say, once each has what its value needs
    };
    explicit TileRow(const std::vector<Place>& places, QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::vector<StatTile*> m_tiles;
};

} // namespace roundpipe::ui::widgets
