// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrapping_row.h"

#include <algorithm>

namespace roundpipe::ui::widgets {

WrappingRow::WrappingRow(int spacing, QWidget* parent) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

WrappingRow::~WrappingRow() = default;

void WrappingRow::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* WrappingRow::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrappingRow::takeAt(int index) {
    if (itemAt(index) == nullptr) return nullptr;
    const auto taken = m_items.begin() + index;
    QLayoutItem* item = taken->release();
    m_items.erase(taken);
    return item;
}

QSize WrappingRow::sizeHint() const {
    QSize size(-spacing(), 0);
    for (const auto& item : m_items)
        size = QSize(size.width() + spacing() + item->sizeHint().width(),
                     std::max(size.height(), item->sizeHint().height()));
    return size.expandedTo({0, 0});
}

QSize WrappingRow::minimumSize() const {
    QSize size(0, 0);
    for (const auto& item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size;
}

int WrappingRow::heightForWidth(int width) const {
    int height = 0;
    for (const QRect& place : placesIn(width))
        height = std::max(height, place.y() + place.height());
    return height;
}

std::vector<QRect> WrappingRow::placesIn(int width) const {
    const int spare = width - sizeHint().width();
    std::vector<QRect> places;
    QPoint at;
    int lineHeight = 0;
    for (const auto& item : m_items) {
        const QSize size = item->sizeHint();
        if (at.x() > 0 && at.x() + size.width() > width) {
            at = {0, at.y() + lineHeight + spacing()};
            lineHeight = 0;
        }
        places.emplace_back(at, size);
        at.rx() += size.width() + spacing() + (places.size() == 1 ? std::max(0, spare) : 0);
        lineHeight = std::max(lineHeight, size.height());
    }
    for (QRect& place : places) // what is lower than its line stands in the middle of it
        for (const QRect& other : places)
            if (other.y() == place.y() && other.height() > place.height()) place.setHeight(other.height());
    return places;
}

void WrappingRow::setGeometry(const QRect& place) {
    QLayout::setGeometry(place);
    const std::vector<QRect> places = placesIn(place.width());
    for (std::size_t i = 0; i < places.size(); ++i)
        m_items[i]->setGeometry(places[i].translated(place.topLeft()));
}

} // namespace roundpipe::ui::widgets
