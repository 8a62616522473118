// SPDX-License-Identifier: GPL-3.0-or-later
// The first screen: what a crash left, the demo, a place for one's own files, the projects of before or the way through
// one, what is new.
#pragma once

#include "ui/pages/contract/page.h"

class QFrame;

namespace roundpipe::ui::widgets {
class Card;
}

namespace roundpipe::ui::pages {

class InterruptedOffer;

class StartPage : public Page {
    Q_OBJECT
public:
    explicit StartPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override { return {}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildDemo();
    QWidget* buildDrop();
    QWidget* buildRecent();
    QWidget* buildWay();
    QWidget* buildNews();
    QWidget* buildMachine();
    QPushButton* makeWay(theme::Icon icon, const QString& name, const QString& words, const QString& page,
                         const QString& field = {});
    void trainDemo();
    void showRecent();
    void showRoom();
    void showDragging(bool isOver);

    InterruptedOffer* m_interrupted;
    QFrame* m_drop = nullptr;
    widgets::Card* m_recent = nullptr;
    widgets::Card* m_way = nullptr;    // in its place where there is none, beside it where there is room
    QWidget* m_beforeRecent = nullptr; // as Tab goes
    bool m_startsWhenLoaded = false;   // Train was clicked before the engine was there
};

} // namespace roundpipe::ui::pages
