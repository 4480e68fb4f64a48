package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.memory.RemoteWindow;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Buf;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A protection domain: a number, and how many objects carry it. A parent domain has the number of
 * the domain it stands for, so that their objects can be used together.
 */
final class EmulatedProtectionDomain implements ProtectionDomain, Owned {
  private final EmulatedContext context;
  private final int number;

  /** Of a parent domain: what it stands for, and its thread domain. */
  private final List<Lifetime> needs;

  /** Of a parent domain, or null. */
  private final EmulatedThreadDomain td;

  private final Lifetime lifetime = new Lifetime("protection domain");

  EmulatedProtectionDomain(EmulatedContext context, int number) {
    this.context = context;
    this.number = number;
    needs = List.of();
    td = null;
  }

  /** A parent domain. */
  EmulatedProtectionDomain(
      EmulatedProtectionDomain pd, EmulatedThreadDomain td, List<Lifetime> needs) {
    context = pd.context;
    number = pd.number;
    this.needs = needs;
    this.td = td;
  }

  /** The calling thread begins to use what was created in it; holding no lock of the driver. */
  void enter(String kind, int number) {
    if (td != null) {
      td.enter(kind, number);
    }
  }

  /** The calling thread ends what it began with {@link #enter}. */
  void leave() {
    if (td != null) {
      td.leave();
    }
  }

  EmulatedContext emulatedContext() {
    return context;
  }

  boolean isParent() {
    return !needs.isEmpty();
  }

  int number() {
    return number;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  private RegionMaker regions() {
    return new RegionMaker(this);
  }

  @Override
  public MemoryRegion regMr(ByteBuffer buffer, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    context.driver().enter("ibv_reg_mr");
    return regions().make(Registration.of("ibv_reg_mr", buffer, access));
  }

  @Override
  public MemoryRegion regMrIova(ByteBuffer buffer, long iova, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    context.driver().enter("ibv_reg_mr_iova");
    return regions().make(Registration.of("ibv_reg_mr_iova", buffer, access).at(iova));
  }

  @Override
  public MemoryRegion regMrEx(MrInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    context.driver().enter("ibv_reg_mr_ex");
    return regions().make(attr);
  }

  @Override
  public Buf allocBuf(long length) {
    context.driver().enter("ibv_alloc_buf");
    return regions().allocate(length);
  }

  @Override
  public MemoryRegion regBufMr(Buf buf, long offset, long length, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    context.driver().enter("ibv_reg_buf_mr");
    return regions().make(new RegionMaker.Part(buf, offset, length), access);
  }

  @Override
  public MemoryRegion regDmMr(DeviceMemory dm, long offset, long length, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    context.driver().enter("ibv_reg_dm_mr");
    return regions().make(dm, offset, length, access);
  }

  @Override
  public MemoryRegion allocNullMr() {
    context.driver().enter("ibv_alloc_null_mr");
    return regions().makeNull();
  }

  @Override
  public void adviseMr(AdviseMrAdvice advice, Set<AdviseMrFlag> flags, List<Sge> sgList) {
    Objects.requireNonNull(advice, "advice");
    Objects.requireNonNull(flags, "flags");
    EmulatedSharedReceiveQueue.checkNoneNull(sgList, "sgList");
    context.driver().enter("ibv_advise_mr");
    context
        .driver()
        .call(
            hca -> {
              lifetime.check("ibv_advise_mr");
              hca.registrations().advise(number, advice, sgList);
              return this;
            });
  }

  @Override
  public MemoryWindow allocMw(MwType type) {
    Objects.requireNonNull(type, "type");
    context.driver().enter("ibv_alloc_mw");
    RemoteWindow window =
        context
            .driver()
            .call(
                hca -> {
                  lifetime.check("ibv_alloc_mw");
                  RemoteWindow allocated = hca.registrations().allocate(number, type);
                  lifetime.addUser();
                  return allocated;
                });
    return context.adopt(new EmulatedMemoryWindow(this, window));
  }

  @Override
  public QueuePair createQp(QpInitAttr initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    context.driver().enter("ibv_create_qp");
    return new QueuePairMaker(context, "ibv_create_qp").make(this, initAttr);
  }

  @Override
  public ExtendedQueuePair createQpEx(QpInitAttrEx initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    context.driver().enter("ibv_create_qp_ex");
    return new QueuePairMaker(context, "ibv_create_qp_ex").makeExtended(this, initAttr);
  }

  @Override
  public AddressHandle createAh(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    context.driver().enter("ibv_create_ah");
    Ports ports =
        context
            .driver()
            .call(
                hca -> {
                  lifetime.check("ibv_create_ah");
                  hca.createAh(attr);
                  lifetime.addUser();
                  return hca.ports();
                });
    return context.adopt(new EmulatedAddressHandle(this, attr, ports));
  }

  @Override
  public SharedReceiveQueue createSrq(SrqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    context.driver().enter("ibv_create_srq");
    return new SharedQueueMaker(context).make(this, attr);
  }

  @Override
  public String toString() {
    return context.describe(this, (isParent() ? "parent domain of PD " : "PD ") + number);
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_dealloc_pd");
    context.destroy("ibv_dealloc_pd", this);
  }

  @Override
  public void release(Hca hca) {
    if (isParent()) {
      needs.forEach(Lifetime::removeUser);
    } else {
      hca.domains().free(number());
    }
  }
}
