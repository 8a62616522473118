// SPDX-License-Identifier: GPL-3.0-or-later
// One line of plain text that ends in … where there is no room for it; the tool tip has it in full. Where
// no more than two letters have room, nothing is shown.
#pragma once

#include <QLabel>

namespace roundpipe::ui::widgets {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    const QString& fullText() const { return m_full; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();

    QString m_full;
};

} // namespace roundpipe::ui::widgets
