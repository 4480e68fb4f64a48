// SPDX-License-Identifier: Apache-2.0
/** Captures: pcapng is written while a network is at work; pcap and pcapng are read and decoded. */
@NullMarked
package io.queuepair.emulator.fabric.capture;

import org.jspecify.annotations.NullMarked;
