package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.NodeType;
import io.queuepair.verbs.TransportType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A device of the emulator, attached to a network as long as it is not closed. */
public final class EmulatedDevice implements Device, AutoCloseable {
  private final String name;
  private final long guid;
  private final HcaDriver driver;
  private volatile boolean closed;

  /**
   * Attaches a device.
   *
   * @param addresses its own addresses, at least one; they become its GID table
   * @throws io.queuepair.emulator.fabric.FabricException if an address cannot be had
   */
  public EmulatedDevice(
      String name, Fabric fabric, List<InetAddress> addresses, DeviceProfile profile) {
    this.name = name;
    guid = Ethernet.macOf(addresses.get(0)).toGuid();
    driver = new HcaDriver(fabric, addresses, profile);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long guid() {
    return guid;
  }

  @Override
  public NodeType nodeType() {
    return NodeType.CA;
  }

  @Override
  public TransportType transportType() {
    return TransportType.IB;
  }

  @Override
  public Context open() {
    if (closed) {
      throw new VerbsException(Errno.ENODEV, "ibv_open_device", name + " is gone");
    }
    return new EmulatedContext(this, driver);
  }

  /** Packets dropped so far, by the name of the reason; only reasons that occurred. */
  public Map<String, Long> drops() {
    Map<String, Long> drops = new LinkedHashMap<>();
    driver.call(hca -> hca.engine().drops().toMap()).forEach((k, v) -> drops.put(k.name(), v));
    return drops;
  }

  /** Takes the next completion of a queue, waiting for it as long as it takes. */
  public static WorkCompletion awaitCompletion(CompletionQueue cq) {
    return ((EmulatedCompletionQueue) cq).awaitOne();
  }

  /** Detaches the device from its network; contexts stay, but nothing moves any more. */
  @Override
  public void close() {
    closed = true;
    driver.close();
  }
}
