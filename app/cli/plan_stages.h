// What the stages of an answer are and take, for tables and JSON.
#pragma once

#include "plan_question.h"

#include <cstdint>
#include <vector>

namespace roundpipe::cli {

struct StageFacts {
    plan::Stage stage;
    std::vector<int32_t> devices; // that take it sooner or later
    double seconds = 0;           // of a microbatch on the first of them
    int64_t weightBytes = 0;      // on the device
    int64_t uploadBytes = 0;      // a turn, on the first of them
    int32_t numResident = 0;      // layers whose base stays on the first of them
    bool keepsSaved = false;
};

std::vector<StageFacts> stageFacts(const PlanQuestion& question, const PlanAnswer& answer);

int64_t mostMemory(const plan::Rival& rival); // of any device

} // namespace roundpipe::cli
