// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

// Starts to watch the calling thread, after an answer with the number of reported events: librdmacm
// waits until as many are acknowledged.
void rdma_cm_waits_for(uint32_t reported);
