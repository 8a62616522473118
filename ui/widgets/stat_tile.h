// SPDX-License-Identifier: GPL-3.0-or-later
// One number that matters: a caption, and below it the value with what goes with it. The value is never cut off; what
// goes with it is elided where a row of tiles has no room for all, and its tool tip has it in full.
#pragma once

#include <QWidget>

class QLabel;

namespace roundpipe::ui::widgets {

class ElidedLabel;

class StatTile : public QWidget {
    Q_OBJECT
public:
    explicit StatTile(const QString& caption, QWidget* parent = nullptr);
    void set(const QString& value, const QString& detail = {});
    int fullWidth() const;          // with all that it says
    void setIsWhole(bool wantsAll); // its least width is that: its row has room

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    int widthWith(int besideValue) const;
    void makeRoom();

    QLabel* m_caption;
    QLabel* m_value;
    ElidedLabel* m_detail;
    bool m_isWhole = false;
};

} // namespace roundpipe::ui::widgets
