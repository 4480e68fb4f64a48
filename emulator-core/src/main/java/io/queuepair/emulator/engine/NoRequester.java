// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import org.jspecify.annotations.Nullable;

/** Requester of an XRC_RECV queue pair, which sends nothing. */
final class NoRequester implements Requester {
  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public boolean hasWork() {
    return false;
  }

  @Override
  public @Nullable Packet pollRequest(long nowNanos) {
    return null;
  }

  @Override
  public DropReason receiveResponse(Packet packet, long nowNanos) {
    return DropReason.STALE_RESPONSE;
  }

  @Override
  public @Nullable WorkError failure() {
    return null;
  }

  @Override
  public SendWqe retire() {
    throw new AssertionError("there are no sends");
  }

  @Override
  public boolean isBusy() {
    return false;
  }

  @Override
  public int nextPsn() {
    return 0;
  }

  @Override
  public void expire(long nowNanos) {}

  @Override
  public boolean hasDeadline() {
    return false;
  }

  @Override
  public long deadlineNanos() {
    throw new AssertionError("nothing is ever waited for");
  }
}
