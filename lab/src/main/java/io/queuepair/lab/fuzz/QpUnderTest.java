// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A queue pair that is fired at, what it expects as far as that is known, and how it is revived.
 */
final class QpUnderTest {
  /** Requests that are remembered, to be answered. */
  private static final int MAX_REQUESTS = 64;

  private final String name;
  private final QueuePair qp;
  private final QpConfig hookup;
  private final QpState goal;
  private final Replenishers supplies;

  /** What it has asked its peer, by PSN: those that were not answered rightly yet. */
  private final Map<Integer, SentRequest> requests = new TreeMap<>();

  /** The operation of a message that was begun and not ended; null if there is none. */
  private String message;

  /** Bytes of a begun WRITE that are still to come. */
  private long missingBytes;

  private int expectedPsn;

  /**
   * Describes a queue pair under test; it is still in RESET.
   *
   * @param goal the state in which it is to be
   * @param supplies posts its work
   */
  QpUnderTest(String name, QueuePair qp, QpConfig hookup, QpState goal, Replenishers supplies) {
    this.name = name;
    this.qp = qp;
    this.hookup = hookup;
    this.goal = goal;
    this.supplies = supplies;
  }

  /** What the queue pair asked its peer. */
  record SentRequest(String opcode, int psn, int length) {}

  /** Gives a queue pair work. */
  interface Replenishers {
    /** All that was posted is gone. */
    void revived();

    /** It can send again. */
    void connected();

    /**
     * Posts what has been used up.
     *
     * @param sendsToo whether sends are accepted
     */
    void topUp(boolean sendsToo);
  }

  String name() {
    return name;
  }

  QueuePair qp() {
    return qp;
  }

  QpType type() {
    return qp.initAttr().qpType();
  }

  QpConfig hookup() {
    return hookup;
  }

  /** What the opcodes that it takes begin with. */
  String service() {
    return switch (type()) {
      case RC -> "RC_";
      case UC -> "UC_";
      case UD -> "UD_";
      case XRC_SEND, XRC_RECV -> "XRC_";
      case RAW_PACKET, DRIVER -> "";
    };
  }

  /** Whether it is to be in a state in which it sends and receives. */
  boolean isActive() {
    return goal == QpState.RTS || goal == QpState.SQD;
  }

  /** Brings it back, if it is not in the state in which it is to be, and gives it work. */
  void prepare(Random random) {
    QpAttr now = qp.query();
    if (now.qpState() != goal) {
      revive(random);
    } else {
      expectedPsn = now.rqPsn();
    }
    supplies.topUp(isActive());
  }

  private void revive(Random random) {
    qp.modify(QpAttr.to(QpState.RESET));
    requests.clear();
    message = null;
    expectedPsn = random.nextInt(4) == 0 ? 0xff_fff8 : random.nextInt(1 << 24);
    if (goal == QpState.RESET) {
      return;
    }
    supplies.revived();
    hookup.initialize(qp);
    if (goal == QpState.INIT) {
      return;
    }
    hookup.receive(qp, expectedPsn);
    if (goal == QpState.RTR) {
      return;
    }
    hookup.send(qp, random.nextInt(1 << 24));
    supplies.connected();
    if (goal == QpState.SQD) {
      supplies.topUp(true);
      qp.modify(QpAttr.to(QpState.SQD));
    }
  }

  int expectedPsn() {
    return expectedPsn;
  }

  String message() {
    return message;
  }

  long missingBytes() {
    return missingBytes;
  }

  /** A message was begun, continues, or ended with null. */
  void nowIn(String newMessage, long newMissingBytes) {
    message = newMessage;
    missingBytes = newMissingBytes;
  }

  /** It asked its peer something. */
  void asked(SentRequest request) {
    if (requests.size() < MAX_REQUESTS) {
      requests.put(request.psn(), request);
    }
  }

  void answered(SentRequest request) {
    requests.remove(request.psn());
  }

  /** Requests to be answered; not to be changed. */
  Map<Integer, SentRequest> requests() {
    return requests;
  }
}
