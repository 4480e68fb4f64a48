/**
 * Which device is emulated: limits, capabilities, table sizes, pacing. Plain values; no behaviour
 * lives here. Uses the verbs API only.
 */
package io.queuepair.emulator.profile;
