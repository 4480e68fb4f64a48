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
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Large sends and checksums of queue pairs of type UD, which carry IP over InfiniBand: an EtherType
 * and two reserved bytes (RFC 4391), and an IP packet.
 */
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

  private static Pair pair(LinkForm form) {
    Pair pair = Pair.on(form).type(QpType.UD).sendOps(Set.of(SendOpsFlag.WITH_TSO)).connect();
    for (int slot = 0; slot < 8; slot++) {
      pair.b().qp().postRecv(RecvWr.of(slot, pair.b().region().sge(slot * 256, 256)));
    }
    return pair;
  }

  private static void send(Pair pair, SendWr wr) {
    pair.a().qp().postSend(wr.to(pair.a().ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY));
    pair.drain();
  }

  private static SendWr message(Pair pair, String spacedHex, SendFlag... flags) {
    byte[] bytes = Bytes.ofHex(spacedHex);
    Bytes.into(pair.a().region(), DATA, bytes);
    return SendWr.send(1, pair.a().region().sge(DATA, bytes.length)).withFlags(flags);
  }

  private static List<String> messages(Pair pair, List<WorkCompletion> receives) {
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

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void eachSegmentIsADatagramOfItsOwn(LinkForm form) {
    try (Pair pair = pair(form)) {
      send(pair, LargeSends.of(7, TCP, 6, LargeSends.countingUp(pair.a().region(), DATA, 10)));

      List<WorkCompletion> receives = pair.b().receiveCompletions();
      assertThat(messages(pair, receives))
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
    }
  }

  @Test
  void segmentsAreNumberedLikeOtherDatagrams() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      send(pair, LargeSends.of(7, TCP, 4, LargeSends.countingUp(pair.a().region(), DATA, 10)));

      assertThat(pair.a().qp().query().sqPsn()).isEqualTo(Pair.PSN_A + 3);
    }
  }

  @Test
  void headerThatIsNotOfIpIsRepeatedAsItIs() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      send(pair, LargeSends.of(7, "aabb", 4, LargeSends.countingUp(pair.a().region(), DATA, 6)));

      assertThat(messages(pair, pair.b().receiveCompletions()))
          .containsExactly("aabb01020304", "aabb0506");
    }
  }

  @Test
  void datagramThatFindsNoReceiveIsLostAlone() {
    try (Pair pair =
        Pair.on(LinkForm.OBJECTS).type(QpType.UD).sendOps(Set.of(SendOpsFlag.WITH_TSO)).connect()) {
      pair.b().qp().postRecv(RecvWr.of(0, pair.b().region().sge(0, 256)));

      send(pair, LargeSends.of(7, "aabb", 4, LargeSends.countingUp(pair.a().region(), DATA, 6)));

      assertThat(messages(pair, pair.b().receiveCompletions())).containsExactly("aabb01020304");
      assertThat(pair.a().sends()).containsExactly("7 TSO");
    }
  }

  @Test
  void checksumsAreComputedIfAskedFor() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      send(pair, message(pair, UDP_WITHOUT_CHECKSUM, SendFlag.IP_CSUM));

      List<WorkCompletion> receives = pair.b().receiveCompletions();
      assertThat(messages(pair, receives)).containsExactly(UDP.replace(" ", ""));
      assertThat(receives.get(0).wcFlags()).contains(WcFlag.IP_CSUM_OK);
    }
  }

  @Test
  void memoryOfTheApplicationStaysAsItIs() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      send(pair, message(pair, UDP_WITHOUT_CHECKSUM, SendFlag.IP_CSUM));

      byte[] posted = Bytes.ofHex(UDP_WITHOUT_CHECKSUM);
      assertThat(Bytes.in(pair.a().region(), DATA, posted.length)).isEqualTo(posted);
    }
  }

  @Test
  void checksumsAreLeftAloneOtherwise() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      send(pair, message(pair, UDP_WITHOUT_CHECKSUM));

      List<WorkCompletion> receives = pair.b().receiveCompletions();
      assertThat(messages(pair, receives)).containsExactly(UDP_WITHOUT_CHECKSUM.replace(" ", ""));
      assertThat(receives.get(0).wcFlags()).containsExactly(WcFlag.GRH);
    }
  }

  @Test
  void flagsOfImmediateDataAndChecksumsAreTold() {
    try (Pair pair = pair(LinkForm.OBJECTS)) {
      byte[] bytes = Bytes.ofHex(UDP);
      Bytes.into(pair.a().region(), DATA, bytes);
      Sge sge = pair.a().region().sge(DATA, bytes.length);

      send(pair, SendWr.sendWithImm(1, 0xcafe, sge));

      assertThat(pair.b().receiveCompletions().get(0).wcFlags())
          .containsExactlyInAnyOrder(WcFlag.GRH, WcFlag.WITH_IMM, WcFlag.IP_CSUM_OK);
    }
  }

  @Test
  void deviceWithoutTheCapabilityDoesNotVerify() {
    DeviceProfile profile = DeviceProfile.standard().without(DeviceCapFlag.UD_IP_CSUM);
    try (Pair pair = Pair.on(LinkForm.OBJECTS).profile(profile).type(QpType.UD).connect()) {
      pair.b().qp().postRecv(RecvWr.of(0, pair.b().region().sge(0, 256)));

      send(pair, message(pair, UDP));

      assertThat(pair.b().receiveCompletions().get(0).wcFlags()).containsExactly(WcFlag.GRH);
    }
  }
}
