package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.util.zip.CRC32;

/**
 * Where the latest frames of a capture file begin, so that what becomes of a packet can be said in
 * its frame. A packet is known by its addresses and its first bytes; of several that are equal, the
 * latest is meant of which nothing has been said yet.
 */
final class RecentFrames {
  /** At least twice what one sender can have on its way in memory. */
  private static final int LIMIT = 2 * InMemoryLink.IN_FLIGHT_LIMIT;

  /** Headers that tell packets apart; payloads are left alone. */
  private static final int KEY_BYTES = 64;

  private final CRC32 crc = new CRC32();
  private final long[] keys = new long[LIMIT];
  private final long[] offsets = new long[LIMIT];
  private final boolean[] hasFate = new boolean[LIMIT];
  private long added;

  /** A frame was written that begins there. */
  void add(Route route, Payload datagram, long offset) {
    int slot = slot(added);
    keys[slot] = key(route, datagram);
    offsets[slot] = offset;
    hasFate[slot] = false;
    added++;
  }

  /** Where the frame of a packet begins whose fate has been decided; -1 if that is forgotten. */
  long decided(Route route, Payload datagram) {
    long key = key(route, datagram);
    long oldest = Math.max(0, added - LIMIT);
    long equal = -1;
    for (long i = added - 1; i >= oldest; i--) {
      int slot = slot(i);
      if (keys[slot] == key && !hasFate[slot]) {
        hasFate[slot] = true;
        return offsets[slot];
      }
      equal = keys[slot] == key && equal < 0 ? offsets[slot] : equal;
    }
    return equal;
  }

  /** The frame that begins there became longer: those behind it moved. */
  void grew(long offset, int bytes) {
    for (int slot = 0; slot < LIMIT; slot++) {
      if (offsets[slot] > offset) {
        offsets[slot] += bytes;
      }
    }
  }

  private static int slot(long number) {
    return (int) (number % LIMIT);
  }

  private long key(Route route, Payload datagram) {
    // A CRC over bytes and their own CRC says nothing of the bytes.
    int covered = Math.max(0, datagram.length() - RoceV2.ICRC_BYTES);
    crc.reset();
    crc.update(datagram.buffer().slice(datagram.offset(), Math.min(KEY_BYTES, covered)));
    int addresses = 31 * route.source().hashCode() + route.destination().hashCode();
    return crc.getValue() << 32 | Integer.toUnsignedLong(31 * addresses + datagram.length());
  }
}
