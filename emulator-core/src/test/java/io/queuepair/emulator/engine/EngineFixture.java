// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.hca.ReceiveRules;
import io.queuepair.emulator.hca.SendRules;
import io.queuepair.emulator.hca.WrPosition;
import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.memory.ProcessAccess;
import io.queuepair.emulator.memory.ProcessMemory;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.WorkListener;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine with one reliable connection whose peer is the test: it makes every packet that
 * arrives, sees every packet that leaves, and says what time it is. Path MTU 256, our first PSN
 * {@link #OWN_PSN}, the peer's {@link #PEER_PSN}; everything else by {@link #defaults}.
 */
public final class EngineFixture {
  static final int MTU = 256;
  static final int OWN_PSN = 100;
  static final int PEER_PSN = 500;

  /** Code 14: 4.096 us times 2^14. */
  static final long TIMEOUT_NANOS = 4_096L << 14;

  private static final SendWindowConfig PACING = SendWindowConfig.softRoce();
  private static final int PEER_QPN = 0x77;
  private static final int DOMAIN = 1;
  private static final Set<AccessFlag> ALL_RIGHTS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** The P_Key in slot 1; the others hold the default one. */
  static final int SECOND_PKEY = 0x8002;

  private static final QpPort PORT =
      new QpPort() {
        @Override
        public int mtuBytes(QpType type) {
          return 4096;
        }

        @Override
        public int pkey(int index) {
          return index == 1 ? SECOND_PKEY : PartitionKey.DEFAULT;
        }

        @Override
        public boolean isFor(InetAddress address) {
          return true;
        }
      };

  public static final Gsi.MadRoutes NO_ADDRESSES =
      new Gsi.MadRoutes() {
        @Override
        public Route routeTo(AhAttr address) {
          return null;
        }

        @Override
        public AhAttr answerTo(Route route, int portNum) {
          return null;
        }
      };

  private final MemoryTable memory = new MemoryTable();
  private final Engine engine;
  private final CompletionRing sends;
  private final CompletionRing receives;
  private final List<EventType> events = new ArrayList<>();
  private final Route out = route(1, 2);
  private final QpContext.QpSetup setup;
  private QpEngine qpEngine;
  private QpContext qp;
  private long nowNanos = 1_000_000_000L;
  private @Nullable RegisteredMemory region;
  private final WindowFixture windows = new WindowFixture(this);

  private EngineFixture(SendWindowConfig sendWindow) {
    this(QpType.RC, sendWindow);
  }

  private EngineFixture(QpType type, SendWindowConfig sendWindow) {
    engine = engine(memory, sendWindow, new Gsi(1, NO_ADDRESSES));
    sends = newRing();
    receives = newRing();
    setup =
        new QpContext.QpSetup(
            type,
            DOMAIN,
            sends,
            receives,
            null,
            new QpCap(32, 32, 4, 4, 64),
            false,
            Offloads.NONE,
            Set.of(),
            events::add);
    create();
  }

  private static Engine engine(MemoryTable memory, SendWindowConfig sendWindow, Gsi gsi) {
    return new Engine(memory, sendWindow, WorkListener.NONE, new LostPackets(), gsi, () -> true);
  }

  /** Without queue pairs but that one. */
  public static Engine engine(Gsi gsi) {
    return engine(new MemoryTable(), PACING, gsi);
  }

  /** A queue pair outside of any engine, in RESET, whose completions go to one ring. */
  public static QpContext context(
      QpType type,
      @Nullable CompletionRing ring,
      @Nullable SharedReceiveRing shared,
      Offloads offloads) {
    QpCap cap = QpCap.of(4);
    return new QpContext(
        0x11,
        new QpContext.QpSetup(
            type, DOMAIN, ring, ring, shared, cap, false, offloads, Set.of(), event -> {}));
  }

  private void create() {
    qpEngine = engine.create(setup);
    qp = qpEngine.qp();
  }

  private CompletionRing newRing() {
    return new CompletionRing(64, false, engine.moderator(), new ArrayDeque<>(), events::add);
  }

  /** In RTS with the defaults. */
  static EngineFixture ready() {
    return ready(attr -> attr);
  }

  /** Of another type, in RTS with the defaults. */
  static EngineFixture ready(QpType type) {
    EngineFixture fixture = new EngineFixture(type, PACING);
    fixture.connect(defaults());
    return fixture;
  }

  /** In RTS with some attributes changed. */
  static EngineFixture ready(UnaryOperator<QpAttr> change) {
    EngineFixture fixture = new EngineFixture(PACING);
    fixture.connect(change.apply(defaults()));
    return fixture;
  }

  /** In RTS with the defaults, and credits, which the others neither send nor look at. */
  static EngineFixture readyWithCredits() {
    return readyWith(SendWindowConfig.standard());
  }

  /** In RTS with the defaults, and what a device may have under way. */
  static EngineFixture readyWith(SendWindowConfig sendWindow) {
    EngineFixture fixture = new EngineFixture(sendWindow);
    fixture.connect(defaults());
    return fixture;
  }

  /** In RTR with the defaults. */
  static EngineFixture readyToReceive() {
    EngineFixture fixture = new EngineFixture(PACING);
    fixture.connectToReceive(defaults());
    return fixture;
  }

  static QpAttr defaults() {
    return new QpAttr()
        .ahAttr(AhAttr.to(Gid.of(route(1, 2).destination())))
        .qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
        .pathMtu(Mtu.MTU_256)
        .destQpNum(PEER_QPN)
        .rqPsn(PEER_PSN)
        .sqPsn(OWN_PSN)
        .minRnrTimer(12)
        .maxDestRdAtomic(2)
        .maxRdAtomic(2)
        .timeout(14)
        .retryCnt(2)
        .rnrRetry(2);
  }

  /** Brings a queue pair that is in RESET to RTS. */
  void connect(QpAttr attr) {
    connectToReceive(attr);
    qpEngine.enter(QpState.RTS);
  }

  void connect() {
    connect(defaults());
  }

  void connectToReceive() {
    connectToReceive(defaults());
  }

  private void connectToReceive(QpAttr attr) {
    qp.attributes().apply(attr, attr.mask());
    qpEngine.enter(QpState.INIT);
    qp.usePort(PORT);
    qp.connect(new NetworkPath(out, PORT, 0));
    qpEngine.enter(QpState.RTR);
  }

  void enter(QpState state) {
    qpEngine.enter(state);
  }

  // Calls of the application.

  void loadAlternate() {
    loadAlternate(0);
  }

  /** Loads one with the P_Key of a slot of the table. */
  void loadAlternate(int pkeyIndex) {
    loadAlternate(route(4, 5), pkeyIndex);
  }

  /** Loads the path that the connection began with. */
  void loadFirstPathAsAlternate() {
    loadAlternate(out, 0);
  }

  private void loadAlternate(Route route, int pkeyIndex) {
    AhAttr address = AhAttr.to(Gid.of(route.destination()));
    QpAttr attr = new QpAttr().altPath(new AlternatePath(address, pkeyIndex, 1, 14));
    qp.attributes().apply(attr, attr.mask());
    qp.loadAlternate(new NetworkPath(route, PORT, pkeyIndex));
  }

  void rearm() {
    setMigration(MigState.REARM);
  }

  void armWithoutPath() {
    setMigration(MigState.ARMED);
  }

  private void setMigration(MigState state) {
    QpAttr attr = new QpAttr().pathMigState(state);
    qp.attributes().apply(attr, attr.mask());
  }

  void migrate() {
    qpEngine.migrate();
  }

  /** First step of every verb that may change the queue pair. */
  void beginVerb() {
    engine.makePackets(qpEngine);
  }

  void destroy() {
    engine.destroy(qpEngine);
  }

  /** As the connection manager does in time-wait. */
  void holdQpn() {
    engine.holdQpn(qp.qpn());
  }

  void releaseQpn() {
    engine.releaseQpn(qp.qpn());
  }

  int queuePairs() {
    return engine.queuePairs();
  }

  /** From now on it is about another queue pair, in RTS. */
  void createAnother() {
    create();
    connect();
  }

  RegisteredMemory register(byte[] content) {
    return register(content, ALL_RIGHTS);
  }

  RegisteredMemory register(byte[] content, Set<AccessFlag> rights) {
    return registerIn(DOMAIN, content, rights);
  }

  RegisteredMemory registerInOtherDomain(byte[] content) {
    return registerIn(DOMAIN + 1, content, ALL_RIGHTS);
  }

  private RegisteredMemory registerIn(int domain, byte[] content, Set<AccessFlag> rights) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(content.length);
    buffer.put(0, content);
    return memory.register(domain, buffer, rights);
  }

  RegisteredMemory register(ByteBuffer direct) {
    return memory.register(DOMAIN, direct, ALL_RIGHTS);
  }

  /** Registers memory of another process, at its own address. */
  RegisteredMemory register(ProcessAccess process, long address, long length) {
    ProcessMemory range = new ProcessMemory(process, address, length);
    return memory.register(DOMAIN, new MappedHostMemory(address, range), ALL_RIGHTS);
  }

  void deregister(RegisteredMemory region) {
    memory.deregister(region);
  }

  static Sge sge(RegisteredMemory region, int offset, int length) {
    return new Sge(region.addr() + offset, length, region.key());
  }

  static Sge sge(RegisteredMemory region) {
    return sge(region, 0, (int) region.length());
  }

  static Reth reth(RegisteredMemory region, int offset, long length) {
    return new Reth(region.addr() + offset, region.key(), length);
  }

  static byte[] contentOf(RegisteredMemory region) {
    byte[] content = new byte[(int) region.length()];
    region.bytes().get(0, content);
    return content;
  }

  void post(SendWr... requests) {
    for (SendWr request : requests) {
      post(request, null);
    }
  }

  void post(SendWr request, @Nullable MwBindRequest bind) {
    SendWqe wqe = engine.wqes().takeSend();
    wqe.request().set(request);
    wqe.setBind(bind);
    new SendRules(memory, (domain, other) -> domain == other).check(qp, wqe, WrPosition.inList(0));
    qpEngine.postSend(wqe);
  }

  MemoryTable memory() {
    return memory;
  }

  /** Peers of the connection, as memory sees them. */
  AccessContext accessor() {
    return new AccessContext(DOMAIN, qp.incarnation());
  }

  void postReceive(long wrId, Sge... sges) {
    RecvWqe wqe = engine.wqes().takeReceive();
    wqe.set(RecvWr.of(wrId, sges));
    ReceiveRules.check("ibv_post_recv", qp, wqe, 0);
    qpEngine.postReceive(wqe);
  }

  /** Memory that {@link EngineScript scripts} read and write. */
  RegisteredMemory region() {
    if (region == null) {
      region = register(new byte[8 * MTU]);
    }
    return region;
  }

  WindowFixture windows() {
    return windows;
  }

  /** Does what an {@link EngineScript} says; returns what left. */
  String run(String script) {
    return new EngineScript(this, region()).run(script);
  }

  /** A packet of the peer, written as in an {@link EngineScript}. */
  Packet packet(String text) {
    return new EngineScript(this, region()).packet(text);
  }

  // Events on the wire.

  /** Packets from the peer to us. */
  PacketMaker peer() {
    return new PacketMaker(route(2, 1), qp.qpn());
  }

  /** Packets from the peer to us over the {@link #loadAlternate alternate path}. */
  PacketMaker peerByAlternate() {
    return new PacketMaker(route(5, 4), qp.qpn());
  }

  /** Packets from us to the peer, to compare with. */
  PacketMaker own() {
    return new PacketMaker(out, PEER_QPN);
  }

  /** Packets of a stranger to us. */
  PacketMaker stranger() {
    return new PacketMaker(route(3, 1), qp.qpn());
  }

  /** Packets from the peer to another address of our device. */
  PacketMaker peerToAnotherAddress() {
    return new PacketMaker(route(2, 9), qp.qpn());
  }

  /** Packets arrive, one after the other; nothing leaves yet. */
  void deliver(Packet... packets) {
    for (Packet packet : packets) {
      lend(packet);
    }
  }

  /** Ends the step of the engine: writes what has arrived for other processes. */
  void endStep() {
    engine.flushWrites();
  }

  /** The engine gets a packet for the time of the call: afterwards another one is in its place. */
  private void lend(Packet packet) {
    MutablePacket lent = new MutablePacket();
    Payload bytes = packet.payload().copy();
    engine.dispatch(lent.copyFrom(packet).setPayload(bytes), 1, nowNanos);
    lent.reset(lent.route(), Opcode.RC_FETCH_ADD, 0, 0, 0).add(new AtomicEth(0, 0, 0, 0));
    Arrays.fill(bytes.buffer().array(), (byte) 0xff);
  }

  /** Packets arrive, one after the other, and after each pending packets leave. */
  List<Packet> receive(Packet... packets) {
    List<Packet> left = new ArrayList<>();
    for (Packet packet : packets) {
      deliver(packet);
      left.addAll(transmit());
    }
    return left;
  }

  Packet transmitOne() {
    Packet packet = (Packet) engine.pollTransmit(nowNanos);
    return packet == null ? null : packet.copy();
  }

  /** Everything that may leave now. */
  List<Packet> transmit() {
    List<Packet> left = new ArrayList<>();
    for (Packet packet = transmitOne(); packet != null; packet = transmitOne()) {
      left.add(packet);
    }
    return left;
  }

  /** Time passes; what is due happens at its moment. Returns what left. */
  List<Packet> elapse(long nanos) {
    long target = nowNanos + nanos;
    List<Packet> left = new ArrayList<>();
    while (engine.hasDeadline() && engine.nextDeadlineNanos() - target <= 0) {
      nowNanos = Math.max(nowNanos, engine.nextDeadlineNanos());
      engine.expire(nowNanos);
      left.addAll(transmit());
    }
    nowNanos = target;
    return left;
  }

  boolean hasDeadline() {
    return engine.hasDeadline();
  }

  /** Opcode without its service, and PSN, of each packet: {@code SEND_FIRST 100}. */
  static List<String> brief(List<Packet> packets) {
    return packets.stream().map(p -> p.opcode().name().substring(3) + " " + p.psn()).toList();
  }

  // Results that the application sees.

  List<String> sends() {
    return outcomes(sends);
  }

  List<String> receives() {
    return outcomes(receives);
  }

  /** Why the oldest send that was not polled has failed. */
  String explanation() {
    return sends.poll().explanation();
  }

  /** Work request, opcode and length of a success, work request and status of a failure. */
  private static List<String> outcomes(CompletionRing ring) {
    List<String> outcomes = new ArrayList<>();
    for (WorkCompletion wc = ring.poll(); wc != null; wc = ring.poll()) {
      outcomes.add(
          wc.isSuccess()
              ? wc.wrId() + " " + wc.opcode() + " " + wc.byteLen()
              : wc.wrId() + " " + wc.status());
    }
    return outcomes;
  }

  QpState state() {
    return qp.state();
  }

  MigState migration() {
    return attributes().pathMigState();
  }

  QpAttr attributes() {
    return qp.attributes().toQpAttr();
  }

  List<EventType> events() {
    List<EventType> raised = List.copyOf(events);
    events.clear();
    return raised;
  }

  long drops(DropReason reason) {
    return engine.drops().of(reason);
  }

  /** Whether a timer runs that is not that of an RNR retry without limit. */
  boolean isAnythingDue() {
    return engine.blockedWork().isAnythingDue();
  }

  int expectedPsn() {
    return qpEngine.expectedPsn();
  }

  private static Route route(int from, int to) {
    return new Route(address(from), address(to), 0xc000, 0, 64, 0);
  }

  private static InetAddress address(int host) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host});
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
