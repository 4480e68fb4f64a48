// SPDX-License-Identifier: Apache-2.0
/** The verbs objects on completions: queues, extended queues and channels. */
@NullMarked
package io.queuepair.emulator.device.cq;

import org.jspecify.annotations.NullMarked;
