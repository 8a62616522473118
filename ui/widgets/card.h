// SPDX-License-Identifier: GPL-3.0-or-later
// A framed area with a title, the building block of pages.
#pragma once

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace roundpipe::ui::widgets {

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr); // without a title there is no title row
    void setTitle(const QString& title);                                 // of one that has a title row
    QVBoxLayout* body() const { return m_body; }
    QHBoxLayout* titleRow() const { return m_titleRow; } // for controls at its right

private:
    QLabel* m_title = nullptr;
    QHBoxLayout* m_titleRow = nullptr;
    QVBoxLayout* m_body = nullptr;
};

} // namespace roundpipe::ui::widgets
