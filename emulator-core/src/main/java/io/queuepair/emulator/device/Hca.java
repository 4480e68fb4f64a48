package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.AddressRules;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.PortAttr;
import java.util.EnumSet;
import java.util.Set;

/**
 * The channel adapter itself: what is behind the verbs, a room for each kind of object. Knows
 * nothing of the outside: no thread, socket, clock or lock.
 */
final class Hca {
  private final DeviceProfile profile;
  private final Ports ports;
  private final Engine engine;
  private final Allowance allowance;
  private final Registrations registrations;
  private final CompletionQueues completionQueues;
  private final SharedReceiveQueues sharedReceiveQueues;
  private final QueuePairs queuePairs;
  private final Steering steering;
  private int domains;
  private int nextDomain;
  private int addressHandles;

  Hca(DeviceProfile profile, Ports ports) {
    this.profile = profile;
    this.ports = ports;
    MemoryTable memory = new MemoryTable();
    engine = new Engine(memory, profile.pacing());
    allowance = new Allowance(profile);
    registrations = new Registrations(profile, memory);
    completionQueues = new CompletionQueues(profile);
    sharedReceiveQueues = new SharedReceiveQueues(profile, engine.sharedQueues());
    queuePairs = new QueuePairs(profile, ports, engine, memory);
    steering = new Steering(profile, engine);
  }

  DeviceProfile profile() {
    return profile;
  }

  /** What the profile has, and what the network adds or does not need. */
  Set<DeviceCapFlag> capabilities() {
    Set<DeviceCapFlag> capabilities = EnumSet.noneOf(DeviceCapFlag.class);
    capabilities.addAll(profile.capabilities());
    if (queuePairs.offerRawPackets()) {
      capabilities.add(DeviceCapFlag.MANAGED_FLOW_STEERING);
    } else {
      capabilities.remove(DeviceCapFlag.RAW_IP_CSUM);
    }
    return capabilities;
  }

  Ports ports() {
    return ports;
  }

  Engine engine() {
    return engine;
  }

  Registrations registrations() {
    return registrations;
  }

  CompletionQueues completionQueues() {
    return completionQueues;
  }

  SharedReceiveQueues sharedReceiveQueues() {
    return sharedReceiveQueues;
  }

  QueuePairs queuePairs() {
    return queuePairs;
  }

  Steering steering() {
    return steering;
  }

  PortAttr queryPort(int portNum) {
    Port port = ports.port("ibv_query_port", portNum);
    return port.attributes(
        engine.drops().of(DropReason.BAD_PKEY), engine.drops().of(DropReason.BAD_QKEY));
  }

  /** Takes one of the protection domains; returns its number. */
  int allocDomain() {
    allowance.check("ibv_alloc_pd", DeviceLimit.MAX_PD, domains);
    domains++;
    return nextDomain++;
  }

  /** Returns the number of a new domain for extended connections. */
  int allocXrcDomain() {
    return nextDomain++;
  }

  void freeDomain() {
    domains--;
  }

  void createAh(AhAttr attr) {
    AddressRules.checkHandle(attr, ports.facts());
    allowance.check("ibv_create_ah", DeviceLimit.MAX_AH, addressHandles);
    addressHandles++;
  }

  void destroyAh() {
    addressHandles--;
  }
}
