package io.queuepair.emulator.device;

import io.queuepair.emulator.device.RegistrationRules.Refusal;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.Place;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.RemoteWindow;
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

/** The verbs on memory: regions and windows, and their keys. */
final class Registrations {
  private static final String ALLOC_BUF = "ibv_alloc_buf";
  private static final String ALLOC_NULL = "ibv_alloc_null_mr";
  private static final String ADVISE = "ibv_advise_mr";
  private static final String ALLOC_MW = "ibv_alloc_mw";

  private final DeviceProfile profile;
  private final Allowance allowance;
  private final RegistrationRules rules;
  private final MemoryTable memory;

  Registrations(DeviceProfile profile, MemoryTable memory) {
    this.profile = profile;
    this.memory = memory;
    allowance = new Allowance(profile);
    rules = new RegistrationRules(profile);
  }

  RegisteredMemory register(int domain, Registration registration) {
    rules.check(registration);
    allowance.check(registration.verb(), DeviceLimit.MAX_MR, memory.size());
    return memory.register(domain, placeOf(registration), registration.access());
  }

  /** Where memory that was checked goes. */
  private Place placeOf(Registration registration) {
    ByteBuffer bytes = registration.buffer();
    if (registration.iova().isPresent()) {
      return new Place(registration.iova().getAsLong(), bytes.slice());
    }
    return rules.isZeroBased(registration.access())
        ? new Place(0, bytes.slice())
        : memory.place(bytes);
  }

  /** A region that reads zeros and loses what is written. */
  RegisteredMemory registerNothing(int domain) {
    if (profile.has(Quirk.REGIONS_FIXED)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, ALLOC_NULL, "the device has no regions without memory");
    }
    allowance.check(ALLOC_NULL, DeviceLimit.MAX_MR, memory.size());
    return memory.registerNothing(domain);
  }

  /** Memory of the device's choice, with an address, not registered yet. */
  Place allocate(long length) {
    if (length < 1 || length > Integer.MAX_VALUE) {
      throw new VerbsException(
          Errno.EINVAL, ALLOC_BUF, length + " bytes are not 1 to " + Integer.MAX_VALUE);
    }
    return memory.place(allocateDirect(ALLOC_BUF, length));
  }

  /**
   * Memory of the process.
   *
   * @throws VerbsException ENOMEM if it has not so much, or no buffer is so long
   */
  static ByteBuffer allocateDirect(String verb, long length) {
    if (length > Integer.MAX_VALUE) {
      throw new VerbsException(
          Errno.ENOMEM, verb, "no buffer holds " + length + " bytes, at most " + Integer.MAX_VALUE);
    }
    try {
      return ByteBuffer.allocateDirect((int) length);
    } catch (OutOfMemoryError none) {
      throw new VerbsException(
          Errno.ENOMEM,
          verb,
          "the process has no " + length + " bytes of direct memory left",
          none);
    }
  }

  /**
   * Makes a region of other memory, in another domain or with other rights.
   *
   * @param domain the domain it is to be in
   * @param change what was asked for, checked as far as it is about arguments
   */
  void change(RegisteredMemory region, int domain, Reregistration change) {
    if (profile.has(Quirk.REGIONS_FIXED)) {
      throw refused(Errno.EOPNOTSUPP, "the device cannot change a region");
    }
    change.checkCommand(region);
    Set<AccessFlag> access = change.accessOr(region.access());
    ByteBuffer bytes = change.bufferOr(region.bytes());
    Registration wanted = Registration.of(Reregistration.VERB, bytes, access);
    Refusal refusal = rules.refusalOf(wanted);
    if (refusal != null) {
      throw refused(refusal.errno(), refusal.text());
    }
    Place place = change.movesMemory() ? placeOf(wanted) : region.place();
    region.become(domain, place, access);
  }

  private static ReregMrException refused(Errno errno, String text) {
    return new ReregMrException(ReregMrErrCode.CMD, errno, text);
  }

  /** Checks advice about memory, all of which is there anyway. */
  void advise(int domain, AdviseMrAdvice advice, List<Sge> ranges) {
    if (profile.has(Quirk.REGIONS_FIXED)) {
      throw new VerbsException(Errno.EOPNOTSUPP, ADVISE, "the device takes no advice");
    }
    if (ranges.isEmpty()) {
      throw new VerbsException(Errno.EINVAL, ADVISE, "there is no range");
    }
    AccessFlag right = advice == AdviseMrAdvice.PREFETCH_WRITE ? AccessFlag.LOCAL_WRITE : null;
    for (int i = 0; i < ranges.size(); i++) {
      Sge sge = ranges.get(i);
      MemoryFault fault = memory.localFaultOf(sge.lkey(), domain, sge.addr(), sge.length(), right);
      if (fault != null) {
        throw new VerbsException(errnoOf(fault), ADVISE, "range " + i + ": " + fault.text());
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

  /**
   * Frees a window.
   *
   * @param lastKey the latest that the application was given for it
   */
  void free(RemoteWindow window, int lastKey) {
    memory.free(window, lastKey);
  }
}
