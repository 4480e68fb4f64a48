// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.fuzz;

import io.queuepair.emulator.fabric.internal.MadLayout;
import io.queuepair.testkit.simulation.Violation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Makes management datagrams: messages of the connection manager with anything in their fields, in
 * headers that are right or wrong, of the right length or another; and random bytes.
 */
final class ManagementForge {
  private static final int CM_CLASS = 7;

  /** Communication IDs are few, so that messages of one connection follow each other. */
  private static final int IDS = 8;

  /** The service IDs of TCP ports begin with this. */
  private static final long TCP_SERVICES = 0x0106_0000L;

  private static final int PORTS = 4;
  private static final int MOST_FIELDS = 100;

  private final FuzzRandom random;

  /** An identifier of the device under fire, once it has sent one. */
  private int heardId;

  ManagementForge(FuzzRandom random) {
    this.random = random;
  }

  /** The device under fire sent a management datagram. */
  void heard(ByteBuffer payload) {
    if (payload.remaining() == MadLayout.BYTES && payload.get(1) == CM_CLASS) {
      heardId = payload.getInt(MadLayout.HEADER_BYTES);
    }
  }

  /** The next payload of a datagram for queue pair 1. */
  byte[] next() {
    byte[] mad = random.of(20) ? random.bytes(MadLayout.BYTES) : message();
    verify(mad);
    if (random.of(85)) {
      return mad;
    }
    byte[] cut = Arrays.copyOf(mad, random.below(2 * MadLayout.BYTES));
    verify(cut);
    return cut;
  }

  private byte[] message() {
    MadLayout layout = random.one(MadLayout.all());
    byte[] bytes = random.of(50) ? random.bytes(MadLayout.BYTES) : new byte[MadLayout.BYTES];
    ByteBuffer mad = ByteBuffer.wrap(bytes);
    layout.writeHeader(mad, random.below(IDS));
    putId(mad, layout, "local_comm_id", random.below(IDS));
    putId(mad, layout, "request_id", random.below(IDS));
    putId(mad, layout, "remote_comm_id", random.of(50) ? heardId : random.below(IDS));
    Integer service = layout.fields().get("service_id");
    if (service != null && random.of(80)) {
      mad.putLong(service, TCP_SERVICES | random.below(PORTS));
    }
    if (random.of(40)) {
      int changes = 1 + random.below(4);
      List<Integer> places = List.copyOf(layout.fields().values());
      for (int i = 0; i < changes; i++) {
        mad.put(random.one(places), (byte) random.any());
      }
    }
    if (random.of(20)) {
      mad.put(random.below(MadLayout.HEADER_BYTES), (byte) random.any());
    }
    return bytes;
  }

  private static void putId(ByteBuffer mad, MadLayout layout, String field, int id) {
    Integer at = layout.fields().get(field);
    if (at != null) {
      mad.putInt(at, id);
    }
  }

  /** Whatever arrives is shown, and what is understood of it is understood again. */
  private static void verify(byte[] mad) {
    int fields = MadLayout.fieldsOf(mad).size();
    Violation.unless(fields <= MOST_FIELDS, "a management datagram has " + fields + " fields");
    MadLayout.reencoded(mad)
        .ifPresent(
            once -> {
              byte[] twice = MadLayout.reencoded(once).orElse(new byte[0]);
              Violation.unless(
                  Arrays.equals(once, twice),
                  "a message of the connection manager does not survive being written again");
            });
  }
}
