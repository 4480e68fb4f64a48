package io.queuepair.verbs;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}).
 *
 * @param qpType transport service
 * @param sendCq queue of send completions
 * @param recvCq queue of receive completions; may be the same
 * @param cap capacities asked for
 * @param sqSigAll whether every send generates a completion, signaled or not
 */
public record QpInitAttr(
    QpType qpType, CompletionQueue sendCq, CompletionQueue recvCq, QpCap cap, boolean sqSigAll) {
  /**
   * A reliable connection with one completion queue for both directions.
   *
   * @param cq queue of all completions
   * @param cap capacities asked for
   * @return the attributes, {@code sqSigAll} false
   */
  public static QpInitAttr rc(CompletionQueue cq, QpCap cap) {
    return new QpInitAttr(QpType.RC, cq, cq, cap, false);
  }

  /**
   * The same with other capacities.
   *
   * @param capacities the new ones
   * @return new attributes
   */
  public QpInitAttr withCap(QpCap capacities) {
    return new QpInitAttr(qpType, sendCq, recvCq, capacities, sqSigAll);
  }
}
