// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large sends and checksums of queue pairs of type UD, which carry IP over InfiniBand: an EtherType
 * and two reserved bytes (RFC 4391), and an IP packet.
 */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class DatagramOffloadTest {
  private static final int GRH_BYTES = 40;
  private static final int DATA = 32 * 1024;

  private static final String TCP =
      "0800 0000 45000000 00014000 40060000 0a000001 0a000002"
          + "13881389 00000064 01020304 50182000 00000000";

  private static final String UDP_WITHOUT_CHECKSUM =
      "0800 0000 45000020 00004000 40110000 0a000001 0a000002 00071234 000c0000 deadbeef";

  private static final String UDP =
      "0800 0000 45000020 00004000 401126cb 0a000001 0a000002 00071234 000c3bfb deadbeef";

  @AutoClose private final Pair pair;

  DatagramOffloadTest(LinkForm form) {
    pair = Pair.on(form).type(QpType.UD).sendOps(Set.of(SendOpsFlag.WITH_TSO)).connect();
  }

  private void postReceives(int count) {
    for (int slot = 0; slot < count; slot++) {
      pair.b().postRecv(RecvWr.of(slot, pair.b().region().sge(slot * 256, 256)));
    }
  }

  private static SendWr message(Pair pair, SendFlag... flags) {
    byte[] bytes = Bytes.ofHex(flags.length == 0 ? UDP : UDP_WITHOUT_CHECKSUM);
    Bytes.into(pair.a().region(), DATA, bytes);
    return SendWr.send(1, pair.a().region().sge(DATA, bytes.length)).withFlags(flags);
  }

  private TsoWr large(String hdr, int mss, int bytes) {
    return LargeSends.of(7, hdr, mss, LargeSends.countingUp(pair.a().region(), DATA, bytes));
  }

  private List<String> messages(List<WorkCompletion> receives) {
    return receives.stream()
        .map(
            each ->
                Bytes.in(
                    pair.b().region(),
                    (int) each.wrId() * 256 + GRH_BYTES,
                    each.byteLen() - GRH_BYTES))
        .map(HexFormat.of()::formatHex)
        .toList();
  }

  private List<String> messages() {
    return messages(pair.b().receiveCompletions());
  }

  @Test
  void eachSegmentIsADatagramOfItsOwn() {
    postReceives(8);

    pair.send(large(TCP, 6, 10));

    List<WorkCompletion> receives = pair.b().receiveCompletions();
    assertThat(messages(receives))
        .containsExactly(
            ("0800 0000 4500002e 00014000 400626c7 0a000001 0a000002"
                    + "13881389 00000064 01020304 50102000 47450000 010203040506")
                .replace(" ", ""),
            ("0800 0000 4500002c 00024000 400626c8 0a000001 0a000002"
                    + "13881389 0000006a 01020304 50182000 40330000 0708090a")
                .replace(" ", ""));
    assertThat(receives)
        .allSatisfy(
            each -> {
              assertThat(each.srcQp()).isEqualTo(pair.a().qp().qpNum());
              assertThat(each.wcFlags()).isEqualTo(Set.of(WcFlag.GRH, WcFlag.IP_CSUM_OK));
            });
    assertThat(pair.a().sends()).containsExactly("7 TSO");
    assertThat(pair.a().qp().query().sqPsn()).isEqualTo(Pair.PSN_A + 2);
  }

  /** The second datagram finds no receive if there is one only, and is lost alone. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void headerThatIsNotOfIpIsRepeatedAsItIs(int receives) {
    postReceives(receives);

    pair.send(large("aabb", 4, 6));

    assertThat(messages()).isEqualTo(List.of("aabb01020304", "aabb0506").subList(0, receives));
    assertThat(pair.a().sends()).containsExactly("7 TSO");
  }

  /** Of the datagrams of a large send only the last one is solicited. */
  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void batchesCutDatagrams(int receives, boolean isAnnounced) {
    postReceives(receives);
    Sge data = LargeSends.countingUp(pair.a().region(), DATA, 6);
    pair.b().recvCq().reqNotify(true);

    try (WrBatch wr = pair.a().qp().toQpEx().orElseThrow().wrStart()) {
      wr.wrId(7).wrFlags(SendFlag.SOLICITED, SendFlag.SIGNALED);
      wr.sendTso(ByteBuffer.wrap(Bytes.ofHex("aabb")), 4).setSge(data);
      wr.setUdAddr(pair.a().ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY);
      wr.complete();
    }
    pair.drain();

    assertThat(pair.b().channel().getCqEvent(Duration.ZERO).isPresent()).isEqualTo(isAnnounced);
    assertThat(messages()).isEqualTo(List.of("aabb01020304", "aabb0506").subList(0, receives));
    assertThat(pair.a().sends()).containsExactly("7 TSO");
  }

  @Test
  void checksumsAreComputedIfAskedFor() {
    postReceives(1);

    pair.send(message(pair, SendFlag.IP_CSUM));

    List<WorkCompletion> receives = pair.b().receiveCompletions();
    assertThat(messages(receives)).containsExactly(UDP.replace(" ", ""));
    assertThat(receives.get(0).wcFlags()).contains(WcFlag.IP_CSUM_OK);
    byte[] posted = Bytes.ofHex(UDP_WITHOUT_CHECKSUM);
    assertThat(Bytes.in(pair.a().region(), DATA, posted.length)).isEqualTo(posted);
  }

  @Test
  void checksumsAreLeftAloneOtherwise() {
    postReceives(1);

    pair.send(message(pair, SendFlag.SIGNALED));

    List<WorkCompletion> receives = pair.b().receiveCompletions();
    assertThat(messages(receives)).containsExactly(UDP_WITHOUT_CHECKSUM.replace(" ", ""));
    assertThat(receives.get(0).wcFlags()).containsExactly(WcFlag.GRH);
  }

  @Test
  void flagsOfImmediateDataAndChecksumsAreTold() {
    postReceives(1);
    Sge data = message(pair).sgList().get(0);

    pair.send(SendWr.sendWithImm(1, 0xcafe, data));

    assertThat(pair.b().receiveCompletions().get(0).wcFlags())
        .containsExactlyInAnyOrder(WcFlag.GRH, WcFlag.WITH_IMM, WcFlag.IP_CSUM_OK);
  }

  @Test
  void deviceWithoutTheCapabilityDoesNotVerify() {
    DeviceProfile profile = DeviceProfile.standard().without(DeviceCapFlag.UD_IP_CSUM);
    try (Pair plain = Pair.on(LinkForm.OBJECTS).profile(profile).type(QpType.UD).connect()) {
      plain.b().postRecv(RecvWr.of(0, plain.b().region().sge(0, 256)));

      plain.send(message(plain));

      assertThat(plain.b().receiveCompletions().get(0).wcFlags()).containsExactly(WcFlag.GRH);
    }
  }
}
