// SPDX-License-Identifier: Apache-2.0
/**
 * The replay command: replays recorded calls of a real device step by step on emulated devices and
 * compares every result. Knows the format of recordings; the behaviour of the device is in the
 * core.
 */
package io.queuepair.lab.replay;
