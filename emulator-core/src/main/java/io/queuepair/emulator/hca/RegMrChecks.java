// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks of memory registration, and their errnos. */
final class RegMrChecks {
  private static final int PAGE_BYTES = 4096;
  private static final String BEYOND_THE_END = "the addresses go beyond 2^64";

  private static final Set<AccessFlag> NEED_LOCAL_WRITE =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);

  /** Flags that Linux Soft-RoCE takes, also those that it ignores; not ON_DEMAND and FLUSH. */
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

  public RegMrChecks(DeviceProfile profile) {
    this.profile = profile;
  }

  public record RegMrError(Errno errno, String text) {
    static RegMrError invalid(String text) {
      return new RegMrError(Errno.EINVAL, text);
    }
  }

  public void check(RegMrRequest registration) {
    RegMrError error = refusalOf(registration);
    if (error != null) {
      throw new VerbsException(error.errno, registration.verb(), error.text);
    }
  }

  /** Reason why memory cannot be registered as requested, or null. */
  public @Nullable RegMrError refusalOf(RegMrRequest registration) {
    Set<AccessFlag> access = registration.access();
    RegMrError accessError = refusalOf(access);
    if (accessError != null) {
      return accessError;
    }
    RegMrError memoryError = refusalOf(registration.buffer(), access);
    if (memoryError != null || registration.iova().isEmpty()) {
      return memoryError;
    }
    return refusalOf(registration.buffer(), registration.iova().getAsLong(), access);
  }

  /** Refuses a registration of memory that may be longer than a buffer, at an address. */
  public void check(String verb, HostMemory memory, long iova, Set<AccessFlag> access) {
    RegMrError error = refusalOf(memory, iova, access);
    if (error != null) {
      throw new VerbsException(error.errno, verb, error.text);
    }
  }

  /** Reason why memory that may be longer than a buffer cannot be registered, or null. */
  @Nullable RegMrError refusalOf(HostMemory memory, long iova, Set<AccessFlag> access) {
    RegMrError error = refusalOf(access);
    long limit = profile.limit(DeviceLimit.MAX_MR_SIZE);
    if (error == null && Long.compareUnsigned(memory.length(), limit) > 0) {
      error = tooLong(memory.length(), limit);
    }
    if (error == null && isZeroBased(access) && iova != 0) {
      error = notAtZero(iova);
    }
    if (error == null && wraps(iova, memory.length())) {
      error = RegMrError.invalid(BEYOND_THE_END);
    }
    return error;
  }

  private static RegMrError tooLong(long bytes, long limit) {
    return RegMrError.invalid(
        bytes + " bytes are more than max_mr_size " + Long.toUnsignedString(limit));
  }

  private static RegMrError notAtZero(long iova) {
    return RegMrError.invalid("ZERO_BASED memory cannot be at " + Long.toUnsignedString(iova));
  }

  private static boolean wraps(long iova, long bytes) {
    return bytes > 0 && Long.compareUnsigned(iova + (bytes - 1), iova) < 0;
  }

  /** Reason why a region cannot have these rights, or null. */
  public @Nullable RegMrError refusalOf(Set<AccessFlag> access) {
    for (AccessFlag flag : access) {
      if (profile.has(Quirk.UNKNOWN_ACCESS_EINVAL) && !OFFERED_BY_LINUX.contains(flag)) {
        return RegMrError.invalid(flag + " is not offered");
      }
      if (NEED_LOCAL_WRITE.contains(flag) && !access.contains(AccessFlag.LOCAL_WRITE)) {
        return RegMrError.invalid(flag + " needs LOCAL_WRITE");
      }
    }
    return null;
  }

  private @Nullable RegMrError refusalOf(@Nullable ByteBuffer buffer, Set<AccessFlag> access) {
    if (buffer == null) {
      return access.contains(AccessFlag.ON_DEMAND)
          ? new RegMrError(
              Errno.EOPNOTSUPP, "the whole address space cannot be registered: there is none")
          : new RegMrError(Errno.EFAULT, "there is no buffer");
    }
    if (!buffer.isDirect()) {
      return RegMrError.invalid("the buffer is not direct memory");
    }
    if (!buffer.hasRemaining() && profile.has(Quirk.NO_EMPTY_REGIONS)) {
      return RegMrError.invalid("the buffer is empty");
    }
    long limit = profile.limit(DeviceLimit.MAX_MR_SIZE);
    if (Long.compareUnsigned(buffer.remaining(), limit) > 0) {
      return tooLong(buffer.remaining(), limit);
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      return new RegMrError(Errno.EFAULT, "the buffer is read-only, but LOCAL_WRITE is asked for");
    }
    return null;
  }

  private @Nullable RegMrError refusalOf(ByteBuffer buffer, long iova, Set<AccessFlag> access) {
    if (isZeroBased(access) && iova != 0) {
      return notAtZero(iova);
    }
    long inPage = buffer.position() % PAGE_BYTES;
    if (Long.remainderUnsigned(iova, PAGE_BYTES) != inPage) {
      return RegMrError.invalid(
          "address "
              + Long.toUnsignedString(iova)
              + " is not "
              + inPage
              + " bytes into a page, where the buffer's position is");
    }
    return wraps(iova, buffer.remaining()) ? RegMrError.invalid(BEYOND_THE_END) : null;
  }

  /** Whether the addresses of a region begin at 0. */
  public boolean isZeroBased(Set<AccessFlag> access) {
    return access.contains(AccessFlag.ZERO_BASED) && !profile.has(Quirk.UNKNOWN_ACCESS_EINVAL);
  }
}
