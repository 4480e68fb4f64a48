// SPDX-License-Identifier: Apache-2.0
/** The verbs objects on memory: regions, windows, device memory and buffers. */
@NullMarked
package io.queuepair.emulator.device.mr;

import org.jspecify.annotations.NullMarked;
