// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.WorkCompletion;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Many connections of one device that share their completion queues, each with a number of
 * operations in flight, until all are done; in virtual time.
 */
final class SuiteTraffic implements AutoCloseable {
  private static final int CQE = 1 << 13;
  private static final int POLL = 512;

  private final SuiteHost host;
  private final CompletionQueue near;
  private final CompletionQueue far;
  private final Map<Integer, OperationStream> byNear = new TreeMap<>();
  private final Map<Integer, OperationStream> byFar = new TreeMap<>();

  /**
   * What all connections are like.
   *
   * @param qps how many there are
   * @param window operations in flight of each
   * @param slotBytes the largest operation
   */
  record TrafficShape(int qps, int window, int slotBytes) {
    int regionBytes() {
      return qps * window * slotBytes;
    }
  }

  /** On a host with enough memory, which is not closed with it. */
  SuiteTraffic(
      SuiteHost host, TrafficShape shape, IntFunction<OperationStream.StreamOperation> operations) {
    this.host = host;
    near = host.createCq(CQE);
    far = host.createCq(CQE);
    for (int i = 0; i < shape.qps; i++) {
      OperationStream.StreamTarget place =
          new OperationStream.StreamTarget(i, shape.window, shape.slotBytes);
      OperationStream lane = new OperationStream(host, host.link(near, far), place, operations);
      byNear.put(lane.link().near().qpNum(), lane);
      byFar.put(lane.link().far().qpNum(), lane);
    }
  }

  /** Until that many operations of every connection have completed. */
  void run(int operations) {
    int before = -1;
    int done = completed();
    while (done > before) {
      byNear.values().forEach(lane -> lane.post(operations));
      host.drain();
      WorkCompletion[] taken = new WorkCompletion[POLL];
      for (int n = far.poll(taken); n > 0; n = far.poll(taken)) {
        for (int i = 0; i < n; i++) {
          byFar.get(taken[i].qpNum()).receive(taken[i]);
        }
      }
      for (int n = near.poll(taken); n > 0; n = near.poll(taken)) {
        for (int i = 0; i < n; i++) {
          byNear.get(taken[i].qpNum()).complete(taken[i]);
        }
      }
      before = done;
      done = completed();
    }
    for (OperationStream lane : byNear.values()) {
      assertThat(lane.completed()).isEqualTo(operations);
      assertThat(lane.received()).isEqualTo(lane.sent());
    }
  }

  private int completed() {
    return byNear.values().stream().mapToInt(OperationStream::completed).sum();
  }

  /** Nothing happened that the application did not ask for, and everything can be destroyed. */
  @Override
  public void close() {
    host.assertNoNews();
    byNear.values().forEach(lane -> lane.link().close());
    near.close();
    far.close();
  }
}
