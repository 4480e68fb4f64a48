// SPDX-License-Identifier: Apache-2.0
/**
 * The replay command: runs recorded logs of a real device step for step on emulated devices and
 * compares every result. Knows the format of recordings; what the device answers is the core's.
 */
package io.queuepair.lab.replay;
