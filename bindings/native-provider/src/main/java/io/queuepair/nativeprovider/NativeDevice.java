// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.NodeType;
import io.queuepair.verbs.TransportType;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** A device of the system. */
final class NativeDevice implements Device {
  private static final int NODE_TYPE = VerbsAbi.offset("ibv_device.node_type");
  private static final int TRANSPORT_TYPE = VerbsAbi.offset("ibv_device.transport_type");
  private static final int NAME_ROOM = 64;

  private final long address;

  private NativeDevice(long address) {
    this.address = address;
  }

  /**
   * All devices of libibverbs. The list of the library is kept, so that the devices stay.
   *
   * @throws ExceptionInInitializerError if there is no library, or no permission to use it
   */
  static List<Device> all() {
    List<Device> devices = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      long count = RawMemory.allocate(arena, Integer.BYTES);
      long list = Libibverbs.GET_DEVICE_LIST.value(count);
      for (int i = 0; list != 0 && i < RawMemory.getInt(count); i++) {
        devices.add(new NativeDevice(RawMemory.getLong(list + (long) i * Long.BYTES)));
      }
    }
    return List.copyOf(devices);
  }

  /** The device of an address that the library gave elsewhere. */
  static NativeDevice at(long address, List<Device> known) {
    return known.stream()
        .map(NativeDevice.class::cast)
        .filter(device -> device.address == address)
        .findFirst()
        .orElseGet(() -> new NativeDevice(address));
  }

  @Override
  public String name() {
    return RawMemory.getText(Libibverbs.GET_DEVICE_NAME.value(address), NAME_ROOM);
  }

  @Override
  public long guid() {
    long guid = Libibverbs.GET_DEVICE_GUID.value(address);
    return Gids.fromBigEndian(guid);
  }

  @Override
  public int index() {
    return (int) Libibverbs.GET_DEVICE_INDEX.value(address);
  }

  @Override
  public NodeType nodeType() {
    return VerbsConstant.of(NodeType.class, RawMemory.getInt(address + NODE_TYPE))
        .orElse(NodeType.UNKNOWN);
  }

  @Override
  public TransportType transportType() {
    return VerbsConstant.of(TransportType.class, RawMemory.getInt(address + TRANSPORT_TYPE))
        .orElse(TransportType.UNKNOWN);
  }

  @Override
  public Context open() {
    return new NativeContext(this, Libibverbs.OPEN_DEVICE.pointer(address));
  }

  @Override
  public String toString() {
    return name();
  }
}
