// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;

/** A queue pair as {@code struct pingpong_dest} of perftest, its numbers in network byte order. */
final class PingpongDest {
  /** Size of the structure, with the padding before its address. */
  static final int BYTES = 56;

  private static final int GID_BYTES = 16;

  private PingpongDest() {}

  /** LID and GID index are those of other networks, or mean nothing to the peer: 0. */
  static byte[] encode(PeerQp qp) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putInt(0).putInt(qp.outReads()).putInt(qp.qpn()).putInt(qp.psn()).putInt(qp.rkey());
    bytes.putInt(0).putLong(qp.vaddr()).put(qp.gid().toBytes()).putInt(qp.srqn()).putInt(0);
    return bytes.array();
  }

  static PeerQp decode(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    bytes.getInt(); // LID
    int outReads = bytes.getInt();
    int qpn = bytes.getInt();
    int psn = bytes.getInt();
    int rkey = bytes.getInt();
    bytes.getInt(); // Padding
    long vaddr = bytes.getLong();
    byte[] gid = new byte[GID_BYTES];
    bytes.get(gid);
    return new PeerQp(outReads, qpn, psn, rkey, vaddr, Gid.ofBytes(gid), bytes.getInt());
  }
}
