// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** Sends that the device is to segment. */
final class LargeSends {
  private LargeSends() {}

  /** A signaled one of data that already lies in memory. */
  static TsoWr of(long wrId, String hdr, int mss, Sge... data) {
    ByteBuffer header = ByteBuffer.wrap(Bytes.ofHex(hdr));
    return new TsoWr(wrId, List.of(data), Set.of(SendFlag.SIGNALED), header, mss);
  }

  /** The data that all tables of expected bytes are made from: 01 02 03 and so on. */
  static Sge countingUp(MemoryRegion region, int at, int bytes) {
    byte[] data = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      data[i] = (byte) (i + 1);
    }
    Bytes.into(region, at, data);
    return region.sge(at, bytes);
  }
}
