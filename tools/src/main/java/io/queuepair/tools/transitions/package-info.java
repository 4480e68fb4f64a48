// SPDX-License-Identifier: Apache-2.0
/**
 * Tables of the state transitions of a queue pair in several formats. The behaviour of transitions
 * is in the emulator, not here.
 */
package io.queuepair.tools.transitions;
