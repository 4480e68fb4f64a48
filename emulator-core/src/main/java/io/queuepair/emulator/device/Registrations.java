package io.queuepair.emulator.device;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.RemoteWindow;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Set;

/** The verbs on memory: regions and windows, and their keys. */
final class Registrations {
  private static final String ALLOC_MW = "ibv_alloc_mw";

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

  /** Refuses to deregister what a window is bound to. */
  void checkUnbound(RegisteredMemory region) {
    if (region.hasWindows()) {
      Errno errno = profile.has(Quirk.BOUND_REGIONS_EINVAL) ? Errno.EINVAL : Errno.EBUSY;
      throw new VerbsException(errno, "ibv_dereg_mr", "a memory window is bound to the region");
    }
  }

  void deregister(RegisteredMemory region) {
    memory.deregister(region);
  }

  RemoteWindow allocate(int domain, MwType type) {
    DeviceCapFlag needed =
        switch (type) {
          case TYPE_1 -> DeviceCapFlag.MEM_WINDOW;
          case TYPE_2 -> DeviceCapFlag.MEM_WINDOW_TYPE_2B;
        };
    if (!profile.can(needed)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, ALLOC_MW, "the device has no memory windows of " + type);
    }
    allowance.check(ALLOC_MW, DeviceLimit.MAX_MW, memory.windows());
    return memory.allocate(domain, type);
  }

  void free(RemoteWindow window) {
    memory.free(window);
  }
}
