#include "ui/pages/start/demo_picture.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <vector>

namespace roundpipe::ui::pages {
namespace {

constexpr int kDevices = 4;
constexpr int kMicrobatches = 6;

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
    trace::Kind kind;
    double begin, end;
};

// A microbatch begins a turn when the device is free and the turn before has passed it on.
std::vector<Slice> slicesOfAStep() {
    std::vector<Slice> slices;
    std::array<double, kDevices> freeAt{};
    std::array<double, kMicrobatches> readyAt{};
    for (std::size_t turn = 0; turn < kTurns.size(); ++turn) {
        const int device = static_cast<int>(turn) % kDevices;
        for (double& ready : readyAt) {
            const double begin = std::max(freeAt[static_cast<std::size_t>(device)], ready);
            const double end = begin + kTurns[turn].length;
            if (kTurns[turn].kind == trace::Kind::kBackward) {
                const double computed = begin + kTurns[turn].length / 3;
                slices.push_back({device, trace::Kind::kRecompute, begin, computed});
                slices.push_back({device, trace::Kind::kBackward, computed, end});
            } else {
                slices.push_back({device, kTurns[turn].kind, begin, end});
            }
            freeAt[static_cast<std::size_t>(device)] = ready = end;
        }
    }
    return slices;
}

} // namespace

DemoPicture::DemoPicture(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setFixedHeight(sizeHint().height());
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void DemoPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& look = m_themes.theme();
    const std::vector<Slice> slices = slicesOfAStep();
    const double last = std::ranges::max(slices, {}, &Slice::end).end;
    const double lane = static_cast<double>(height()) / kDevices;
    for (int device = 0; device < kDevices; ++device)
        painter.fillRect(QRectF(0, device * lane + 3, width(), lane - 6), look.raised);
    for (const Slice& slice : slices) {
        const double left = slice.begin / last * width();
        const double right = slice.end / last * width();
        painter.fillRect(QRectF(left, slice.device * lane + 3, std::max(1.0, right - left - 1), lane - 6),
                         look.kind(slice.kind));
    }
}

} // namespace roundpipe::ui::pages
