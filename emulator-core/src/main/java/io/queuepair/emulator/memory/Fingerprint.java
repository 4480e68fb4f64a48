package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import java.util.List;
import java.util.zip.CRC32C;

/** A number that differs when bytes do: always for a change of up to 32 bits, else almost so. */
public final class Fingerprint {
  private Fingerprint() {}

  /** Of the ranges, one after the other. */
  public static long of(List<Payload> ranges) {
    CRC32C crc = new CRC32C();
    for (Payload range : ranges) {
      crc.update(range.buffer().slice(range.offset(), range.length()));
    }
    return crc.getValue();
  }
}
