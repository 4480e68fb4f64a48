// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message against the layouts of the InfiniBand specification, byte for byte. */
class CmLayoutTest {
  private static final Gid HERE = new Gid(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
  private static final Gid THERE = new Gid(0x1112131415161718L, 0x191a1b1c1d1e1f20L);
  private static final ImmutableBytes OURS = ImmutableBytes.of(Hex.bytes("a1a2a3"));
  private static final ImmutableBytes GUID = ImmutableBytes.of(Hex.bytes("505400fffe000003"));
  private static final CmPath PATH =
      new CmPath(0x2122, 0x2324, HERE, THERE, 0xabcde, 0x2a, 0x31, 0x32, 0xc, true, 0x13);

  private static CmReq request() {
    return CmReq.builder()
        .localCommId(0x81020304)
        .vendorId(0x050607)
        .serviceId(0x0000000001061c06L)
        .localCaGuid(0x505400fffe000003L)
        .localQkey(0x91929394)
        .localQpn(0x414243)
        .responderResources(0x44)
        .localEecn(0x515253)
        .initiatorDepth(0x54)
        .remoteEecn(0x616263)
        .remoteCmResponseTimeout(20)
        .transportService(TransportService.EXTENDED)
        .endToEndFlowControl(true)
        .startingPsn(0x717273)
        .localCmResponseTimeout(19)
        .retryCount(5)
        .pkey(0xfffe)
        .pathMtu(3)
        .rdcExists(true)
        .rnrRetryCount(6)
        .maxCmRetries(15)
        .srq(true)
        .extendedTransportType(TransportService.XRC)
        .primary(PATH)
        .alternate(CmPath.NONE)
        .privateBytes(OURS)
        .build();
  }

  private static CmRep reply() {
    return CmRep.builder()
        .localCommId(0x81020304)
        .remoteCommId(0x91929394)
        .localQkey(0xa5a6a7a8)
        .localQpn(0x414243)
        .vendorId(0x050607)
        .localEecn(0x515253)
        .startingPsn(0x717273)
        .responderResources(0x44)
        .initiatorDepth(0x54)
        .targetAckDelay(15)
        .failoverAccepted(2)
        .endToEndFlowControl(true)
        .rnrRetryCount(6)
        .srq(true)
        .localCaGuid(0x505400fffe000003L)
        .privateBytes(OURS)
        .build();
  }

  /** A message, its attribute, what is before the private data, how much of that there may be. */
  static Stream<Arguments> messages() {
    int local = 0x81020304;
    int remote = 0x91929394;
    return Stream.of(
        row(
            request(),
            "0010",
            92,
            "81020304 00 050607 0000000001061c06 505400fffe000003 00000000 91929394" // to Q_Key
                + "414243 44 515253 54 616263" // QPN, resources, EECN, depth, remote EECN
                + "a7" // 10100 11 1: remote timeout 20, extended transport, flow control
                + "717273 9d" // PSN; 10011 101: local timeout 19, 5 retries
                + "fffe 3e f9" // P_Key; MTU 3, RDC, 6 RNR retries; 15 retries, SRQ, XRC
                + "2122 2324 0102030405060708090a0b0c0d0e0f10 1112131415161718191a1b1c1d1e1f20"
                + "abcde02a 31 32 c8 98" // flow label, rate 42; class; hops; SL 12, local; timeout
                + "00".repeat(44)),
        row(
            new CmMra(local, remote, AnsweredMessage.OTHER, 24, OURS),
            "0011",
            222,
            "81020304 91929394 80 c0"), // 10 for LAP; 11000: timeout 24
        row(
            new CmRej(local, remote, AnsweredMessage.REP, 0x0104, GUID, OURS),
            "0012",
            148, // 01 for REP; 8 bytes of information; reason
            "81020304 91929394 40 10 0104 505400fffe000003" + "00".repeat(64)),
        row(
            reply(),
            "0013",
            196,
            "81020304 91929394 a5a6a7a8 414243 05 515253 06 717273 07 44 54"
                + "7d d0 505400fffe000003"), // 01111 10 1: delay, failover, flow; 110 1: RNR, SRQ
        row(new CmRtu(local, remote, OURS), "0014", 224, "81020304 91929394"),
        row(new CmDreq(local, remote, 0x414243, OURS), "0015", 220, "81020304 91929394 414243 00"),
        row(new CmDrep(local, remote, OURS), "0016", 224, "81020304 91929394"),
        row(
            new CmSidrReq(local, 0xfffe, 0x0000000001111c06L, OURS),
            "0017",
            216,
            "81020304 fffe 0000 0000000001111c06"),
        row(
            new CmSidrRep(local, 3, 0x050607, 0x414243, 0x1111c06L, 0x01234567, GUID, OURS),
            "0018",
            136, // request, status, length, vendor, QPN, vendor, service, Q_Key, information
            "81020304 03 08 0506 414243 07 0000000001111c06 01234567 505400fffe000003"
                + "00".repeat(64)),
        row(
            new CmLap(local, remote, 0x414243, 20, PATH, OURS),
            "0019",
            168,
            "81020304 91929394 00000000 414243 a0 00000000 2122 2324"
                + "0102030405060708090a0b0c0d0e0f10 1112131415161718191a1b1c1d1e1f20"
                + "abcde0 31 32 2a c8 98"), // flow label, class, hops, rate, SL and local, timeout
        row(
            new CmApr(local, remote, 5, GUID, OURS),
            "001a",
            148,
            "81020304 91929394 08 05 0000 505400fffe000003" + "00".repeat(64)));
  }

  private static Arguments row(CmMessage message, String attribute, int room, String before) {
    String header = "01 07 02 03 0000 0000 0102030405060708" + attribute + "0000 00000000";
    ByteBuffer mad = ByteBuffer.allocate(256);
    mad.put(Hex.bytes(header + before)).put(256 - room, OURS.toArray());
    return Arguments.of(message, mad.array(), room);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void writesTheLayoutOfTheSpecification(CmMessage message, byte[] expected, int room) {
    byte[] written = CmMad.of(0x0102030405060708L, message).toBytes();

    assertThat(written).asHexString().isEqualTo(hex(expected));
    assertThat(message.privateBytes().length()).isEqualTo(room);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void readsTheLayoutOfTheSpecification(CmMessage message, byte[] bytes, int room) {
    DecodedMad decoded = CmMad.decode(Payload.of(bytes));

    assertThat(decoded).isEqualTo(CmMad.of(0x0102030405060708L, message));
  }

  @ParameterizedTest
  @EnumSource
  void everyMessageCarriesItsFieldsAloneToItsEnd(CmKind kind) {
    CmField last = null;
    for (CmField field : CmField.of(kind)) {
      int begin = field.firstByte() * Byte.SIZE + field.firstBit();
      int end = last == null ? 0 : last.firstByte() * Byte.SIZE + last.firstBit() + last.bits();
      assertThat(begin).as("%s begins where none is", field).isGreaterThanOrEqualTo(end);
      last = field;
    }

    assertThat(last.firstByte() + last.bytes()).as("end of %s", last).isEqualTo(232);
  }

  @ParameterizedTest
  @EnumSource
  void ignoresReservedBits(CmKind kind) {
    byte[] ones = new byte[256];
    Arrays.fill(ones, (byte) 0xff);
    ByteBuffer.wrap(ones).put(Hex.bytes("01 07 02 03")).putShort(16, (short) kind.attributeId());
    CmMad read = (CmMad) CmMad.decode(Payload.of(ones));

    byte[] written = read.toBytes();

    assertThat(CmMad.decode(Payload.of(written))).isEqualTo(read);
    assertThat(read.message().kind()).isEqualTo(kind);
  }

  @Test
  void keepsTheWholeHeaderOfTheMad() {
    byte[] bytes = CmMad.of(1, new CmRtu(2, 3, ImmutableBytes.EMPTY)).toBytes();
    ByteBuffer.wrap(bytes).putShort(4, (short) 0x8001).putShort(6, (short) 0x8002);
    ByteBuffer.wrap(bytes).putInt(20, 0x80000003);

    CmMad read = (CmMad) CmMad.decode(Payload.of(bytes));

    assertThat(read.header())
        .isEqualTo(new MadHeader(1, 7, 2, 3, 0x8001, 0x8002, 1, 0x14, 0x80000003));
    assertThat(read.toBytes()).asHexString().isEqualTo(hex(bytes));
  }

  @Test
  void readsFromTheMiddleOfABuffer() {
    CmMad sent = CmMad.of(1, request());
    ByteBuffer buffer = ByteBuffer.allocate(300).put(13, sent.toBytes());

    assertThat(CmMad.decode(new Payload(buffer, 13, 256))).isEqualTo(sent);
  }

  private static String hex(byte[] bytes) {
    return Hex.of(ByteBuffer.wrap(bytes), 0, bytes.length).toUpperCase(java.util.Locale.ROOT);
  }
}
