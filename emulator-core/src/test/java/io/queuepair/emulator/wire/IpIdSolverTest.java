// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IpIdSolverTest {
  private final Icrc icrc = new Icrc();

  @Property
  void everyIdentificationIsAccepted(
      @ForAll long seed, @ForAll @IntRange(max = 0xffff) int identification) {
    Packet packet = new RandomPackets(seed).next(TestRoutes.IPV4);

    assertThat(Encoded.of(packet, identification).isVerifiedBy(icrc)).isTrue();
  }

  @Test
  void anIdentificationDoesNotExcuseAnythingOverIpv6() {
    Packet packet = new RandomPackets(1).next(TestRoutes.IPV6);
    Encoded encoded = Encoded.of(packet, 1);

    assertThat(encoded.isVerifiedBy(icrc)).isTrue();
    assertThat(encoded.withBitFlipped(encoded.length() * 8 - 1).isVerifiedBy(icrc)).isFalse();
  }

  @Test
  void corruptedPacketsAreRejectedExceptForOneIn65536() {
    int tries = 100_000;
    int accepted = 0;
    for (int seed = 0; seed < tries; seed++) {
      Random random = new Random(seed);
      Encoded encoded =
          Encoded.of(new RandomPackets(seed).next(TestRoutes.IPV4), random.nextInt(1 << 16));
      int flippedBit = 5 * 8 + random.nextInt((encoded.length() - 5) * 8);
      accepted += encoded.withBitFlipped(flippedBit).isVerifiedBy(icrc) ? 1 : 0;
    }

    assertThat(accepted).isLessThan(10); // 1.5 expected
  }

  @Test
  void oneDifferenceIn65536HasAnExplanation() {
    IpIdSolver hidden = new IpIdSolver();
    Random random = new Random(22);

    long explained = random.ints(1 << 22).filter(d -> hidden.explains(d, 4096 + 28)).count();

    assertThat(explained).isBetween(32L, 96L); // 64 expected, 128 if one bit too many is solved for
  }

  @Test
  void lengthsThatAreNoWholeWordsAreNotTakenForOthers() {
    for (int length = 40; length < 48; length++) {
      ByteBuffer bytes = ByteBuffer.allocate(length + 4);
      int sent = icrc.compute(TestRoutes.IPV4, 0xbeef, bytes, 0, length);
      bytes.putInt(length, Integer.reverseBytes(sent));

      assertThat(icrc.verify(TestRoutes.IPV4, bytes, 0, length + 4)).isTrue();
    }
  }

  @Test
  void lengthsBeyondAnyMtuAreSolvedToo() {
    byte[] jumbo = new byte[9001];
    Packet packet =
        new Packet(
            TestRoutes.IPV4, Bth.of(Opcode.RC_SEND_ONLY, 0x11, 1), List.of(), Payload.of(jumbo));

    assertThat(Encoded.of(packet, 0xbeef).isVerifiedBy(icrc)).isTrue();
  }
}
