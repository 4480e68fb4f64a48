// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.WriteWatch;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.WorkListener;
import io.queuepair.emulator.wire.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives how an application uses a device. All methods are called under the device's lock. */
public interface UsageListener extends WorkListener, WriteWatch {
  /** No listener. */
  UsageListener NONE = new UsageListener() {};

  /** Findings so far, oldest first. */
  default List<SanitizerFinding> found() {
    return List.of();
  }

  /** The line of the application at work; null if there is no listener. */
  default @Nullable CallSite caller() {
    return null;
  }

  /** A send was accepted, and is about to be queued. */
  default void posted(QpContext qp, SendWqe wqe) {}

  /** A receive of a queue pair was accepted. */
  default void posted(QpContext qp, RecvWqe wqe) {}

  /** A shared receive was accepted; where it will complete is not known. */
  default void posted(SharedReceiveRing ring, RecvWqe wqe) {}

  @Override
  default void ended(SendWqe wqe) {}

  @Override
  default void ended(RecvWqe wqe) {}

  @Override
  default void writing(Payload target) {}

  /** Called when the work posted to a queue pair is gone without completion. */
  default void reset(QpContext qp) {}

  /** Called when the receives of a shared receive queue are gone with it. */
  default void destroyed(SharedReceiveRing ring) {}

  /**
   * It is known what the peer of a queue pair answers; may be called again.
   *
   * @param resources READs and atomics at a time, max_dest_rd_atomic of the peer
   */
  default void peerAnswers(QpContext qp, int resources) {}

  /** A completion queue is gone. */
  default void destroyed(CompletionRing ring) {}

  /** A region is about to go. */
  default void deregistering(RegisteredMemory region) {}

  /**
   * An object goes with its context or device, since it was not closed.
   *
   * @param what the kind of object
   */
  default void leaked(String what, CallSite callSite) {}

  /** A second thread uses what a thread domain promises to one. */
  default void threadDomainShared(String what, CallSite callSite) {}

  /**
   * Events of an object were taken and not acknowledged, and it goes.
   *
   * @param what the kind of object
   */
  default void leftUnacknowledged(String what, int events, CallSite callSite) {}
}
