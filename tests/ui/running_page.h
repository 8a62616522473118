// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the simulated engine on a Run page of its own.
#pragma once

#include "session/spec/run_spec_fields.h"
#include "test_services.h"
#include "ui/pages/run/run_page.h"

#include <QAction>
#include <QTest>

namespace roundpipe::testing {

// Begun, and it has done some steps.
struct RunningPage {
    explicit RunningPage(int maxSteps, double speed = 5, int64_t reached = 2)
        : project(maxSteps), page(test.services()) {
        test.document.open(project.runFile());
        test.document.set(session::fieldByKey("batch.microbatches"), int64_t{4}); // steps are short
        page.resize(1100, 640);
        page.show();
        test.useSimulatedEngine(speed);
        test.commands.start()->trigger();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= reached, 20'000); }();
    }
    ~RunningPage() { test.commands.discard()->trigger(); }

    DemoProject project;
    TestServices test;
    ui::pages::RunPage page;
};

} // namespace roundpipe::testing
