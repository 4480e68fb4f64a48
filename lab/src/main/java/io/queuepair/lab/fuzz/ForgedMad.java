// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A management datagram for the device under fire.
 *
 * @param source who seems to have sent it
 * @param payload its bytes, of any length
 */
record ForgedMad(InetAddress source, ByteBuffer payload) {}
