// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code check-transitions}: repeats recorded calls of {@code ibv_modify_qp} and
 * compares the results. The behaviour of transitions is in the emulator, not here.
 */
package io.queuepair.lab.transitions;
