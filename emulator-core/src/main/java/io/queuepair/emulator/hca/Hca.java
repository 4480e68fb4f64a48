// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.Gsi;
import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.engine.Sanitizer;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.fabric.ResponderResources;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceLimit;
import java.util.function.BooleanSupplier;

/** The channel adapter: objects of a device and the engine; no thread, socket, clock or lock. */
public final class Hca {
  private final DeviceProfile profile;
  private final Ports ports;
  private final UsageListener usage;
  private final Engine engine;
  private final MemoryVerbs registrations;
  private final DeviceMemoryAllocator deviceMemories;
  private final CqVerbs completionQueues;
  private final SrqVerbs sharedReceiveQueues;
  private final QpVerbs queuePairs;
  private final WqVerbs workQueues;
  private final SteeringVerbs steering;
  private final DomainVerbs domains;
  private final QueryVerbs queries;
  private int addressHandles;

  /**
   * Makes a device without objects.
   *
   * @param staging copies from and to the memory of other processes
   * @param hasRoom whether the network has room for packets that queue pairs still make when they
   *     end
   */
  public Hca(
      DeviceProfile profile,
      Ports ports,
      LossReport losses,
      ResponderResources responderResources,
      Staging staging,
      BooleanSupplier hasRoom) {
    this.profile = profile;
    this.ports = ports;
    MemoryTable memory = new MemoryTable(profile.hasSeparateKeys(), staging);
    usage =
        profile
            .findingListener()
            .map(findingListener -> (UsageListener) new Sanitizer(memory, findingListener))
            .orElse(UsageListener.NONE);
    memory.watchWrites(usage);
    engine =
        new Engine(
            memory, profile.sendWindow(), usage, losses, new Gsi(profile.ports(), ports), hasRoom);
    registrations = new MemoryVerbs(profile, memory);
    deviceMemories = new DeviceMemoryAllocator(profile);
    completionQueues = new CqVerbs(profile);
    sharedReceiveQueues = new SrqVerbs(profile, engine.sharedQueues(), usage, engine.wqes());
    domains = new DomainVerbs(profile);
    SendRules sendRules = new SendRules(memory, domains::areOfOneContext);
    queuePairs = new QpVerbs(profile, ports, engine, sendRules, usage, responderResources);
    workQueues = new WqVerbs(profile, queuePairs, engine, usage);
    steering = new SteeringVerbs(profile, ports, engine);
    queries = new QueryVerbs(profile, ports, engine, queuePairs, workQueues);
  }

  public DeviceProfile profile() {
    return profile;
  }

  public Ports ports() {
    return ports;
  }

  /** Listener for misuse: the sanitizer, or one that does nothing. */
  public UsageListener usage() {
    return usage;
  }

  public Engine engine() {
    return engine;
  }

  public MemoryVerbs registrations() {
    return registrations;
  }

  public DeviceMemoryAllocator deviceMemories() {
    return deviceMemories;
  }

  public CqVerbs completionQueues() {
    return completionQueues;
  }

  public SrqVerbs sharedReceiveQueues() {
    return sharedReceiveQueues;
  }

  public QpVerbs queuePairs() {
    return queuePairs;
  }

  public WqVerbs workQueues() {
    return workQueues;
  }

  public SteeringVerbs steering() {
    return steering;
  }

  public DomainVerbs domains() {
    return domains;
  }

  public QueryVerbs queries() {
    return queries;
  }

  public void createAh(String verb, AhAttr attr) {
    AddressRules.checkHandle(verb, attr, ports);
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_AH, addressHandles);
    addressHandles++;
  }

  public void destroyAh() {
    addressHandles--;
  }
}
