// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline with everything around it: lane names, controls, legend, statistics.
#pragma once

#include "trace/analysis/statistics.h"
#include "ui/timeline/plot/timeline_plot.h"
#include "ui/widgets/card.h"

#include <QTimer>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QScrollArea;
class QScrollBar;
class QToolButton;

namespace roundpipe::ui::timeline {

class LaneHeader;
class Minimap;
class PinPanel;
class RangePanel;

class TimelineView : public widgets::Card {
    Q_OBJECT
public:
    explicit TimelineView(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    TimelinePlot& plot() const { return *m_plot; }
    void setName(const QString& name);       // beside the title: whose timeline it is
    void setStill();                         // of a trace that grows no more: nothing is to be followed
    void hideControls();                     // of a picture, in which nothing can be clicked
    int spareHeight() const;                 // that neither lanes nor numbers take
    void setNumbersShown(bool shown);        // the panel with the numbers of a range, where there is room
    void setNumDropped(uint64_t numDropped); // shown when not 0
    // Of what is selected, else of what is on show, as they were counted last: in a thread of its own, a moment after
    // the view has moved.
    const trace::RangeStatistics& statistics() const;
    void updateStatistics();                                                      // counts them now
    void showStatistics(const trace::RangeStatistics& statistics, bool selected); // that somebody else has counted

signals:
    void counted();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the search field

private:
    void buildControls();
    void buildFollowButtons();
    QWidget* buildPanels();
    QWidget* buildLegend(const theme::ThemeManager& themes);
    void search(bool forwards);
    void showSearch(const QString& text);
    void showFollow();
    void showPanels();
    void showRoom();
    void updateScrollBar();

    TimelinePlot* m_plot;
    LaneHeader* m_header;
    Minimap* m_minimap;
    RangePanel* m_panel;
    PinPanel* m_pinPanel;
    QWidget* m_panels = nullptr; // holds both
    QScrollArea* m_panelScroll = nullptr;
    QScrollArea* m_pinScroll = nullptr;
    QScrollBar* m_scrollBar;
    QButtonGroup* m_follow = nullptr; // ids: Follow
    QLineEdit* m_search = nullptr;
    QToolButton* m_behind = nullptr;
    QLabel* m_name;
    bool m_numbersShown = true;
    QLabel* m_dropped = nullptr;
    QToolButton* m_plan = nullptr;
    QLabel* m_searchSays = nullptr;
    QTimer m_statisticsTimer; // a few times a second at most, however fast the view moves
    QTimer m_slowCount;       // runs out where an answer takes so long that it must be said
    QTimer m_slowSearch;
    bool m_countAgain = false; // the view has moved on while it is being counted
    NewestQuestion m_count{*this};
};

} // namespace roundpipe::ui::timeline
