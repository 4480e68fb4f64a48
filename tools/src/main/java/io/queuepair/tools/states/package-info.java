// SPDX-License-Identifier: Apache-2.0
/**
 * Pictures of the states of a queue pair: the arrows of a table of transitions, and the automatic
 * transitions. A picture can show the coverage of a run. The behaviour of transitions is in the
 * emulator, not here.
 */
package io.queuepair.tools.states;
