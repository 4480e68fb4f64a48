// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Two devices, and a host without one; what the devices say is kept. */
final class ExplainedHosts implements AutoCloseable {
  static final String A = "127.0.0.101";
  static final String B = "127.0.0.102";
  static final String STRANGER = "127.0.0.103";
  static final int SQ_PSN = 100;
  static final int QKEY = 0x11111111;

  /** 268 milliseconds: over UDP on a busy machine an answer may be late. */
  static final int TIMEOUT = 16;

  /** Stands for the number of the first queue pair of a host, which is any in real time. */
  static final int FIRST_QPN = 17;

  /** Longer than all retries take. */
  private static final Duration LONG = Duration.ofSeconds(10);

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Fabric fabric;
  private final Network network;
  private final Emulator emulator;
  private final Host a;
  private final Host b;
  private int retries;

  /** The networks there are. */
  enum Network {
    OBJECTS,
    WIRE_EXACT,
    UDP;

    private Fabric open() {
      return switch (this) {
        case OBJECTS -> LinkForm.OBJECTS.fabric();
        case WIRE_EXACT -> LinkForm.WIRE_EXACT.fabric();
        case UDP -> UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of(A)));
      };
    }
  }

  /** A device, opened. */
  static final class Host {
    private final EmulatedDevice device;
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private QueuePair first;

    private Host(EmulatedDevice device) {
      this.device = device;
      context = device.open();
      pd = context.allocPd();
      cq = context.createCq(4);
      region =
          pd.regMr(
              ByteBuffer.allocateDirect(4096), Attributes.DATA_RIGHTS.toArray(new AccessFlag[0]));
    }

    EmulatedDevice device() {
      return device;
    }

    Context context() {
      return context;
    }

    /** 4,096 bytes that peers may do everything to. */
    MemoryRegion region() {
      return region;
    }

    QueuePair create(QpType type) {
      QueuePair qp = pd.createQp(QpInitAttr.of(type, cq, QpCap.of(8)));
      first = first == null ? qp : first;
      return qp;
    }

    private int firstQpn() {
      return first == null ? FIRST_QPN : first.qpNum();
    }

    /** A queue pair for datagrams, in RTS. */
    QueuePair datagrams(int portNum) {
      QueuePair qp = create(QpType.UD);
      qp.modify(Attributes.init(QpType.UD).portNum(portNum).qkey(QKEY));
      qp.modify(QpAttr.to(QpState.RTR));
      qp.modify(QpAttr.to(QpState.RTS).sqPsn(SQ_PSN));
      return qp;
    }

    /** The region as the explanation of a refusal names it. */
    String regionInWords() {
      return "; the region has 4096 bytes from 0x"
          + Long.toHexString(region.addr())
          + " on, rights "
          + Attributes.DATA_RIGHTS;
    }
  }

  ExplainedHosts(Network network, String plan) {
    this.network = network;
    fabric = network.open();
    emulator =
        Emulator.builder()
            .fabric(fabric)
            .faultWarnings(unused -> {})
            .explanations(lines::add)
            .faults(FaultPlan.parse(plan))
            .build();
    a = new Host(emulator.addDevice(A));
    b = new Host(emulator.addDevice(DeviceProfile.standard().withPorts(2), B));
  }

  /** Each constant on each network. */
  static <E extends Enum<E>> Stream<Arguments> onAllNetworks(E[] constants) {
    return Stream.of(constants)
        .flatMap(each -> Stream.of(Network.values()).map(network -> Arguments.of(each, network)));
  }

  Host a() {
    return a;
  }

  Host b() {
    return b;
  }

  /** Lets connections try again after a loss. */
  void retry(int times) {
    retries = times;
  }

  /** Connects a queue pair of a with one of b, whose RTR may differ. */
  void connect(QueuePair qpA, QueuePair qpB, UnaryOperator<QpAttr> rtrOfB) {
    connect(qpA, qpB, Attributes.DATA_RIGHTS, rtrOfB);
  }

  /** Connects with other access flags at b. */
  void connect(
      QueuePair qpA, QueuePair qpB, Set<AccessFlag> flagsOfB, UnaryOperator<QpAttr> rtrOfB) {
    connect(qpA, 0, qpB, flagsOfB, rtrOfB);
  }

  /** Connects from another address of a. */
  void connect(QueuePair qpA, int gidIndexOfA, QueuePair qpB) {
    connect(qpA, gidIndexOfA, qpB, Attributes.DATA_RIGHTS, UnaryOperator.identity());
  }

  private void connect(
      QueuePair qpA,
      int gidIndexOfA,
      QueuePair qpB,
      Set<AccessFlag> flagsOfB,
      UnaryOperator<QpAttr> rtrOfB) {
    qpA.modify(Attributes.init(qpA.initAttr().qpType()).qpAccessFlags(Attributes.DATA_RIGHTS));
    qpB.modify(Attributes.init(qpB.initAttr().qpType()).qpAccessFlags(flagsOfB));
    qpA.modify(rtr(qpA, gidIndexOfA, b, qpB));
    qpB.modify(rtrOfB.apply(rtr(qpB, 0, a, qpA)));
    qpA.modify(rts(qpA));
    qpB.modify(rts(qpB));
  }

  private static QpAttr rtr(QueuePair qp, int gidIndex, Host peer, QueuePair peerQp) {
    Gid gid = peer.context.queryGid(1, 0);
    return Attributes.rtr(qp.initAttr().qpType(), gid, peerQp.qpNum(), SQ_PSN)
        .ahAttr(new AhAttr(GlobalRoute.to(gid, gidIndex), 0, 1));
  }

  private QpAttr rts(QueuePair qp) {
    QpType type = qp.initAttr().qpType();
    QpAttr attr = Attributes.rts(type, SQ_PSN);
    return type == QpType.RC || type == QpType.XRC_SEND
        ? attr.timeout(TIMEOUT).retryCnt(retries).rnrRetry(0)
        : attr;
  }

  /** Sends a datagram of so many bytes from a to b. */
  void sendDatagram(int bytes, int destQpn, int qkey) {
    QueuePair qp = a.datagrams(1);
    qp.postSend(
        SendWr.send(1, a.region.sge(0, bytes))
            .to(
                a.pd.createAh(AhAttr.to(b.context.queryGid(1, 0))),
                destQpn == FIRST_QPN ? b.firstQpn() : destQpn,
                qkey));
    assertThat(await(a).isSuccess()).isTrue();
  }

  /** Sends bytes of no device to b. */
  void sendBytes(byte... bytes) {
    new Stranger(bytes).link.ringDoorbell();
  }

  /** Sends one datagram, and takes no notice of others. */
  private final class Stranger implements Station {
    private final InetAddress address = IpAddress.parse(STRANGER);
    private final Link link = fabric.attach(address, this);
    private byte[] unsent;

    private Stranger(byte... bytes) {
      unsent = bytes;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      // It was not asked.
    }

    @Override
    public void transmit() {
      if (unsent != null) {
        ByteBuffer bytes = link.borrow();
        bytes.put(unsent).flip();
        InetAddress target = IpAddress.parse(B);
        link.send(new DatagramBurst(address, 0, target, bytes, unsent.length), null);
        unsent = null;
      }
      link.endTurn();
    }
  }

  WorkCompletion await(Host host) {
    return emulator.await(host.cq, LONG).orElseThrow();
  }

  void injectFaults(String plan) {
    emulator.injectFaults(FaultPlan.parse(plan));
  }

  /** Lets everything arrive, in virtual time. */
  void run() {
    emulator.run(LONG);
  }

  /** The next thing that a device says. */
  String line() {
    if (network != Network.UDP) {
      run();
    }
    try {
      String line = lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
      return line == null ? "nothing" : line;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** A text with {@link #FIRST_QPN} for the first queue pair of b. */
  String comparable(String text) {
    return text.replaceAll("\\b" + b.firstQpn() + "\\b", Integer.toString(FIRST_QPN));
  }

  /** How many packets both devices have dropped for a reason. */
  long drops(DropReason reason) {
    return emulator.dropCounts().getOrDefault(reason.name(), 0L);
  }

  /** Sentences of devices that were not taken. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    emulator.close();
  }
}
