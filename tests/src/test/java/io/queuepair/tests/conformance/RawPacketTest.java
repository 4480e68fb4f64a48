// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queue pairs of type RAW_PACKET: whole Ethernet frames, sent and received as they are. */
final class RawPacketTest {
  /** Longest frame that crosses the in-memory network, and an Ethernet header. */
  private static final int LONGEST = 4_200 + 14;

  /** A frame of 125 bytes, 1000 bits, takes a millisecond at 1000 kbit/s. */
  private static final int FRAME_BYTES = 125;

  private static final int KBITS = 1000;
  private static final long FRAME_NANOS = 1_000_000;

  private static final String UNKNOWN_MAC = "02:00:0a:00:00:99";
  private static final DeviceProfile LOOPING = DeviceProfile.standard().withRawLoopback();

  private final Fabric fabric = LinkForm.OBJECTS.fabric();
  @AutoClose private final Segment segment = new Segment(fabric);
  private final RawHost a = segment.a();
  private final RawHost b = segment.b();

  /** A network that is no Ethernet segment: raw packets stay in the device. */
  private final Fabric elsewhere = new WithoutSegment(LinkForm.OBJECTS.fabric());

  @AutoClose private final Emulator emulator = Emulator.on(elsewhere);

  /** Lets a host take what is for it, as many frames. */
  private static void takeOn(RawHost host, int frames) {
    host.steer(FlowAttr.normal());
    for (int slot = 0; slot < frames; slot++) {
      host.postRecv(slot);
    }
  }

  /** A frame has no address of the host that it goes to, only of the one that sends it. */
  @ParameterizedTest
  @CsvSource({"partition 10.0.0.1, 0", "partition 10.0.0.2, 1", "pause 10.0.0.1 for 1us, 1"})
  void aHostThatIsCutOffSendsNoFrames(String plan, int received) {
    try (Segment cut =
        new Segment(new FaultFabric(LinkForm.OBJECTS.fabric(), FaultPlan.parse(plan)))) {
      takeOn(cut.b(), 1);

      cut.a().send(1, Frames.PLAIN.bytes());
      cut.drain();

      assertThat(cut.b().receives()).hasSize(received);
    }
  }

  @Test
  void memoryMayChangeOnceTheSendHasCompleted() {
    takeOn(b, 2);

    a.send(1, Frames.PLAIN.bytes());
    a.send(2, Frames.UDP_IPV6.bytes());
    segment.drain();

    assertThat(b.receives()).containsExactly("0 RECV 18", "1 RECV 66");
    assertThat(b.slot(0, 18)).isEqualTo(Frames.PLAIN.bytes());
    assertThat(b.slot(1, 66)).isEqualTo(Frames.UDP_IPV6.bytes());
    assertThat(a.qp().query().sqPsn()).as("frames are not numbered").isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "14, false",
    "15, false",
    "60, false",
    LONGEST + ", false",
    // A tag makes a frame four bytes longer.
    (LONGEST + 4) + ", true"
  })
  void anyLengthFromTheHeaderToTheMtuArrives(int length, boolean isTagged) {
    takeOn(b, 1);

    a.send(1, frame(length, isTagged));
    segment.drain();

    assertThat(a.sends()).containsExactly("1 SEND");
    assertThat(b.receives()).containsExactly("0 RECV " + length);
    assertThat(b.slot(0, length)).isEqualTo(frame(length, isTagged));
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "13, false",
    (LONGEST + 1) + ", false",
    (LONGEST + 4) + ", false",
    (LONGEST + 5) + ", false",
    (LONGEST + 5) + ", true"
  })
  void frameOfAnyOtherLengthFails(int length, boolean isTagged) {
    takeOn(b, 1);

    a.send(1, frame(length, isTagged));
    segment.drain();

    assertThat(a.sends()).containsExactly("1 LOC_LEN_ERR");
    assertThat(b.receives()).isEmpty();
  }

  private static byte[] frame(int length, boolean isTagged) {
    byte[] frame = Frames.ofLength(length);
    if (isTagged) {
      System.arraycopy(Frames.VLAN_IPV4.bytes(), 12, frame, 12, 6);
    }
    return frame;
  }

  @Test
  void sendsOnlyAndWithoutAddress() {
    Sge sge = a.region().sge(0, 60);

    assertThatThrownBy(() -> a.qp().postSend(SendWr.sendWithImm(1, 5, sge)))
        .hasMessageContainingAll("EINVAL", "SEND_WITH_IMM is not an operation of type RAW_PACKET");
  }

  @Test
  void networkWithoutSegmentHasNoSuchQueuePairs() {
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      Context context = emulator.addDevice("127.0.0.79").open();
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(1, null);

      VerbsException refused =
          catchThrowableOfType(
              VerbsException.class,
              () -> pd.createQp(QpInitAttr.of(QpType.RAW_PACKET, cq, QpCap.of(1))));

      assertThat(a.context().queryDevice().deviceCapFlags())
          .contains(DeviceCapFlag.MANAGED_FLOW_STEERING);
      assertThat(context.queryDevice().deviceCapFlags())
          .doesNotContain(DeviceCapFlag.MANAGED_FLOW_STEERING);
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refused)
          .hasMessageContaining(
              "queue pairs of type RAW_PACKET need an Ethernet segment, which this network is not");
    }
  }

  /** Sends four frames; returns how long it took. */
  private long sendFour() {
    long start = fabric.scheduler().nowNanos();
    for (int wrId = 0; wrId < 4; wrId++) {
      a.send(wrId, Frames.ofLength(FRAME_BYTES));
    }
    segment.drain();
    assertThat(a.sends()).hasSize(4);
    return fabric.scheduler().nowNanos() - start;
  }

  /** Sends two frames; the second has to wait. */
  private void sendTwo() {
    a.send(0, Frames.ofLength(FRAME_BYTES));
    a.send(1, Frames.ofLength(FRAME_BYTES));
    fabric.scheduler().runNext();
  }

  @Test
  void framesAreApartAsTheRateSays() {
    assertThat(sendFour()).as("without limit").isLessThan(FRAME_NANOS);

    a.qp().modifyRateLimit(QpRateLimitAttr.of(KBITS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
  }

  @Test
  void idleTimeIsNotSavedUp() {
    a.qp().modifyRateLimit(QpRateLimitAttr.of(KBITS));
    sendFour();

    new VirtualTime(fabric.scheduler()).run(Duration.ofNanos(10 * FRAME_NANOS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
  }

  @Test
  void aBurstGoesAtOnce() {
    a.qp().modifyRateLimit(new QpRateLimitAttr(KBITS, 2 * FRAME_BYTES, FRAME_BYTES));

    assertThat(sendFour()).isBetween(FRAME_NANOS, 2 * FRAME_NANOS - 1);
  }

  @Test
  void theAttributeOfModifyIsTheSame() {
    a.qp().modify(new QpAttr().rateLimit(KBITS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
    assertThat(a.qp().query().rateLimit()).isEqualTo(KBITS);
  }

  @Test
  void theEndOfTheLimitLetsWaitingFramesGo() {
    a.qp().modifyRateLimit(QpRateLimitAttr.of(1));
    long start = fabric.scheduler().nowNanos();
    sendTwo();

    a.qp().modifyRateLimit(QpRateLimitAttr.of(0));
    segment.drain();

    assertThat(a.sends()).containsExactly("0 SEND", "1 SEND");
    assertThat(fabric.scheduler().nowNanos() - start).isLessThan(FRAME_NANOS);
  }

  @Test
  void framesThatWaitAreFlushed() {
    a.qp().modifyRateLimit(QpRateLimitAttr.of(1));
    sendTwo();

    a.qp().modify(QpAttr.to(QpState.ERR));
    segment.drain();

    assertThat(a.sends()).containsExactly("0 SEND", "1 WR_FLUSH_ERR");
  }

  private static void assertUnlimited(QueuePair qp, int kbits) {
    QpRateLimitAttr limit = QpRateLimitAttr.of(kbits);
    assertThat(Errnos.of(() -> qp.modifyRateLimit(limit))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void whatCannotBeLimitedIsRefused() {
    QueuePair raw = b.qp();
    assertUnlimited(raw, -1);
    raw.modify(QpAttr.to(QpState.RESET));
    assertUnlimited(raw, KBITS);
    b.steer(FlowAttr.normal()).close();
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      assertUnlimited(pair.a().qp(), KBITS);
      QueuePair reset = pair.a().createQp(QpType.UD, new QpCap(1, 1, 1, 1, 0));
      assertUnlimited(reset, KBITS);
    }
  }

  private static final class WithoutSegment extends ForwardingFabric {
    WithoutSegment(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean hasSegment() {
      return false;
    }
  }

  private void loop(RawHost from, String destination) {
    from.send(1, Frames.PLAIN.to(destination));
    new VirtualTime(elsewhere.scheduler()).drain();
  }

  @Test
  void frameReachesAFlowOfTheSameDeviceWhateverItsAddress() {
    RawHost host = new RawHost(emulator.addDevice(LOOPING, "10.0.0.1"));
    host.steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(UNKNOWN_MAC))));
    host.postRecv(0);

    loop(host, UNKNOWN_MAC);

    assertThat(host.receives()).containsExactly("0 RECV 18");
    assertThat(host.slot(0, 18)).isEqualTo(Frames.PLAIN.to(UNKNOWN_MAC));
    assertThat(host.sends()).containsExactly("1 SEND");
  }

  @Test
  void withoutLoopbackRawPacketsAreNotOffered() {
    assertThat(emulator.addDevice(LOOPING, "10.0.0.1").open().queryDeviceEx().rawPacketCaps())
        .isNotEmpty();

    EmulatedDevice plain = emulator.addDevice("10.0.0.2");

    assertThat(Errnos.of(() -> new RawHost(plain))).isEqualTo(Errno.EOPNOTSUPP);
  }
}
