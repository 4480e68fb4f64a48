// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
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
import io.queuepair.verbs.WorkCompletion;
import java.util.List;

/** A device with queue pairs of type UD, and memory for them. */
final class DatagramHost {
  static final int QKEY = 0x0123_4567;

  /** Queue pair number of all members of a group. */
  static final int GROUP_QPN = 0xff_ffff;

  private static final int GRH_BYTES = 40;
  private static final int SLOT_BYTES = 256;
  private static final int MANY = 64;

  private final EmulatedDevice device;
  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final MemoryRegion region;

  DatagramHost(EmulatedDevice device) {
    this.device = device;
    context = device.open();
    pd = context.allocPd();
    sendCq = context.createCq(MANY, null);
    recvCq = context.createCq(MANY, null);
    region = TestEndpoint.registerIn(pd, MANY * SLOT_BYTES, TestEndpoint.ALL_RIGHTS);
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  QueuePair createQp(QpType type) {
    return pd.createQp(new QpInitAttr(type, sendCq, recvCq, null, QpCap.of(8), false));
  }

  /** A queue pair in RTS with a Q_Key. */
  QueuePair createQp(int qkey) {
    return createQp(1, qkey);
  }

  /** Creates it on one of the ports. */
  QueuePair createQp(int portNum, int qkey) {
    QueuePair qp = createQp(QpType.UD);
    qp.modify(Attributes.init(QpType.UD).portNum(portNum).qkey(qkey));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
    return qp;
  }

  QueuePair createQp() {
    return createQp(QKEY);
  }

  /** A queue pair that is attached to a group and has one receive, numbered as its slot. */
  QueuePair createMember(Gid group, int slot) {
    QueuePair qp = createQp();
    qp.attachMcast(group);
    postRecv(qp, slot);
    return qp;
  }

  void postRecv(QueuePair qp, int slot) {
    qp.postRecv(RecvWr.of(slot, region.sge(slot * SLOT_BYTES, SLOT_BYTES)));
  }

  /** Sends four bytes from the last slot. */
  void send(QueuePair qp, Gid destination, int remoteQpn) {
    send(qp, AhAttr.to(destination), remoteQpn, QKEY);
  }

  /** Sends to an address, with a Q_Key. */
  void send(QueuePair qp, AhAttr destination, int remoteQpn, int qkey) {
    int at = (MANY - 1) * SLOT_BYTES;
    Bytes.into(region, at, new byte[] {1, 2, 3, 4});
    AddressHandle ah = pd.createAh(destination);
    qp.postSend(SendWr.send(99, region.sge(at, 4)).to(ah, remoteQpn, qkey));
  }

  /** Bytes in a slot behind the GRH. */
  byte[] message(int slot, int bytes) {
    return Bytes.in(region, slot * SLOT_BYTES + GRH_BYTES, bytes);
  }

  byte[] grh(int slot) {
    return Bytes.in(region, slot * SLOT_BYTES, GRH_BYTES);
  }

  List<WorkCompletion> receiveCompletions() {
    return recvCq.poll(MANY);
  }

  /** Takes what the send completion queue holds, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(sendCq.poll(MANY));
  }

  /** Takes what the receive completion queue holds. */
  List<String> receives() {
    return Outcomes.of(recvCq.poll(MANY));
  }

  long drops(String reason) {
    return device.dropCounts().getOrDefault(reason, 0L);
  }
}
