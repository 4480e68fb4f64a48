// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large sends on queue pairs of type RAW_PACKET, frame by frame. The expected bytes were worked out
 * from RFC 791, 768, 8200 and 9293; checksums by a program of its own.
 */
final class LargeSendTest {
  /** Where data to send lies: behind the slots of the receives. */
  private static final int DATA = 8 * RawHost.SLOT_BYTES;

  /**
   * Identification ffff, sequence number fffffffe, flags CWR, ACK, PSH, FIN. Lengths and checksums
   * are wrong on purpose.
   */
  private static final String TCP_IPV4 =
      "0800 45001234 ffff4000 40065678 IPV4 13881389 fffffffe 01020304 50992000 9abc0000";

  private static final String TCP_IPV6 =
      "86dd 60000000 12340640 IPV6 13881389 fffffffe 01020304 50992000 9abc0000";

  @AutoClose private final Segment segment = new Segment();
  private final RawHost a = segment.a();
  private final RawHost b = segment.b();

  LargeSendTest() {
    b.steer(FlowAttr.normal(FlowSpec.Eth.to(b.mac())));
    for (int slot = 0; slot < 8; slot++) {
      b.postRecv(slot);
    }
  }

  private TsoWr large(String hdr, int mss, Sge... data) {
    return LargeSends.of(7, hex(hdr), mss, data);
  }

  private void send(String hdr, int mss, int bytes) {
    segment.send(large(hdr, mss, LargeSends.countingUp(a.region(), DATA, bytes)));
  }

  /** The frames that arrived, as hex digits. */
  private List<String> frames() {
    return b.recvCq().poll(64).stream()
        .map(each -> b.slot((int) each.wrId(), each.byteLen()))
        .map(HexFormat.of()::formatHex)
        .toList();
  }

  /** The digits of a frame from 10.0.0.1 to 10.0.0.2. */
  private static String hex(String frame) {
    return ("02000a000002 02000a000001" + frame)
        .replace("IPV4", "0a000001 0a000002")
        .replace("IPV6", "fd000000000000000000000000000001 fd000000000000000000000000000002")
        .replace(" ", "");
  }

  /** The header, mss, bytes of data, and the frames that are sent, without their addresses. */
  static Stream<Arguments> cuts() {
    return Stream.of(
        cut(
            TCP_IPV4,
            4,
            10,
            "0800 4500002c ffff4000 400626ca IPV4"
                + "13881389 fffffffe 01020304 50902000 4c320000 01020304",
            "0800 4500002c 00004000 400626ca IPV4"
                + "13881389 00000002 01020304 50102000 44a70000 05060708",
            "0800 4500002a 00014000 400626cb IPV4"
                + "13881389 00000006 01020304 50192000 47a00000 090a"),
        cut(
            TCP_IPV6,
            4,
            10,
            "86dd 60000000 00180640 IPV6" + "13881389 fffffffe 01020304 50902000 66300000 01020304",
            "86dd 60000000 00180640 IPV6" + "13881389 00000002 01020304 50102000 5ea50000 05060708",
            "86dd 60000000 00160640 IPV6" + "13881389 00000006 01020304 50192000 619e0000 090a"),
        cut(
            "8100 6005 0800 45000000 00104000 40110000 IPV4 00071234 00000000",
            5,
            10,
            "8100 6005 0800 45000021 00104000 401126ba IPV4 00071234 000dd090 0102030405",
            "8100 6005 0800 45000021 00114000 401126b9 IPV4 00071234 000dc186 060708090a"),
        // The only segment is the first and the last.
        cut(
            "0800 45000000 00014000 40060000 IPV4 13881389 00000005 01020304 50992000 00000000",
            10,
            10,
            "0800 45000032 00014000 400626c3 IPV4"
                + "13881389 00000005 01020304 50992000 37050000 0102030405060708090a"),
        // As the first frame of all, without data: 4 less in the lengths, flags of first and last.
        cut(
            TCP_IPV4,
            4,
            0,
            "0800 45000028 ffff4000 400626ce IPV4 13881389 fffffffe 01020304 50992000 50330000"),
        // Of other protocols only the header of IPv4 changes.
        cut(
            "0800 45000000 00094000 40010000 IPV4 08000000",
            5,
            10,
            "0800 4500001d 00094000 400126d5 IPV4 08000000 0102030405",
            "0800 4500001d 000a4000 400126d4 IPV4 08000000 060708090a"),
        // Data is not taken for a header.
        cut(
            "0800 45000000 00004000 40060000 IPV4",
            24,
            24,
            "0800 4500002c 00004000 400626ca IPV4"
                + "0102030405060708090a0b0c0d0e0f101112131415161718"),
        cut("88b5 ee", 4, 6, "88b5 ee 01020304", "88b5 ee 0506"),
        // Four words of header, which are not enough.
        cut(
            "0800 44000000 00004000 40060000 IPV4",
            4,
            4,
            "0800 44000000 00004000 40060000 IPV4 01020304"));
  }

  private static Arguments cut(String hdr, int mss, int bytes, String... frames) {
    return Arguments.of(hdr, mss, bytes, List.of(frames));
  }

  @ParameterizedTest
  @MethodSource("cuts")
  void cutsFrames(String hdr, int mss, int bytes, List<String> expected) {
    send(hdr, mss, bytes);

    assertThat(frames()).isEqualTo(expected.stream().map(LargeSendTest::hex).toList());
  }

  @Test
  void completesOnceWithTheBytesOfItsData() {
    send(TCP_IPV4, 4, 10);

    List<WorkCompletion> sends = a.sendCq().poll(64);
    assertThat(Outcomes.of(sends)).containsExactly("7 TSO");
    assertThat(sends.get(0).byteLen()).isEqualTo(10);
  }

  @Test
  void doesNotCompleteIfItSucceedsUnsignaled() {
    segment.send(large(TCP_IPV4, 4, LargeSends.countingUp(a.region(), DATA, 10)).withFlags());

    assertThat(a.sends()).isEmpty();
    assertThat(frames()).hasSize(3);
  }

  @Test
  void leavesAndCompletesInOrderWithOtherSends() {
    Sge data = LargeSends.countingUp(a.region(), DATA, 10);
    Bytes.into(a.region(), DATA + 64, Frames.PLAIN.bytes());
    SendWr plain = SendWr.send(8, a.region().sge(DATA + 64, 18));

    segment.send(plain, large(TCP_IPV4, 4, data), plain);

    assertThat(a.sends()).containsExactly("8 SEND", "7 TSO", "8 SEND");
    assertThat(frames()).map(String::length).containsExactly(36, 116, 116, 112, 36);
  }

  @Test
  void segmentsAreGatheredAcrossEntries() {
    Sge all = LargeSends.countingUp(a.region(), DATA, 10);
    Sge back = new Sge(all.addr() + 3, 7, all.lkey());

    segment.send(large("88b5", 4, new Sge(all.addr(), 3, all.lkey()), back));

    assertThat(frames())
        .containsExactly(hex("88b5 01020304"), hex("88b5 05060708"), hex("88b5 090a"));
  }

  @Test
  void headerMayChangeOnceItIsPosted() {
    TsoWr large = large("88b5", 4, LargeSends.countingUp(a.region(), DATA, 4));
    a.qp().modify(QpAttr.to(QpState.SQD));
    a.qp().postSend(large);

    large.hdr().put(0, (byte) 0x77);
    a.qp().modify(QpAttr.to(QpState.RTS));
    segment.drain();

    assertThat(frames()).containsExactly(hex("88b5 01020304"));
  }

  @Test
  void segmentWhoseMemoryMayNotBeReadEndsIt() {
    Sge readable = LargeSends.countingUp(a.region(), DATA, 6);

    segment.send(large("88b5", 4, readable, new Sge(readable.addr(), 6, readable.lkey() + 99)));

    assertThat(a.sends()).containsExactly("7 LOC_PROT_ERR");
    assertThat(frames()).containsExactly(hex("88b5 01020304"));
    assertThat(a.qp().query().qpState()).isEqualTo(QpState.SQE);
  }

  @Test
  void sniffersSeeTheSegments() {
    segment.c().steer(FlowAttr.of(FlowAttrType.SNIFFER));
    segment.c().postRecv(0);
    segment.c().postRecv(1);
    segment.c().postRecv(2);

    send(TCP_IPV4, 4, 10);

    assertThat(segment.c().receives())
        .containsExactly(
            "0 RECV 58 [IP_CSUM_OK]", "1 RECV 58 [IP_CSUM_OK]", "2 RECV 56 [IP_CSUM_OK]");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 536, 1460, 4146})
  void segmentsOfAnySizeAreWhole(int mss) {
    int bytes = Math.min(8 * mss, 8_000);
    Bytes.into(a.region(), DATA, Bytes.pattern(bytes, mss));

    segment.send(large(TCP_IPV4, mss, a.region().sge(DATA, bytes)));

    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (WorkCompletion receive : b.recvCq().poll(64)) {
      byte[] frame = b.slot((int) receive.wrId(), receive.byteLen());
      assertThat(receive.wcFlags()).isEqualTo(Set.of(WcFlag.IP_CSUM_OK));
      assertThat(Rfc1071.checksumOfTcp(frame)).isZero();
      assertThat(frame.length - 54).isLessThanOrEqualTo(mss);
      data.write(frame, 54, frame.length - 54);
    }
    assertThat(data.toByteArray()).isEqualTo(Bytes.pattern(bytes, mss));
  }

  @Test
  void batchesCutFramesToo() {
    QpInitAttr attr = QpInitAttr.of(QpType.RAW_PACKET, a.sendCq(), QpCap.of(4));
    ExtendedQueuePair qp =
        a.pd()
            .createQpEx(
                QpInitAttrEx.of(attr)
                    .withMaxTsoHeader(RawHost.MAX_TSO_HEADER)
                    .withSendOps(SendOpsFlag.WITH_TSO));
    Attributes.connect(qp, null, 0, 0);

    try (WrBatch wr = qp.wrStart()) {
      wr.wrId(7).wrFlags(SendFlag.SIGNALED);
      wr.sendTso(ByteBuffer.wrap(Bytes.ofHex(hex("88b5"))), 4)
          .setSge(LargeSends.countingUp(a.region(), DATA, 6));
      wr.complete();
    }
    segment.drain();

    assertThat(frames()).containsExactly(hex("88b5 01020304"), hex("88b5 0506"));
    assertThat(a.sends()).containsExactly("7 TSO");
  }
}
