// SPDX-License-Identifier: Apache-2.0
/**
 * Description of the emulated device: limits, capabilities, tables, quirks, pacing. Contains values
 * only, no behaviour. Uses the verbs API only.
 */
@NullMarked
package io.queuepair.emulator.profile;

import org.jspecify.annotations.NullMarked;
