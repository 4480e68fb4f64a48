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

/** Listener to the use of a device by an application; called under the device's lock. */
public interface UsageListener extends WorkListener, WriteWatch {
  UsageListener NONE = new UsageListener() {};

  /** Findings so far, oldest first. */
  default List<SanitizerFinding> found() {
    return List.of();
  }

  /** Call site of the current verb; null if nothing listens. */
  default @Nullable CallSite caller() {
    return null;
  }

  /** Called when a send was accepted, before it is queued. */
  default void posted(QpContext qp, SendWqe wqe) {}

  /** Called when a receive of a queue pair was accepted. */
  default void posted(QpContext qp, RecvWqe wqe) {}

  /** Called when a receive of a shared receive queue was accepted, before its CQ is known. */
  default void posted(SharedReceiveRing ring, RecvWqe wqe) {}

  @Override
  default void ended(SendWqe wqe) {}

  @Override
  default void ended(RecvWqe wqe) {}

  @Override
  default void writing(Payload target) {}

  /** Called when the posted work of a queue pair is dropped without completions. */
  default void reset(QpContext qp) {}

  /** Called when a shared receive queue is destroyed with its receives. */
  default void destroyed(SharedReceiveRing ring) {}

  /**
   * Called, possibly again, when the responder resources of a peer are known.
   *
   * @param resources max_dest_rd_atomic of the peer
   */
  default void peerAnswers(QpContext qp, int resources) {}

  default void destroyed(CompletionRing ring) {}

  default void deregistering(RegisteredMemory region) {}

  /**
   * Called when a context or device is closed while an object of it is open.
   *
   * @param what kind of object
   */
  default void leaked(String what, CallSite callSite) {}

  /** Called when a second thread uses an object of a thread domain. */
  default void threadDomainShared(String what, CallSite callSite) {}

  /**
   * Called when a context or device is closed while events of an open object are taken and not
   * acknowledged.
   *
   * @param what kind of object
   */
  default void leftUnacknowledged(String what, int events, CallSite callSite) {}
}
