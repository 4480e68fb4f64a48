// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ICRC: {@link #isRight vectors} are packets from IP header to pad, and their ICRC as on the
 * wire. The first was captured from a ConnectX-4, the second is in the tests of scapy ({@code
 * roce.uts}); the others were computed by an independent program that gives these two.
 */
class IcrcTest {
  private static final String ACK = "1100ffff0000001200123456 1f000001";
  private static final String ACK_WITH_MARKS = "1100ffffff00001200123456 1f000001";

  private final Icrc icrc = new Icrc();

  @Test
  void doesNotCoverWhatRoutersChange() {
    InetAddress ipv4Source = TestRoutes.IPV4.source();
    InetAddress ipv6Source = TestRoutes.IPV6.source();
    Route ipv4 = new Route(ipv4Source, TestRoutes.IPV4.destination(), 0xc123, 0xff, 1, 0);
    Route ipv6 = new Route(ipv6Source, TestRoutes.IPV6.destination(), 0xc123, 0xff, 1, 0xfffff);

    assertThat(of(ipv4, 0, ACK_WITH_MARKS)).isEqualTo(of(TestRoutes.IPV4, 0, ACK));
    assertThat(of(ipv6, 0, ACK_WITH_MARKS)).isEqualTo(of(TestRoutes.IPV6, 0, ACK));
  }

  @Test
  void coversAddressesPortAndIdentification() {
    int original = of(TestRoutes.IPV4, 0, ACK);
    Route fromAnotherPort =
        new Route(TestRoutes.IPV4.source(), TestRoutes.IPV4.destination(), 0xc124, 0, 64, 0);

    assertThat(of(fromAnotherPort, 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.between("10.0.0.3", "10.0.0.2"), 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.between("10.0.0.1", "10.0.0.3"), 0, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.IPV4, 1, ACK)).isNotEqualTo(original);
    assertThat(of(TestRoutes.IPV6, 1, ACK)).isEqualTo(of(TestRoutes.IPV6, 0, ACK));
  }

  @Test
  void remembersNothingOfOtherRoutes() {
    for (int round = 0; round < 2; round++) {
      for (int host = 1; host < 255; host++) {
        Route route = TestRoutes.between("10.0.0." + host, "10.0.1." + host);
        ByteBuffer ack = Hex.buffer(ACK);

        assertThat(icrc.compute(route, host, ack, 0, 16))
            .isEqualTo(new Icrc().compute(route, host, ack, 0, 16));
      }
    }
  }

  @Test
  void doesNotDependOnThePacketsBefore() {
    Random random = new Random(7);
    List<Route> routes =
        List.of(TestRoutes.IPV4, TestRoutes.IPV6, TestRoutes.between("10.0.0.3", "10.0.0.2"));
    for (int round = 0; round < 10_000; round++) {
      Route route = routes.get(random.nextInt(routes.size()));
      byte[] packet = new byte[12 + random.nextInt(8) * 100];
      random.nextBytes(packet);
      packet[4] = random.nextBoolean() ? 0 : packet[4];
      int identification = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : random.nextInt(70);

      assertThat(icrc.compute(route, identification, ByteBuffer.wrap(packet), 0, packet.length))
          .isEqualTo(
              new Icrc().compute(route, identification, ByteBuffer.wrap(packet), 0, packet.length));
    }
  }

  @Test
  void flagsOfAPacketBeforeDoNotCount() {
    Payload ack = Payload.of(Hex.bytes(ACK + "00000000"));
    for (int flags : new int[] {0, IpHeader.DONT_FRAGMENT, 0}) {
      EthernetFrame frame = new EthernetFrame(TestRoutes.IPV4, 0, flags, ack);

      assertThat(icrc.compute(frame)).isEqualTo(new Icrc().compute(frame));
    }
  }

  @Test
  void leavesTheBufferAsItWas() {
    ByteBuffer direct = ByteBuffer.allocateDirect(100).put(40, Hex.bytes(ACK));
    direct.position(70).limit(80);

    int fromDirect = icrc.compute(TestRoutes.IPV4, 0, direct, 40, 16);

    assertThat(fromDirect).isEqualTo(of(TestRoutes.IPV4, 0, ACK));
    assertThat(direct.position()).isEqualTo(70);
    assertThat(direct.limit()).isEqualTo(80);
  }

  private int of(Route route, int identification, String packet) {
    ByteBuffer bytes = Hex.buffer(packet);
    return icrc.compute(route, identification, bytes, 0, bytes.capacity());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "CNP,"
        + "45c2003c718c4000401191610a0011010a001201 000012b700280000"
        + " 8100ffff4000011800000000 00000000000000000000000000000000, 82fd002a",
    "UC SEND_ONLY,"
        + "4501004004784000 4011b4d5c0a80007c0a80007 c00012b7002c0000"
        + " 2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e50 0000, 78f353f3",
    "RC SEND_ONLY hello,"
        + "4500003400004000401126b70a0000010a000002 c12312b700200000"
        + " 0430ffff0000001180123456 68656c6c6f 000000, c6a414ee",
    "RC ACK,"
        + "4500003000004000401126bb0a0000010a000002 c12312b7001c0000"
        + " 1100ffff0000001200123456 1f000001, e7920f24",
    "UD SEND_ONLY,"
        + "4500003800004000401126b30a0000010a000002 c12312b700240000"
        + " 6400ffff0000001400000007 1111111100000013 01020304, 487ca6e0",
    "RC RDMA_WRITE_ONLY,"
        + "60000000002c1140 fd000000000000000000000000000001 fd000000000000000000000000000002"
        + " c12312b7002c0000 0a10ffff0000001180000000 00007f0000001000 00001234 00000003"
        + " 616263 00, 7a191e0b",
  })
  void isRight(String name, String packet, String icrc) {
    String ethernet = "00".repeat(12) + (packet.startsWith("6") ? "86dd" : "0800");
    ByteBuffer bytes = Hex.buffer(ethernet + packet + icrc);
    EthernetFrame frame = EthernetFrame.parse(bytes, 0, bytes.capacity()).orElseThrow();
    Route route = frame.route();
    int offset = frame.udpPayload().offset();
    int length = frame.udpPayload().length();

    int computed = new Icrc().compute(route, frame.identification(), bytes, offset, length - 4);

    assertThat(computed).isEqualTo(Integer.reverseBytes(Hex.buffer(icrc).getInt()));
    assertThat(new Icrc().verify(route, bytes, offset, length)).isTrue();
    assertThat(new PacketCodec().decode(route, bytes, offset, length)).isInstanceOf(Packet.class);
  }

  private static final int LONGEST_OFFSET = 9;

  /** The check value of CRC-32 in catalogues of CRCs. */
  @Test
  void isTheCrcOfEthernet() {
    ByteBuffer digits = ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII));

    assertThat(Crc32Slice8.of(digits, 0, 9)).isEqualTo(0xcbf4_3926);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isWhatTheJdkComputesWhereverTheBytesAre(boolean isDirect) {
    byte[] random = new byte[LONGEST_OFFSET + Crc32Slice8.MOST_BYTES];
    new Random(1).nextBytes(random);
    ByteBuffer bytes =
        isDirect ? ByteBuffer.allocateDirect(random.length) : ByteBuffer.allocate(random.length);
    bytes.put(0, random);

    for (int offset = 0; offset <= LONGEST_OFFSET; offset++) {
      for (int length = 0; length <= Crc32Slice8.MOST_BYTES; length++) {
        CRC32 expected = new CRC32();
        expected.update(random, offset, length);

        assertThat(Crc32Slice8.of(bytes, offset, length))
            .as("%s bytes from %s", length, offset)
            .isEqualTo((int) expected.getValue());
      }
    }
  }

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
