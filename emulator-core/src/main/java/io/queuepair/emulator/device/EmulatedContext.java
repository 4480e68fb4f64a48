package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.CompletionQueueRules;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.sanitizer.Place;
import io.queuepair.emulator.sanitizer.UsageWatch;
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
import io.queuepair.verbs.RtValues;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
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
import java.util.function.Supplier;

/** An opened device and the objects made from it. */
final class EmulatedContext implements Context {
  private static final String GET_EVENT = "ibv_get_async_event";

  private static final Purpose EVENT_PURPOSE =
      new Purpose(GET_EVENT, () -> "an asynchronous event");

  /** How long the destruction of an object waits for other threads to acknowledge its events. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** There are no interrupts to spread over processors. */
  private static final int COMP_VECTORS = 1;

  private final EmulatedDevice device;
  private final HcaDriver driver;
  private final AsyncEvents events;
  private final Lifetime lifetime = new Lifetime("context");

  /** All that was made from this context and where, oldest first; guarded by the driver's lock. */
  private final Map<Owned, Place> objects = new LinkedHashMap<>();

  EmulatedContext(EmulatedDevice device, HcaDriver driver) {
    this.device = device;
    this.driver = driver;
    events = new AsyncEvents(driver.call(hca -> hca.engine().visits()));
  }

  HcaDriver driver() {
    return driver;
  }

  /**
   * What an object is called in logs and debuggers. Takes no lock and never fails: what it says of
   * a state that changes meanwhile is a glance.
   */
  String describe(Owned object, String what, Object... details) {
    StringJoiner text = new StringJoiner(", ", what + " of " + device.name() + " (", ")");
    text.setEmptyValue(what + " of " + device.name());
    for (Object detail : details) {
      text.add(detail.toString());
    }
    return object.lifetime().hasEnded() ? text.add("destroyed").toString() : text.toString();
  }

  @Override
  public String toString() {
    return "context of " + device.name() + (lifetime.hasEnded() ? " (closed)" : "");
  }

  AsyncEvents events() {
    return events;
  }

  /** Refuses to destroy an object, if need be after waiting, while its events are not settled. */
  void awaitAcknowledgements(String verb, Object element) {
    awaitNone(verb, "asynchronous event(s)", () -> events.takenOf(element));
  }

  /**
   * Waits for other threads to acknowledge the events of an object, if there can be any.
   *
   * @param left what is left, under the driver's lock
   * @throws VerbsException EBUSY if they do not, or if the calling thread took all of them itself
   */
  void awaitNone(String verb, String what, Supplier<AsyncEvents.Taken> left) {
    AsyncEvents.Taken atFirst = driver.call(hca -> left.get());
    if (atFirst.count() == 0) {
      return;
    }
    Purpose purpose = new Purpose(verb, () -> what + " to be acknowledged");
    boolean settled =
        !atFirst.isCallers()
            && driver.waiters().canRelyOnOthers()
            && driver
                .waiters()
                .await(purpose, () -> left.get().count() == 0 ? this : null, PATIENCE)
                .isPresent();
    if (!settled) {
      String whose = atFirst.isCallers() ? ": this thread took them" : "";
      throw new VerbsException(
          Errno.EBUSY, verb, atFirst.count() + " " + what + " of it are not acknowledged" + whose);
    }
  }

  /**
   * Remembers an object, to be destroyed with the context.
   *
   * @throws VerbsException EINVAL if that was closed while the object was made
   */
  <T extends Owned> T adopt(T object) {
    driver.call(
        hca -> {
          if (lifetime.hasEnded()) {
            discard(hca, object);
          }
          lifetime.check("ibv_close_device");
          return objects.put(object, hca.usage().caller());
        });
    return object;
  }

  /** Destroys an object that nobody needs, for its application; only the first time does that. */
  void destroy(String verb, Owned object) {
    driver.step(
        hca -> {
          if (object.lifetime().end(verb)) {
            remove(hca, object);
          }
        });
  }

  /** Lets go of an object that has ended; under the driver's lock. */
  void remove(Hca hca, Owned object) {
    object.release(hca);
    objects.remove(object);
    events.forget(object);
  }

  /** Destroys an object whoever needs it. */
  private void discard(Hca hca, Owned object) {
    if (object.lifetime().endAnyway()) {
      remove(hca, object);
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public DeviceAttr queryDevice() {
    driver.enter("ibv_query_device", lifetime);
    return driver.call(hca -> hca.queries().device(device.guid()));
  }

  @Override
  public DeviceAttrEx queryDeviceEx() {
    driver.enter("ibv_query_device_ex", lifetime);
    return driver.call(hca -> hca.queries().deviceEx(device.guid()));
  }

  @Override
  public RtValues queryRtValuesEx() {
    driver.enter("ibv_query_rt_values_ex", lifetime);
    driver.step(hca -> hca.queries().checkClock());
    return new RtValues(driver.nowNanos());
  }

  @Override
  public PortAttr queryPort(int portNum) {
    driver.enter("ibv_query_port", lifetime);
    return driver.call(hca -> hca.queries().port(portNum));
  }

  @Override
  public long queryPortSpeed(int portNum) {
    driver.enter("ibv_query_port_speed", lifetime);
    return driver.call(hca -> hca.queries().portSpeed(portNum));
  }

  @Override
  public Map<HwCounter, Long> hwCounters(int portNum) {
    driver.checkPresent("hw_counters");
    return driver.call(hca -> hca.queries().hwCounters(portNum));
  }

  @Override
  public Gid queryGid(int portNum, int index) {
    driver.enter("ibv_query_gid", lifetime);
    String verb = "ibv_query_gid";
    return driver.call(hca -> hca.ports().port(verb, portNum).entry(verb, portNum, index).gid());
  }

  @Override
  public GidEntry queryGidEx(int portNum, int index) {
    driver.enter("ibv_query_gid_ex", lifetime);
    return driver.call(hca -> hca.queries().gid(portNum, index));
  }

  @Override
  public List<GidEntry> queryGidTable(int maxEntries) {
    driver.enter("ibv_query_gid_table", lifetime);
    return driver.call(hca -> hca.queries().gids(maxEntries));
  }

  @Override
  public int queryPkey(int portNum, int index) {
    driver.enter("ibv_query_pkey", lifetime);
    return driver.call(hca -> hca.ports().pkey("ibv_query_pkey", portNum, index));
  }

  @Override
  public int getPkeyIndex(int portNum, int pkey) {
    driver.enter("ibv_get_pkey_index", lifetime);
    return driver.call(hca -> hca.queries().pkeyIndex(portNum, pkey));
  }

  @Override
  public ProtectionDomain allocPd() {
    driver.enter("ibv_alloc_pd", lifetime);
    int number = driver.call(hca -> hca.domains().alloc(this));
    return adopt(new EmulatedProtectionDomain(this, number));
  }

  @Override
  public ThreadDomain allocTd() {
    driver.enter("ibv_alloc_td", lifetime);
    driver.step(hca -> hca.domains().checkPromise("ibv_alloc_td"));
    return adopt(new EmulatedThreadDomain(this));
  }

  @Override
  public ProtectionDomain allocParentDomain(ProtectionDomain pd, ThreadDomain td) {
    driver.enter("ibv_alloc_parent_domain", lifetime);
    return new ParentDomainMaker(this).make(pd, td);
  }

  @Override
  public DeviceMemory allocDm(AllocDmAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_alloc_dm", lifetime);
    return adopt(
        new EmulatedDeviceMemory(this, driver.call(hca -> hca.deviceMemories().allocate(attr))));
  }

  @Override
  public CompletionQueue createCq(int cqe, CompletionChannel channel, int compVector) {
    driver.enter("ibv_create_cq", lifetime);
    checkCompVector("ibv_create_cq", compVector);
    EmulatedCompletionChannel own = own("ibv_create_cq", channel);
    return adopt(
        new EmulatedCompletionQueue(
            this,
            new EmulatedCompletionQueue.Plan(
                "ibv_create_cq", cqe, own, CompletionRing.Options.PLAIN)));
  }

  @Override
  public ExtendedCompletionQueue createCqEx(CqInitAttrEx initAttr) {
    Objects.requireNonNull(initAttr, "initAttr");
    driver.enter("ibv_create_cq_ex", lifetime);
    String verb = EmulatedExtendedCompletionQueue.CREATE;
    checkCompVector(verb, initAttr.compVector());
    EmulatedCompletionChannel own = own(verb, initAttr.channel());
    DeviceProfile profile = driver.call(Hca::profile);
    CompletionQueueRules.checkExtended(verb, initAttr.wcFlags(), initAttr.flags(), profile);
    return adopt(new EmulatedExtendedCompletionQueue(this, initAttr, own));
  }

  @Override
  public int numCompVectors() {
    return COMP_VECTORS;
  }

  private static void checkCompVector(String verb, int vector) {
    if (vector < 0 || vector >= COMP_VECTORS) {
      throw new VerbsException(
          Errno.EINVAL, verb, "completion vector " + vector + " is not 0 to " + (COMP_VECTORS - 1));
    }
  }

  private EmulatedCompletionChannel own(String verb, CompletionChannel channel) {
    if (channel != null && channel.context() != this) {
      throw new VerbsException(Errno.EINVAL, verb, "the channel belongs to another context");
    }
    return (EmulatedCompletionChannel) channel;
  }

  @Override
  public CompletionChannel createCompChannel() {
    driver.enter("ibv_create_comp_channel", lifetime);
    return adopt(new EmulatedCompletionChannel(this));
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

  private AsyncEvent takeEvent() {
    lifetime.check(GET_EVENT);
    return events.take();
  }

  @Override
  public void ackAsyncEvent(AsyncEvent event) {
    Objects.requireNonNull(event, "event");
    driver.step(hca -> events.acknowledge(event));
  }

  @Override
  public XrcDomain openXrcd(XrcdInitAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_open_xrcd", lifetime);
    return adopt(new EmulatedXrcDomain(this, driver.call(hca -> hca.domains().openXrc(attr))));
  }

  @Override
  public QueuePair openQp(QpOpenAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_open_qp", lifetime);
    return new QueuePairMaker(this, "ibv_open_qp").openTarget(attr);
  }

  @Override
  public Counters createCounters() {
    driver.enter("ibv_create_counters", lifetime);
    driver.step(hca -> hca.steering().checkCounters());
    return adopt(new EmulatedCounters(this));
  }

  @Override
  public EthL2 resolveEthL2FromGid(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver.enter("ibv_resolve_eth_l2_from_gid", lifetime);
    return driver.call(hca -> hca.queries().ethernet(attr));
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion completion, ByteBuffer grh) {
    Objects.requireNonNull(completion, "completion");
    Objects.requireNonNull(grh, "grh");
    driver.enter("ibv_init_ah_from_wc", lifetime);
    return driver.call(
        hca -> hca.ports().port("ibv_init_ah_from_wc", portNum).answerTo(portNum, completion, grh));
  }

  @Override
  public void close() {
    driver.failAsPlanned("ibv_close_device");
    driver.step(
        hca -> {
          reportLeftOpen(hca.usage());
          List<Owned> newestFirst = new ArrayList<>(objects.keySet());
          Collections.reverse(newestFirst);
          newestFirst.forEach(object -> discard(hca, object));
          lifetime.endAnyway();
          device.forget(this);
        });
    driver.memberships().leaveUnused();
  }

  /** Tells what the application should have closed; under the driver's lock. */
  void reportLeftOpen(UsageWatch usage) {
    objects.forEach(
        (object, created) -> {
          String what = object.lifetime().what();
          usage.leftOpen(what, created);
          int taken = object.notificationsOut() + events.takenOf(object).count();
          if (taken > 0) {
            usage.leftUnacknowledged(what, taken, created);
          }
        });
  }

  /** An object that goes with its context. */
  interface Owned {
    /** Whether it still exists. */
    Lifetime lifetime();

    /** Notifications of it that were taken and not acknowledged; under the driver's lock. */
    default int notificationsOut() {
      return 0;
    }

    /** Gives back what it has of the adapter and of other objects; under the driver's lock. */
    default void release(Hca hca) {}
  }
}
