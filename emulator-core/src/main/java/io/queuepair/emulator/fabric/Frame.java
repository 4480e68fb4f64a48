package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * One Ethernet frame on a segment; who takes it is decided by each station. Several get the same
 * buffer: it is never changed, nor are its position and limit.
 *
 * @param source the address under which the sender is attached; the frame need not know it
 * @param bytes the frame from its destination address on, from position to limit, without frame
 *     check sequence
 */
public record Frame(InetAddress source, ByteBuffer bytes) implements Traffic {}
