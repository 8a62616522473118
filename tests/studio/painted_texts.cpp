// SPDX-License-Identifier: GPL-3.0-or-later
#include "painted_texts.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QLabel>
#include <QPaintEngine>
#include <QWidget>

#include <qcustomplot.h>

#include <vector>

namespace roundpipe::testing {
namespace {

struct Painted {
    QString text;
    QRectF place; // of what is ink: lines that stand close are not over each other
};

// Takes down the words that are painted and lets all else go.
class Listener final : public QPaintEngine {
public:
    explicit Listener(std::vector<Painted>& heard) : QPaintEngine(AllFeatures), m_heard(heard) {}
    Type type() const override { return User; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        if (item.text().trimmed().isEmpty()) return;
        const QRectF ink(at.x(), at.y() - 0.7 * item.ascent(), item.width(), 0.75 * item.ascent());
        m_heard.push_back({item.text().trimmed(), painter()->deviceTransform().mapRect(ink)});
    }

private:
    std::vector<Painted>& m_heard;
};

class Paper final : public QPaintDevice {
public:
    explicit Paper(const QWidget& like) : m_like(like), m_listener(m_heard) {}
    QPaintEngine* paintEngine() const override { return &m_listener; }
    const std::vector<Painted>& heard() const { return m_heard; }

protected:
    int metric(PaintDeviceMetric which) const override {
        switch (which) {
        case PdmWidth:
            return m_like.width();
        case PdmHeight:
            return m_like.height();
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_like.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_like.logicalDpiY();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return 0;
        }
    }

private:
    const QWidget& m_like;
    std::vector<Painted> m_heard;
    mutable Listener m_listener;
};

std::vector<Painted> paintedBy(QWidget& widget) {
    Paper paper(widget);
    if (auto* plot = qobject_cast<QCustomPlot*>(&widget)) {
        QCPPainter painter(&paper);
        painter.setMode(QCPPainter::pmNoCaching); // else numbers at axes are pictures
        plot->toPainter(&painter, plot->width(), plot->height());
    } else {
        widget.render(&paper, {}, {}, QWidget::RenderFlags());
    }
    return paper.heard();
}

// What scrolls with the lanes shows parts of words.
bool paintsItself(const QWidget& widget) {
    const QLatin1String name(widget.metaObject()->className());
    return name.startsWith(QLatin1String("roundpipe::ui::")) && !name.endsWith(QLatin1String("::TimelinePlot")) &&
           !name.endsWith(QLatin1String("::LaneHeader")) && qobject_cast<const QLabel*>(&widget) == nullptr &&
           qobject_cast<const QAbstractButton*>(&widget) == nullptr &&
           qobject_cast<const QAbstractScrollArea*>(&widget) == nullptr;
}

void compare(QStringList& found, QWidget& widget) {
    const QString name = QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1);
    const std::vector<Painted> texts = paintedBy(widget);
    const QRectF inside = QRectF(widget.rect()).adjusted(-1, -1, 1, 1);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!inside.contains(texts[i].place))
            found += QStringLiteral("%1 paints “%2” beyond its edge").arg(name, texts[i].text);
        for (std::size_t j = 0; j < i; ++j) {
            const QRectF both = texts[i].place & texts[j].place;
            if (both.width() > 2 && both.height() > 2)
                found += QStringLiteral("%1 paints “%2” over “%3”").arg(name, texts[i].text, texts[j].text);
        }
    }
}

} // namespace

QStringList paintedWords(QWidget& widget) {
    QStringList words;
    for (const Painted& one : paintedBy(widget))
        words += one.text;
    return words;
}

QStringList paintedOver(QWidget& window) {
    QStringList found;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && paintsItself(*widget)) compare(found, *widget);
    if (paintsItself(window)) compare(found, window);
    found.removeDuplicates();
    return found;
}

} // namespace roundpipe::testing
