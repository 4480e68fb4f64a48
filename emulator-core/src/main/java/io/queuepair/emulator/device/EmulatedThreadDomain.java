// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.verbs.ThreadDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread domain: the number of parent domains that use it, and the thread that is inside. */
final class EmulatedThreadDomain extends ContextObject implements ThreadDomain {
  /** The thread that is inside, and how many calls deep; guarded by this object. */
  private @Nullable Thread inside;

  private int depth;

  /** Guarded by the driver's lock. */
  private boolean isReported;

  EmulatedThreadDomain(EmulatedContext context) {
    super(context, "thread domain", List.of());
  }

  /**
   * A thread enters a call, or begins a batch. If another one is inside, the sanitizer is notified.
   *
   * @param kind of what is used
   * @param number of it
   */
  void enter(String kind, int number) {
    Thread other = comeIn(Thread.currentThread());
    if (other != null) {
      try (Step step = driver().call()) {
        report(step.hca().usage(), kind + " " + number, other);
      }
    }
  }

  /** Returns who else is inside, or null. */
  private synchronized @Nullable Thread comeIn(Thread now) {
    if (depth > 0 && !now.equals(inside)) {
      return inside;
    }
    inside = now;
    depth++;
    return null;
  }

  /** The thread leaves again. */
  synchronized void leave() {
    if (Thread.currentThread().equals(inside)) {
      depth--;
      inside = depth == 0 ? null : inside;
    }
  }

  /** Under the driver's lock. */
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
