// A framed area with a title, the building block of pages.
#pragma once

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QVBoxLayout;

namespace roundpipe::ui::widgets {

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr); // without a title there is no title row
    QVBoxLayout* body() const { return m_body; }
    QHBoxLayout* titleRow() const { return m_titleRow; } // for controls at its right

private:
    QHBoxLayout* m_titleRow = nullptr;
    QVBoxLayout* m_body = nullptr;
};

} // namespace roundpipe::ui::widgets
