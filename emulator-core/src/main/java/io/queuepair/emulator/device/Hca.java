package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.FlowTable;
import io.queuepair.emulator.engine.MulticastGroups;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.qp.AddressRules;
import io.queuepair.emulator.qp.CompletionQueueRules;
import io.queuepair.emulator.qp.CreationRules;
import io.queuepair.emulator.qp.FlowRules;
import io.queuepair.emulator.qp.MulticastRules;
import io.queuepair.emulator.qp.PostRules;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.qp.QpModification;
import io.queuepair.emulator.qp.QpQuery;
import io.queuepair.emulator.qp.SrqRules;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The channel adapter itself: queue pairs, memory and port behind the verbs. Knows nothing of the
 * outside: no thread, socket, clock or lock.
 */
final class Hca {
  private final DeviceProfile profile;
  private final Ports ports;
  private final MemoryTable memory = new MemoryTable();
  private final ScatterGather scatterGather = new ScatterGather(memory);
  private final Engine engine;
  private final Addressing addressing;
  private int domains;
  private int nextDomain;
  private int completionQueues;
  private int addressHandles;

  Hca(DeviceProfile profile, Ports ports) {
    this.profile = profile;
    this.ports = ports;
    engine = new Engine(memory, profile.pacing());
    addressing = new Addressing(ports, profile);
  }

  DeviceProfile profile() {
    return profile;
  }

  /** What the profile has, and what the network adds. */
  Set<DeviceCapFlag> capabilities() {
    Set<DeviceCapFlag> capabilities = EnumSet.noneOf(DeviceCapFlag.class);
    capabilities.addAll(profile.capabilities());
    if (offersRawPackets()) {
      capabilities.add(DeviceCapFlag.MANAGED_FLOW_STEERING);
    }
    return capabilities;
  }

  private boolean offersRawPackets() {
    return ports.first().isOnSegment() && CreationRules.offers(QpType.RAW_PACKET, profile);
  }

  Ports ports() {
    return ports;
  }

  Engine engine() {
    return engine;
  }

  PortAttr queryPort(int portNum) {
    Port port = ports.port("ibv_query_port", portNum);
    return port.attributes(
        engine.drops().of(DropReason.BAD_PKEY), engine.drops().of(DropReason.BAD_QKEY));
  }

  /** Takes one of the protection domains; returns its number. */
  int allocDomain() {
    checkLimit("ibv_alloc_pd", DeviceLimit.MAX_PD, domains);
    domains++;
    return nextDomain++;
  }

  /** Returns the number of a new domain for extended connections. */
  int allocXrcDomain() {
    return nextDomain++;
  }

  void freeDomain() {
    domains--;
  }

  /** Takes one of the completion queues; returns its capacity, maybe more than asked for. */
  int createCq(String verb, int cqe) {
    CompletionQueueRules.checkCreation(verb, cqe, profile);
    checkLimit(verb, DeviceLimit.MAX_CQ, completionQueues);
    completionQueues++;
    return CreationRules.held(cqe, profile);
  }

  void resizeCq(CompletionRing ring, int cqe) {
    CompletionQueueRules.checkResize(ring, cqe, profile);
    ring.resize(CreationRules.held(cqe, profile));
  }

  void moderate(CompletionRing ring, int count, int periodMicros) {
    CompletionQueueRules.checkModeration(count, periodMicros, profile);
    ring.moderate(count, TimeUnit.MICROSECONDS.toNanos(periodMicros));
  }

  void destroyCq() {
    completionQueues--;
  }

  RegisteredMemory register(int domain, ByteBuffer buffer, Set<AccessFlag> access) {
    RegistrationRules.check(buffer, access, profile);
    checkLimit("ibv_reg_mr", DeviceLimit.MAX_MR, memory.size());
    return memory.register(domain, buffer, access);
  }

  void deregister(RegisteredMemory region) {
    memory.deregister(region);
  }

  /** Creates a queue pair; the capacities are those asked for. */
  QpContext createQp(QpContext.QpSetup setup) {
    QpCap own = setup.srq() == null ? setup.cap() : CreationRules.withoutReceives(setup.cap());
    CreationRules.check(setup.type(), own, profile);
    if (setup.type() == QpType.RAW_PACKET && !offersRawPackets()) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          "ibv_create_qp",
          "queue pairs of type RAW_PACKET need an Ethernet segment, which this network is not");
    }
    checkLimit("ibv_create_qp", DeviceLimit.MAX_QP, engine.queuePairs());
    QpCap granted = CreationRules.granted(own, profile);
    QpContext created = engine.create(setup.withCap(CreationRules.held(granted, profile)));
    if (profile.can(DeviceCapFlag.AUTO_PATH_MIG) && !profile.has(Quirk.ALT_PATH_REFUSED)) {
      created.offerMigration();
    }
    return created;
  }

  SharedReceiveRing createSrq(
      String verb,
      int domain,
      SharedReceiveRing.XrcSide xrc,
      SrqAttr attr,
      Consumer<EventType> events) {
    SrqRules.checkCreation(verb, attr, profile);
    checkLimit(verb, DeviceLimit.MAX_SRQ, engine.sharedQueues().size());
    SharedReceiveRing.Capacity capacity =
        new SharedReceiveRing.Capacity(
            CreationRules.held(attr.maxWr(), profile), Math.max(1, attr.maxSge()));
    SharedReceiveRing ring =
        engine
            .sharedQueues()
            .add(number -> new SharedReceiveRing(number, domain, xrc, capacity, events));
    if (profile.has(Quirk.SRQ_ARMED_AT_CREATION)) {
      ring.arm(attr.srqLimit());
    }
    return ring;
  }

  void modifySrq(SharedReceiveRing ring, SrqAttr attr, Set<SrqAttrMask> mask) {
    SrqRules.checkModification(ring, attr, mask, profile);
    if (mask.contains(SrqAttrMask.MAX_WR)) {
      ring.ring().resize(CreationRules.held(attr.maxWr(), profile));
    }
    if (mask.contains(SrqAttrMask.LIMIT)) {
      ring.arm(attr.srqLimit());
    }
  }

  /** Posts a list; on a refusal those before the bad one are posted. */
  void postSharedReceive(SharedReceiveRing ring, List<RecvWr> wrs) {
    for (int index = 0; index < wrs.size(); index++) {
      ring.ring().push(PostRules.sharedReceive(ring, wrs.get(index), index));
    }
  }

  void createAh(AhAttr attr) {
    AddressRules.checkHandle(attr, ports.facts());
    checkLimit("ibv_create_ah", DeviceLimit.MAX_AH, addressHandles);
    addressHandles++;
  }

  void destroyAh() {
    addressHandles--;
  }

  void modify(QpContext qp, QpAttr attr, Set<QpAttrMask> mask) {
    Set<QpAttrMask> counted = QpModification.check(qp, attr, mask, ports.facts());
    boolean migrates =
        counted.contains(QpAttrMask.PATH_MIG_STATE)
            && attr.pathMigState() == MigState.MIGRATED
            && qp.attributes().pathMigState() == MigState.ARMED;
    if (migrates) {
      engine.migrate(qp);
    }
    qp.attributes().apply(attr, counted);
    if (profile.has(Quirk.READS_ROUNDED)) {
      qp.attributes().roundReads();
    }
    if (counted.contains(QpAttrMask.CAP)) {
      qp.resize(attr.cap());
    }
    if (counted.contains(QpAttrMask.PORT) || counted.contains(QpAttrMask.PKEY_INDEX)) {
      qp.usePort(ports.mtuBytesOf(qp), ports.pkeyOf(qp));
    }
    if (counted.contains(QpAttrMask.AV) || counted.contains(QpAttrMask.PKEY_INDEX)) {
      qp.connect(ports.pathOf(qp));
    }
    if (counted.contains(QpAttrMask.ALT_PATH)) {
      qp.loadAlternate(ports.alternateOf(qp));
    }
    if (counted.contains(QpAttrMask.STATE)) {
      engine.enter(qp, attr.qpState());
      if (attr.qpState() == QpState.RESET && !profile.has(Quirk.RESET_KEEPS_ATTRIBUTES)) {
        qp.attributes().clear();
        qp.loadAlternate(null);
      }
    }
  }

  FlowTable.Rule createFlow(QpContext qp, FlowAttr attr) {
    FlowRules.check(qp.type(), attr);
    return engine.flows().add(qp, attr);
  }

  /**
   * Attaches a queue pair to a group.
   *
   * @return false if it was attached already
   */
  boolean attachMcast(String verb, QpContext qp, Gid group) {
    MulticastRules.check(verb, qp.type(), group);
    MulticastGroups groups = engine.groups();
    if (groups.contains(group, qp)) {
      return false;
    }
    if (groups.sizeOf(group) == 0) {
      checkLimit(verb, DeviceLimit.MAX_MCAST_GRP, groups.size());
    }
    checkLimit(verb, DeviceLimit.MAX_MCAST_QP_ATTACH, groups.sizeOf(group));
    checkLimit(verb, DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, groups.attachments());
    groups.attach(group, qp);
    return true;
  }

  void checkAttached(String verb, QpContext qp, Gid group) {
    MulticastRules.check(verb, qp.type(), group);
    if (!engine.groups().contains(group, qp)) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the queue pair is not attached to the group " + group);
    }
  }

  QpAttr query(QpContext qp) {
    QpAttr attr = QpQuery.of(qp, profile);
    boolean keepsPsn = qp.state() == QpState.RESET && profile.has(Quirk.RESET_KEEPS_ATTRIBUTES);
    if (keepsPsn && engine.nextPsn(qp) != 0) {
      attr.sqPsn(engine.nextPsn(qp));
    }
    switch (qp.state()) {
      case RTR -> attr.rqPsn(engine.expectedPsn(qp));
      case RTS, SQD, SQE -> attr.rqPsn(engine.expectedPsn(qp)).sqPsn(engine.nextPsn(qp));
      case RESET, INIT, ERR, UNKNOWN -> {}
    }
    return attr;
  }

  /** Posts a list; on a refusal those before the bad one are posted. */
  void postSend(QpContext qp, List<SendWr> wrs) {
    for (int index = 0; index < wrs.size(); index++) {
      SendWr wr = wrs.get(index);
      SendWqe.Address address = addressing.of(qp, wr, index);
      SendWr plain = Addressing.withoutAddress(wr);
      engine.postSend(qp, PostRules.send(qp, scatterGather, plain, address, index));
    }
  }

  /** Posts a list; on a refusal those before the bad one are posted. */
  void postReceive(QpContext qp, List<RecvWr> wrs) {
    for (int index = 0; index < wrs.size(); index++) {
      engine.postReceive(qp, PostRules.receive(qp, wrs.get(index), index));
    }
  }

  private void checkLimit(String verb, DeviceLimit limit, long used) {
    long max = profile.limit(limit);
    if (used >= max) {
      throw new VerbsException(
          Errno.ENOMEM, verb, "all " + max + " are in use (" + limit.fieldName() + ")");
    }
  }
}
