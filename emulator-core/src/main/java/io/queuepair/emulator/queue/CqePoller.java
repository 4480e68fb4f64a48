// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Polls completions without an object for each: what libraries of C use. */
public interface CqePoller {
  /**
   * Takes completions, like {@code ibv_poll_cq}.
   *
   * @param most how many at most
   * @return how many were taken
   */
  int poll(int most, CqeSink sink);
}
