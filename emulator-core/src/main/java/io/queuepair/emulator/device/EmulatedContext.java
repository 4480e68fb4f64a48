// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.CompletionQueueRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.Port;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EthL2;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.ValuesEx;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An opened device and the objects created from it. */
final class EmulatedContext extends OwningContext {
  private static final String GET_EVENT = "ibv_get_async_event";

  private static final WaitDescription EVENT_PURPOSE =
      new WaitDescription(GET_EVENT, () -> "an asynchronous event");

  /** There are no interrupts to spread over processors. */
  private static final int COMP_VECTORS = 1;

  private final HcaDevice device;
  private final HcaDriver driver;
  private final AsyncEvents events;
  private final ObjectLifecycle lifecycle;

  /** Takes events for a listener; null without one. */
  private @Nullable Supplier<@Nullable Runnable> listening;

  EmulatedContext(HcaDevice device, HcaDriver driver, Step step) {
    super(driver, step);
    this.device = device;
    this.driver = driver;
    events = events();
    lifecycle = lifecycle();
  }

  @Override
  public String toString() {
    return "context of " + device.name() + (lifecycle.hasEnded() ? " (closed)" : "");
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public DeviceAttr queryDevice() {
    try (Step step = driver.call("ibv_query_device", lifecycle)) {
      return step.hca().queries().device(device.guid());
    }
  }

  @Override
  public DeviceAttrEx queryDeviceEx() {
    try (Step step = driver.call("ibv_query_device_ex", lifecycle)) {
      return step.hca().queries().deviceEx(device.guid());
    }
  }

  @Override
  public ValuesEx queryRtValuesEx() {
    try (Step step = driver.step("ibv_query_rt_values_ex", lifecycle)) {
      step.hca().queries().checkClock();
    }
    return new ValuesEx(driver.nowNanos());
  }

  @Override
  public PortAttr queryPort(int portNum) {
    try (Step step = driver.call("ibv_query_port", lifecycle)) {
      return step.hca().queries().port(portNum);
    }
  }

  @Override
  public long queryPortSpeed(int portNum) {
    try (Step step = driver.call("ibv_query_port_speed", lifecycle)) {
      return step.hca().queries().portSpeed(portNum);
    }
  }

  @Override
  public Map<HwCounter, Long> hwCounters(int portNum) {
    driver.checkPresent("hw_counters");
    try (Step step = driver.call()) {
      return step.hca().queries().hwCounters(portNum);
    }
  }

  @Override
  public Gid queryGid(int portNum, int index) {
    try (Step step = driver.call("ibv_query_gid", lifecycle)) {
      Port port = step.hca().ports().port(step.verb(), portNum);
      return port.entry(step.verb(), portNum, index).gid();
    }
  }

  @Override
  public GidEntry queryGidEx(int portNum, int index) {
    try (Step step = driver.call("ibv_query_gid_ex", lifecycle)) {
      return step.hca().queries().gid(portNum, index);
    }
  }

  @Override
  public List<GidEntry> queryGidTable(int maxEntries) {
    try (Step step = driver.call("ibv_query_gid_table", lifecycle)) {
      return step.hca().queries().gids(maxEntries);
    }
  }

  @Override
  public int queryPkey(int portNum, int index) {
    try (Step step = driver.call("ibv_query_pkey", lifecycle)) {
      return step.hca().ports().pkey(step.verb(), portNum, index);
    }
  }

  @Override
  public int getPkeyIndex(int portNum, int pkey) {
    try (Step step = driver.call("ibv_get_pkey_index", lifecycle)) {
      return step.hca().queries().pkeyIndex(portNum, pkey);
    }
  }

  @Override
  public ProtectionDomain allocPd() {
    try (Step step = driver.call("ibv_alloc_pd", lifecycle)) {
      int number = step.hca().domains().alloc(this);
      return adopt(step, new EmulatedProtectionDomain(this, number));
    }
  }

  @Override
  public ThreadDomain allocTd() {
    try (Step step = driver.step("ibv_alloc_td", lifecycle)) {
      step.hca().domains().checkPromise(step.verb());
      return adopt(step, new EmulatedThreadDomain(this));
    }
  }

  @Override
  public ProtectionDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td) {
    try (Step step = driver.step("ibv_alloc_parent_domain", lifecycle)) {
      return new ParentDomainFactory(this, step).make(pd, td);
    }
  }

  @Override
  public DeviceMemory allocDm(AllocDmAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_alloc_dm", lifecycle)) {
      return adopt(
          step, new EmulatedDeviceMemory(this, step.hca().deviceMemories().allocate(attr)));
    }
  }

  @Override
  public CompletionQueue createCq(int cqe, @Nullable CompletionChannel channel, int compVector) {
    try (Step step = driver.call("ibv_create_cq", lifecycle)) {
      checkCompVector(step, compVector);
      EmulatedCompletionChannel own = own(step, channel);
      return adopt(
          step,
          new EmulatedCompletionQueue(
              this, step, new EmulatedCompletionQueue.CqAttributes(cqe, own, false)));
    }
  }

  @Override
  public ExtendedCompletionQueue createCqEx(CqInitAttrEx initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    try (Step step = driver.call("ibv_create_cq_ex", lifecycle)) {
      checkCompVector(step, initAttr.compVector());
      EmulatedCompletionChannel own = own(step, initAttr.channel());
      CompletionQueueRules.checkExtended(
          step.verb(), initAttr.wcFlags(), initAttr.flags(), step.hca().profile());
      return adopt(step, new EmulatedExtendedCompletionQueue(this, step, initAttr, own));
    }
  }

  @Override
  public int numCompVectors() {
    return COMP_VECTORS;
  }

  private static void checkCompVector(Step step, int vector) {
    if (vector < 0 || vector >= COMP_VECTORS) {
      throw step.refusal(
          Errno.EINVAL, "completion vector " + vector + " is not 0 to " + (COMP_VECTORS - 1));
    }
  }

  private @Nullable EmulatedCompletionChannel own(Step step, @Nullable CompletionChannel channel) {
    if (channel != null && channel.context() != this) {
      throw step.refusal(Errno.EINVAL, "the channel belongs to another context");
    }
    return (EmulatedCompletionChannel) channel;
  }

  @Override
  public CompletionChannel createCompChannel() {
    try (Step step = driver.call("ibv_create_comp_channel", lifecycle)) {
      return adopt(step, new EmulatedCompletionChannel(this));
    }
  }

  @Override
  public AsyncEvent getAsyncEvent() {
    driver.failAsPlanned(GET_EVENT);
    return driver.waiters().await(EVENT_PURPOSE, this::takeEvent, null).orElseThrow();
  }

  @Override
  public Optional<AsyncEvent> getAsyncEvent(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    driver.failAsPlanned(GET_EVENT);
    return driver.waiters().await(EVENT_PURPOSE, this::takeEvent, timeout);
  }

  private @Nullable AsyncEvent takeEvent() {
    lifecycle.check(GET_EVENT);
    return events.take();
  }

  @Override
  public void onAsyncEvent(Consumer<AsyncEvent> listener) {
    Objects.requireNonNull(listener, "listener");
    try (Step step = driver.step(GET_EVENT, lifecycle)) {
      driver.listeners().remove(listening);
      listening = () -> takeEventFor(listener);
      driver.listeners().add(listening);
    }
  }

  private @Nullable Runnable takeEventFor(Consumer<AsyncEvent> listener) {
    AsyncEvent event = events.takeForListener();
    return event == null ? null : () -> listener.accept(event);
  }

  @Override
  public void ackAsyncEvent(AsyncEvent event) {
    Objects.requireNonNull(event, "event");
    try (Step step = driver.resume("ibv_ack_async_event")) {
      events.acknowledge(event);
    }
  }

  @Override
  public XrcDomain openXrcd(XrcdInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_open_xrcd", lifecycle)) {
      return adopt(step, new EmulatedXrcDomain(this, step.hca().domains().openXrc(attr)));
    }
  }

  @Override
  public QueuePair openQp(QpOpenAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_open_qp", lifecycle)) {
      return new QpFactory(this, step).openTarget(attr);
    }
  }

  @Override
  public Counters createCounters() {
    try (Step step = driver.step("ibv_create_counters", lifecycle)) {
      step.hca().steering().checkCounters(step.verb());
      return adopt(step, new EmulatedCounters(this));
    }
  }

  @Override
  public WorkQueue createWq(WqInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.step("ibv_create_wq", lifecycle)) {
      return new WqFactory(this, step).make(attr);
    }
  }

  @Override
  public RwqIndTable createRwqIndTable(List<WorkQueue> wqs) {
    EmulatedSharedReceiveQueue.checkNoneNull(wqs, "wqs");
    try (Step step = driver.step("ibv_create_rwq_ind_table", lifecycle)) {
      return new WqFactory(this, step).makeTable(wqs);
    }
  }

  @Override
  public EthL2 resolveEthL2FromGid(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_resolve_eth_l2_from_gid", lifecycle)) {
      return step.hca().queries().ethernet(attr);
    }
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion completion, ByteBuffer grh) {
    Objects.requireNonNull(completion, "completion");
    Objects.requireNonNull(grh, "grh");
    try (Step step = driver.call("ibv_init_ah_from_wc", lifecycle)) {
      return step.hca().ports().port(step.verb(), portNum).answerTo(portNum, completion, grh);
    }
  }

  @Override
  public void close() {
    driver.failAsPlanned("ibv_close_device");
    try (Step step = driver.step()) {
      reportLeaked(step.hca().usage());
      step.hca().engine().makePackets();
      discardAll(step.hca());
      lifecycle.endAnyway();
      driver.listeners().remove(listening);
      device.forget(this);
    }
    driver.attachments().leaveUnused();
  }
}
