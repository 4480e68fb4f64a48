// SPDX-License-Identifier: Apache-2.0
// The device of the connection manager.
#pragma once

struct rdma_cm_file;

// Called by Java, from any thread, in turns: whether there are events now, after there were none, or
// the other way round.
void rdma_cm_readable(struct rdma_cm_file *file, int is_readable);
