// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams to a multicast group reach every queue pair that is attached to it. */
final class MulticastTest {
  /** ::ffff:239.1.2.3. */
  private static final Gid GROUP = new Gid(0, 0xffff_ef01_0203L);

  private static final Gid OTHER_GROUP = new Gid(0, 0xffff_ef01_0204L);

  /** ff0e::1:2:3. */
  private static final Gid GROUP_V6 = new Gid(0xff0e_0000_0000_0000L, 0x1_0002_0003L);

  /** Two devices in virtual time. */
  private static final class MulticastHosts implements AutoCloseable {
    private final Fabric fabric;
    private final Emulator emulator;
    private final DatagramHost a;
    private final DatagramHost b;

    MulticastHosts(LinkForm form, String addressA, String addressB) {
      fabric = form.fabric();
      emulator = Emulator.on(fabric);
      a = new DatagramHost(emulator.addDevice(addressA));
      b = new DatagramHost(emulator.addDevice(addressB));
    }

    MulticastHosts() {
      this(LinkForm.OBJECTS, "10.0.0.1", "10.0.0.2");
    }

    void drain() {
      new VirtualTime(fabric.scheduler()).drain();
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void everyAttachedQueuePairOfEveryDeviceGetsACopy(LinkForm form) {
    try (MulticastHosts hosts = new MulticastHosts(form, "10.0.0.1", "10.0.0.2")) {
      QueuePair sender = hosts.a.createMember(GROUP, 0);
      hosts.a.createMember(GROUP, 1);
      hosts.b.createMember(GROUP, 2);
      hosts.b.createMember(GROUP, 3);
      QueuePair apart = hosts.b.createMember(OTHER_GROUP, 4);

      hosts.a.send(sender, GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.a.sends()).containsExactly("99 SEND");
      assertThat(hosts.a.receives()).containsExactly("0 RECV 44 [GRH]", "1 RECV 44 [GRH]");
      assertThat(hosts.b.receives()).containsExactly("2 RECV 44 [GRH]", "3 RECV 44 [GRH]");
      assertThat(hosts.b.message(2, 4)).containsExactly(1, 2, 3, 4);
      assertThat(hosts.b.message(3, 4)).containsExactly(1, 2, 3, 4);
      assertThat(apart.query().qpState()).isEqualTo(QpState.RTS);
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void groupsOfIpv6WorkAlike(LinkForm form) {
    try (MulticastHosts hosts = new MulticastHosts(form, "fd00::1", "fd00::2")) {
      hosts.b.createMember(GROUP_V6, 0);

      hosts.a.send(hosts.a.createQp(), GROUP_V6, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("0 RECV 44 [GRH]");
      // The destination address of an IPv6 header.
      assertThat(ByteBuffer.wrap(hosts.b.grh(0)).getLong(24)).isEqualTo(GROUP_V6.subnetPrefix());
      assertThat(ByteBuffer.wrap(hosts.b.grh(0)).getLong(32)).isEqualTo(GROUP_V6.interfaceId());
    }
  }

  @Test
  void completionNamesTheSenderAndTheGrhTheGroup() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair sender = hosts.a.createQp();
      QueuePair member = hosts.b.createMember(GROUP, 0);

      hosts.a.send(sender, GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      WorkCompletion completion = hosts.b.receiveCompletions().get(0);
      assertThat(completion.srcQp()).isEqualTo(sender.qpNum());
      assertThat(completion.qpNum()).isEqualTo(member.qpNum());
      // Source and destination address of an IPv4 header.
      assertThat(ByteBuffer.wrap(hosts.b.grh(0)).getInt(32)).isEqualTo(0x0a000001);
      assertThat(ByteBuffer.wrap(hosts.b.grh(0)).getInt(36)).isEqualTo(0xef010203);
    }
  }

  @Test
  void datagramToAGroupDoesNotSayWhereToAnswerFrom() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0);
      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();
      WorkCompletion completion = hosts.b.receiveCompletions().get(0);
      ByteBuffer grh = ByteBuffer.wrap(hosts.b.grh(0));

      VerbsException refused =
          catchThrowableOfType(
              VerbsException.class, () -> hosts.b.context().initAhFromWc(1, completion, grh));

      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(refused).hasMessageContaining("sent to the group");
    }
  }

  @Test
  void deviceWithSeveralAddressesGetsOneCopy() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      DatagramHost c = new DatagramHost(hosts.emulator.addDevice("10.0.0.3", "10.0.0.4"));
      QueuePair member = c.createMember(GROUP, 0);
      c.postRecv(member, 1);

      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(c.receives()).containsExactly("0 RECV 44 [GRH]");
    }
  }

  @Test
  void portThatIsDownReceivesNoMulticast() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0);
      hosts.emulator.devices().get(1).setPortUp(1, false);

      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).isEmpty();
      assertThat(hosts.b.drops("PORT_DOWN")).isEqualTo(1);
    }
  }

  @Test
  void attachingTwiceGivesOneCopy() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair member = hosts.b.createMember(GROUP, 0);
      hosts.b.postRecv(member, 1);

      member.attachMcast(GROUP);
      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("0 RECV 44 [GRH]");
    }
  }

  @Test
  void eachMemberChecksTheQkeyByItself() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair stranger = hosts.b.createQp(DatagramHost.QKEY + 1);
      stranger.attachMcast(GROUP);
      hosts.b.postRecv(stranger, 0);
      hosts.b.createMember(GROUP, 1);

      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("1 RECV 44 [GRH]");
      assertThat(hosts.b.drops("BAD_QKEY")).isEqualTo(1);
    }
  }

  @Test
  void memberThatIsNotReadyKeepsNobodyFromReceiving() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0).modify(QpAttr.to(QpState.RESET));
      hosts.b.createQp().attachMcast(GROUP);
      hosts.b.createMember(GROUP, 2);

      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("2 RECV 44 [GRH]");
      assertThat(hosts.b.drops("WRONG_QP_STATE")).isEqualTo(1);
      assertThat(hosts.b.drops("NO_RECEIVE")).isEqualTo(1);
    }
  }

  @Test
  void attachmentOutlivesAReset() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair member = hosts.b.createMember(GROUP, 0);

      member.modify(QpAttr.to(QpState.RESET));
      member.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(DatagramHost.QKEY));
      member.modify(QpAttr.to(QpState.RTR));
      hosts.b.postRecv(member, 1);
      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("1 RECV 44 [GRH]");
    }
  }

  @Test
  void detachedQueuePairGetsNothingAndTheOthersStillDo() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair leaves = hosts.b.createMember(GROUP, 0);
      hosts.b.createMember(GROUP, 1);

      leaves.detachMcast(GROUP);
      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).containsExactly("1 RECV 44 [GRH]");
    }
  }

  @Test
  void deviceLeavesTheGroupWithItsLastMember() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0).detachMcast(GROUP);

      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).isEmpty();
      assertThat(hosts.b.drops("NO_SUCH_GROUP")).isZero();
    }
  }

  @Test
  void closedContextLeavesItsGroups() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0);

      hosts.b.context().close();
      hosts.a.send(hosts.a.createQp(), GROUP, DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.drops("NO_SUCH_GROUP")).isZero();
    }
  }

  @Test
  void groupAddressReachesNoSingleQueuePair() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      QueuePair member = hosts.b.createMember(GROUP, 0);

      hosts.a.send(hosts.a.createQp(), GROUP, member.qpNum());
      hosts.drain();

      assertThat(hosts.b.receives()).isEmpty();
      assertThat(hosts.b.drops("NO_SUCH_QP")).isEqualTo(1);
    }
  }

  @Test
  void groupNumberAtTheAddressOfADeviceReachesNobody() {
    try (MulticastHosts hosts = new MulticastHosts()) {
      hosts.b.createMember(GROUP, 0);

      hosts.a.send(hosts.a.createQp(), hosts.b.context().queryGid(1, 0), DatagramHost.GROUP_QPN);
      hosts.drain();

      assertThat(hosts.b.receives()).isEmpty();
      assertThat(hosts.b.drops("NO_SUCH_GROUP")).isEqualTo(1);
    }
  }
}
