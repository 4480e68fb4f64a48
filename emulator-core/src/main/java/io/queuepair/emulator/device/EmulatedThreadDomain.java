// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.verbs.ThreadDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread domain, and the thread that is using objects of its parent domains. */
final class EmulatedThreadDomain extends ContextObject implements ThreadDomain {
  /** Thread that is using the domain, and the depth of its calls; both guarded by this object. */
  private @Nullable Thread inside;

  private int depth;

  /** Guarded by the driver's lock. */
  private boolean isReported;

  EmulatedThreadDomain(EmulatedContext context) {
    super(context, "thread domain", List.of());
  }

  /**
   * Enters a call, or a batch, of the current thread. If another thread is inside, the sanitizer is
   * notified.
   *
   * @param kind kind of the object that is used, for the message
   * @param number its number, for the message
   */
  void enter(String kind, int number) {
    Thread other = comeIn(Thread.currentThread());
    if (other != null) {
      try (Step step = driver().call()) {
        report(step.hca().usage(), kind + " " + number, other);
      }
    }
  }

  /** Enters, unless another thread is inside; returns that thread, or null. */
  private synchronized @Nullable Thread comeIn(Thread now) {
    if (depth > 0 && !now.equals(inside)) {
      return inside;
    }
    inside = now;
    depth++;
    return null;
  }

  /** Leaves a call or batch of the current thread. */
  synchronized void leave() {
    if (Thread.currentThread().equals(inside)) {
      depth--;
      inside = depth == 0 ? null : inside;
    }
  }

  /** Notifies the sanitizer once; under the driver's lock. */
  private void report(UsageListener usage, String what, Thread other) {
    CallSite callSite = usage.caller();
    if (callSite != null && !isReported) {
      isReported = true;
      usage.threadDomainShared(
          what
              + " of a thread domain is used by "
              + Thread.currentThread().getName()
              + " while "
              + other.getName()
              + " is inside",
          callSite);
    }
  }

  @Override
  public String toString() {
    return context().describe(this, "thread domain");
  }

  @Override
  public void close() {
    context().destroy("ibv_dealloc_td", this);
  }
}
