// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.hca.RegMrChecks.RegMrError;
import io.queuepair.emulator.memory.MappedBuffer;
import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.MappedMemory;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The verbs on memory regions and memory windows. */
public final class MemoryVerbs {

  private final DeviceProfile profile;
  private final RegMrChecks checks;
  private final MemoryTable memory;

  MemoryVerbs(DeviceProfile profile, MemoryTable memory) {
    this.profile = profile;
    this.memory = memory;
    checks = new RegMrChecks(profile);
  }

  public RegisteredMemory register(int domain, RegMrRequest registration) {
    checks.check(registration);
    CreationRules.checkRoom(registration.verb(), profile, DeviceLimit.MAX_MR, memory.size());
    return memory.register(domain, placeOf(registration), registration.access());
  }

  /** Registers memory that may be longer than a buffer. */
  public RegisteredMemory register(
      int domain, String verb, MappedHostMemory memoryAt, Set<AccessFlag> access) {
    checks.check(verb, memoryAt.memory(), memoryAt.addr(), access);
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_MR, memory.size());
    return memory.register(domain, memoryAt, access);
  }

  /** Maps checked memory at the address asked for, 0 if zero-based, or the device's choice. */
  private MappedBuffer placeOf(RegMrRequest registration) {
    ByteBuffer bytes = registration.buffer();
    if (registration.iova().isPresent()) {
      return new MappedBuffer(registration.iova().getAsLong(), bytes.slice());
    }
    return checks.isZeroBased(registration.access())
        ? new MappedBuffer(0, bytes.slice())
        : memory.place(bytes);
  }

  /** Registers a null region: reads return zeros, and writes are discarded. */
  public RegisteredMemory registerNullMr(String verb, int domain) {
    if (profile.has(Quirk.NO_REREG_MR)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device has no regions without memory");
    }
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_MR, memory.size());
    return memory.registerNullMr(domain);
  }

  /** Allocates memory at an address that the device chooses; it is not registered yet. */
  public MappedBuffer allocate(String verb, long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw new VerbsException(
          Errno.EINVAL, verb, length + " bytes are not 1 to " + Integer.MAX_VALUE);
    }
    return memory.place(allocate(verb, length, ByteBuffer::allocateDirect));
  }

  /**
   * Allocates memory of the process.
   *
   * @throws VerbsException ENOMEM if the process has too little left, or no buffer is so long
   */
  static ByteBuffer allocate(String verb, long length, IntFunction<ByteBuffer> hostMemory) {
    if (length > Integer.MAX_VALUE) {
      throw new VerbsException(
          Errno.ENOMEM, verb, "no buffer holds " + length + " bytes, at most " + Integer.MAX_VALUE);
    }
    try {
      return hostMemory.apply((int) length);
    } catch (OutOfMemoryError none) {
      throw new VerbsException(
          Errno.ENOMEM,
          verb,
          "the process has no " + length + " bytes of direct memory left",
          none);
    }
  }

  /**
   * Changes the memory, the protection domain or the rights of a region.
   *
   * @param domain protection domain from now on
   * @param request what was asked for; its arguments are checked already
   */
  public void change(RegisteredMemory region, int domain, ReregMrRequest request) {
    if (profile.has(Quirk.NO_REREG_MR)) {
      throw refused(Errno.EOPNOTSUPP, "the device cannot change a region");
    }
    request.checkCommand(region);
    Set<AccessFlag> access = request.accessOr(region.access());
    MappedHostMemory hostMemory = request.processMemory();
    if (hostMemory != null) {
      refuse(checks.refusalOf(hostMemory.memory(), hostMemory.addr(), access));
      region.become(domain, hostMemory, access);
      return;
    }
    ByteBuffer bytes = request.bufferOr(region.bytes());
    RegMrRequest registration = request.registration(bytes, access);
    refuse(bytes == null ? checks.refusalOf(access) : checks.refusalOf(registration));
    MappedMemory mappedMemory =
        request.movesMemory() ? placeOf(registration) : region.mappedMemory();
    region.become(domain, mappedMemory, access);
  }

  private static void refuse(@Nullable RegMrError error) {
    if (error != null) {
      throw refused(error.errno(), error.text());
    }
  }

  private static ReregMrException refused(Errno errno, String text) {
    return new ReregMrException(ReregMrErrCode.CMD, errno, text);
  }

  /** Checks advice about memory. It has no other effect, as all memory is present. */
  public void advise(String verb, int domain, AdviseMrAdvice advice, List<Sge> sges) {
    if (profile.has(Quirk.NO_REREG_MR)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device takes no advice");
    }
    if (sges.isEmpty()) {
      throw new VerbsException(Errno.EINVAL, verb, "there is no range");
    }
    AccessFlag access = advice == AdviseMrAdvice.PREFETCH_WRITE ? AccessFlag.LOCAL_WRITE : null;
    for (int i = 0; i < sges.size(); i++) {
      Sge sge = sges.get(i);
      MemoryFault fault = memory.localFaultOf(sge.lkey(), domain, sge.addr(), sge.length(), access);
      if (fault != null) {
        throw new VerbsException(errnoOf(fault), verb, "range " + i + ": " + fault.text());
      }
    }
  }

  private static Errno errnoOf(MemoryFault fault) {
    return switch (fault) {
      case UNKNOWN_KEY, WINDOW_KEY, WINDOW_NOT_BOUND -> Errno.ENOENT;
      case OTHER_DOMAIN, OTHER_QUEUE_PAIR, MISSING_RIGHT, WINDOW_LACKS_RIGHT -> Errno.EPERM;
      case OUT_OF_RANGE, OUTSIDE_WINDOW -> Errno.EFAULT;
    };
  }

  public void checkUnbound(String verb, RegisteredMemory region) {
    if (region.hasWindows()) {
      Errno errno = profile.has(Quirk.BOUND_REGIONS_EINVAL) ? Errno.EINVAL : Errno.EBUSY;
      throw new VerbsException(errno, verb, "a memory window is bound to the region");
    }
  }

  public void deregister(RegisteredMemory region) {
    memory.deregister(region);
  }

  public MemoryWindowState allocate(String verb, int domain, MwType type) {
    DeviceCapFlag neededFlag =
        switch (type) {
          case TYPE_1 -> DeviceCapFlag.MEM_WINDOW;
          case TYPE_2 -> DeviceCapFlag.MEM_WINDOW_TYPE_2B;
        };
    if (!profile.can(neededFlag)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, verb, "the device has no memory windows of " + type);
    }
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_MW, memory.windows());
    return memory.allocate(domain, type);
  }

  /**
   * Frees a memory window.
   *
   * @param lastKey latest rkey of the window that the application has
   */
  public void free(MemoryWindowState window, int lastKey) {
    memory.free(window, lastKey);
  }
}
