// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

// A command of the calling thread was answered with how many events were reported: librdmacm now
// waits until as many are acknowledged.
void rdma_cm_waits_for(uint32_t reported);
