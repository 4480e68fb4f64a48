// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import java.util.List;
import java.util.zip.CRC32C;

/** A hash of bytes. It detects every change of up to 32 bits, and almost every other. */
public final class BufferFingerprint {
  private BufferFingerprint() {}

  /** Of the ranges, one after the other. */
  public static long of(List<Payload> payloads) {
    CRC32C crc = new CRC32C();
    for (Payload payload : payloads) {
      crc.update(payload.buffer().slice(payload.offset(), payload.length()));
    }
    return crc.getValue();
  }
}
