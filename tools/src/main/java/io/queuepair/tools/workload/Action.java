package io.queuepair.tools.workload;

/**
 * One step of a workload, as data. Queue pairs are numbered: those of connection {@code n} are
 * {@code 2n} and {@code 2n + 1}. A step that makes no sense in the state at hand does nothing.
 */
public sealed interface Action {
  /**
   * Posts a send, unless the send queue or the memory for it is used up.
   *
   * @param qp which queue pair
   * @param work what it does
   */
  record Post(int qp, Work work) implements Action {}

  /**
   * Posts receives, as many as there is room for.
   *
   * @param qp which queue pair
   * @param count how many
   * @param pieces scatter/gather entries of each
   */
  record PostReceives(int qp, int count, int pieces) implements Action {}

  /**
   * Lets the network run for some time.
   *
   * @param nanos virtual time
   */
  record Run(long nanos) implements Action {}

  /** Resumes and repairs everything, posts what is missing, and waits for all to complete. */
  record Settle() implements Action {}

  /**
   * Moves a queue pair to ERR.
   *
   * @param qp which queue pair
   */
  record Fail(int qp) implements Action {}

  /**
   * Resets both queue pairs of a connection and connects them again.
   *
   * @param connection which one
   * @param psn first PSN of the even queue pair; the other one's follows from it
   * @param onlyIfBroken not if both still work
   */
  record Reconnect(int connection, int psn, boolean onlyIfBroken) implements Action {}

  /**
   * Moves a queue pair from RTS to SQD.
   *
   * @param qp which queue pair
   */
  record Suspend(int qp) implements Action {}

  /**
   * Moves a queue pair from SQD, once it is drained, or from SQE back to RTS.
   *
   * @param qp which queue pair
   */
  record Resume(int qp) implements Action {}
}
