// SPDX-License-Identifier: GPL-3.0-or-later
// One line of plain text; where there is no room for it the first of some shorter ones that has, or the last of them
// ending in …; the tool tip then has it in full. Where no more than two letters have room, nothing is shown.
#pragma once

#include <QLabel>
#include <QStringList>

namespace roundpipe::ui::widgets {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text, const QStringList& shorter = {}); // the longer first
    const QString& fullText() const { return m_full; }
    // Of the full text, for a layout that gives it no more; by default it takes what there is.
    QSize sizeHint() const override;
    int widthWithin(int room) const; // that what is shown in so much room takes, in pixels

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString shownIn(int room) const;
    void elide();

    QString m_full;
    QStringList m_shorter;
};

} // namespace roundpipe::ui::widgets
