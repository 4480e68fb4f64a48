// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * A message of the communication manager. Each record holds its reader and its writer. Private data
 * always fills its field: what a program gives is continued with zeros, as its peer sees it. {@code
 * toString} is its part of a ladder line.
 */
public sealed interface CmMessage
    permits CmReq, CmMra, CmRej, CmRep, CmRtu, CmDreq, CmDrep, CmSidrReq, CmSidrRep, CmLap, CmApr {

  CmKind kind();

  ImmutableBytes privateBytes();

  /** Writes behind the MAD header into a MAD that begins at index 0 and is zero. */
  void write(ByteBuffer mad);

  /** The private data as reports show it: how long it is up to its last byte that is not zero. */
  default String privateLength() {
    int length = privateBytes().significantLength();
    return length == 0 ? "" : " private=" + length;
  }
}
