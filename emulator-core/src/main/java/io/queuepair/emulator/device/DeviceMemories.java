package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;

/** The memory on the device itself: how much there is, and how much of it is taken. */
final class DeviceMemories {
  private static final String VERB = "ibv_alloc_dm";
  private static final int MAX_LOG_ALIGN = 63;

  private final long totalBytes;
  private long usedBytes;

  DeviceMemories(DeviceProfile profile) {
    totalBytes = profile.maxDmSize();
  }

  /** Takes some of it; alignment costs nothing, as nothing else lies beside it. */
  ByteBuffer allocate(AllocDmAttr attr) {
    if (totalBytes == 0) {
      throw new VerbsException(Errno.EOPNOTSUPP, VERB, "the device has no memory of its own");
    }
    if (attr.length() <= 0) {
      throw new VerbsException(Errno.EINVAL, VERB, "a length of " + attr.length() + " bytes");
    }
    if (attr.logAlignReq() < 0 || attr.logAlignReq() > MAX_LOG_ALIGN) {
      throw new VerbsException(
          Errno.EINVAL,
          VERB,
          "alignment code " + attr.logAlignReq() + " is not 0 to " + MAX_LOG_ALIGN);
    }
    if (attr.length() > totalBytes - usedBytes) {
      throw new VerbsException(
          Errno.ENOMEM,
          VERB,
          (totalBytes - usedBytes) + " of " + totalBytes + " bytes are left (max_dm_size)");
    }
    ByteBuffer bytes = Registrations.allocateDirect(VERB, attr.length());
    usedBytes += attr.length();
    return bytes;
  }

  void free(ByteBuffer bytes) {
    usedBytes -= bytes.capacity();
  }
}
