// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Polls completions without an object for each: what libraries of C use. */
public interface CqePoller {
  /**
   * Takes completions, like {@code ibv_poll_cq}.
   *
   * @param most how many at most
   * @param target where they go
   * @param sink takes each: the same object for all calls, or it is one for each call
   * @return how many were taken
   */
  <T> int poll(int most, T target, CqeSink<T> sink);
}
