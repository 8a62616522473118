// The lanes with their ruler, and every gesture on them.
#pragma once

#include "ui/timeline/hit_test.h"
#include "ui/timeline/overlay.h"

#include <qcustomplot.h>

#include <functional>

namespace roundpipe::ui::timeline {

// Wheel: zoom about the cursor. Shift+wheel and sideways wheel: pan. Drag: pan. Shift+drag, or a drag on the ruler:
// select a range. Double click: zoom to the slice, or to the selection. Keys: W S zoom, A D pan, 0 fits, L follows, Esc
// clears the selection.
class TimelinePlot : public QCustomPlot {
    Q_OBJECT
public:
    using LayerNames = std::function<QString(LayerId)>;

    explicit TimelinePlot(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    // The store must live as long as the plot, or until another is set; null: nothing to show.
    void setStore(const trace::LaneStore* store);
    void setLayerNames(LayerNames names) { m_layerNames = std::move(names); }
    void dataArrived();  // the store has grown: follow it if following
    void lanesChanged(); // the store has other lanes now: start over
    void setScroll(int pixels);

    const Scene& scene() const { return m_scene; }
    bool isFollowing() const { return m_following; }
    std::optional<TimeRange> selection() const { return m_pointer.selection; }
    static int rulerHeight() { return 24; }

public slots:
    void setFollowing(bool following);
    void fit();
    void zoomBy(double factor); // about the middle
    void clearSelection();

signals:
    void viewChanged();
    void selectionChanged();
    void followingChanged(bool following);
    void layoutChanged();
    void scrollRequested(int pixels); // Alt+wheel over the lanes

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Drag { kNone, kPan, kSelect };

    void applyTheme();
    void applyView(); // after the viewport has changed
    void relayout();
    void updateBounds();
    void hover(const QPoint& position);
    void showTooltip(const QPoint& globalPosition, LaneId lane, const Hit& hit);
    void selectTo(int x);

    const theme::ThemeManager& m_themes;
    trace::LaneStore m_empty;
    Scene m_scene;
    Pointer m_pointer;
    LayerNames m_layerNames;
    bool m_following = true;
    bool m_userZoomed = false; // else following shows the last few steps
    Drag m_drag = Drag::kNone;
    QPoint m_dragStart; // global, so that what moves under the mouse doesn't feed back
    int m_dragLastX = 0;
    int m_pressX = 0;                  // in the plot
    std::optional<int64_t> m_anchorNs; // where the range being selected began
};

} // namespace roundpipe::ui::timeline
