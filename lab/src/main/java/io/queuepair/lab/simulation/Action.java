// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/**
 * One step of a workload, as data. Queue pairs are numbered: those of connection {@code n} are
 * {@code 2n} and {@code 2n + 1}. A step that makes no sense in the state at hand does nothing.
 */
public sealed interface Action {
  /** Number of actions that are about all connections. */
  int ALL = -1;

  /** The number of the connection that it is about, or {@link #ALL}. */
  default int connection() {
    return ALL;
  }

  /** Replaces the connection, if it is about one. */
  default Action withConnection(int other) {
    return this;
  }

  /** Something about one queue pair. */
  sealed interface OfQueuePair extends Action {
    /** The number of its queue pair. */
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

  /** Posts a send, unless the send queue or the memory for it is used up. */
  record Post(int qp, WorkSpec work) implements OfQueuePair {
    @Override
    public Post withQp(int other) {
      return new Post(other, work);
    }
  }

  /**
   * Posts receives, as many as there is room for.
   *
   * @param qp which queue pair
   */
  record PostReceives(int qp, int count, int pieces) implements OfQueuePair {
    @Override
    public PostReceives withQp(int other) {
      return new PostReceives(other, count, pieces);
    }
  }

  /** Lets the network run for some virtual time. */
  record Run(long nanos) implements Action {}

  /** Lets the network run for some virtual time while completions are not polled. */
  record RunUnpolled(long nanos) implements Action {}

  /**
   * A host that is not the peer answers all that a reliable queue pair has sent and that is not
   * acknowledged.
   *
   * @param isNak whether it refuses it
   */
  record ForgeResponse(int qp, boolean isNak) implements OfQueuePair {
    @Override
    public ForgeResponse withQp(int other) {
      return new ForgeResponse(other, isNak);
    }
  }

  /** Resumes and repairs everything, posts what is missing, and waits for all to complete. */
  record Settle() implements Action {}

  /** Moves a queue pair to ERR. */
  record Fail(int qp) implements OfQueuePair {
    @Override
    public Fail withQp(int other) {
      return new Fail(other);
    }
  }

  /**
   * Resets both queue pairs of a connection and connects them again.
   *
   * @param psn first PSN of the even queue pair; the other one's follows from it
   * @param quietNanos how long both stay in RESET, until nothing of before is under way any more
   * @param onlyIfBroken not if both still work
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
