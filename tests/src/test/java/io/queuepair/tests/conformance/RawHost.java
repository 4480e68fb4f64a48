// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;

/** A port of a device with one queue pair of type RAW_PACKET, in RTS, and memory for it. */
final class RawHost {
  /** Room for one frame each; frames to send are put behind the last. */
  static final int SLOT_BYTES = 8_192;

  private static final int SLOTS = 8;
  private static final int MANY = 64;
  static final int MAX_TSO_HEADER = 256;

  private final EmulatedDevice device;
  private final int portNum;
  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final QueuePair qp;
  private final MemoryRegion region;

  RawHost(EmulatedDevice device) {
    this(device, 1);
  }

  RawHost(EmulatedDevice device, int portNum) {
    this.device = device;
    this.portNum = portNum;
    context = device.open();
    pd = context.allocPd();
    sendCq = context.createCq(MANY, null);
    recvCq = context.createCq(MANY, null);
    qp = createQp();
    region = TestEndpoint.registerIn(pd, (SLOTS + 1) * SLOT_BYTES, TestEndpoint.ALL_RIGHTS);
  }

  /** Another queue pair that completes where the first one does. */
  QueuePair createQp() {
    QpCap cap = new QpCap(SLOTS, SLOTS, 2, 2, 128);
    QpInitAttr attr = new QpInitAttr(QpType.RAW_PACKET, sendCq, recvCq, null, cap, false);
    QueuePair created = pd.createQpEx(QpInitAttrEx.of(attr).withMaxTsoHeader(MAX_TSO_HEADER));
    start(created);
    return created;
  }

  /** Takes the queue pair to RESET and back to RTS. */
  void restart() {
    qp.modify(QpAttr.to(QpState.RESET));
    start(qp);
  }

  private void start(QueuePair fresh) {
    fresh.modify(QpAttr.to(QpState.INIT).portNum(portNum));
    fresh.modify(QpAttr.to(QpState.RTR));
    fresh.modify(QpAttr.to(QpState.RTS));
  }

  EmulatedDevice device() {
    return device;
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  QueuePair qp() {
    return qp;
  }

  MemoryRegion region() {
    return region;
  }

  MacAddress mac() {
    return MacAddress.ofGuid(device.guid());
  }

  Flow steer(FlowAttr attr) {
    return qp.createFlow(attr.withPort(portNum));
  }

  /** Posts a receive whose number is also that of its slot. */
  void postRecv(int slot) {
    postRecv(qp, slot, SLOT_BYTES);
  }

  void postRecv(QueuePair to, int slot, int bytes) {
    to.postRecv(RecvWr.of(slot, region.sge(slot * SLOT_BYTES, bytes)));
  }

  void send(long wrId, byte[] frame) {
    int at = SLOTS * SLOT_BYTES;
    Bytes.into(region, at, frame);
    qp.postSend(SendWr.send(wrId, region.sge(at, frame.length)));
  }

  byte[] slot(int slot, int bytes) {
    return Bytes.in(region, slot * SLOT_BYTES, bytes);
  }

  /** Takes what the send completion queue holds, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(sendCq.poll(MANY));
  }

  /** Takes what the receive completion queue holds. */
  List<String> receives() {
    return Outcomes.of(recvCq.poll(MANY));
  }

  /** Which queue pair each receive completed on, oldest first. */
  List<Integer> receivers() {
    List<Integer> numbers = new ArrayList<>();
    recvCq.poll(MANY).forEach(completion -> numbers.add(completion.qpNum()));
    return numbers;
  }

  long drops(String reason) {
    return device.dropCounts().getOrDefault(reason, 0L);
  }
}
