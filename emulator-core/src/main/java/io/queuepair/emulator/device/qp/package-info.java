// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs objects that post work: queue pairs, shared receive queues, and what is made for them.
 */
@NullMarked
package io.queuepair.emulator.device.qp;

import org.jspecify.annotations.NullMarked;
