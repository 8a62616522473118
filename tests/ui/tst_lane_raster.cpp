// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/lane_raster.h"

#include <QPainter>
#include <QTest>

#include <random>

using roundpipe::ui::timeline::LaneRaster;

// Against a painter that is asked for the same, pixel by pixel.
class TestLaneRaster : public QObject {
    Q_OBJECT

    static constexpr QRect kArea{0, 42, 400, 150};
    static constexpr QRgb kTint = 0x0a223344;

    static QImage ground(double ratio) {
        QImage image(QSize(400, 200) * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        image.fill(QColor(0x20, 0x24, 0x2b));
        QPainter painter(&image);
        for (int x = 13; x < 400; x += 70)
            painter.fillRect(x, kArea.top(), 1, kArea.height(), QColor(0x50, 0x55, 0x60));
        return image;
    }

private slots:
    void blocksAreThoseOfAPainter_data() {
        QTest::addColumn<double>("ratio");
        for (const double ratio : {1.0, 1.25, 1.5, 2.0})
            QTest::newRow(qPrintable(QString::number(ratio))) << ratio;
    }
    void blocksAreThoseOfAPainter() {
        QFETCH(const double, ratio);
        QImage expected = ground(ratio);
        QImage image = expected;
        QPainter painter(&expected), ours(&image);
        painter.setClipRect(kArea);
        LaneRaster raster;
        raster.begin(ours, kArea);
        raster.tintGround(QColor::fromRgba(kTint));
        std::mt19937 random(3);
        for (int top = 30; top < 210; top += 27) { // the first and the last reach out of the area
            const QRect place(0, top, 400, 24);
            painter.fillRect(place, QColor::fromRgba(kTint));
            raster.moveTo(place);
            raster.takeGround();
            for (int left = -8; left < 400; left += 1 + static_cast<int>(random() % 20)) {
                const int right = left + 1 + static_cast<int>(random() % 12);
                const QRgb colour = 0xff000000 | random();
                painter.fillRect(QRect(left, top, right - left, place.height()), QColor(colour));
                raster.fill(colour, left, right);
            }
            raster.writeAll();
        }
        QCOMPARE(image, expected);
    }

    void nothingIsWrittenOnWhatIsNoSuchImage() {
        QImage image(100, 100, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        const QImage before = image;
        QPainter painter(&image);
        LaneRaster raster;
        raster.begin(painter, {0, 0, 100, 100});
        QCOMPARE(raster.width(), 0);
        raster.moveTo({0, 10, 100, 20});
        raster.takeGround();
        raster.fill(0xffffffff, 0, 50);
        raster.writeAll();
        QCOMPARE(image, before);
    }
};

QTEST_MAIN(TestLaneRaster)
#include "tst_lane_raster.moc"
