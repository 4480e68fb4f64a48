// SPDX-License-Identifier: Apache-2.0
/**
 * The states of a queue pair: the table of transitions in several forms. What a transition does is
 * decided in the emulator, not here.
 */
package io.queuepair.tools.transitions;
