// SPDX-License-Identifier: Apache-2.0
/**
 * Which device is emulated: limits, capabilities, tables, quirks, pacing. Plain values; no
 * behaviour lives here. Uses the verbs API only.
 */
@NullMarked
package io.queuepair.emulator.profile;

import org.jspecify.annotations.NullMarked;
