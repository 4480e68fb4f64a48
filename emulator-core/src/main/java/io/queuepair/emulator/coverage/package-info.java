// SPDX-License-Identifier: Apache-2.0
/**
 * States, opcodes and events that a run has covered, or could have: values, and the sink that
 * receives them for a whole run of tests. The engine counts the hits. Uses the profile only.
 */
@NullMarked
package io.queuepair.emulator.coverage;

import org.jspecify.annotations.NullMarked;
