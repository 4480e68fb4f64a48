// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * One Ethernet frame. Each station of the segment decides whether it takes the frame. They share
 * one buffer, whose content, position and limit never change.
 *
 * @param source the address under which the sender is attached; the frame need not know it
 * @param bytes the frame from its destination address on, from position to limit, without frame
 *     check sequence
 */
public record Frame(InetAddress source, ByteBuffer bytes) implements Traffic {}
