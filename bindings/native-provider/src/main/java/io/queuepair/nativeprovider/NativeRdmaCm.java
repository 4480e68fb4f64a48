// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The connection manager of the system: its ids, by the addresses of their structures. */
final class NativeRdmaCm implements RdmaCm {
  private static final String CREATE_EP = "rdma_create_ep";
  private static final int DEVICE = VerbsAbi.offset("ibv_context.device");

  private final List<Device> devices;

  /** All that the library has opened, by the addresses of their structures. */
  private final Map<Long, NativeContext> contexts = new ConcurrentHashMap<>();

  private final Map<Long, NativeProtectionDomain> domains = new ConcurrentHashMap<>();
  private final Map<Long, NativeRdmaCmId> ids = new ConcurrentHashMap<>();

  /** Objects of the program, by the number that C gets in their place. */
  private final Map<Long, Object> arguments = new ConcurrentHashMap<>();

  private final AtomicLong lastArgument = new AtomicLong();
  private final List<Context> opened;

  private NativeRdmaCm(List<Device> devices) {
    this.devices = devices;
    opened = openAll();
  }

  /**
   * The connection manager of the system.
   *
   * @throws ExceptionInInitializerError if there is no library
   */
  static NativeRdmaCm open(List<Device> devices) {
    return new NativeRdmaCm(devices);
  }

  /** The list of the library is kept, so that the devices and their default domains stay. */
  private List<Context> openAll() {
    List<Context> all = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      long count = RawMemory.allocate(arena, Integer.BYTES);
      long list = Librdmacm.GET_DEVICES.pointer(count);
      for (int i = 0; i < RawMemory.getInt(count); i++) {
        all.add(contextAt(RawMemory.getLong(list + (long) i * Long.BYTES)));
      }
    }
    return List.copyOf(all);
  }

  /** The context of an address; null for 0. */
  NativeContext contextAt(long address) {
    return address == 0 ? null : contexts.computeIfAbsent(address, this::wrap);
  }

  private NativeContext wrap(long address) {
    NativeDevice device = NativeDevice.at(RawMemory.getLong(address + DEVICE), devices);
    return NativeContext.shared(device, address);
  }

  /** The default domain of an address; null for 0. */
  NativeProtectionDomain domainAt(long address, NativeContext context) {
    return address == 0
        ? null
        : domains.computeIfAbsent(address, at -> NativeProtectionDomain.shared(context, at));
  }

  void add(NativeRdmaCmId id) {
    ids.put(id.address(), id);
  }

  void forget(long address) {
    ids.remove(address);
  }

  /** The id of an address; null if it is being destroyed. */
  NativeRdmaCmId idAt(long address) {
    return ids.get(address);
  }

  /** A number that stands for what the program gives along; 0 for null. */
  long keepArgument(Object argument) {
    if (argument == null) {
      return 0;
    }
    long number = lastArgument.incrementAndGet();
    arguments.put(number, argument);
    return number;
  }

  Object argument(long number) {
    return arguments.get(number);
  }

  Object takeArgument(long number) {
    return arguments.remove(number);
  }

  @Override
  public RdmaEventChannel createEventChannel() {
    return new NativeEventChannel(this);
  }

  @Override
  public RdmaCmId createId(RdmaPortSpace ps) {
    Objects.requireNonNull(ps, "ps");
    NativeEventChannel own = new NativeEventChannel(this);
    try {
      return own.createId(ps, true);
    } finally {
      own.close(); // It stays as long as the id is on it.
    }
  }

  @Override
  public List<Context> getDevices() {
    return opened;
  }

  @Override
  public List<RdmaAddrinfo> getaddrinfo(String node, String service, RdmaAddrinfo hints) {
    return NativeAddrinfo.lookUp(node, service, hints);
  }

  @Override
  public RdmaCmId createEp(RdmaAddrinfo res, ProtectionDomain pd, QpInitAttr qpInitAttr) {
    Objects.requireNonNull(res, "res");
    boolean hasAddress = (res.isPassive() ? res.srcAddr() : res.dstAddr()) != null;
    if (!hasAddress) {
      String missing = res.isPassive() ? "own address" : "destination";
      throw new VerbsException(Errno.EINVAL, CREATE_EP, "the " + missing + " is missing");
    }
    NativeRdmaCmId id = createEp(res);
    boolean isMade = false;
    try {
      if (res.isPassive()) {
        id.keepForRequests(pd, qpInitAttr);
      } else {
        id.createFor(pd, qpInitAttr);
      }
      isMade = true;
      return id;
    } finally {
      if (!isMade) {
        id.close();
      }
    }
  }

  /** The library waits for the address and the route; afterwards its waits are done here. */
  private NativeRdmaCmId createEp(RdmaAddrinfo res) {
    NativeEventChannel own = new NativeEventChannel(this);
    try (Arena arena = Arena.ofConfined()) {
      long pointer = RawMemory.allocate(arena, Long.BYTES);
      long info = NativeAddrinfo.write(arena, res, CREATE_EP);
      Librdmacm.CREATE_EP.status(pointer, info, 0L, 0L);
      return own.adopt(RawMemory.getLong(pointer));
    } finally {
      own.close(); // It stays as long as the id is on it.
    }
  }

  @Override
  public String toString() {
    return "rdma_cm of " + devices;
  }
}
