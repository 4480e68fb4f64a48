// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.CreationRules;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.RegMrRequest;
import io.queuepair.emulator.memory.MappedBuffer;
import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.HostMemory;
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
import io.queuepair.verbs.ThreadDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A protection domain: a number, and the count of its objects. A parent domain has the number of
 * its protection domain, so that their objects can be used together.
 */
final class EmulatedProtectionDomain extends ContextObject implements HcaObject.Domain {
  private final int number;

  private final @Nullable EmulatedThreadDomain td;

  EmulatedProtectionDomain(EmulatedContext context, int number) {
    super(context, "protection domain", List.of());
    this.number = number;
    td = null;
  }

  private EmulatedProtectionDomain(
      EmulatedProtectionDomain pd,
      @Nullable EmulatedThreadDomain td,
      List<ObjectLifecycle> neededLifecycles) {
    super(pd.context(), "protection domain", neededLifecycles);
    number = pd.number;
    this.td = td;
  }

  static ProtectionDomain createParent(
      Step step, EmulatedContext context, ProtectionDomain pd, @Nullable ThreadDomain td) {
    if (pd == null || pd.context() != context || (td != null && td.context() != context)) {
      throw step.refusal(
          Errno.EINVAL,
          "the domains must be of this context, and a protection domain must be there");
    }
    EmulatedProtectionDomain realPd = (EmulatedProtectionDomain) pd;
    if (realPd.isParent()) {
      throw step.refusal(Errno.EINVAL, "a parent domain cannot stand for another parent domain");
    }
    List<ObjectLifecycle> neededLifecycles = new ArrayList<>(List.of(realPd.lifecycle()));
    EmulatedThreadDomain thread = (EmulatedThreadDomain) td;
    if (thread != null) {
      neededLifecycles.add(thread.lifecycle());
    }
    CreationRules.checkOffered(step.verb(), step.hca().profile());
    neededLifecycles.forEach(step::check);
    return context.adopt(step, new EmulatedProtectionDomain(realPd, thread, neededLifecycles));
  }

  /** Enters a call on an object of this domain; the caller holds no lock of the driver. */
  void enter(String kind, int number) {
    if (td != null) {
      td.enter(kind, number);
    }
  }

  void leave() {
    if (td != null) {
      td.leave();
    }
  }

  boolean isParent() {
    return !neededLifecycles().isEmpty();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public MemoryRegion regMr(ByteBuffer buffer, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    try (Step step = driver().call("ibv_reg_mr")) {
      return new MrFactory(this, step).make(RegMrRequest.of(step.verb(), buffer, access));
    }
  }

  @Override
  public MemoryRegion regMrIova(ByteBuffer buffer, long iova, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    try (Step step = driver().call("ibv_reg_mr_iova")) {
      return new MrFactory(this, step).make(RegMrRequest.of(step.verb(), buffer, access).at(iova));
    }
  }

  @Override
  public MemoryRegion regHostMemory(HostMemory memory, long iova, Set<AccessFlag> access) {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(access, "access");
    try (Step step = driver().call("ibv_reg_mr_iova")) {
      return new MrFactory(this, step).make(new MappedHostMemory(iova, memory), access);
    }
  }

  @Override
  public MemoryRegion regMrEx(MrInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().call("ibv_reg_mr_ex")) {
      return new MrFactory(this, step).make(attr);
    }
  }

  @Override
  public DmaBuffer allocBuf(long length) {
    try (Step step = driver().call("ibv_alloc_buf", lifecycle())) {
      MappedBuffer mappedBuffer = step.hca().registrations().allocate(step.verb(), length);
      return context().adopt(step, new EmulatedDmaBuffer(this, mappedBuffer));
    }
  }

  @Override
  public MemoryRegion regBufMr(DmaBuffer buf, long offset, long length, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    try (Step step = driver().call("ibv_reg_buf_mr")) {
      return new MrFactory(this, step).make(new MrFactory.BufferRange(buf, offset, length), access);
    }
  }

  @Override
  public MemoryRegion regDmMr(DeviceMemory dm, long offset, long length, Set<AccessFlag> access) {
    Objects.requireNonNull(access, "access");
    try (Step step = driver().call("ibv_reg_dm_mr")) {
      return new MrFactory(this, step).make(dm, offset, length, access);
    }
  }

  @Override
  public MemoryRegion allocNullMr() {
    try (Step step = driver().call("ibv_alloc_null_mr")) {
      return new MrFactory(this, step).makeNull();
    }
  }

  @Override
  public void adviseMr(AdviseMrAdvice advice, Set<AdviseMrFlag> flags, List<Sge> sgList) {
    Objects.requireNonNull(advice, "advice");
    Objects.requireNonNull(flags, "flags");
    checkNoneNull(sgList, "sgList");
    try (Step step = driver().call("ibv_advise_mr", lifecycle())) {
      step.hca().registrations().advise(step.verb(), number, advice, sgList);
    }
  }

  @Override
  public MemoryWindow allocMw(MwType type) {
    Objects.requireNonNull(type, "type");
    try (Step step = driver().call("ibv_alloc_mw", lifecycle())) {
      MemoryWindowState window = step.hca().registrations().allocate(step.verb(), number, type);
      return context().adopt(step, new EmulatedMemoryWindow(this, window));
    }
  }

  @Override
  public QueuePair createQp(QpInitAttr initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    try (Step step = driver().step("ibv_create_qp")) {
      return new QpFactory(context(), step).make(this, initAttr);
    }
  }

  @Override
  public ExtendedQueuePair createQpEx(QpInitAttrEx initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    try (Step step = driver().step("ibv_create_qp_ex")) {
      return new QpFactory(context(), step).makeExtended(this, initAttr);
    }
  }

  @Override
  public AddressHandle createAh(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().call("ibv_create_ah", lifecycle())) {
      step.hca().createAh(step.verb(), attr);
      return context().adopt(step, new EmulatedAddressHandle(this, attr, step.hca().ports()));
    }
  }

  @Override
  public SharedReceiveQueue createSrq(SrqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver().step("ibv_create_srq")) {
      return EmulatedSharedReceiveQueue.create(step, this, null, attr, List.of());
    }
  }

  @Override
  public String toString() {
    return context().describe(this, (isParent() ? "parent domain of PD " : "PD ") + number);
  }

  @Override
  public void close() {
    context().destroy("ibv_dealloc_pd", this);
  }

  @Override
  public void release(Hca hca) {
    if (!isParent()) {
      hca.domains().free(number());
    }
  }
}
