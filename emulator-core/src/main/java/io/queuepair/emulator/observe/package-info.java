// SPDX-License-Identifier: Apache-2.0
/**
 * Views of a network and of devices, for people: captures as pcapng, written while a
 * network is at work and decoded from files; the ladder of packets, as text; what queue pairs and
 * queues hold at one moment, as values.
 */
@NullMarked
package io.queuepair.emulator.observe;

import org.jspecify.annotations.NullMarked;
