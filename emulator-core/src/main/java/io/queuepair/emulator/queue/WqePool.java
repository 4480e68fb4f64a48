// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.ArrayDeque;

/**
 * Pool of unused work queue entries of a device: posting takes one, which returns when its work has
 * ended. Used under the lock of the device.
 */
public final class WqePool {
  private static final int MAX_KEPT = 4096;

  private final ArrayDeque<SendWqe> sends = new ArrayDeque<>();
  private final ArrayDeque<RecvWqe> recvWqes = new ArrayDeque<>();

  public SendWqe takeSend() {
    SendWqe wqe = sends.pollLast();
    return wqe == null ? new SendWqe() : wqe;
  }

  public RecvWqe takeReceive() {
    RecvWqe wqe = recvWqes.pollLast();
    return wqe == null ? new RecvWqe() : wqe;
  }

  public void recycle(SendWqe wqe) {
    wqe.clear();
    if (sends.size() < MAX_KEPT) {
      sends.addLast(wqe);
    }
  }

  public void recycle(RecvWqe wqe) {
    if (recvWqes.size() < MAX_KEPT) {
      recvWqes.addLast(wqe);
    }
  }
}
