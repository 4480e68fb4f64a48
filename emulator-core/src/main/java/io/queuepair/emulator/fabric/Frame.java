// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Ethernet frame. Each station of the segment decides whether it takes the frame. All stations
 * share one buffer, whose content, position and limit never change.
 *
 * @param source address under which the sender is attached; the frame need not contain it
 * @param bytes frame from its destination address on, from position to limit, without frame check
 *     sequence
 */
public record Frame(InetAddress source, ByteBuffer bytes) implements Traffic {}
