// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
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
  private static final int LOCAL = 0x81020304;
  private static final int REMOTE = 0x91929394;

  private static CmMessage request() {
    return CmMessage.of(CmKind.REQ)
        .set(CmField.REQ_LOCAL_COMM_ID, LOCAL)
        .set(CmField.REQ_VENDOR_ID, 0x050607)
        .set(CmField.REQ_SERVICE_ID, 0x0000000001061c06L)
        .set(CmField.REQ_LOCAL_CA_GUID, 0x505400fffe000003L)
        .set(CmField.REQ_LOCAL_QKEY, 0x91929394)
        .set(CmField.REQ_LOCAL_QPN, 0x414243)
        .set(CmField.REQ_RESPONDER_RESOURCES, 0x44)
        .set(CmField.REQ_LOCAL_EECN, 0x515253)
        .set(CmField.REQ_INITIATOR_DEPTH, 0x54)
        .set(CmField.REQ_REMOTE_EECN, 0x616263)
        .set(CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT, 20)
        .set(CmField.REQ_TRANSPORT_SERVICE_TYPE, TransportService.EXTENDED.code())
        .set(CmField.REQ_END_TO_END_FLOW_CONTROL, true)
        .set(CmField.REQ_STARTING_PSN, 0x717273)
        .set(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT, 19)
        .set(CmField.REQ_RETRY_COUNT, 5)
        .set(CmField.REQ_PKEY, 0xfffe)
        .set(CmField.REQ_PATH_MTU, 3)
        .set(CmField.REQ_RDC_EXISTS, true)
        .set(CmField.REQ_RNR_RETRY_COUNT, 6)
        .set(CmField.REQ_MAX_CM_RETRIES, 15)
        .set(CmField.REQ_SRQ, true)
        .set(CmField.REQ_EXTENDED_TRANSPORT_TYPE, TransportService.XRC)
        .set(CmField.REQ_PRIMARY_LOCAL_LID, 0x2122)
        .set(CmField.REQ_PRIMARY_REMOTE_LID, 0x2324)
        .set(CmField.REQ_PRIMARY_LOCAL_GID, HERE)
        .set(CmField.REQ_PRIMARY_REMOTE_GID, THERE)
        .set(CmField.REQ_PRIMARY_FLOW_LABEL, 0xabcde)
        .set(CmField.REQ_PRIMARY_PACKET_RATE, 0x2a)
        .set(CmField.REQ_PRIMARY_TRAFFIC_CLASS, 0x31)
        .set(CmField.REQ_PRIMARY_HOP_LIMIT, 0x32)
        .set(CmField.REQ_PRIMARY_SL, 0xc)
        .set(CmField.REQ_PRIMARY_SUBNET_LOCAL, true)
        .set(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT, 0x13);
  }

  private static CmMessage reply() {
    return CmMessage.of(CmKind.REP, LOCAL, REMOTE)
        .set(CmField.REP_LOCAL_QKEY, 0xa5a6a7a8)
        .set(CmField.REP_LOCAL_QPN, 0x414243)
        .setVendorId(0x050607)
        .set(CmField.REP_LOCAL_EECN, 0x515253)
        .set(CmField.REP_STARTING_PSN, 0x717273)
        .set(CmField.REP_RESPONDER_RESOURCES, 0x44)
        .set(CmField.REP_INITIATOR_DEPTH, 0x54)
        .set(CmField.REP_TARGET_ACK_DELAY, 15)
        .set(CmField.REP_FAILOVER_ACCEPTED, 2)
        .set(CmField.REP_END_TO_END_FLOW_CONTROL, true)
        .set(CmField.REP_RNR_RETRY_COUNT, 6)
        .set(CmField.REP_SRQ, true)
        .set(CmField.REP_LOCAL_CA_GUID, 0x505400fffe000003L);
  }

  private static CmMessage serviceReply() {
    return CmMessage.of(CmKind.SIDR_REP)
        .set(CmField.SIDR_REP_REQUEST_ID, LOCAL)
        .set(CmField.SIDR_REP_STATUS, 3)
        .set(CmField.SIDR_REP_ADDITIONAL_INFO_LENGTH, GUID.length())
        .setVendorId(0x050607)
        .set(CmField.SIDR_REP_QPN, 0x414243)
        .set(CmField.SIDR_REP_SERVICE_ID, 0x1111c06L)
        .set(CmField.SIDR_REP_QKEY, 0x01234567)
        .set(CmField.SIDR_REP_ADDITIONAL_INFO, GUID);
  }

  private static CmMessage loadAlternatePath() {
    return CmMessage.of(CmKind.LAP, LOCAL, REMOTE)
        .set(CmField.LAP_REMOTE_QPN, 0x414243)
        .set(CmField.LAP_REMOTE_CM_RESPONSE_TIMEOUT, 20)
        .set(CmField.LAP_ALTERNATE_LOCAL_LID, 0x2122)
        .set(CmField.LAP_ALTERNATE_REMOTE_LID, 0x2324)
        .set(CmField.LAP_ALTERNATE_LOCAL_GID, HERE)
        .set(CmField.LAP_ALTERNATE_REMOTE_GID, THERE)
        .set(CmField.LAP_ALTERNATE_FLOW_LABEL, 0xabcde)
        .set(CmField.LAP_ALTERNATE_PACKET_RATE, 0x2a)
        .set(CmField.LAP_ALTERNATE_TRAFFIC_CLASS, 0x31)
        .set(CmField.LAP_ALTERNATE_HOP_LIMIT, 0x32)
        .set(CmField.LAP_ALTERNATE_SL, 0xc)
        .set(CmField.LAP_ALTERNATE_SUBNET_LOCAL, true)
        .set(CmField.LAP_ALTERNATE_LOCAL_ACK_TIMEOUT, 0x13);
  }

  /** A message, its attribute, what is before the private data, how much of that there may be. */
  static Stream<Arguments> connectionMessages() {
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
            CmMessage.of(CmKind.MRA, LOCAL, REMOTE)
                .set(CmField.MRA_MESSAGE_MRAED, AnsweredMessage.OTHER.code())
                .set(CmField.MRA_SERVICE_TIMEOUT, 24),
            "0011",
            222,
            "81020304 91929394 80 c0"), // 10 for LAP; 11000: timeout 24
        row(
            CmMessage.of(CmKind.REJ, LOCAL, REMOTE)
                .set(CmField.REJ_MESSAGE_REJECTED, AnsweredMessage.REP.code())
                .set(CmField.REJ_REASON, 0x0104)
                .setRejectInfo(GUID),
            "0012",
            148, // 01 for REP; 8 bytes of information; reason
            "81020304 91929394 40 10 0104 505400fffe000003" + "00".repeat(64)),
        row(
            reply(),
            "0013",
            196,
            "81020304 91929394 a5a6a7a8 414243 05 515253 06 717273 07 44 54"
                + "7d d0 505400fffe000003"), // 01111 10 1: delay, failover, flow; 110 1: RNR, SRQ
        row(CmMessage.of(CmKind.RTU, LOCAL, REMOTE), "0014", 224, "81020304 91929394"),
        row(
            CmMessage.of(CmKind.DREQ, LOCAL, REMOTE).set(CmField.DREQ_REMOTE_QPN, 0x414243),
            "0015",
            220,
            "81020304 91929394 414243 00"),
        row(CmMessage.of(CmKind.DREP, LOCAL, REMOTE), "0016", 224, "81020304 91929394"));
  }

  static Stream<Arguments> serviceAndPathMessages() {
    return Stream.of(
        row(
            CmMessage.of(CmKind.SIDR_REQ)
                .set(CmField.SIDR_REQ_REQUEST_ID, LOCAL)
                .set(CmField.SIDR_REQ_PKEY, 0xfffe)
                .set(CmField.SIDR_REQ_SERVICE_ID, 0x0000000001111c06L),
            "0017",
            216,
            "81020304 fffe 0000 0000000001111c06"),
        row(
            serviceReply(),
            "0018",
            136, // request, status, length, vendor, QPN, vendor, service, Q_Key, information
            "81020304 03 08 0506 414243 07 0000000001111c06 01234567 505400fffe000003"
                + "00".repeat(64)),
        row(
            loadAlternatePath(),
            "0019",
            168,
            "81020304 91929394 00000000 414243 a0 00000000 2122 2324"
                + "0102030405060708090a0b0c0d0e0f10 1112131415161718191a1b1c1d1e1f20"
                + "abcde0 31 32 2a c8 98"), // flow label, class, hops, rate, SL and local, timeout
        row(
            CmMessage.of(CmKind.APR, LOCAL, REMOTE)
                .set(CmField.APR_ADDITIONAL_INFO_LENGTH, GUID.length())
                .set(CmField.APR_AP_STATUS, 5)
                .set(CmField.APR_ADDITIONAL_INFO, GUID),
            "001a",
            148,
            "81020304 91929394 08 05 0000 505400fffe000003" + "00".repeat(64)));
  }

  private static Arguments row(CmMessage message, String attribute, int room, String before) {
    String header = "01 07 02 03 0000 0000 0102030405060708" + attribute + "0000 00000000";
    ByteBuffer mad = ByteBuffer.allocate(256);
    mad.put(Hex.bytes(header + before)).put(256 - room, OURS.toArray());
    message.set(CmField.MAD_TRANSACTION_ID, 0x0102030405060708L).setPrivateData(OURS);
    return Arguments.of(message, mad.array(), room);
  }

  @ParameterizedTest
  @MethodSource({"connectionMessages", "serviceAndPathMessages"})
  void writesTheLayoutOfTheSpecification(CmMessage message, byte[] expected, int room) {
    byte[] written = message.toBytes();

    assertThat(written).asHexString().isEqualTo(hex(expected));
    assertThat(message.privateData().length()).isEqualTo(room);
  }

  @ParameterizedTest
  @MethodSource({"connectionMessages", "serviceAndPathMessages"})
  void readsTheLayoutOfTheSpecification(CmMessage message, byte[] bytes, int room) {
    DecodedMad decoded = CmMessage.decode(Payload.of(bytes));

    assertThat(decoded).isEqualTo(message);
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
    CmMessage read = (CmMessage) CmMessage.decode(Payload.of(ones));

    byte[] written = read.toBytes();

    assertThat(BitSet.valueOf(written).get(24 * Byte.SIZE, 256 * Byte.SIZE).cardinality())
        .isEqualTo(CmField.of(kind).stream().mapToInt(CmField::bits).sum());
    assertThat(ByteBuffer.wrap(written).getShort(18)).as("reserved, in the header").isZero();
    assertThat(CmMessage.decode(Payload.of(written))).isEqualTo(read);
    assertThat(read.kind()).isEqualTo(kind);
  }

  @Test
  void keepsTheWholeHeaderOfTheMad() {
    byte[] bytes = CmMessage.of(CmKind.RTU, 2, 3).toBytes();
    ByteBuffer.wrap(bytes).putShort(4, (short) 0x8001).putShort(6, (short) 0x8002);
    ByteBuffer.wrap(bytes).putInt(20, 0x80000003);

    CmMessage read = (CmMessage) CmMessage.decode(Payload.of(bytes));

    assertThat(read.eceOptions()).isEqualTo(0x80000003);
    assertThat(read.toBytes()).asHexString().isEqualTo(hex(bytes));
  }

  @Test
  void readsFromTheMiddleOfABuffer() {
    CmMessage sent = request();
    ByteBuffer buffer = ByteBuffer.allocate(300).put(13, sent.toBytes());

    assertThat(CmMessage.decode(new Payload(buffer, 13, 256))).isEqualTo(sent);
  }

  private static String hex(byte[] bytes) {
    return Hex.of(ByteBuffer.wrap(bytes), 0, bytes.length).toUpperCase(java.util.Locale.ROOT);
  }
}
