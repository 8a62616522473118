// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/demo_picture.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <vector>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMostHeight = 640;
constexpr int kRoomForEight = 320;  // devices
constexpr double kRoomForText = 28; // in a lane

struct PictureTurn {
    trace::Kind kind;
    double length; // of a microbatch
};

// Forward stages, the fused one, backward stages: dealt to the devices in turn, a microbatch at a time.
constexpr std::array<PictureTurn, 12> kTurns = {{{trace::Kind::kForward, 2},
                                                 {trace::Kind::kForward, 2},
                                                 {trace::Kind::kForward, 2},
                                                 {trace::Kind::kFused, 3},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2},
                                                 {trace::Kind::kBackward, 2}}};

struct Slice {
    int device;
    int microbatch;
    trace::Kind kind;
    double begin, end;
};

// A microbatch begins a turn when the device is free and the turn before has passed it on.
std::vector<Slice> slicesOfAStep(int numDevices) {
    std::vector<Slice> slices;
    std::vector<double> freeAt(static_cast<std::size_t>(numDevices));
    std::vector<double> readyAt(static_cast<std::size_t>(numDevices) * 3 / 2); // of each microbatch
    for (std::size_t turn = 0; turn < kTurns.size(); ++turn) {
        const int device = static_cast<int>(turn) % numDevices;
        for (std::size_t at = 0; at < readyAt.size(); ++at) {
            double& ready = readyAt[at];
            const auto microbatch = static_cast<int>(at);
            const double begin = std::max(freeAt[static_cast<std::size_t>(device)], ready);
            const double end = begin + kTurns[turn].length;
            if (kTurns[turn].kind == trace::Kind::kBackward) {
                const double computed = begin + kTurns[turn].length / 3;
                slices.push_back({device, microbatch, trace::Kind::kRecompute, begin, computed});
                slices.push_back({device, microbatch, trace::Kind::kBackward, computed, end});
            } else {
                slices.push_back({device, microbatch, kTurns[turn].kind, begin, end});
            }
            freeAt[static_cast<std::size_t>(device)] = ready = end;
        }
    }
    return slices;
}

} // namespace

std::vector<trace::Kind> DemoPicture::kindsShown() {
    return {trace::Kind::kForward, trace::Kind::kFused, trace::Kind::kRecompute, trace::Kind::kBackward};
}

DemoPicture::DemoPicture(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumHeight(kLeastHeight);
    setMaximumHeight(kMostHeight);
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void DemoPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& look = m_themes.theme();
    const int numDevices = height() >= kRoomForEight ? 8 : 4;
    const std::vector<Slice> slices = slicesOfAStep(numDevices);
    const double last = std::ranges::max(slices, {}, &Slice::end).end;
    const double lane = static_cast<double>(height()) / numDevices;
    for (int device = 0; device < numDevices; ++device)
        painter.fillRect(QRectF(0, device * lane + 3, width(), lane - 6), look.raised);
    for (const Slice& slice : slices) {
        const double left = slice.begin / last * width();
        const double right = slice.end / last * width();
        const QRectF place(left, slice.device * lane + 3, std::max(1.0, right - left - 1), lane - 6);
        const QColor colour = look.kind(slice.kind);
        painter.fillRect(place, colour);
        const QString text = QStringLiteral("m%1").arg(slice.microbatch);
        if (lane < kRoomForText || painter.fontMetrics().horizontalAdvance(text) + 3 > place.width()) continue;
        painter.setPen(look.onColour(colour));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

} // namespace roundpipe::ui::pages
