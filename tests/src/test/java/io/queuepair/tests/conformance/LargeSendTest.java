// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Large sends on queue pairs of type RAW_PACKET, frame by frame. The expected bytes were worked out
 * from RFC 791, 768, 8200 and 9293; checksums by a program of its own.
 */
final class LargeSendTest {
  /** Where data to send lies: behind the slots of the receives. */
  private static final int DATA = 8 * RawHost.SLOT_BYTES;

  private static final String ETHERNET = "02000a000002 02000a000001 ";

  /**
   * Identification ffff, sequence number fffffffe, flags CWR, ACK, PSH, FIN. Lengths and checksums
   * are wrong on purpose.
   */
  private static final String TCP_IPV4 =
      ETHERNET
          + "0800 45001234 ffff4000 40065678 0a000001 0a000002"
          + "13881389 fffffffe 01020304 50992000 9abc0000";

  private static final String TCP_IPV6 =
      ETHERNET
          + "86dd 60000000 12340640"
          + "fd000000000000000000000000000001 fd000000000000000000000000000002"
          + "13881389 fffffffe 01020304 50992000 9abc0000";

  @AutoClose private final Segment segment = new Segment();
  private final RawHost a = segment.a();
  private final RawHost b = segment.b();

  LargeSendTest() {
    b.steer(FlowAttr.normal(FlowSpec.Eth.to(b.mac())));
    for (int slot = 0; slot < 8; slot++) {
      b.postRecv(slot);
    }
  }

  private void send(String hdr, int mss, int bytes) {
    a.qp().postSend(LargeSends.of(7, hdr, mss, LargeSends.countingUp(a.region(), DATA, bytes)));
    segment.drain();
  }

  /** The frames that arrived, as hex digits. */
  private List<String> frames() {
    return b.recvCq().poll(64).stream()
        .map(each -> b.slot((int) each.wrId(), each.byteLen()))
        .map(HexFormat.of()::formatHex)
        .toList();
  }

  private static String[] hex(String... spaced) {
    return List.of(spaced).stream().map(each -> each.replace(" ", "")).toArray(String[]::new);
  }

  @Test
  void cutsTcpOverIpv4() {
    send(TCP_IPV4, 4, 10);

    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "0800 4500002c ffff4000 400626ca 0a000001 0a000002"
                    + "13881389 fffffffe 01020304 50902000 4c320000 01020304",
                ETHERNET
                    + "0800 4500002c 00004000 400626ca 0a000001 0a000002"
                    + "13881389 00000002 01020304 50102000 44a70000 05060708",
                ETHERNET
                    + "0800 4500002a 00014000 400626cb 0a000001 0a000002"
                    + "13881389 00000006 01020304 50192000 47a00000 090a"));
  }

  @Test
  void cutsTcpOverIpv6() {
    send(TCP_IPV6, 4, 10);

    String addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "86dd 60000000 00180640"
                    + addresses
                    + "13881389 fffffffe 01020304 50902000 66300000 01020304",
                ETHERNET
                    + "86dd 60000000 00180640"
                    + addresses
                    + "13881389 00000002 01020304 50102000 5ea50000 05060708",
                ETHERNET
                    + "86dd 60000000 00160640"
                    + addresses
                    + "13881389 00000006 01020304 50192000 619e0000 090a"));
  }

  @Test
  void cutsUdpInTaggedFrames() {
    send(
        ETHERNET + "8100 6005 0800 45000000 00104000 40110000 0a000001 0a000002 00071234 00000000",
        5,
        10);

    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "8100 6005 0800 45000021 00104000 401126ba 0a000001 0a000002"
                    + "00071234 000dd090 0102030405",
                ETHERNET
                    + "8100 6005 0800 45000021 00114000 401126b9 0a000001 0a000002"
                    + "00071234 000dc186 060708090a"));
  }

  @Test
  void theOnlySegmentIsTheFirstAndTheLast() {
    send(
        ETHERNET
            + "0800 45000000 00014000 40060000 0a000001 0a000002"
            + "13881389 00000005 01020304 50992000 00000000",
        10,
        10);

    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "0800 45000032 00014000 400626c3 0a000001 0a000002"
                    + "13881389 00000005 01020304 50992000 37050000 0102030405060708090a"));
  }

  @Test
  void withoutDataTheHeaderIsSentAlone() {
    a.qp().postSend(LargeSends.of(7, TCP_IPV4, 4));
    segment.drain();

    // As the first frame above, without data: 4 less in the lengths, flags of first and last.
    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "0800 45000028 ffff4000 400626ce 0a000001 0a000002"
                    + "13881389 fffffffe 01020304 50992000 50330000"));
  }

  @Test
  void ofOtherProtocolsOnlyTheHeaderOfIpv4Changes() {
    send(ETHERNET + "0800 45000000 00094000 40010000 0a000001 0a000002 08000000", 5, 10);

    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET + "0800 4500001d 00094000 400126d5 0a000001 0a000002 08000000 0102030405",
                ETHERNET
                    + "0800 4500001d 000a4000 400126d4 0a000001 0a000002 08000000 060708090a"));
  }

  @Test
  void dataIsNotTakenForAHeader() {
    send(ETHERNET + "0800 45000000 00004000 40060000 0a000001 0a000002", 24, 24);

    assertThat(frames())
        .containsExactly(
            hex(
                ETHERNET
                    + "0800 4500002c 00004000 400626ca 0a000001 0a000002"
                    + "0102030405060708090a0b0c0d0e0f101112131415161718"));
  }

  @Test
  void headerThatIsNotOfIpIsRepeatedAsItIs() {
    send(ETHERNET + "88b5 ee", 4, 6);

    assertThat(frames())
        .containsExactly(hex(ETHERNET + "88b5 ee 01020304", ETHERNET + "88b5 ee 0506"));
  }

  @Test
  void headerOfIpThatContradictsItselfIsRepeatedAsItIs() {
    String fourWords = ETHERNET + "0800 44000000 00004000 40060000 0a000001 0a000002";

    send(fourWords, 4, 4);

    assertThat(frames()).containsExactly(hex(fourWords + "01020304"));
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
    TsoWr large = LargeSends.of(7, TCP_IPV4, 4, LargeSends.countingUp(a.region(), DATA, 10));

    a.qp().postSend(large.withFlags());
    segment.drain();

    assertThat(a.sends()).isEmpty();
    assertThat(frames()).hasSize(3);
  }

  @Test
  void leavesAndCompletesInOrderWithOtherSends() {
    Sge data = LargeSends.countingUp(a.region(), DATA, 10);
    Bytes.into(a.region(), DATA + 64, Frames.PLAIN.bytes());
    SendWr plain = SendWr.send(8, a.region().sge(DATA + 64, 18));

    a.qp().postSend(List.of(plain, LargeSends.of(7, TCP_IPV4, 4, data), plain));
    segment.drain();

    assertThat(a.sends()).containsExactly("8 SEND", "7 TSO", "8 SEND");
    assertThat(frames()).map(String::length).containsExactly(36, 116, 116, 112, 36);
  }

  @Test
  void segmentsAreGatheredAcrossEntries() {
    Sge all = LargeSends.countingUp(a.region(), DATA, 10);
    Sge front = new Sge(all.addr(), 3, all.lkey());
    Sge back = new Sge(all.addr() + 3, 7, all.lkey());

    a.qp().postSend(LargeSends.of(7, ETHERNET + "88b5", 4, front, back));
    segment.drain();

    assertThat(frames())
        .containsExactly(
            hex(ETHERNET + "88b5 01020304", ETHERNET + "88b5 05060708", ETHERNET + "88b5 090a"));
  }

  @Test
  void headerMayChangeOnceItIsPosted() {
    TsoWr large =
        LargeSends.of(7, ETHERNET + "88b5", 4, LargeSends.countingUp(a.region(), DATA, 4));
    a.qp().modify(QpAttr.to(QpState.SQD));
    a.qp().postSend(large);

    large.hdr().put(0, (byte) 0x77);
    a.qp().modify(QpAttr.to(QpState.RTS));
    segment.drain();

    assertThat(frames()).containsExactly(hex(ETHERNET + "88b5 01020304"));
  }

  @Test
  void segmentWhoseMemoryMayNotBeReadEndsIt() {
    Sge readable = LargeSends.countingUp(a.region(), DATA, 6);
    Sge missing = new Sge(readable.addr(), 6, readable.lkey() + 99);

    a.qp().postSend(LargeSends.of(7, ETHERNET + "88b5", 4, readable, missing));
    segment.drain();

    assertThat(a.sends()).containsExactly("7 LOC_PROT_ERR");
    assertThat(frames()).containsExactly(hex(ETHERNET + "88b5 01020304"));
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

  @Test
  void segmentsOfAnySizeAreWhole() {
    for (int mss : new int[] {1, 7, 536, 1460, 4146}) {
      int bytes = Math.min(8 * mss, 8_000);
      Bytes.into(a.region(), DATA, Bytes.pattern(bytes, mss));
      a.qp().postSend(LargeSends.of(7, TCP_IPV4, mss, a.region().sge(DATA, bytes)));
      segment.drain();

      int done = 0;
      for (WorkCompletion receive : b.recvCq().poll(64)) {
        assertThat(receive.wcFlags()).isEqualTo(Set.of(WcFlag.IP_CSUM_OK));
        byte[] frame = b.slot((int) receive.wrId(), receive.byteLen());
        byte[] data = Arrays.copyOfRange(frame, 54, frame.length);
        assertThat(data).hasSizeLessThanOrEqualTo(mss);
        assertThat(Rfc1071.checksumOfTcp(frame)).isZero();
        assertThat(data)
            .isEqualTo(Arrays.copyOfRange(Bytes.pattern(bytes, mss), done, done + data.length));
        done += data.length;
        b.postRecv((int) receive.wrId());
      }
      assertThat(done).isEqualTo(bytes);
    }
  }
}
