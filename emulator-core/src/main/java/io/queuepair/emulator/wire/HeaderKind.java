// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Extension headers after the BTH, in the order in which they may follow each other. */
public enum HeaderKind {
  RDETH(4),
  DETH(8),
  XRCETH(4),
  FETH(4),
  RETH(16),
  ATOMIC_ETH(28),
  AETH(4),
  ATOMIC_ACK_ETH(8),
  IMM_DT(4),
  IETH(4),
  CNP_RESERVED(16);

  private final int bytes;

  HeaderKind(int bytes) {
    this.bytes = bytes;
  }

  public int bytes() {
    return bytes;
  }

  ExtensionHeader read(ByteBuffer from, int at) {
    return switch (this) {
      case RDETH -> Rdeth.read(from, at);
      case DETH -> Deth.read(from, at);
      case XRCETH -> XrcEth.read(from, at);
      case FETH -> Feth.read(from, at);
      case RETH -> Reth.read(from, at);
      case ATOMIC_ETH -> AtomicEth.read(from, at);
      case AETH -> Aeth.read(from, at);
      case ATOMIC_ACK_ETH -> AtomicAckEth.read(from, at);
      case IMM_DT -> ImmDt.read(from, at);
      case IETH -> Ieth.read(from, at);
      case CNP_RESERVED -> CnpReserved.read(from, at);
    };
  }
}
