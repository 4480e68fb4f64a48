// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes to create a queue pair with ({@code struct ibv_qp_init_attr}).
 *
 * @param qpType transport service
 * @param sendCq queue of send completions; null where the type or the caller gives it one
 * @param recvCq queue of receive completions, may be the same; null as for sends
 * @param srq shared receive queue that receives are taken from, or null for an own receive queue
 * @param cap capacities asked for; those of receives are not looked at if there is an srq
 * @param sqSigAll whether every send generates a completion, signaled or not
 */
public record QpInitAttr(
    QpType qpType,
    @Nullable CompletionQueue sendCq,
    @Nullable CompletionQueue recvCq,
    @Nullable SharedReceiveQueue srq,
    QpCap cap,
    boolean sqSigAll) {
  /**
   * A queue pair with one completion queue for both directions.
   *
   * @param qpType transport service
   * @param cq queue of all completions
   * @param cap capacities asked for
   * @return the attributes, without srq, {@code sqSigAll} false
   */
  public static QpInitAttr of(QpType qpType, CompletionQueue cq, QpCap cap) {
    return new QpInitAttr(qpType, cq, cq, null, cap, false);
  }

  /**
   * A reliable connection with one completion queue for both directions.
   *
   * @param cq queue of all completions
   * @param cap capacities asked for
   * @return the attributes, without srq, {@code sqSigAll} false
   */
  public static QpInitAttr rc(CompletionQueue cq, QpCap cap) {
    return of(QpType.RC, cq, cap);
  }

  /**
   * A copy with a shared receive queue.
   *
   * @param newSrq where receives are taken from
   * @return new attributes
   */
  public QpInitAttr withSrq(SharedReceiveQueue newSrq) {
    return new QpInitAttr(qpType, sendCq, recvCq, newSrq, cap, sqSigAll);
  }

  /**
   * A copy with every send generating a completion.
   *
   * @return new attributes
   */
  public QpInitAttr withSqSigAll() {
    return new QpInitAttr(qpType, sendCq, recvCq, srq, cap, true);
  }

  /**
   * A copy with other capacities, such as those granted.
   *
   * @param newCap capacities
   * @return new attributes
   */
  public QpInitAttr withCap(QpCap newCap) {
    return new QpInitAttr(qpType, sendCq, recvCq, srq, newCap, sqSigAll);
  }
}
