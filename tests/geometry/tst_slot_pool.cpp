// SPDX-License-Identifier: GPL-3.0-or-later
// Which layer gets which weight slot, and when it has to be uploaded again.
#include "base/error.h"
#include "geometry/slot_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

namespace roundpipe::geometry {
namespace {

constexpr SlotKind T = SlotKind::kTable;
constexpr SlotKind B = SlotKind::kBlock;

// Embedding 0, blocks 1 to 6, head 7; no more slots than given.
WeightRoom room(int32_t tables, int32_t blocks, const std::vector<int32_t>& residents = {}) {
    WeightRoom made;
    made.kinds = {T, B, B, B, B, B, B, T};
    for (const int32_t layer : residents)
        made.allSlots.push_back({made.kinds[static_cast<std::size_t>(layer)], 100, layer});
    made.allSlots.insert(made.allSlots.end(), static_cast<std::size_t>(tables), {T, 1000, -1});
    made.allSlots.insert(made.allSlots.end(), static_cast<std::size_t>(blocks), {B, 100, -1});
    return made;
}

std::vector<int32_t> layersOf(const std::vector<SlotPool::Placed>& placed) {
    std::vector<int32_t> layers;
    for (const SlotPool::Placed& one : placed)
        layers.push_back(one.layer);
    return layers;
}

using Layers = std::vector<int32_t>;

Layers acquire(SlotPool& pool, Layers layers) {
    return layersOf(pool.acquire(layers));
}
Layers prefetch(SlotPool& pool, Layers layers) {
    return layersOf(pool.prefetch(layers));
}
void release(SlotPool& pool, const Layers& layers) {
    for (const int32_t layer : layers)
        pool.release(layer);
}

TEST(SlotPool, keepsALayerUntilItsSlotIsNeeded) {
    SlotPool pool(room(1, 3));
    EXPECT_EQ(acquire(pool, {0, 1, 2}), (Layers{0, 1, 2}));
    EXPECT_EQ(prefetch(pool, {3, 4}), (Layers{3})) << "there are three slots for blocks";
    release(pool, {0, 1, 2});
    EXPECT_EQ(acquire(pool, {3, 4}), (Layers{4}));
    EXPECT_EQ(pool.slotOf(1), -1) << "the first that was given back goes first";
    EXPECT_GE(pool.slotOf(2), 0);
    release(pool, {3, 4});
    EXPECT_EQ(acquire(pool, {0, 2, 3}), Layers{}) << "all of them are there still";
}

TEST(SlotPool, uploadsNothingTwiceWhereAllHaveRoom) {
    SlotPool pool(room(2, 6));
    EXPECT_EQ(acquire(pool, {0}), (Layers{0}));
    EXPECT_EQ(prefetch(pool, {1, 2, 3, 4, 5, 6, 7}).size(), 7u);
    for (int step = 0; step < 3; ++step) {
        release(pool, {0});
        EXPECT_EQ(acquire(pool, {1, 2, 3, 4, 5, 6, 7}), Layers{});
        EXPECT_EQ(prefetch(pool, {0}), Layers{});
        release(pool, {1, 2, 3, 4, 5, 6, 7});
        EXPECT_EQ(acquire(pool, {0}), Layers{});
    }
}

TEST(SlotPool, givesAResidentASlotOfItsOwn) {
    SlotPool pool(room(1, 1, {2, 7}));
    EXPECT_EQ(acquire(pool, {7}), (Layers{7}));
    EXPECT_EQ(acquire(pool, {2}), (Layers{2}));
    release(pool, {2, 7});
    for (const int32_t layer : {1, 3, 4, 0}) {
        EXPECT_EQ(acquire(pool, {layer}), (Layers{layer}));
        release(pool, {layer});
    }
    EXPECT_EQ(acquire(pool, {2, 7}), Layers{});
    EXPECT_EQ(pool.stampOf(pool.slotOf(2)), (SlotStamp{2, pool.slotOf(2), 1}));
}

TEST(SlotPool, saysHowManyOfThoseAskedForHaveRoomAtOnce) {
    SlotPool pool(room(1, 2, {2}));
    EXPECT_EQ(pool.withRoom(Layers{1, 2, 3, 4}), 3u) << "two blocks beside the one with a slot of its own";
    EXPECT_EQ(pool.withRoom(Layers{0, 7}), 1u) << "one table";
    acquire(pool, {1, 0});
    EXPECT_EQ(pool.withRoom(Layers{1, 2, 3, 4}), 3u) << "what is held is there";
    EXPECT_EQ(pool.withRoom(Layers{3, 4}), 1u);
    EXPECT_EQ(pool.withRoom(Layers{7, 3}), 0u) << "those behind one without room wait for it";
    release(pool, {1, 0});
    EXPECT_EQ(pool.withRoom(Layers{3, 4, 7}), 3u);
}

TEST(SlotPool, stampsWhatASlotHolds) {
    SlotPool pool(room(1, 1));
    for (int32_t generation = 1; generation < 4; ++generation) {
        const int32_t layer = generation;
        acquire(pool, {layer});
        EXPECT_EQ(pool.stampOf(pool.slotOf(layer)), (SlotStamp{layer, 1, generation}));
        release(pool, {layer});
        acquire(pool, {layer}); // not uploaded again: the same generation
        EXPECT_EQ(pool.stampOf(pool.slotOf(layer)).generation, generation);
        release(pool, {layer});
    }
}

TEST(SlotPool, refusesWhatHasNoRoomAndWhatIsNotHeld) {
    SlotPool pool(room(1, 2));
    EXPECT_THROW(acquire(pool, {1, 2, 3}), Error);
    SlotPool other(room(1, 2));
    EXPECT_THROW(other.release(1), Error);
    acquire(other, {1});
    other.release(1);
    EXPECT_THROW(other.release(1), Error);
}

// Whatever comes: what is held stays where it is, no slot has two layers, and a guess costs nothing but itself.
TEST(SlotPool, holdsWhatIsHeldInAnyOrderOfCalls) {
    for (uint32_t seed = 0; seed < 200; ++seed) {
        std::mt19937 draw(seed);
        SlotPool pool(room(2, 4, seed % 3 == 0 ? Layers{3, 5} : Layers{}));
        Layers held;
        std::array<int32_t, 8> where{};
        for (int turn = 0; turn < 60; ++turn) {
            if (held.empty() || draw() % 2 == 0) {
                const auto layer = static_cast<int32_t>(draw() % 8);
                const bool tooMany =
                    std::ranges::count_if(held, [](int32_t l) { return l > 0 && l < 7; }) >= 4 && layer % 7 != 0;
                if (!tooMany && std::ranges::find(held, layer) == held.end()) {
                    acquire(pool, {layer});
                    held.push_back(layer);
                    where[static_cast<std::size_t>(layer)] = pool.slotOf(layer);
                }
            } else {
                pool.release(held.back());
                held.pop_back();
            }
            prefetch(pool, {static_cast<int32_t>(draw() % 8), static_cast<int32_t>(draw() % 8)});
            std::set<int32_t> slots;
            for (const int32_t layer : held) {
                EXPECT_EQ(pool.slotOf(layer), where[static_cast<std::size_t>(layer)]);
                EXPECT_EQ(pool.stampOf(pool.slotOf(layer)).layer, layer);
                EXPECT_TRUE(slots.insert(pool.slotOf(layer)).second);
            }
        }
    }
}

TEST(WeightBuffers, takeEverySlotOnce) {
    Workspace counting;
    const WeightBuffers buffers(room(2, 3, {1, 4}), counting);
    EXPECT_EQ(buffers.allSlots.size(), 7u);
    EXPECT_EQ(buffers.residentBytes, 2 * 256);
    EXPECT_EQ(buffers.sharedBytes, 2 * 1024 + 3 * 256);
    EXPECT_EQ(counting.usedBytes(), buffers.residentBytes + buffers.sharedBytes);
}

} // namespace
} // namespace roundpipe::geometry
