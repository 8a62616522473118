// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets side by side that go on in another line where there is no room for all of them.
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace roundpipe::ui::widgets {

// On one line the first widget, a title, stands at the left and the others at the right; else all flow from the left.
// Needs no more width than its widest widget.
class WrappingRow : public QLayout {
    Q_OBJECT
public:
    explicit WrappingRow(int spacing, QWidget* parent = nullptr);
    ~WrappingRow() override;

    void addItem(QLayoutItem* item) override; // takes it
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override; // on one line
    QSize minimumSize() const override;
    void setGeometry(const QRect& place) override;

private:
    std::vector<QRect> placesIn(int width) const; // of the items, from the upper left corner

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace roundpipe::ui::widgets
