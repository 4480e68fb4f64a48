package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** What {@code ibv_reg_mr} checks, and the errno of each refusal. */
final class RegistrationRules {
  private static final String VERB = "ibv_reg_mr";

  private static final Set<AccessFlag> NEED_LOCAL_WRITE =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);

  /** Optional flags are accepted and ignored. */
  private static final Set<AccessFlag> OFFERED =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.MW_BIND,
          AccessFlag.HUGETLB,
          AccessFlag.FLUSH_GLOBAL,
          AccessFlag.FLUSH_PERSISTENT,
          AccessFlag.RELAXED_ORDERING);

  /** Without FLUSH, which came later; and no error for what it ignores. */
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

  private RegistrationRules() {}

  static void check(ByteBuffer buffer, Set<AccessFlag> access, DeviceProfile profile) {
    boolean isLinux = profile.has(Quirk.RIGHTS_EINVAL);
    for (AccessFlag flag : access) {
      if (!(isLinux ? OFFERED_BY_LINUX : OFFERED).contains(flag)) {
        Errno errno = isLinux ? Errno.EINVAL : Errno.EOPNOTSUPP;
        throw new VerbsException(errno, VERB, flag + " is not offered");
      }
      if (NEED_LOCAL_WRITE.contains(flag) && !access.contains(AccessFlag.LOCAL_WRITE)) {
        throw new VerbsException(Errno.EINVAL, VERB, flag + " needs LOCAL_WRITE");
      }
    }
    if (!buffer.isDirect()) {
      throw new VerbsException(Errno.EINVAL, VERB, "the buffer is not direct memory");
    }
    if (!buffer.hasRemaining()) {
      throw new VerbsException(Errno.EINVAL, VERB, "the buffer is empty");
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      throw new VerbsException(
          Errno.EFAULT, VERB, "the buffer is read-only, but LOCAL_WRITE is asked for");
    }
  }
}
