// SPDX-License-Identifier: Apache-2.0
// FreeSurfer's names and colours.
#pragma once
#include "core/imaging/label_table.h"

namespace voxlab {

// aseg, Desikan-Killiany and Destrieux, with the white matter under both.
LabelTable freeSurferTable();
// Whether a volume with these values comes from FreeSurfer: nine of ten are in the table, and enough of them tell.
bool looksLikeFreeSurfer(const std::vector<std::int64_t>& occurring, const LabelTable& table);

} // namespace voxlab
