// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;

/**
 * Checks of {@code ibv_post_recv}, {@code ibv_post_srq_recv} and {@code ibv_post_wq_recv}, and
 * their errnos. Keys and addresses are checked when a message arrives.
 */
public final class ReceiveRules {
  private static final String SRQ = "ibv_post_srq_recv";

  private ReceiveRules() {}

  /**
   * Checks a receive for a queue pair or a work queue, and accepts it.
   *
   * @param index its position in the list, for the refusal
   */
  public static void check(String verb, QpContext qp, RecvWqe wqe, int index) {
    if (qp.state() == QpState.RESET) {
      throw refusal(verb, index, "receives are not accepted in state RESET");
    }
    if (qp.setup().srq() != null || qp.type() == QpType.XRC_RECV) {
      throw refusal(verb, index, "receives come from a shared queue: post them there");
    }
    if (qp.type() == QpType.XRC_SEND) {
      throw refusal(verb, index, "type XRC_SEND does not receive");
    }
    if (qp.spreadsFrames()) {
      throw refusal(verb, index, "receives come from work queues: post them there");
    }
    if (qp.receiveQueue().isFull()) {
      throw full(verb, index, "receive queue", qp.receiveQueue().capacity());
    }
    checkSges(verb, wqe.sges(), qp.setup().cap().maxRecvSge(), index);
    wqe.accept();
  }

  /**
   * Checks a receive for a shared queue, and accepts it.
   *
   * @param index its position in the list, for the refusal
   */
  public static void checkShared(SharedReceiveRing ring, RecvWqe wqe, int index) {
    if (ring.ring().isFull()) {
      throw full(SRQ, index, "shared receive queue", ring.ring().capacity());
    }
    checkSges(SRQ, wqe.sges(), ring.maxSge(), index);
    wqe.accept();
  }

  private static void checkSges(String verb, SgeArray sges, int limit, int index) {
    if (sges.size() > limit) {
      throw refusal(verb, index, sges.tooMany(limit));
    }
    int withData = sges.firstOwn();
    if (withData >= 0) {
      throw refusal(
          verb, index, "entry " + withData + " holds inline data, not memory to receive into");
    }
    String negative = sges.negativeLength();
    if (negative != null) {
      throw refusal(verb, index, negative);
    }
  }

  private static BadWorkRequestException refusal(String verb, int index, String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  private static BadWorkRequestException full(String verb, int index, String queue, int capacity) {
    return new BadWorkRequestException(
        Errno.ENOMEM, verb, index, "the " + queue + " is full: it holds " + capacity);
  }
}
