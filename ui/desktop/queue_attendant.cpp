// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/queue_attendant.h"

#include <utility>

namespace roundpipe::ui::desktop {

QueueAttendant::QueueAttendant(const bridge::QueueController& queue, QDBusConnection system, QObject* parent)
    : QObject(parent), m_sleep(std::move(system)) {
    connect(&queue, &bridge::QueueController::changed, this, [this, &queue] {
        queue.view().isBusy() ? m_sleep.hold(tr("The queue is being trained")) : m_sleep.release();
    });
}

} // namespace roundpipe::ui::desktop
