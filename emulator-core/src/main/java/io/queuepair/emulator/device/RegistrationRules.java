package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** What is checked when memory is registered, and the errno of each refusal. */
final class RegistrationRules {
  private static final int PAGE_BYTES = 4096;

  private static final Set<AccessFlag> NEED_LOCAL_WRITE =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);

  /** Without ON_DEMAND and FLUSH; and no error for what it ignores. */
  private static final Set<AccessFlag> OFFERED_BY_LINUX =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.MW_BIND,
          AccessFlag.ZERO_BASED,
          AccessFlag.HUGETLB,
          AccessFlag.RELAXED_ORDERING);

  private final DeviceProfile profile;

  RegistrationRules(DeviceProfile profile) {
    this.profile = profile;
  }

  /** Why something is refused. */
  record Refusal(Errno errno, String text) {
    static Refusal invalid(String text) {
      return new Refusal(Errno.EINVAL, text);
    }
  }

  void check(Registration registration) {
    Refusal refusal = refusalOf(registration);
    if (refusal != null) {
      throw new VerbsException(refusal.errno, registration.verb(), refusal.text);
    }
  }

  /** Why memory cannot be registered so, or null. */
  Refusal refusalOf(Registration registration) {
    Set<AccessFlag> access = registration.access();
    Refusal rights = refusalOf(access);
    if (rights != null) {
      return rights;
    }
    Refusal memory = refusalOf(registration.buffer(), access);
    if (memory != null || registration.iova().isEmpty()) {
      return memory;
    }
    return refusalOf(registration.buffer(), registration.iova().getAsLong(), access);
  }

  private Refusal refusalOf(Set<AccessFlag> access) {
    for (AccessFlag flag : access) {
      if (profile.has(Quirk.RIGHTS_EINVAL) && !OFFERED_BY_LINUX.contains(flag)) {
        return Refusal.invalid(flag + " is not offered");
      }
      if (NEED_LOCAL_WRITE.contains(flag) && !access.contains(AccessFlag.LOCAL_WRITE)) {
        return Refusal.invalid(flag + " needs LOCAL_WRITE");
      }
    }
    return null;
  }

  private Refusal refusalOf(ByteBuffer buffer, Set<AccessFlag> access) {
    if (buffer == null) {
      return access.contains(AccessFlag.ON_DEMAND)
          ? new Refusal(
              Errno.EOPNOTSUPP, "the whole address space cannot be registered: there is none")
          : new Refusal(Errno.EFAULT, "there is no buffer");
    }
    if (!buffer.isDirect()) {
      return Refusal.invalid("the buffer is not direct memory");
    }
    if (!buffer.hasRemaining() && profile.has(Quirk.NO_EMPTY_REGIONS)) {
      return Refusal.invalid("the buffer is empty");
    }
    if (Long.compareUnsigned(buffer.remaining(), profile.limit(DeviceLimit.MAX_MR_SIZE)) > 0) {
      return Refusal.invalid(
          buffer.remaining()
              + " bytes are more than max_mr_size "
              + Long.toUnsignedString(profile.limit(DeviceLimit.MAX_MR_SIZE)));
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      return new Refusal(Errno.EFAULT, "the buffer is read-only, but LOCAL_WRITE is asked for");
    }
    return null;
  }

  private Refusal refusalOf(ByteBuffer buffer, long iova, Set<AccessFlag> access) {
    if (isZeroBased(access) && iova != 0) {
      return Refusal.invalid("ZERO_BASED memory cannot be at " + Long.toUnsignedString(iova));
    }
    long inPage = buffer.position() % PAGE_BYTES;
    if (Long.remainderUnsigned(iova, PAGE_BYTES) != inPage) {
      return Refusal.invalid(
          "address "
              + Long.toUnsignedString(iova)
              + " is not "
              + inPage
              + " bytes into a page, where the buffer's position is");
    }
    boolean wraps =
        buffer.hasRemaining() && Long.compareUnsigned(iova + (buffer.remaining() - 1), iova) < 0;
    return wraps ? Refusal.invalid("the addresses go beyond 2^64") : null;
  }

  /** Whether addresses are to begin at 0. */
  boolean isZeroBased(Set<AccessFlag> access) {
    return access.contains(AccessFlag.ZERO_BASED) && !profile.has(Quirk.RIGHTS_EINVAL);
  }
}
