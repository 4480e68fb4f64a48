package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.AddressRules;
import io.queuepair.emulator.qp.SendRules;
import io.queuepair.emulator.sanitizer.Sanitizer;
import io.queuepair.emulator.sanitizer.UsageWatch;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceLimit;

/**
 * The channel adapter itself: what is behind the verbs, a room for each kind of object. Knows
 * nothing of the outside: no thread, socket, clock or lock.
 */
final class Hca {
  private final DeviceProfile profile;
  private final Ports ports;
  private final UsageWatch usage;
  private final Engine engine;
  private final Allowance allowance;
  private final Registrations registrations;
  private final DeviceMemories deviceMemories;
  private final CompletionQueues completionQueues;
  private final SharedReceiveQueues sharedReceiveQueues;
  private final QueuePairs queuePairs;
  private final Steering steering;
  private final Domains domains;
  private final DeviceQueries queries;
  private int addressHandles;

  Hca(DeviceProfile profile, Ports ports, LossReport losses) {
    this.profile = profile;
    this.ports = ports;
    MemoryTable memory = new MemoryTable(profile.hasSeparateKeys());
    usage = profile.isSanitized() ? new Sanitizer(memory) : UsageWatch.NONE;
    memory.watchWrites(usage);
    engine = new Engine(memory, profile.pacing(), usage, losses);
    allowance = new Allowance(profile);
    registrations = new Registrations(profile, memory);
    deviceMemories = new DeviceMemories(profile);
    completionQueues = new CompletionQueues(profile);
    sharedReceiveQueues = new SharedReceiveQueues(profile, engine.sharedQueues(), usage);
    domains = new Domains(profile);
    SendRules sendRules = new SendRules(memory, domains::areOfOneContext);
    queuePairs = new QueuePairs(profile, ports, engine, sendRules, usage);
    steering = new Steering(profile, ports, engine);
    queries = new DeviceQueries(profile, ports, engine, queuePairs);
  }

  DeviceProfile profile() {
    return profile;
  }

  Ports ports() {
    return ports;
  }

  /** Who looks for misuse. */
  UsageWatch usage() {
    return usage;
  }

  Engine engine() {
    return engine;
  }

  Registrations registrations() {
    return registrations;
  }

  DeviceMemories deviceMemories() {
    return deviceMemories;
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

  Domains domains() {
    return domains;
  }

  DeviceQueries queries() {
    return queries;
  }

  void createAh(AhAttr attr) {
    AddressRules.checkHandle("ibv_create_ah", attr, ports.facts());
    allowance.check("ibv_create_ah", DeviceLimit.MAX_AH, addressHandles);
    addressHandles++;
  }

  void destroyAh() {
    addressHandles--;
  }
}
