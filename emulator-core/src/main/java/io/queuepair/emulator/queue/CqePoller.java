// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Polls completions without an object for each, for bindings of C. */
public interface CqePoller {
  /**
   * Takes completions, like {@code ibv_poll_cq}.
   *
   * @param most maximum number of completions
   * @param target target that is passed to the sink
   * @param sink receives each completion; reuse one object, or each call allocates one
   * @return number of completions polled
   */
  <T> int poll(int most, T target, CqeSink<T> sink);
}
