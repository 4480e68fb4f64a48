// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import org.jspecify.annotations.Nullable;

/** Responder of an XRC_SEND queue pair, which receives no requests. */
final class NoResponder implements Responder {
  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public DropReason receiveRequest(Packet packet, long nowNanos) {
    return DropReason.MALFORMED;
  }

  @Override
  public @Nullable String failure() {
    return null;
  }

  @Override
  public void flush(@Nullable String explanation) {}

  @Override
  public int expectedPsn() {
    return 0;
  }
}
