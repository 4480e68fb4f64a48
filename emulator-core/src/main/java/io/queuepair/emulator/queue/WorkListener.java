// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/** Listener that is called when a work request ends, with or without a completion. */
public interface WorkListener {
  WorkListener NONE =
      new WorkListener() {
        @Override
        public void ended(SendWqe wqe) {}

        @Override
        public void ended(RecvWqe wqe) {}
      };

  /** Called when a send has succeeded or failed, and no longer accesses its memory. */
  void ended(SendWqe wqe);

  /** Called when a receive is filled, failed or dropped. */
  void ended(RecvWqe wqe);
}
