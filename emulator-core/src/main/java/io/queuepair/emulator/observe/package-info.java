// SPDX-License-Identifier: Apache-2.0
/**
 * What happens on a network and in a device, for people: captures as pcapng, written while a
 * network is at work and decoded from files; the ladder of packets, as text; what queue pairs and
 * queues hold at one moment, as values.
 */
@NullMarked
package io.queuepair.emulator.observe;

import org.jspecify.annotations.NullMarked;
