// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams to a multicast group reach every queue pair that is attached to it. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class MulticastTest {
  /** ::ffff:239.1.2.3. */
  private static final Gid GROUP = new Gid(0, 0xffff_ef01_0203L);

  private static final Gid OTHER_GROUP = new Gid(0, 0xffff_ef01_0204L);

  /** ff0e::1:2:3. */
  private static final Gid GROUP_V6 = new Gid(0xff0e_0000_0000_0000L, 0x1_0002_0003L);

  private final Fabric fabric;
  @AutoClose private final Emulator emulator;
  private final DatagramHost a;
  private final DatagramHost b;

  MulticastTest(LinkForm form) {
    fabric = form.fabric();
    emulator = Emulator.on(fabric);
    a = new DatagramHost(emulator.addDevice("10.0.0.1", "fd00::1"));
    b = new DatagramHost(emulator.addDevice("10.0.0.2", "fd00::2"));
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  private void sendToGroup() {
    a.send(a.createQp(), GROUP, DatagramHost.GROUP_QPN);
    drain();
  }

  @Test
  void everyAttachedQueuePairOfEveryDeviceGetsACopy() {
    QueuePair sender = a.createMember(GROUP, 0);
    a.createMember(GROUP, 1);
    b.createMember(GROUP, 2);
    b.createMember(GROUP, 3);
    QueuePair apart = b.createMember(OTHER_GROUP, 4);

    a.send(sender, GROUP, DatagramHost.GROUP_QPN);
    drain();

    assertThat(a.sends()).containsExactly("99 SEND");
    assertThat(a.receives()).containsExactly("0 RECV 44 [GRH]", "1 RECV 44 [GRH]");
    assertThat(b.receives()).containsExactly("2 RECV 44 [GRH]", "3 RECV 44 [GRH]");
    assertThat(b.message(2, 4)).containsExactly(1, 2, 3, 4);
    assertThat(b.message(3, 4)).containsExactly(1, 2, 3, 4);
    assertThat(apart.query().qpState()).isEqualTo(QpState.RTS);
    assertThat(emulator.devices().get(1).trafficCounters(1))
        .containsEntry("multicast_rcv_packets", 1L)
        .containsEntry("unicast_rcv_packets", 0L);
  }

  @Test
  void groupsOfIpv6WorkAlike() {
    b.createMember(GROUP_V6, 0);

    AhAttr group = new AhAttr(new GlobalRoute(GROUP_V6, 0, 1, 64, 0), 0, 1);
    a.send(a.createQp(), group, DatagramHost.GROUP_QPN, DatagramHost.QKEY);
    drain();

    assertThat(b.receives()).containsExactly("0 RECV 44 [GRH]");
    // The destination address of an IPv6 header.
    assertThat(ByteBuffer.wrap(b.grh(0)).getLong(24)).isEqualTo(GROUP_V6.subnetPrefix());
    assertThat(ByteBuffer.wrap(b.grh(0)).getLong(32)).isEqualTo(GROUP_V6.interfaceId());
  }

  @Test
  void completionNamesTheSenderAndTheGrhTheGroup() {
    QueuePair sender = a.createQp();
    QueuePair member = b.createMember(GROUP, 0);

    a.send(sender, GROUP, DatagramHost.GROUP_QPN);
    drain();

    WorkCompletion completion = b.receiveCompletions().get(0);
    assertThat(completion.srcQp()).isEqualTo(sender.qpNum());
    assertThat(completion.qpNum()).isEqualTo(member.qpNum());
    // Source and destination address of an IPv4 header.
    assertThat(ByteBuffer.wrap(b.grh(0)).getInt(32)).isEqualTo(0x0a000001);
    assertThat(ByteBuffer.wrap(b.grh(0)).getInt(36)).isEqualTo(0xef010203);
  }

  @Test
  void datagramToAGroupDoesNotSayWhereToAnswerFrom() {
    b.createMember(GROUP, 0);
    sendToGroup();
    WorkCompletion completion = b.receiveCompletions().get(0);
    ByteBuffer grh = ByteBuffer.wrap(b.grh(0));

    Errnos.assertRefused(
        Errno.EINVAL, "sent to the group", () -> b.context().initAhFromWc(1, completion, grh));
  }

  @Test
  void deviceWithSeveralAddressesGetsOneCopy() {
    DatagramHost c = new DatagramHost(emulator.addDevice("10.0.0.3", "10.0.0.4"));
    QueuePair member = c.createMember(GROUP, 0);
    c.postRecv(member, 1);

    sendToGroup();

    assertThat(c.receives()).containsExactly("0 RECV 44 [GRH]");
  }

  @Test
  void attachingTwiceGivesOneCopy() {
    QueuePair member = b.createMember(GROUP, 0);
    b.postRecv(member, 1);

    member.attachMcast(GROUP);
    sendToGroup();

    assertThat(b.receives()).containsExactly("0 RECV 44 [GRH]");
  }

  @Test
  void eachMemberChecksTheQkeyByItself() {
    QueuePair stranger = b.createQp(DatagramHost.QKEY + 1);
    stranger.attachMcast(GROUP);
    b.postRecv(stranger, 0);
    b.createMember(GROUP, 1);

    sendToGroup();

    assertThat(b.receives()).containsExactly("1 RECV 44 [GRH]");
    assertThat(b.drops("BAD_QKEY")).isEqualTo(1);
  }

  @Test
  void attachmentOutlivesAReset() {
    QueuePair member = b.createMember(GROUP, 0);

    member.modify(QpAttr.to(QpState.RESET));
    member.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(DatagramHost.QKEY));
    member.modify(QpAttr.to(QpState.RTR));
    b.postRecv(member, 1);
    sendToGroup();

    assertThat(b.receives()).containsExactly("1 RECV 44 [GRH]");
  }

  @Test
  void detachedQueuePairGetsNothingAndTheOthersStillDo() {
    QueuePair leaves = b.createMember(GROUP, 0);
    b.createMember(GROUP, 1);

    leaves.detachMcast(GROUP);
    sendToGroup();

    assertThat(b.receives()).containsExactly("1 RECV 44 [GRH]");
  }

  @Test
  void groupAddressReachesNoSingleQueuePair() {
    QueuePair member = b.createMember(GROUP, 0);

    a.send(a.createQp(), GROUP, member.qpNum());
    drain();

    assertThat(b.receives()).isEmpty();
    assertThat(b.drops("NO_SUCH_QP")).isEqualTo(1);
  }
}
