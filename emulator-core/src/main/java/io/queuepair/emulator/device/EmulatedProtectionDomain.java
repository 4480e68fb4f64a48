package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.CreationRules;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
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
                  RegisteredMemory registered = hca.register(number, buffer, access);
                  lifetime.addUser();
                  return registered;
                });
    return context.adopt(new EmulatedMemoryRegion(this, memory));
  }

  @Override
  public QueuePair createQp(QpInitAttr initAttr) {
    EmulatedCompletionQueue sendCq = own(initAttr.sendCq(), "send");
    EmulatedCompletionQueue recvCq = own(initAttr.recvCq(), "receive");
    QpContext.QpSetup setup =
        new QpContext.QpSetup(
            initAttr.qpType(),
            number,
            sendCq.ring(),
            recvCq.ring(),
            initAttr.cap(),
            initAttr.sqSigAll(),
            context.events());
    QpContext qp =
        context
            .driver()
            .call(
                hca -> {
                  lifetime.check("ibv_create_qp");
                  sendCq.lifetime().check("ibv_create_qp");
                  recvCq.lifetime().check("ibv_create_qp");
                  QpContext created = hca.createQp(setup);
                  lifetime.addUser();
                  sendCq.lifetime().addUser();
                  recvCq.lifetime().addUser();
                  return created;
                });
    DeviceProfile profile = context.driver().call(Hca::profile);
    QpCap granted = CreationRules.granted(initAttr.cap(), profile);
    return context.adopt(new EmulatedQueuePair(this, initAttr.withCap(granted), qp));
  }

  private EmulatedCompletionQueue own(CompletionQueue cq, String role) {
    if (cq == null) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_create_qp", "there is no " + role + " completion queue");
    }
    if (cq.context() != context) {
      throw new VerbsException(
          Errno.EINVAL,
          "ibv_create_qp",
          "the " + role + " completion queue belongs to another context");
    }
    return (EmulatedCompletionQueue) cq;
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
