// The first screen: the demo, a place for one's own files, and the projects of before.
#pragma once

#include "ui/pages/contract/page.h"

class QFrame;

namespace roundpipe::ui::pages {

class StartPage : public Page {
    Q_OBJECT
public:
    explicit StartPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override { return {}; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* buildDemo();
    QWidget* buildDrop();
    QWidget* buildRecent();
    void trainDemo();
    void showRecent();
    void showDragging(bool isOver);

    QFrame* m_drop = nullptr;
    QFrame* m_recent = nullptr;
    bool m_startsWhenLoaded = false; // Train was clicked before the engine was there
};

} // namespace roundpipe::ui::pages
