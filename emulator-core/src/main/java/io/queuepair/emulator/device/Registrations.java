package io.queuepair.emulator.device;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceLimit;
import java.nio.ByteBuffer;
import java.util.Set;

/** The verbs on memory: what is registered, and under which key. */
final class Registrations {
  private final DeviceProfile profile;
  private final Allowance allowance;
  private final MemoryTable memory;

  Registrations(DeviceProfile profile, MemoryTable memory) {
    this.profile = profile;
    this.memory = memory;
    allowance = new Allowance(profile);
  }

  RegisteredMemory register(int domain, ByteBuffer buffer, Set<AccessFlag> access) {
    RegistrationRules.check(buffer, access, profile);
    allowance.check("ibv_reg_mr", DeviceLimit.MAX_MR, memory.size());
    return memory.register(domain, buffer, access);
  }

  void deregister(RegisteredMemory region) {
    memory.deregister(region);
  }
}
