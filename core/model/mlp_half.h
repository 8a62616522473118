// The MLP half of a dense block. Internal to the folder.
#pragma once

#include "model/block_call.h"

namespace roundpipe::model {

// out = saved.middle + mlp(norm(saved.middle)).
void mlpHalfForward(const BlockCall& call, const Matrix& out);
// dMiddle from dOut. Takes memory of the workspace and gives it back.
void mlpHalfBackward(const BlockCall& call, const Matrix& dOut, const Matrix& dMiddle);

} // namespace roundpipe::model
