package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.sanitizer.Place;
import io.queuepair.emulator.sanitizer.UsageWatch;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ThreadDomain;

/** A thread domain: how many parent domains use it, and who keeps its promise. */
final class EmulatedThreadDomain implements ThreadDomain, Owned {
  private final EmulatedContext context;
  private final Lifetime lifetime = new Lifetime("thread domain");

  /** The first thread that was seen, if anybody looks. */
  private Thread user;

  private boolean isReported;

  EmulatedThreadDomain(EmulatedContext context) {
    this.context = context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  /** Looks whether only one thread uses what belongs to it; under the driver's lock. */
  void use(UsageWatch usage, String what) {
    Place place = usage.caller();
    Thread now = Thread.currentThread();
    if (place == null || now.equals(user)) {
      return;
    }
    if (user == null) {
      user = now;
    } else if (!isReported) {
      isReported = true;
      usage.threadDomainShared(
          what + " of a thread domain is used by " + now.getName() + " after " + user.getName(),
          place);
    }
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void close() {
    context.driver().enter("ibv_dealloc_td");
    context.destroy("ibv_dealloc_td", this);
  }
}
