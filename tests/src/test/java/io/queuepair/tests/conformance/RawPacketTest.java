// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs of type RAW_PACKET: whole Ethernet frames, sent and received as they are. */
final class RawPacketTest {
  /** What crosses the in-memory network, and an Ethernet header. */
  private static final int LONGEST = 4_200 + 14;

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void frameArrivesByteByByteInTheNextReceive(LinkForm form) {
    try (Segment segment = new Segment(form.fabric())) {
      segment.b().steer(FlowAttr.normal(FlowSpec.Eth.to(segment.b().mac())));
      segment.b().postRecv(0);
      segment.b().postRecv(1);

      segment.a().send(7, Frames.UDP_IPV4.bytes());
      segment.drain();

      byte[] sent = Frames.UDP_IPV4.bytes();
      assertThat(segment.a().sends()).containsExactly("7 SEND");
      assertThat(segment.b().receives()).containsExactly("0 RECV " + sent.length);
      assertThat(segment.b().slot(0, sent.length)).isEqualTo(sent);
      assertThat(segment.b().slot(0, sent.length + 1)[sent.length]).isEqualTo(TestEndpoint.FILL);
    }
  }

  @Test
  void sendCompletesWhenItIsHandedToTheNetwork() {
    try (Segment segment = new Segment()) {
      segment.a().send(7, Frames.PLAIN.bytes());

      assertThat(segment.a().sends()).containsExactly("7 SEND");
    }
  }

  @Test
  void memoryMayChangeOnceTheSendHasCompleted() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);
      segment.b().postRecv(1);

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.a().send(2, Frames.UDP_IPV6.bytes());
      segment.drain();

      assertThat(segment.b().receives()).containsExactly("0 RECV 18", "1 RECV 66");
      assertThat(segment.b().slot(0, 18)).isEqualTo(Frames.PLAIN.bytes());
      assertThat(segment.b().slot(1, 66)).isEqualTo(Frames.UDP_IPV6.bytes());
    }
  }

  @Test
  void severalEntriesAreGatheredAndScattered() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      Sge header = segment.b().region().sge(0, 14);
      Sge rest = segment.b().region().sge(100, 200);
      segment.b().qp().postRecv(new RecvWr(3, List.of(header, rest)));
      Bytes.into(segment.a().region(), 0, Frames.ofLength(64));

      Sge front = segment.a().region().sge(0, 20);
      Sge back = segment.a().region().sge(20, 44);
      segment.a().qp().postSend(SendWr.send(1, front, back));
      segment.drain();

      byte[] sent = Frames.ofLength(64);
      assertThat(segment.b().receives()).containsExactly("3 RECV 64");
      assertThat(Bytes.in(segment.b().region(), 0, 14)).startsWith(2, 0, 10, 0, 0, 2);
      assertThat(Bytes.in(segment.b().region(), 100, 50))
          .isEqualTo(Arrays.copyOfRange(sent, 14, 64));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {14, 15, 60, LONGEST})
  void anyLengthFromTheHeaderToTheMtuArrives(int length) {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);

      segment.a().send(1, Frames.ofLength(length));
      segment.drain();

      assertThat(segment.b().receives()).containsExactly("0 RECV " + length);
      assertThat(segment.b().slot(0, length)).isEqualTo(Frames.ofLength(length));
    }
  }

  @Test
  void taggedFrameMayBeFourBytesLonger() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);
      byte[] frame = Frames.ofLength(LONGEST + 4);
      System.arraycopy(Frames.VLAN_IPV4.bytes(), 12, frame, 12, 6);

      segment.a().send(1, frame);
      segment.drain();

      assertThat(segment.a().sends()).containsExactly("1 SEND");
      assertThat(segment.b().receives()).containsExactly("0 RECV " + frame.length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 13, LONGEST + 1, LONGEST + 4, LONGEST + 5})
  void frameOfAnyOtherLengthFails(int length) {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);

      segment.a().send(1, Frames.ofLength(length));
      segment.drain();

      assertThat(segment.a().sends()).containsExactly("1 LOC_LEN_ERR");
      assertThat(segment.b().receives()).isEmpty();
    }
  }

  @Test
  void taggedFrameFiveBytesLongerFails() {
    try (Segment segment = new Segment()) {
      byte[] frame = Frames.ofLength(LONGEST + 5);
      System.arraycopy(Frames.VLAN_IPV4.bytes(), 12, frame, 12, 6);

      segment.a().send(1, frame);

      assertThat(segment.a().sends()).containsExactly("1 LOC_LEN_ERR");
    }
  }

  @Test
  void failedSendStopsTheSendQueueAndOnlyThat() {
    try (Segment segment = new Segment()) {
      segment.a().steer(FlowAttr.normal());
      segment.a().postRecv(0);

      segment.a().send(1, Frames.ofLength(13));
      segment.a().send(2, Frames.PLAIN.bytes());
      segment.b().send(3, Frames.PLAIN.to("02:00:0a:00:00:01"));
      segment.drain();

      assertThat(segment.a().qp().query().qpState()).isEqualTo(QpState.SQE);
      assertThat(segment.a().sends()).containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
      assertThat(segment.a().receives()).containsExactly("0 RECV 18");
    }
  }

  @Test
  void sendQueueGoesOnAfterTheErrorWhenTheApplicationSaysSo() {
    try (Segment segment = new Segment()) {
      segment.a().send(1, Frames.ofLength(13));

      segment.a().qp().modify(QpAttr.to(QpState.RTS));
      segment.a().send(2, Frames.PLAIN.bytes());

      assertThat(segment.a().sends()).containsExactly("1 LOC_LEN_ERR", "2 SEND");
    }
  }

  @Test
  void memoryThatIsNotRegisteredFails() {
    try (Segment segment = new Segment()) {
      Sge sge = segment.a().region().sge(0, 60);

      segment.a().qp().postSend(SendWr.send(1, new Sge(sge.addr(), sge.length(), sge.lkey() + 99)));

      assertThat(segment.a().sends()).containsExactly("1 LOC_PROT_ERR");
      assertThat(segment.a().qp().query().qpState()).isEqualTo(QpState.SQE);
    }
  }

  @Test
  void inlineFrameIsReadWhenPosted() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);
      Bytes.into(segment.a().region(), 0, Frames.PLAIN.bytes());

      Sge sge = segment.a().region().sge(0, 18);
      segment.a().qp().postSend(SendWr.send(1, sge).withFlags(SendFlag.SIGNALED, SendFlag.INLINE));
      segment.drain();

      assertThat(segment.b().slot(0, 18)).isEqualTo(Frames.PLAIN.bytes());
    }
  }

  @Test
  void frameWithoutReceiveIsDroppedAndCounted() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.drain();
      segment.b().postRecv(0);
      segment.drain();

      assertThat(segment.b().receives()).isEmpty();
      assertThat(segment.b().drops("NO_RECEIVE")).isEqualTo(1);
    }
  }

  @Test
  void receiveThatIsTooSmallFailsAndTheQueuePairWithIt() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(segment.b().qp(), 0, 17);
      segment.b().postRecv(1);

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.drain();

      assertThat(segment.b().receives()).containsExactly("0 LOC_LEN_ERR", "1 WR_FLUSH_ERR");
      assertThat(segment.b().slot(0, 18)).containsOnly(TestEndpoint.FILL);
      assertThat(segment.b().qp().query().qpState()).isEqualTo(QpState.ERR);
    }
  }

  @Test
  void frameForAQueuePairThatIsNotReadyIsDroppedAndCounted() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().qp().modify(QpAttr.to(QpState.RESET));
      segment.b().qp().modify(QpAttr.to(QpState.INIT).portNum(1));
      segment.b().postRecv(0);

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.drain();

      assertThat(segment.b().receives()).isEmpty();
      assertThat(segment.b().drops("WRONG_QP_STATE")).isEqualTo(1);
    }
  }

  @Test
  void sendsOnlyAndWithoutAddress() {
    try (Segment segment = new Segment()) {
      Sge sge = segment.a().region().sge(0, 60);

      BadWorkRequestException refused =
          catchThrowableOfType(
              BadWorkRequestException.class,
              () -> segment.a().qp().postSend(SendWr.sendWithImm(1, 5, sge)));

      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(refused)
          .hasMessageContaining("SEND_WITH_IMM is not an operation of type RAW_PACKET");
    }
  }

  @Test
  void initNeedsThePortOnly() {
    try (Segment segment = new Segment()) {
      segment.a().qp().modify(QpAttr.to(QpState.RESET));

      VerbsException refused =
          catchThrowableOfType(
              VerbsException.class,
              () -> segment.a().qp().modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0)));
      segment.a().qp().modify(QpAttr.to(QpState.INIT).portNum(1));

      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(segment.a().qp().query().qpState()).isEqualTo(QpState.INIT);
    }
  }

  @Test
  void ladderShowsFramesBetweenTheirAddresses() {
    List<String> lines = new ArrayList<>();
    try (Segment segment = new Segment(LadderTrace.on(LinkForm.OBJECTS.fabric(), lines::add))) {
      segment.a().send(1, Frames.VLAN_IPV4.bytes());

      assertThat(lines)
          .containsExactly(
              "      0.000 us  02:00:0a:00:00:01 ---> 02:00:0a:00:00:02"
                  + "  ETHERNET type=0x0800 vlan=0x6005 50 bytes");
    }
  }

  @Test
  void portThatIsDownNeitherSendsNorReceives() {
    try (Segment segment = new Segment()) {
      segment.b().steer(FlowAttr.normal());
      segment.b().postRecv(0);
      EmulatedDevice.of(segment.b().device()).setPortUp(1, false);

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.b().send(2, Frames.PLAIN.bytes());
      segment.drain();

      assertThat(segment.b().receives()).isEmpty();
      assertThat(segment.b().drops("PORT_DOWN")).isEqualTo(2);
    }
  }

  @Test
  void softRoceHasNoSuchQueuePairs() {
    try (Emulator emulator = Emulator.inMemory()) {
      Context context = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.1").open();
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(1, null);

      VerbsException refused =
          catchThrowableOfType(
              VerbsException.class,
              () -> pd.createQp(QpInitAttr.of(QpType.RAW_PACKET, cq, QpCap.of(1))));

      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
    }
  }

  @Test
  void framesAreNotNumbered() {
    try (Segment segment = new Segment()) {
      segment.a().send(1, Frames.PLAIN.bytes());

      assertThat(segment.a().qp().query().sqPsn()).isZero();
    }
  }

  @Test
  void deviceOnASegmentSaysThatItSteersFlows() {
    try (Segment segment = new Segment()) {
      assertThat(segment.a().context().queryDevice().deviceCapFlags())
          .contains(DeviceCapFlag.MANAGED_FLOW_STEERING);
    }
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

      assertThat(context.queryDevice().deviceCapFlags())
          .doesNotContain(DeviceCapFlag.MANAGED_FLOW_STEERING);
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refused)
          .hasMessageContaining(
              "queue pairs of type RAW_PACKET need an Ethernet segment, which this network is not");
    }
  }
}
