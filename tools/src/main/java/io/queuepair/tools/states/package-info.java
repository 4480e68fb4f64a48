// SPDX-License-Identifier: Apache-2.0
/**
 * The states of a queue pair as a picture: the arrows are those of a table of transitions, and
 * those that no call asks for. A run's coverage can be drawn on it. What a transition does is
 * decided in the emulator, not here.
 */
package io.queuepair.tools.states;
