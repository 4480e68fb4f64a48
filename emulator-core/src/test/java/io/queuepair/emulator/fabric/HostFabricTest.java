// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A host with two devices, and another one; all of them are driven by the thread of the test. */
final class HostFabricTest {
  private static final int PORT = 4791;

  private final DrivenScheduler scheduler = new DrivenScheduler(() -> {});

  /** Instead of UDP. Bursts are seen in it. */
  private final Wire wire = new Wire(InMemoryFabric.drivenBy(scheduler, realTime()));

  private final List<Emulator> emulators = new ArrayList<>();
  private int openings;

  private static InMemoryOptions realTime() {
    return InMemoryOptions.realTime();
  }

  /** Counts what is sent, and can refuse addresses. */
  private static final class Wire extends ForwardingFabric {
    private final Set<InetAddress> attached = new LinkedHashSet<>();
    private int bursts;
    private boolean isTaken;
    private boolean isBusy;

    private Wire(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      if (isTaken) {
        throw new FabricException("the port is taken", null);
      }
      attached.add(address);
      return new ForwardingLink(super.attach(address, station)) {
        @Override
        public boolean isWritable() {
          return !isBusy && super.isWritable();
        }

        @Override
        public void send(Traffic traffic, String note) {
          bursts++;
          assertThat(traffic).isInstanceOf(DatagramBurst.class);
          super.send(traffic, note);
        }
      };
    }

    @Override
    public void close() {}
  }

  private Emulator host(boolean bindsAtOnce) {
    HostFabric.Outside outside =
        new HostFabric.Outside(
            PORT,
            bindsAtOnce,
            lost -> {
              openings++;
              return wire;
            });
    Emulator host =
        Emulator.on(new HostFabric(InMemoryFabric.drivenBy(scheduler, realTime()), outside));
    emulators.add(host);
    return host;
  }

  @AfterEach
  void close() {
    emulators.forEach(Emulator::close);
  }

  private WorkCompletion await(CompletionQueue cq) {
    WorkCompletion[] one = new WorkCompletion[1];
    long endNanos = scheduler.nowNanos() + TimeUnit.SECONDS.toNanos(20);
    while (cq.poll(one) == 0) {
      assertThat(scheduler.nowNanos()).isLessThan(endNanos);
      scheduler.runDue(64);
    }
    return one[0];
  }

  /** A queue pair and where its work completes. */
  private record End(QueuePair qp, CompletionQueue cq) {}

  private static End newQp(EmulatedDevice device) {
    return newQp(device, QpType.RC);
  }

  private static End newQp(EmulatedDevice device, QpType type) {
    ProtectionDomain pd = device.open().allocPd();
    CompletionQueue cq = pd.context().createCq(64);
    return new End(pd.createQp(QpInitAttr.of(type, cq, QpCap.of(16))), cq);
  }

  private static MemoryRegion memory(End end, int bytes) {
    return end.qp
        .pd()
        .regMr(
            ByteBuffer.allocateDirect(bytes),
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
  }

  private WcStatus writeStatus(End from, End to, int bytes) {
    MemoryRegion source = memory(from, bytes);
    MemoryRegion target = memory(to, bytes);
    source.buffer().putInt(bytes - 4, 0x1234_5678);
    Emulator.connect(from.qp, to.qp);
    from.qp.postSend(SendWr.rdmaWrite(1, target.sge().addr(), target.rkey(), source.sge()));
    WcStatus status = await(from.cq).status();
    if (status == WcStatus.SUCCESS) {
      assertThat(target.buffer().getInt(bytes - 4)).isEqualTo(0x1234_5678);
    }
    return status;
  }

  @Test
  void packetsBetweenDevicesOfTheHostOpenNothing() {
    Emulator host = host(false);
    End a = newQp(host.addDevice("10.0.0.1"));
    End b = newQp(host.addDevice("10.0.0.2"));

    assertThat(writeStatus(a, b, 100_000)).isEqualTo(WcStatus.SUCCESS);
    assertThat(openings).isZero();
    assertThat(wire.attached).isEmpty();
  }

  @Test
  void theFirstPacketToAnotherHostAttachesItsAddressOnly() {
    Emulator host = host(false);
    End a = newQp(host.addDevice("10.0.0.1"));
    host.addDevice("10.0.0.2");
    End far = newQp(host(true).addDevice("10.0.0.3"));
    openings = 0;

    assertThat(writeStatus(a, far, 100_000)).isEqualTo(WcStatus.SUCCESS);
    assertThat(openings).isEqualTo(1);
    assertThat(wire.attached)
        .extracting(InetAddress::getHostAddress)
        .containsExactly("10.0.0.3", "10.0.0.1");
    assertThat(wire.bursts).isPositive();
  }

  @Test
  void aDeviceThatIsToBeReachedIsAttachedFromTheBeginning() {
    End far = newQp(host(true).addDevice("10.0.0.3"));
    End own = newQp(host(true).addDevice("10.0.0.1"));

    assertThat(wire.attached).hasSize(2);
    assertThat(writeStatus(far, own, 5000)).isEqualTo(WcStatus.SUCCESS);
  }

  @Test
  void aTakenPortRefusesADeviceThatIsToBeReached() {
    wire.isTaken = true;
    Emulator host = host(true);

    assertThatThrownBy(() -> host.addDevice("10.0.0.1"))
        .isInstanceOf(FabricException.class)
        .hasMessage("the port is taken");
    wire.isTaken = false;
    assertThat(host.addDevice("10.0.0.1").name()).isNotEmpty(); // Inside it is free again.
  }

  @Test
  void aTakenPortLosesWhatLeavesAndIsInTheCompletion() {
    Emulator host = host(false);
    End a = newQp(host.addDevice("10.0.0.1"));
    End far = newQp(host(true).addDevice("10.0.0.3"));
    wire.isTaken = true;
    Emulator.connect(a.qp, far.qp);
    a.qp.modify(QpAttr.to(QpState.SQD));
    a.qp.modify(new QpAttr().timeout(8).retryCnt(1)); // 1 ms.
    a.qp.modify(QpAttr.to(QpState.RTS));
    a.qp.postSend(SendWr.rdmaWrite(1, 0, 0));

    WorkCompletion end = await(a.cq);
    assertThat(end.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(end.explanation()).contains("not sent: the port is taken");
  }

  /** Waiting packets are bounded by their bytes: the time limits of their requests have begun. */
  @Test
  void aBusyNetworkStopsItsStationsSoon() throws Exception {
    HostFabric.Outside outside = new HostFabric.Outside(PORT, true, lost -> wire);
    HostFabric fabric = new HostFabric(InMemoryFabric.drivenBy(scheduler, realTime()), outside);
    InetAddress own = InetAddress.getByName("10.0.0.1");
    InetAddress far = InetAddress.getByName("10.0.0.3");
    int[] turns = new int[1];
    Station station =
        new Station() {
          @Override
          public void receive(List<? extends Traffic> traffic) {}

          @Override
          public void transmit() {
            turns[0]++;
          }
        };
    Link link = fabric.attach(own, station);
    wire.isBusy = true;
    int accepted = 0;
    while (link.isWritable()) {
      ByteBuffer bytes = link.borrow();
      bytes.limit(1000);
      link.send(new DatagramBurst(own, PORT, far, bytes, 1000), null);
      accepted++;
    }
    link.endTurn();
    scheduler.runDue(64);

    assertThat(accepted).isEqualTo(2 * 65_507 / 1000 + 1);
    assertThat(turns[0]).isZero();
    wire.isBusy = false;
    link.endTurn();
    scheduler.runDue(64);
    scheduler.runDue(64);
    assertThat(wire.bursts).isEqualTo(accepted);
    assertThat(turns[0]).isPositive();
    assertThat(link.isWritable()).isTrue();
    link.close();
    fabric.close();
  }

  @Test
  void faultsAndTracesSeeBothNetworks() {
    List<String> trace = new ArrayList<>();
    HostFabric.Outside outside = new HostFabric.Outside(PORT, false, lost -> wire);
    InMemoryFabric inside = InMemoryFabric.drivenBy(scheduler, realTime());
    Emulator host = Emulator.on(LadderTrace.on(new HostFabric(inside, outside), trace::add));
    emulators.add(host);
    host.injectFaults(FaultPlan.parse("drop 10% RC_RDMA_WRITE_MIDDLE"));
    EmulatedDevice device = host.addDevice("10.0.0.1");
    End near = newQp(host.addDevice("10.0.0.2"));
    End far = newQp(host(true).addDevice("10.0.0.3"));

    assertThat(writeStatus(newQp(device), near, 200_000)).isEqualTo(WcStatus.SUCCESS);
    long inMemory = lost(host);
    assertThat(writeStatus(newQp(device), far, 200_000)).isEqualTo(WcStatus.SUCCESS);

    assertThat(inMemory).isPositive();
    assertThat(lost(host)).isGreaterThan(inMemory);
    host.close();
    assertThat(String.join("\n", trace)).contains("10.0.0.2", "10.0.0.3", "RC_ACKNOWLEDGE");
  }

  private static long lost(Emulator host) {
    return host.faultCounts().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void aGroupHasMembersInsideAndOutside() throws Exception {
    List<End> members = new ArrayList<>();
    Gid group = Gid.of(InetAddress.getByName("239.1.2.3"));
    Emulator host = host(true);
    for (EmulatedDevice device :
        List.of(
            host.addDevice("10.0.0.1"),
            host.addDevice("10.0.0.2"),
            host(true).addDevice("10.0.0.3"))) {
      End member = newQp(device, QpType.UD);
      QueuePair qp = member.qp;
      qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(7));
      qp.modify(QpAttr.to(QpState.RTR));
      qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
      qp.attachMcast(group);
      qp.postRecv(RecvWr.of(2, memory(member, 64).sge()));
      qp.postRecv(RecvWr.of(3, memory(member, 64).sge()));
      members.add(member);
    }
    End sender = members.get(0);
    SendWr message = SendWr.send(1, memory(sender, 8).sge());
    AddressHandle ah = sender.qp.pd().createAh(AhAttr.to(group));
    sender.qp.postSend(new UdWr(message, ah, 0xffffff, 7));

    assertThat(await(sender.cq).wrId()).isEqualTo(1);
    for (End member : members) {
      assertThat(await(member.cq).wrId()).isEqualTo(2); // And one copy only:
    }
    scheduler.runDue(64);
    for (End member : members) {
      assertThat(member.cq.poll(new WorkCompletion[1])).isZero();
    }
  }
}
