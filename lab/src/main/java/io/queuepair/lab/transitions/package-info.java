// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code check-transitions}: makes recorded calls of {@code ibv_modify_qp} again and
 * compares the answers. What a transition does is decided in the emulator, not here.
 */
package io.queuepair.lab.transitions;
