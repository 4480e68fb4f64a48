// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

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
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.ValuesEx;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A device that was opened, and everything on it that is still open. */
final class NativeContext extends NativeObject implements Context {
  private static final int NUM_COMP_VECTORS = VerbsAbi.offset("ibv_context.num_comp_vectors");
  private static final int RAW_CLOCK = 1;
  private static final int GRH_BYTES = 40;
  private static final int MAC_BYTES = 6;

  private final NativeDevice device;
  private final ContextFunctions functions;
  private final DataFunctions data;
  private final NativeAsyncEvents events;

  /** Whether the connection manager has opened it, which keeps it open. */
  private final boolean isShared;

  /** In the order of their creation. */
  private final Set<NativeObject> open = new LinkedHashSet<>();

  NativeContext(NativeDevice device, long address) {
    this(device, address, false);
  }

  private NativeContext(NativeDevice device, long address, boolean isShared) {
    super(null, address);
    this.device = device;
    this.isShared = isShared;
    functions = new ContextFunctions(address);
    data = new DataFunctions(functions);
    events = new NativeAsyncEvents(this);
  }

  /** One that the connection manager has opened, for all ids: it cannot be closed. */
  static NativeContext shared(NativeDevice device, long address) {
    return new NativeContext(device, address, true);
  }

  ContextFunctions functions() {
    return functions;
  }

  DataFunctions data() {
    return data;
  }

  /** Has an object destroyed with the context, if not before. */
  <T extends NativeObject> T keep(T created) {
    synchronized (open) {
      open.add(created);
    }
    return created;
  }

  void forget(NativeObject closed) {
    synchronized (open) {
      open.remove(closed);
    }
  }

  /** The open object of a type with that address, of which there is at most one. */
  <T extends NativeObject> Optional<T> find(Class<T> type, long address) {
    synchronized (open) {
      return open.stream()
          .filter(object -> object.identity() == address && type.isInstance(object))
          .map(type::cast)
          .findFirst();
    }
  }

  /** The region that has the bytes of an entry, if possible that of its lkey; null if none has. */
  NativeMemoryRegion regionOf(Sge entry) {
    NativeMemoryRegion found = null;
    synchronized (open) {
      for (NativeObject object : open) {
        if (object instanceof NativeMemoryRegion region && region.has(entry)) {
          if (region.lkey() == entry.lkey()) {
            return region;
          }
          found = region;
        }
      }
    }
    return found;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public DeviceAttr queryDevice() {
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, DeviceAttributes.SIZE);
      Libibverbs.QUERY_DEVICE.status(address(), attr);
      return DeviceAttributes.read(attr, 0);
    }
  }

  @Override
  public DeviceAttrEx queryDeviceEx() {
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, DeviceAttributes.EXTENDED_SIZE);
      long size = DeviceAttributes.EXTENDED_SIZE;
      if (functions.queryDeviceEx.exists()) {
        functions.queryDeviceEx.status(address(), 0L, attr, size);
      } else {
        Libibverbs.QUERY_DEVICE.status(address(), attr);
      }
      return DeviceAttributes.readExtended(attr, DeviceAttributes.read(attr, 0));
    }
  }

  @Override
  public ValuesEx queryRtValuesEx() {
    try (Arena arena = Arena.ofConfined()) {
      long values = RawMemory.allocate(arena, VerbsAbi.size("ibv_values_ex"));
      RawMemory.putInt(values, RAW_CLOCK);
      functions.queryRtValues.status(address(), values);
      long time = values + VerbsAbi.offset("ibv_values_ex.raw_clock"); // A struct timespec.
      long nanos = RawMemory.getLong(time) * 1_000_000_000L + RawMemory.getLong(time + Long.BYTES);
      return new ValuesEx(nanos);
    }
  }

  @Override
  public PortAttr queryPort(int portNum) {
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, DeviceAttributes.PORT_SIZE);
      byte port = port(portNum, "ibv_query_port");
      if (functions.queryPort.exists()) {
        functions.queryPort.status(address(), port, attr, (long) DeviceAttributes.PORT_SIZE);
      } else {
        Libibverbs.QUERY_PORT.status(address(), port, attr);
      }
      return DeviceAttributes.readPort(attr);
    }
  }

  static byte port(int portNum, String verb) {
    if (portNum < 1 || portNum > 0xff) {
      throw new VerbsException(Errno.EINVAL, verb, "there is no port " + portNum);
    }
    return (byte) portNum;
  }

  @Override
  public long queryPortSpeed(int portNum) {
    try (Arena arena = Arena.ofConfined()) {
      long speed = RawMemory.allocate(arena, Long.BYTES);
      Libibverbs.QUERY_PORT_SPEED.status(address(), portNum, speed);
      return RawMemory.getLong(speed);
    }
  }

  @Override
  public Map<HwCounter, Long> hwCounters(int portNum) {
    queryPort(portNum);
    return CounterFiles.read(device.name(), portNum);
  }

  @Override
  public Gid queryGid(int portNum, int index) {
    try (Arena arena = Arena.ofConfined()) {
      long gid = RawMemory.allocate(arena, Gids.GID_BYTES);
      Libibverbs.QUERY_GID.status(address(), port(portNum, "ibv_query_gid"), index, gid);
      return Gids.read(gid);
    }
  }

  @Override
  public GidEntry queryGidEx(int portNum, int index) {
    try (Arena arena = Arena.ofConfined()) {
      long entry = RawMemory.allocate(arena, Gids.ENTRY_BYTES);
      Libibverbs.QUERY_GID_EX.status(address(), portNum, index, entry, 0, (long) Gids.ENTRY_BYTES);
      return Gids.readEntry(entry);
    }
  }

  @Override
  public List<GidEntry> queryGidTable(int maxEntries) {
    int most = Math.max(0, Math.min(maxEntries, slots()));
    try (Arena arena = Arena.ofConfined()) {
      long table = RawMemory.allocate(arena, Math.max(1, (long) most * Gids.ENTRY_BYTES));
      ControlFunction query = Libibverbs.QUERY_GID_TABLE;
      long count = query.value(address(), table, (long) most, 0, (long) Gids.ENTRY_BYTES);
      if (count < 0) {
        throw query.refusal((int) -count);
      }
      List<GidEntry> entries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        entries.add(Gids.readEntry(table + (long) i * Gids.ENTRY_BYTES));
      }
      return List.copyOf(entries);
    }
  }

  /** Slots of the GID tables of all ports. */
  private int slots() {
    int slots = 0;
    for (int port = 1; port <= queryDevice().physPortCnt(); port++) {
      slots += queryPort(port).gidTblLen();
    }
    return slots;
  }

  @Override
  public int queryPkey(int portNum, int index) {
    try (Arena arena = Arena.ofConfined()) {
      long pkey = RawMemory.allocate(arena, Short.BYTES);
      Libibverbs.QUERY_PKEY.status(address(), port(portNum, "ibv_query_pkey"), index, pkey);
      return RawMemory.getByte(pkey) << 8 | RawMemory.getByte(pkey + 1);
    }
  }

  @Override
  public int getPkeyIndex(int portNum, int pkey) {
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    short wire = isLittle ? Short.reverseBytes((short) pkey) : (short) pkey;
    byte port = port(portNum, "ibv_get_pkey_index");
    long index = Libibverbs.GET_PKEY_INDEX.value(address(), port, wire);
    if (index < 0) {
      throw Libibverbs.GET_PKEY_INDEX.refusal(ControlFunction.lastErrno());
    }
    return (int) index;
  }

  @Override
  public ProtectionDomain allocPd() {
    return keep(new NativeProtectionDomain(this, Libibverbs.ALLOC_PD.pointer(address())));
  }

  @Override
  public DeviceMemory allocDm(AllocDmAttr attr) {
    return NativeDeviceMemory.allocate(this, attr);
  }

  @Override
  public ThreadDomain allocTd() {
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, VerbsAbi.size("ibv_td_init_attr"));
      return keep(new NativeThreadDomain(this, functions.allocTd.pointer(address(), attr)));
    }
  }

  @Override
  public ProtectionDomain allocParentDomain(ProtectionDomain pd, ThreadDomain td) {
    String verb = "ibv_alloc_parent_domain";
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, VerbsAbi.size("ibv_parent_domain_init_attr"));
      RawMemory.putLong(attr, addressOrNull(pd, verb));
      RawMemory.putLong(attr + Long.BYTES, addressOrNull(td, verb));
      long domain = functions.allocParentDomain.pointer(address(), attr);
      return keep(new NativeProtectionDomain(this, domain));
    }
  }

  @Override
  public CompletionQueue createCq(int cqe, CompletionChannel channel, int compVector) {
    long channelAddress = addressOrNull(channel, "ibv_create_cq");
    long cq = Libibverbs.CREATE_CQ.pointer(address(), cqe, 0L, channelAddress, compVector);
    return keep(new NativeCompletionQueue(this, cq, channel));
  }

  @Override
  public int numCompVectors() {
    return RawMemory.getInt(address() + NUM_COMP_VECTORS);
  }

  @Override
  public ExtendedCompletionQueue createCqEx(CqInitAttrEx initAttr) {
    return NativeExtendedCompletionQueue.create(this, initAttr);
  }

  @Override
  public CompletionChannel createCompChannel() {
    return keep(new NativeChannel(this, Libibverbs.CREATE_CHANNEL.pointer(address())));
  }

  @Override
  public AsyncEvent getAsyncEvent() {
    return events.take(null).orElseThrow();
  }

  @Override
  public Optional<AsyncEvent> getAsyncEvent(Duration timeout) {
    return events.take(Objects.requireNonNull(timeout, "timeout"));
  }

  @Override
  public void onAsyncEvent(Consumer<AsyncEvent> listener) {
    events.deliverTo(listener);
  }

  @Override
  public void ackAsyncEvent(AsyncEvent event) {
    events.acknowledge(Objects.requireNonNull(event, "event"));
  }

  @Override
  public XrcDomain openXrcd(XrcdInitAttr attr) {
    return NativeXrcDomain.open(this, attr);
  }

  @Override
  public QueuePair openQp(QpOpenAttr attr) {
    return NativeXrcDomain.openQp(this, attr);
  }

  @Override
  public Counters createCounters() {
    return NativeCounters.create(this);
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion completion, ByteBuffer grh) {
    Objects.requireNonNull(completion, "completion");
    try (Arena arena = Arena.ofConfined()) {
      long wc = RawMemory.allocate(arena, Completions.SIZE);
      Completions.write(wc, completion);
      long header = RawMemory.allocate(arena, GRH_BYTES);
      RawMemory.putBytes(header, grh.slice(grh.position(), Math.min(GRH_BYTES, grh.remaining())));
      long attr = RawMemory.allocate(arena, AddressVectors.SIZE);
      byte port = port(portNum, "ibv_init_ah_from_wc");
      Libibverbs.INIT_AH_FROM_WC.status(address(), port, wc, header, attr);
      return AddressVectors.read(attr);
    }
  }

  @Override
  public EthL2 resolveEthL2FromGid(AhAttr attr) {
    Objects.requireNonNull(attr, "attr");
    try (Arena arena = Arena.ofConfined()) {
      long vector = RawMemory.allocate(arena, AddressVectors.SIZE);
      AddressVectors.check(attr, "ibv_resolve_eth_l2_from_gid");
      AddressVectors.write(vector, attr);
      long mac = RawMemory.allocate(arena, Long.BYTES);
      long vlan = RawMemory.allocate(arena, Short.BYTES);
      Libibverbs.RESOLVE_ETH_L2.status(address(), vector, mac, vlan);
      long bits = RawMemory.getBigEndian(mac) >>> (Byte.SIZE * (Long.BYTES - MAC_BYTES));
      return new EthL2(new MacAddress(bits), RawMemory.getShort(vlan));
    }
  }

  @Override
  void destroy(long address) {
    if (isShared) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_close_device", "the connection manager keeps this context open");
    }
    List<NativeObject> last;
    synchronized (open) {
      last = new ArrayList<>(open).reversed();
    }
    last.forEach(NativeObject::prepareDestruction);
    while (!last.isEmpty()) {
      last = closeAll(last);
    }
    events.stopWith(() -> Libibverbs.CLOSE_DEVICE.status(address));
  }

  /**
   * Closes the newest first. What is refused, as others use it that are older, such as counters of
   * a flow or a region that a window is bound to, is left for another time.
   */
  private static List<NativeObject> closeAll(List<NativeObject> objects) {
    List<NativeObject> left = new ArrayList<>();
    VerbsException refusal = null;
    for (NativeObject object : objects) {
      try {
        object.close();
      } catch (VerbsException e) {
        refusal = e;
        left.add(object);
      }
    }
    if (left.size() == objects.size() && refusal != null) {
      throw refusal;
    }
    return left;
  }

  @Override
  public String toString() {
    return device.name();
  }
}
