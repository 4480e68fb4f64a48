// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.WrOpcode;

/**
 * A work request in a send queue.
 *
 * @param wrId number that the application gave it
 * @param opcode the operation
 * @param isStarted whether its PSNs are assigned, as it has been sent, at least in part
 */
public record PostedSend(long wrId, WrOpcode opcode, boolean isStarted) {}
