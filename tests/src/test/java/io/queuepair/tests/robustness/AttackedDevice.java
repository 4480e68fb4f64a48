// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The device that is attacked: some of its queue pairs are connected to the attacker. */
final class AttackedDevice {
  static final int QUEUE_PAIRS = 16;
  static final int MTU_BYTES = 256;
  static final int MUCH_BYTES = 1 << 30;
  static final int QKEY = Attributes.QKEY;

  private static final int RECEIVE_BYTES = 4096;
  private static final int RECEIVES = 64;

  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final MemoryRegion much;
  private final MemoryRegion target;
  private final List<QueuePair> attacked = new ArrayList<>();

  /**
   * What an attacker knows.
   *
   * @param qpns queue pairs that are connected to it, of type RC
   * @param datagramQpn one of type UD
   * @param much memory that it may read
   * @param target memory that it may write
   */
  record AttackTargets(
      List<Integer> qpns, int datagramQpn, MemoryRegion much, MemoryRegion target) {}

  AttackedDevice(Emulator emulator, String address) {
    Context context = emulator.addDevice(address).open();
    pd = context.allocPd();
    cq = context.createCq(2 * RECEIVES);
    much = pd.regMr(ByteBuffer.allocateDirect(MUCH_BYTES), AccessFlag.REMOTE_READ);
    target =
        pd.regMr(
            ByteBuffer.allocateDirect(RECEIVE_BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE);
  }

  ProtectionDomain pd() {
    return pd;
  }

  /** Queue pairs for an attacker. */
  AttackTargets connectTo(InetAddress attacker) {
    for (int i = 0; i < QUEUE_PAIRS; i++) {
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
      qp.modify(Attributes.init(QpType.RC));
      qp.modify(Attributes.rtr(QpType.RC, Gid.of(attacker), i + 1, 0).pathMtu(Mtu.MTU_256));
      attacked.add(qp);
    }
    List<Integer> qpns = attacked.stream().map(QueuePair::qpNum).toList();
    QueuePair datagrams = pd.createQp(QpInitAttr.of(QpType.UD, cq, QpCap.of(RECEIVES)));
    datagrams.modify(Attributes.init(QpType.UD));
    datagrams.modify(Attributes.rtr(QpType.UD, null, 0, 0));
    for (int i = 0; i < RECEIVES; i++) {
      datagrams.postRecv(RecvWr.of(i, target.sge()));
    }
    attacked.add(datagrams);
    return new AttackTargets(qpns, datagrams.qpNum(), much, target);
  }

  /** Ends what the attacker has asked for. */
  void disconnect() {
    attacked.forEach(QueuePair::close);
  }

  /** Whether the attacker has brought a queue pair to an error, and so ended its attack. */
  boolean isBroken() {
    return attacked.stream().anyMatch(qp -> qp.query().qpState() != QpState.RTR);
  }
}
