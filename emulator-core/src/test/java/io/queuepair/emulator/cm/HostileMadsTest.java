// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.DecodedMad;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.Payload;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever arrives, nothing is thrown, answers are few, and nothing grows without a bound. */
final class HostileMadsTest {
  private static final int MADS = 50_000;
  private static final int KIND_AT = 17;
  private static final int BODY_AT = 24;

  private final CmHosts hosts = new CmHosts();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomMessagesDoNoHarm(long seed) {
    CmId[] ends = hosts.established();
    hosts.b.listen(16);
    Random random = new Random(seed);

    for (int i = 0; i < MADS; i++) {
      DecodedMad decoded = CmMessage.decode(Payload.of(mad(random, ends)));
      if (decoded instanceof CmMessage message) {
        hosts.b.engine.receive(from(random), message, hosts.nowNanos);
      }
      int answers = 0;
      while (hosts.b.engine.pollOutgoing() != null) {
        answers++;
      }
      assertThat(answers).isLessThanOrEqualTo(2);
      for (CmEvent event = hosts.b.engine.pollEvent();
          event != null;
          event = hosts.b.engine.pollEvent()) {
        hosts.b.events.add(event);
      }
    }

    // One connection, the backlog, and requests whose sender has taken them back itself.
    long ended = hosts.b.events().stream().filter(type -> type == CmEventType.REJ_RECEIVED).count();
    assertThat(hosts.b.engine.size() - ended).isLessThanOrEqualTo(1 + 16);
  }

  private CmPeer from(Random random) {
    return random.nextBoolean() ? hosts.a.asPeer() : hosts.b.asPeer();
  }

  /** A valid header and anything after it, with an id that exists now and then. */
  private static byte[] mad(Random random, CmId[] ends) {
    byte[] bytes = new byte[MadHeader.MAD_BYTES];
    random.nextBytes(bytes);
    CmMessage header = CmMessage.of(CmKind.DREP).set(CmField.MAD_TRANSACTION_ID, random.nextLong());
    System.arraycopy(header.toBytes(), 0, bytes, 0, BODY_AT);
    bytes[KIND_AT] = (byte) (CmKind.REQ.attributeId() + random.nextInt(CmKind.values().length));
    if (random.nextInt(4) == 0) {
      put(bytes, BODY_AT, ends[0].localCommId());
    }
    if (random.nextInt(2) == 0) {
      put(bytes, BODY_AT + 4, ends[1].localCommId());
    }
    return bytes;
  }

  private static void put(byte[] bytes, int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (8 * (Integer.BYTES - 1 - i)));
    }
  }
}
