// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.hca.CreationRules;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.Port;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
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
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An opened device, and the owner of the objects that were created from it. */
final class EmulatedContext implements Context {
  private static final String GET_EVENT = "ibv_get_async_event";

  private static final WaitDescription EVENT_PURPOSE =
      new WaitDescription(GET_EVENT, () -> "an asynchronous event");

  /** One completion vector: there are no interrupts to spread over processors. */
  private static final int COMP_VECTORS = 1;

  /** How long the destruction of an object waits for other threads to acknowledge its events. */
  private static final Duration ACKNOWLEDGE_TIMEOUT = Duration.ofSeconds(10);

  private final HcaDevice device;
  private final HcaDriver driver;
  private final AsyncEvents events;
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("context");

  /** Objects, oldest first, with the call site that created each; guarded by the driver's lock. */
  private final Map<ContextObject, CallSite> objects = new LinkedHashMap<>();

  /** Takes an event, as a call of the listener; null without a listener. */
  private @Nullable Supplier<@Nullable Runnable> listening;

  EmulatedContext(HcaDevice device, HcaDriver driver, Step step) {
    this.device = device;
    this.driver = driver;
    events = new AsyncEvents(step.hca().engine().statistics());
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
      CreationRules.checkOffered(step.verb(), step.hca().profile());
    }
    return new ValuesEx(driver.nowNanos());
  }

  @Override
  public PortAttr queryPort(int portNum) {
    try (Step step = driver.call("ibv_query_port", lifecycle)) {
      return step.hca().queries().port(step.verb(), portNum);
    }
  }

  @Override
  public long queryPortSpeed(int portNum) {
    try (Step step = driver.call("ibv_query_port_speed", lifecycle)) {
      return step.hca().queries().portSpeed(step.verb(), portNum);
    }
  }

  @Override
  public Map<HwCounter, Long> hwCounters(int portNum) {
    driver.checkPresent("hw_counters");
    try (Step step = driver.resumeCall("hw_counters")) {
      return step.hca().queries().hwCounters(step.verb(), portNum);
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
      return step.hca().queries().gid(step.verb(), portNum, index);
    }
  }

  @Override
  public List<GidEntry> queryGidTable(int maxEntries) {
    try (Step step = driver.call("ibv_query_gid_table", lifecycle)) {
      return step.hca().queries().gids(step.verb(), maxEntries);
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
      return step.hca().ports().pkeyIndex(step.verb(), portNum, pkey);
    }
  }

  @Override
  public ProtectionDomain allocPd() {
    try (Step step = driver.call("ibv_alloc_pd", lifecycle)) {
      int number = step.hca().domains().alloc(step.verb(), this);
      return adopt(step, new EmulatedProtectionDomain(this, number));
    }
  }

  @Override
  public ThreadDomain allocTd() {
    try (Step step = driver.step("ibv_alloc_td", lifecycle)) {
      CreationRules.checkOffered(step.verb(), step.hca().profile());
      return adopt(step, new EmulatedThreadDomain(this));
    }
  }

  @Override
  public ProtectionDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td) {
    try (Step step = driver.step("ibv_alloc_parent_domain", lifecycle)) {
      return EmulatedProtectionDomain.createParent(step, this, pd, td);
    }
  }

  @Override
  public DeviceMemory allocDm(AllocDmAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_alloc_dm", lifecycle)) {
      return adopt(
          step,
          new EmulatedDeviceMemory(this, step.hca().deviceMemories().allocate(step.verb(), attr)));
    }
  }

  @Override
  public CompletionQueue createCq(int cqe, @Nullable CompletionChannel channel, int compVector) {
    try (Step step = driver.call("ibv_create_cq", lifecycle)) {
      checkCompVector(step, compVector);
      EmulatedCompletionChannel ownChannel = own(step, channel);
      return adopt(
          step,
          new EmulatedCompletionQueue(
              this, step, new EmulatedCompletionQueue.CqAttributes(cqe, ownChannel, false)));
    }
  }

  @Override
  public ExtendedCompletionQueue createCqEx(CqInitAttrEx initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    try (Step step = driver.call("ibv_create_cq_ex", lifecycle)) {
      checkCompVector(step, initAttr.compVector());
      EmulatedCompletionChannel ownChannel = own(step, initAttr.channel());
      step.hca()
          .completionQueues()
          .checkExtended(step.verb(), initAttr.wcFlags(), initAttr.flags());
      return adopt(step, new EmulatedExtendedCompletionQueue(this, step, initAttr, ownChannel));
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
      return adopt(
          step, new EmulatedXrcDomain(this, step.hca().domains().openXrc(step.verb(), attr)));
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
      CreationRules.checkOffered(step.verb(), step.hca().profile());
      return adopt(step, new EmulatedCounters(this));
    }
  }

  @Override
  public WorkQueue createWq(WqInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.step("ibv_create_wq", lifecycle)) {
      return EmulatedWorkQueue.create(step, this, attr);
    }
  }

  @Override
  public RwqIndTable createRwqIndTable(List<WorkQueue> wqs) {
    ContextObject.checkNoneNull(wqs, "wqs");
    try (Step step = driver.step("ibv_create_rwq_ind_table", lifecycle)) {
      return EmulatedRwqIndTable.create(step, this, wqs);
    }
  }

  @Override
  public EthL2 resolveEthL2FromGid(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Step step = driver.call("ibv_resolve_eth_l2_from_gid", lifecycle)) {
      return step.hca().queries().ethernet(step.verb(), attr);
    }
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion completion, ByteBuffer grh) {
    Objects.requireNonNull(completion, "completion");
    Objects.requireNonNull(grh, "grh");
    try (Step step = driver.call("ibv_init_ah_from_wc", lifecycle)) {
      return step.hca()
          .ports()
          .port(step.verb(), portNum)
          .answerTo(step.verb(), portNum, completion, grh);
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

  public HcaDriver driver() {
    return driver;
  }

  /** Name in logs and debuggers. Takes no lock and never fails; may show the previous state. */
  public String describe(ContextObject object, String what, Object... details) {
    StringJoiner text = new StringJoiner(", ", what + " of " + device().name() + " (", ")");
    text.setEmptyValue(what + " of " + device().name());
    for (Object detail : details) {
      text.add(detail.toString());
    }
    return object.lifecycle().hasEnded() ? text.add("destroyed").toString() : text.toString();
  }

  public AsyncEvents events() {
    return events;
  }

  /**
   * Waits for the acknowledgement of the asynchronous events of an object that is to be destroyed.
   *
   * @throws VerbsException as {@link #awaitNone}
   */
  public void awaitAcknowledgements(String verb, Object element) {
    awaitNone(verb, "asynchronous event(s)", () -> events.takenOf(element));
  }

  /**
   * Waits for other threads to acknowledge the events of an object, if there are any.
   *
   * @param unackedEvents the events that are left, under the driver's lock
   * @throws VerbsException EBUSY if they are not acknowledged in time, or if the calling thread
   *     took all of them itself
   */
  public void awaitNone(
      String verb, String what, Supplier<AsyncEvents.UnackedEvents> unackedEvents) {
    AsyncEvents.UnackedEvents eventsAtFirst;
    try (Step step = driver.resumeCall(verb)) {
      eventsAtFirst = unackedEvents.get();
    }
    if (eventsAtFirst.count() == 0) {
      return;
    }
    WaitDescription waitDescription = new WaitDescription(verb, () -> what + " to be acknowledged");
    boolean settled =
        !eventsAtFirst.isCallers()
            && driver.waiters().canBlock()
            && driver
                .waiters()
                .await(
                    waitDescription,
                    () -> unackedEvents.get().count() == 0 ? this : null,
                    ACKNOWLEDGE_TIMEOUT)
                .isPresent();
    if (!settled) {
      String whose = eventsAtFirst.isCallers() ? ": this thread took them" : "";
      throw new VerbsException(
          Errno.EBUSY,
          verb,
          eventsAtFirst.count() + " " + what + " of it are not acknowledged" + whose);
    }
  }

  /** Records an object that a step has created; it is destroyed with the context. */
  public <T extends ContextObject> T adopt(Step step, T object) {
    object.neededLifecycles().forEach(ObjectLifecycle::addUser);
    objects.put(object, step.hca().usage().caller());
    return object;
  }

  /** Destroys an object that is not in use; a second call does nothing. */
  public void destroy(String verb, ContextObject object) {
    driver.failAsPlanned(verb);
    end(verb, object);
  }

  /** Destroys an object, once its asynchronous events are acknowledged. */
  public void destroyAcknowledged(String verb, ContextObject object) {
    driver.failAsPlanned(verb);
    awaitAcknowledgements(verb, object);
    end(verb, object);
  }

  /** Destroys an object like {@link #destroy}, for a verb that has begun. */
  public void end(String verb, ContextObject object) {
    try (Step step = driver.resume(verb)) {
      if (object.lifecycle().end(verb)) {
        remove(step.hca(), object);
      }
    }
  }

  /** Lists what the program has left open, a sentence each; under the driver's lock. */
  public List<String> unsettledObjects() {
    List<String> sentences = new ArrayList<>();
    for (ContextObject object : objects.keySet()) {
      List<String> unsettled = new ArrayList<>(object.unsettled());
      int taken = events.takenOf(object).count();
      if (taken > 0) {
        unsettled.add(
            Quantity.of(taken, "asynchronous event")
                + " taken and not acknowledged (ibv_ack_async_event), for which its destruction"
                + " waits");
      }
      unsettled.forEach(sentence -> sentences.add(object + ": " + sentence));
    }
    return sentences;
  }

  /** Releases an object that has ended; under the driver's lock. */
  public void remove(Hca hca, ContextObject object) {
    object.release(hca);
    object.neededLifecycles().forEach(ObjectLifecycle::removeUser);
    objects.remove(object);
    events.forget(object);
  }

  /** Destroys an object even if it is in use. */
  private void discard(Hca hca, ContextObject object) {
    if (object.lifecycle().endAnyway()) {
      remove(hca, object);
    }
  }

  /** Reports what the application should have closed; under the driver's lock. */
  public void reportLeaked(UsageListener usage) {
    objects.forEach(
        (object, callSite) -> {
          String what = object.lifecycle().what();
          usage.leaked(what, callSite);
          int taken = object.notificationsOut() + events.takenOf(object).count();
          if (taken > 0) {
            usage.leftUnacknowledged(what, taken, callSite);
          }
        });
  }

  /** Destroys all objects, newest first; under the driver's lock. */
  private void discardAll(Hca hca) {
    List<ContextObject> objectsNewestFirst = new ArrayList<>(objects.keySet());
    Collections.reverse(objectsNewestFirst);
    objectsNewestFirst.forEach(object -> discard(hca, object));
  }
}
