package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.nio.ByteBuffer;
import java.util.Set;

/** A protection domain: a number, and how many objects carry it. */
final class EmulatedProtectionDomain implements ProtectionDomain, Owned {
  private final EmulatedContext context;
  private final int number;
  private final Lifetime lifetime = new Lifetime("protection domain");

  EmulatedProtectionDomain(EmulatedContext context, int number) {
    this.context = context;
    this.number = number;
  }

  EmulatedContext emulatedContext() {
    return context;
  }

  int number() {
    return number;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public MemoryRegion regMr(ByteBuffer buffer, Set<AccessFlag> access) {
    RegisteredMemory memory =
        context
            .driver()
            .call(
                hca -> {
                  lifetime.check("ibv_reg_mr");
                  RegisteredMemory registered =
                      hca.registrations().register(number, buffer, access);
                  lifetime.addUser();
                  return registered;
                });
    return context.adopt(new EmulatedMemoryRegion(this, memory));
  }

  @Override
  public QueuePair createQp(QpInitAttr initAttr) {
    return new QueuePairMaker(context, "ibv_create_qp").make(this, initAttr);
  }

  @Override
  public ExtendedQueuePair createQpEx(QpInitAttrEx initAttr) {
    return new QueuePairMaker(context, "ibv_create_qp_ex").makeExtended(this, initAttr);
  }

  @Override
  public AddressHandle createAh(AhAttr attr) {
    context
        .driver()
        .step(
            hca -> {
              lifetime.check("ibv_create_ah");
              hca.createAh(attr);
              lifetime.addUser();
            });
    return context.adopt(new EmulatedAddressHandle(this, attr));
  }

  @Override
  public SharedReceiveQueue createSrq(SrqAttr attr) {
    return new SharedQueueMaker(context).make(this, attr);
  }

  @Override
  public void close() {
    context
        .driver()
        .step(
            hca -> {
              if (lifetime.end("ibv_dealloc_pd")) {
                release(hca);
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      release(hca);
    }
  }

  private void release(Hca hca) {
    hca.freeDomain();
    context.forget(this);
  }
}
