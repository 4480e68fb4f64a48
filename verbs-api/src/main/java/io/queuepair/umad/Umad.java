// SPDX-License-Identifier: Apache-2.0
package io.queuepair.umad;

import io.queuepair.verbs.AhAttr;
import java.nio.ByteBuffer;

/**
 * A management datagram that arrived ({@code struct ib_user_mad}).
 *
 * @param from the address to answer to
 * @param sourceQpn the queue pair that sent it, mostly 1
 * @param mad {@link UmadAgent#MAD_BYTES} bytes, from position 0, to be read only
 */
public record Umad(AhAttr from, int sourceQpn, ByteBuffer mad) {}
