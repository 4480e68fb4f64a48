// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** A listener that is called when a work request ends, with or without a completion. */
public interface WorkListener {
  /** No listener. */
  WorkListener NONE =
      new WorkListener() {
        @Override
        public void ended(SendWqe wqe) {}

        @Override
        public void ended(RecvWqe wqe) {}
      };

  /** A send has succeeded or failed, and touches its memory no more. */
  void ended(SendWqe wqe);

  /** A receive is filled or given back. */
  void ended(RecvWqe wqe);
}
