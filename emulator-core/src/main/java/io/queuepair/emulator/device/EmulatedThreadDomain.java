package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ThreadDomain;

/** A thread domain: nothing but how many parent domains use it. */
final class EmulatedThreadDomain implements ThreadDomain, Owned {
  private final EmulatedContext context;
  private final Lifetime lifetime = new Lifetime("thread domain");

  EmulatedThreadDomain(EmulatedContext context) {
    this.context = context;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void close() {
    context
        .driver()
        .step(
            hca -> {
              if (lifetime.end("ibv_dealloc_td")) {
                context.forget(this);
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      context.forget(this);
    }
  }
}
