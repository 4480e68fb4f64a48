// SPDX-License-Identifier: Apache-2.0
/**
 * States, opcodes and events that a run has covered, and could cover: plain values, and where they
 * go when a whole run of tests is looked at. The engine counts. Uses the profile only.
 */
@NullMarked
package io.queuepair.emulator.coverage;

import org.jspecify.annotations.NullMarked;
