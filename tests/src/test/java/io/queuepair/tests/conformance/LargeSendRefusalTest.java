// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large sends that are refused when they are posted, and sends that ask for checksums in vain. */
final class LargeSendRefusalTest {
  private static final int MAX_TSO = 1 << 18;

  @AutoClose private final Segment segment = new Segment();
  private final RawHost a = segment.a();

  private static TsoWr large(int hdrBytes, int mss, Sge... data) {
    ByteBuffer hdr = ByteBuffer.allocate(hdrBytes);
    return new TsoWr(7, List.of(data), Set.of(SendFlag.SIGNALED), hdr, mss);
  }

  private static void assertRefused(String why, ThrowingCallable post) {
    Errnos.assertRefused(Errno.EINVAL, why, post);
  }

  // The network has an MTU of 4200; the Ethernet header does not count.
  @ParameterizedTest
  @CsvSource({
    "257, 1, a header of 257 bytes is longer than max_tso_header",
    "13, 1, 'a header of 13 bytes has no room for that of Ethernet, 14'",
    "54, 0, mss 0 is not 1 to 65535",
    "54, -1, mss -1 is not 1 to 65535",
    "54, 65536, mss 65536 is not 1 to 65535",
    "54, 4161, 'a header of 54 bytes and an mss of 4161 do not fit the MTU, 4200'",
  })
  void ofFrames(int hdrBytes, int mss, String why) {
    assertRefused(why, () -> a.qp().postSend(large(hdrBytes, mss)));
    segment.send(large(54, 4_160));

    assertThat(a.sends()).containsExactly("7 TSO");
  }

  @Test
  void aTagDoesNotCountForTheMtuEither() {
    ByteBuffer tagged = ByteBuffer.wrap(Frames.VLAN_IPV4.bytes(), 0, 18);
    TsoWr tooLong = new TsoWr(7, List.of(), Set.of(SendFlag.SIGNALED), tagged, 4_201);

    assertRefused("do not fit the MTU, 4200", () -> a.qp().postSend(tooLong));
    segment.send(new TsoWr(7, List.of(), Set.of(SendFlag.SIGNALED), tagged, 4_200));

    assertThat(a.sends()).containsExactly("7 TSO");
  }

  @Test
  void thatLackAHeaderCannotBeMade() {
    assertThatNullPointerException()
        .isThrownBy(() -> new TsoWr(7, List.of(), Set.of(SendFlag.SIGNALED), null, 1))
        .withMessage("hdr");
  }

  @Test
  void thatAreLargerThanMaxTso() {
    Sge most = new Sge(a.region().addr(), MAX_TSO, a.region().lkey());

    assertRefused(
        "262145 bytes are more than max_tso, 262144",
        () -> a.qp().postSend(large(54, 1_000, most, a.region().sge(0, 1))));
  }

  @Test
  void thatAreInline() {
    SendWr inline = large(54, 64, a.region().sge(0, 64)).withFlags(SendFlag.INLINE);

    assertRefused("TSO cannot be inline", () -> a.qp().postSend(inline));
  }

  private static Pair.Builder datagrams() {
    return Pair.on(LinkForm.OBJECTS).type(QpType.UD);
  }

  // The path MTU that fits the network is 4096.
  @ParameterizedTest
  @CsvSource({
    "257, 1, a header of 257 bytes is longer than max_tso_header",
    "44, 0, mss 0 is not 1 to 65535",
    "44, 4053, 'a header of 44 bytes and an mss of 4053 do not fit the MTU, 4096'",
  })
  void ofDatagrams(int hdrBytes, int mss, String why) {
    try (Pair pair = datagrams().sendOps(Set.of(SendOpsFlag.WITH_TSO)).connect()) {
      assertRefused(why, () -> pair.send(large(hdrBytes, mss)));
      pair.send(large(44, 4_052));
    }
  }

  @Test
  void onAQueuePairCreatedWithoutHeaders() {
    try (Pair pair = datagrams().connect()) {
      assertRefused(
          "the queue pair was created without max_tso_header", () -> pair.send(large(0, 1_000)));
    }
  }

  @Test
  void onOtherTypes() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      assertRefused("TSO is not an operation of type RC", () -> pair.send(large(54, 1_000)));
    }
  }

  @Test
  void checksumsThatTheDeviceDoesNotComputeAreRefused() {
    DeviceProfile without = DeviceProfile.standard().without(DeviceCapFlag.UD_IP_CSUM);
    try (Pair pair = datagrams().profile(without).connect()) {
      assertRefused(
          "IP_CSUM is not offered by this device for type UD",
          () -> pair.send(SendWr.send(1).withFlags(SendFlag.IP_CSUM)));
    }
  }

  @Test
  void typesWithoutIpIgnoreThatChecksumsAreAskedFor() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      pair.b().postRecv(RecvWr.of(2));
      pair.send(SendWr.send(1).withFlags(SendFlag.IP_CSUM, SendFlag.SIGNALED));

      assertThat(pair.a().sends()).containsExactly("1 SEND");
    }
  }

  @Test
  void softRoceFailsLargeSendsAndIgnoresChecksums() {
    try (Pair pair = datagrams().profile(DeviceProfile.softRoce()).connect()) {
      pair.send(SendWr.send(1).withFlags(SendFlag.IP_CSUM, SendFlag.SIGNALED));
      pair.send(large(44, 1_000));

      assertThat(pair.a().sends()).containsExactly("1 SEND", "7 LOC_QP_OP_ERR");
    }
  }
}
