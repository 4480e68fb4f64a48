// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A queue pair under fire, which is brought back and given work before each packet to it. */
final class FuzzedQp {
  private static final int MAX_REQUESTS = 64;
  private static final SendWr.RemoteTarget REMOTE = new SendWr.RemoteTarget(0x1000, 0x77);
  private static final int RESPONSE_BYTES = 600;

  final QueuePair qp;
  private final QpConfig config;
  private final QpState goal;
  private final GuardedMemory memory;
  private final AddressHandle peer;
  private final Consumer<FuzzedQp> connected;
  private final Deque<RecvWr> unused = new ArrayDeque<>();
  private Consumer<RecvWr> receiveQueue;
  private List<RecvWr> receives = List.of();
  private boolean isShared;
  private int outstanding;
  private int posts;
  private int lives;

  /** Requests to its peer that were not answered, by PSN. */
  final TreeMap<Integer, Request> requests = new TreeMap<>();

  /** Bytes of a begun WRITE that are still to come. */
  int missingBytes;

  int expectedPsn;

  record Request(String opcode, int psn, int length) {}

  FuzzedQp(
      QueuePair qp,
      QpConfig config,
      QpState goal,
      GuardedMemory memory,
      AddressHandle peer,
      Consumer<FuzzedQp> connected) {
    this.qp = qp;
    this.config = config;
    this.goal = goal;
    this.memory = memory;
    this.peer = peer;
    this.connected = connected;
    receiveQueue = qp::postRecv;
  }

  FuzzedQp receives(List<RecvWr> newReceives) {
    receives = newReceives;
    unused.addAll(newReceives);
    return this;
  }

  /** Receives of a queue that outlives a RESET. */
  FuzzedQp shared(Consumer<RecvWr> queue, List<RecvWr> newReceives) {
    receiveQueue = queue;
    isShared = true;
    return receives(newReceives);
  }

  QpType type() {
    return qp.initAttr().qpType();
  }

  /** Beginning of the names of its opcodes. */
  String service() {
    return switch (type()) {
      case RC, RAW_PACKET, DRIVER -> "RC";
      case UC -> "UC";
      case UD -> "UD";
      case XRC_SEND, XRC_RECV -> "XRC";
    };
  }

  InetAddress address() {
    return FuzzFabric.address(config.gidIndex() == 0 ? 1 : 0x11);
  }

  /** Brings it to its state, and posts what has been used up. */
  void prepare() {
    QpAttr now = qp.query();
    expectedPsn = now.rqPsn();
    if (now.qpState() != goal) {
      revive();
    }
    for (; !unused.isEmpty(); ) {
      receiveQueue.accept(unused.removeFirst());
    }
    topUp();
  }

  private void revive() {
    qp.modify(QpAttr.to(QpState.RESET));
    requests.clear();
    outstanding = 0;
    expectedPsn = lives++ % 2 == 0 ? 0xff_fff8 : 0x1000;
    if (!isShared) {
      unused.clear();
      unused.addAll(receives);
    }
    config.bring(qp, goal, expectedPsn, expectedPsn ^ 0x800);
    if (goal.compareTo(QpState.RTS) >= 0) {
      connected.accept(this);
    }
    if (goal == QpState.SQD) {
      topUp();
      qp.modify(QpAttr.to(QpState.SQD));
    }
  }

  private void topUp() {
    if (outstanding > 0 || goal.compareTo(QpState.RTS) < 0) {
      return;
    }
    for (int i = 0; i < 3; i++) {
      switch (type()) {
        case RC -> post(work(posts++ % 8));
        case XRC_SEND -> post(work(posts++ % 6).toSrq(1));
        case UC -> post(work(posts++ % 3));
        case UD -> post(send(40).to(peer, 0x11, config.qkey()));
        case RAW_PACKET -> post(send(64));
        case XRC_RECV, DRIVER -> {}
      }
    }
  }

  void post(SendWr wr) {
    qp.postSend(wr);
    outstanding++;
  }

  void bind(MemoryWindow window, MwBind bind) {
    qp.bindMw(window, bind);
    outstanding++;
  }

  private SendWr send(int bytes) {
    return SendWr.send(0, memory.area("outbox").sge(0, bytes));
  }

  private SendWr work(int kind) {
    GuardedMemory.Area out = memory.area("outbox");
    GuardedMemory.Area in = memory.area("landing");
    long addr = REMOTE.addr();
    int rkey = REMOTE.rkey();
    Set<SendFlag> signaled = Set.of(SendFlag.SIGNALED);
    return switch (kind) {
      case 0 -> send(300);
      case 1 -> SendWr.rdmaWrite(0, addr, rkey, out.sge(0, RESPONSE_BYTES));
      case 2 -> SendWr.sendWithImm(0, 7, out.sge(0, 10));
      case 3 -> SendWr.rdmaRead(0, addr, rkey, in.sge(0, RESPONSE_BYTES));
      case 4 -> SendWr.fetchAndAdd(0, REMOTE, 1, in.sge(600, 8));
      case 5 -> SendWr.compareAndSwap(0, REMOTE, 1, 2, in.sge(608, 8));
      case 6 -> new AtomicWriteWr(0, List.of(out.sge(0, 8)), signaled, addr, rkey);
      default ->
          new FlushWr(
              0, signaled, addr, rkey, 64, Set.of(PlacementType.GLOBAL), SelectivityLevel.RANGE);
    };
  }

  /** Notes a request to its peer. */
  void asked(Request request) {
    if (requests.size() < MAX_REQUESTS) {
      requests.put(request.psn(), request);
    }
  }

  void sendCompleted() {
    outstanding--;
  }

  /** Fails if a message was longer than its receive. */
  void receiveCompleted(WorkCompletion completion) {
    RecvWr receive = receives.get((int) completion.wrId());
    boolean isMessage = completion.isSuccess() && completion.opcode() == WcOpcode.RECV;
    Violation.unless(
        !isMessage || completion.byteLen() <= receive.sgList().get(0).length(),
        "a receive completed with more bytes than it has room for: %s",
        completion);
    unused.addLast(receive);
  }
}
