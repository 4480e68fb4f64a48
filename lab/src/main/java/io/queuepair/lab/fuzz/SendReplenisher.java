// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Keeps sends to the phantom posted, so that answers may come. */
final class SendReplenisher {
  private static final long REMOTE_ADDR = 0x1000;
  private static final int REMOTE_RKEY = 0x77;
  private static final int RESPONSE_BYTES = 600;

  private final QueuePair qp;
  private final GuardedMemory guardedMemory;
  private final AddressHandle ah;
  private final Random random;
  private int outstanding;

  /**
   * Sends of a queue pair.
   *
   * @param ah to the phantom, for datagrams
   */
  SendReplenisher(QueuePair qp, GuardedMemory guardedMemory, AddressHandle ah, Random random) {
    this.qp = qp;
    this.guardedMemory = guardedMemory;
    this.ah = ah;
    this.random = random;
  }

  void revived() {
    outstanding = 0;
  }

  void completed() {
    outstanding--;
  }

  /** Posts something if nothing is posted. */
  void topUp() {
    if (outstanding > 0) {
      return;
    }
    switch (qp.initAttr().qpType()) {
      case RC -> postSome(3, 8);
      case XRC_SEND -> postSome(3, 6);
      case UC -> postSome(1, 3);
      case UD -> post(send(40).to(ah, QpConfig.QKEY & 0xff_ffff, QpConfig.QKEY));
      case RAW_PACKET -> post(send(64));
      case XRC_RECV, DRIVER -> {}
    }
  }

  private void postSome(int count, int kinds) {
    for (int i = 0; i < count; i++) {
      SendWr wr = work(random.nextInt(kinds));
      post(qp.initAttr().qpType() == QpType.XRC_SEND ? wr.toSrq(1) : wr);
    }
  }

  void post(SendWr wr) {
    qp.postSend(wr);
    outstanding++;
  }

  void bind(MemoryWindow mw, MwBind bind) {
    qp.bindMw(mw, bind);
    outstanding++;
  }

  private SendWr send(int bytes) {
    return SendWr.send(0, guardedMemory.outbox().sge(0, bytes));
  }

  private SendWr work(int kind) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(REMOTE_ADDR, REMOTE_RKEY);
    return switch (kind) {
      case 0 -> send(300);
      case 1 ->
          SendWr.rdmaWrite(
              0, REMOTE_ADDR, REMOTE_RKEY, guardedMemory.outbox().sge(0, RESPONSE_BYTES));
      case 2 -> SendWr.sendWithImm(0, 7, guardedMemory.outbox().sge(0, 10));
      case 3 ->
          SendWr.rdmaRead(
              0, REMOTE_ADDR, REMOTE_RKEY, guardedMemory.landing().sge(0, RESPONSE_BYTES));
      case 4 -> SendWr.fetchAndAdd(0, target, 1, guardedMemory.landing().sge(600, 8));
      case 5 -> SendWr.compareAndSwap(0, target, 1, 2, guardedMemory.landing().sge(608, 8));
      case 6 ->
          new AtomicWriteWr(
              0,
              List.of(guardedMemory.outbox().sge(0, 8)),
              Set.of(SendFlag.SIGNALED),
              REMOTE_ADDR,
              REMOTE_RKEY);
      default ->
          new FlushWr(
              0,
              Set.of(SendFlag.SIGNALED),
              REMOTE_ADDR,
              REMOTE_RKEY,
              64,
              Set.of(PlacementType.GLOBAL),
              SelectivityLevel.RANGE);
    };
  }
}
