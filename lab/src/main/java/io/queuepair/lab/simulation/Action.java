// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/**
 * One step of a workload, as data. The queue pairs of connection {@code n} have the numbers {@code
 * 2n} and {@code 2n + 1}. A step that is not possible in the current state does nothing.
 */
public sealed interface Action {
  /** Connection number of actions that concern all connections. */
  int ALL = -1;

  /** Number of the action's connection, or {@link #ALL}. */
  default int connection() {
    return ALL;
  }

  /** Returns a copy for another connection; the action itself if it concerns all connections. */
  default Action withConnection(int other) {
    return this;
  }

  /** Action on one queue pair. */
  sealed interface OfQueuePair extends Action {
    int qp();

    @Override
    default int connection() {
      return qp() / 2;
    }

    @Override
    default Action withConnection(int other) {
      return withQp(2 * other + qp() % 2);
    }

    Action withQp(int other);
  }

  /** Posts a send, unless the send queue is full or there is no free memory for it. */
  record Post(int qp, WorkSpec work) implements OfQueuePair {
    @Override
    public Post withQp(int other) {
      return new Post(other, work);
    }
  }

  /**
   * Posts receives, as many as the receive queue has room for.
   *
   * @param qp number of the queue pair
   * @param count number of receives
   * @param pieces scatter/gather entries of each
   */
  record PostReceives(int qp, int count, int pieces) implements OfQueuePair {
    @Override
    public PostReceives withQp(int other) {
      return new PostReceives(other, count, pieces);
    }
  }

  record Run(long nanos) implements Action {}

  /** Runs the network for a virtual time without polling completions. */
  record RunUnpolled(long nanos) implements Action {}

  /**
   * Lets a host that is not the peer answer all unacknowledged requests of a reliable queue pair.
   *
   * @param isNak whether the answer is a NAK
   */
  record ForgeResponse(int qp, boolean isNak) implements OfQueuePair {
    @Override
    public ForgeResponse withQp(int other) {
      return new ForgeResponse(other, isNak);
    }
  }

  /** Resumes, reconnects, posts missing receives, and waits until all work completes. */
  record Settle() implements Action {}

  record Fail(int qp) implements OfQueuePair {
    @Override
    public Fail withQp(int other) {
      return new Fail(other);
    }
  }

  /**
   * Resets both queue pairs of a connection and connects them again.
   *
   * @param psn first PSN of the even queue pair, from which that of the odd one follows
   * @param quietNanos time for which both stay in RESET, until no earlier packet is in flight
   * @param onlyIfBroken whether to do nothing if both queue pairs still work
   */
  record Reconnect(int connection, int psn, long quietNanos, boolean onlyIfBroken)
      implements Action {
    @Override
    public Reconnect withConnection(int other) {
      return new Reconnect(other, psn, quietNanos, onlyIfBroken);
    }
  }

  /** Moves a queue pair from RTS to SQD. */
  record Suspend(int qp) implements OfQueuePair {
    @Override
    public Suspend withQp(int other) {
      return new Suspend(other);
    }
  }

  /** Moves a queue pair to RTS: from RTR, from SQE, or from SQD once it is drained. */
  record Resume(int qp) implements OfQueuePair {
    @Override
    public Resume withQp(int other) {
      return new Resume(other);
    }
  }
}
