// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaMcJoinFlag;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The multicast groups of an id. */
final class NativeMulticast {
  private static final String JOIN = "rdma_join_multicast";
  private static final String LEAVE = "rdma_leave_multicast";
  private static final int SIZE = VerbsAbi.size("rdma_cm_join_mc_attr_ex");
  private static final int FLAGS = VerbsAbi.offset("rdma_cm_join_mc_attr_ex.join_flags");
  private static final int ADDR = VerbsAbi.offset("rdma_cm_join_mc_attr_ex.addr");
  private static final int ADDRESS_AND_FLAGS = 1 | 1 << 1;

  private final NativeRdmaCmId id;

  /** By the numbers that C has in their place. */
  private final Map<Long, NativeMulticastGroup> groups = new LinkedHashMap<>();

  NativeMulticast(NativeRdmaCmId id) {
    this.id = id;
  }

  void join(InetSocketAddress address, RdmaMcJoinFlag flag, Object context) {
    NativeMulticastGroup group =
        new NativeMulticastGroup(address, context, new UnacknowledgedEvents());
    long number = id.host().keepArgument(group);
    boolean isJoining = false;
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, SIZE);
      RawMemory.putInt(attr, ADDRESS_AND_FLAGS);
      RawMemory.putInt(attr + FLAGS, flag.code());
      RawMemory.putLong(attr + ADDR, SocketAddresses.write(arena, address, JOIN));
      Librdmacm.JOIN_MULTICAST_EX.status(id.boundAddress(JOIN), attr, number);
      isJoining = true;
      synchronized (groups) {
        groups.put(number, group);
      }
    } finally {
      if (!isJoining) {
        id.host().takeArgument(number);
      }
    }
    id.complete(JOIN);
  }

  /** The library refuses a group that was not joined. */
  void leave(InetSocketAddress address) {
    Map.Entry<Long, NativeMulticastGroup> joined = find(address);
    if (joined != null) {
      joined.getValue().taken().awaitNone(LEAVE);
    }
    try (Arena arena = Arena.ofConfined()) {
      Librdmacm.LEAVE_MULTICAST.status(id.address(), SocketAddresses.write(arena, address, LEAVE));
    }
    if (joined != null) {
      forget(joined.getKey());
    }
  }

  private Map.Entry<Long, NativeMulticastGroup> find(InetSocketAddress address) {
    synchronized (groups) {
      for (Map.Entry<Long, NativeMulticastGroup> entry : groups.entrySet()) {
        if (entry.getValue().address().equals(address)) {
          return Map.entry(entry.getKey(), entry.getValue());
        }
      }
      return null;
    }
  }

  private void forget(long number) {
    synchronized (groups) {
      groups.remove(number);
    }
    id.host().takeArgument(number);
  }

  /** Before the queue pair is destroyed, which must be in no group then. */
  void leaveAll() {
    Map<Long, NativeMulticastGroup> left;
    synchronized (groups) {
      left = Map.copyOf(groups);
    }
    try (Arena arena = Arena.ofConfined()) {
      left.forEach(
          (number, group) -> {
            // One that could not be joined is refused, which does not matter.
            long at = SocketAddresses.write(arena, group.address(), LEAVE);
            Librdmacm.LEAVE_MULTICAST.value(id.address(), at);
            forget(number);
          });
    }
  }
}
