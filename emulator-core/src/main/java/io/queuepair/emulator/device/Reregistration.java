package io.queuepair.emulator.device;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import java.nio.ByteBuffer;
import java.util.Set;

/** What a region is to become: what the library checks of it, and what the device. */
final class Reregistration {
  static final String VERB = "ibv_rereg_mr";

  private final ReregMr change;
  private final EmulatedContext context;
  private final boolean isOfDevice;

  /**
   * Takes what was asked for.
   *
   * @param context that of the region
   * @param isOfDevice whether its memory is the device's
   */
  Reregistration(ReregMr change, EmulatedContext context, boolean isOfDevice) {
    this.change = change;
    this.context = context;
    this.isOfDevice = isOfDevice;
  }

  boolean movesMemory() {
    return change.flags().contains(ReregMrFlag.CHANGE_TRANSLATION);
  }

  Set<AccessFlag> accessOr(Set<AccessFlag> present) {
    return change.flags().contains(ReregMrFlag.CHANGE_ACCESS) ? change.access() : present;
  }

  ByteBuffer bufferOr(ByteBuffer present) {
    return movesMemory() ? change.buffer() : present;
  }

  /** Refuses what the library does not hand to the device. */
  void checkInput(RegisteredMemory region) {
    if (region.isEndless()) {
      throw input("the region has no memory that could change");
    }
    if (movesMemory() && (change.buffer() == null || !change.buffer().hasRemaining())) {
      throw input("CHANGE_TRANSLATION needs memory, and some of it");
    }
    if (!change.access().isEmpty() && !change.flags().contains(ReregMrFlag.CHANGE_ACCESS)) {
      throw input("rights are given without CHANGE_ACCESS");
    }
  }

  private static ReregMrException input(String text) {
    return new ReregMrException(ReregMrErrCode.INPUT, Errno.EINVAL, text);
  }

  /** Refuses what the device cannot do. */
  void checkCommand(RegisteredMemory region) {
    if (change.flags().isEmpty()) {
      throw command(Errno.EINVAL, "nothing is to change");
    }
    if (isOfDevice) {
      throw command(Errno.EINVAL, "the region is of device memory");
    }
    if (change.flags().contains(ReregMrFlag.CHANGE_PD)) {
      checkDomain();
    }
    if (region.hasWindows()) {
      throw command(Errno.EBUSY, "a memory window is bound to the region");
    }
  }

  private void checkDomain() {
    if (!(change.pd() instanceof EmulatedProtectionDomain own)
        || own.emulatedContext() != context) {
      throw command(Errno.EINVAL, "the domain is missing or of another context");
    }
    if (own.lifetime().hasEnded()) {
      throw command(Errno.EINVAL, "the domain was destroyed");
    }
  }

  /** The domain that it is to be in. */
  EmulatedProtectionDomain domainOr(EmulatedProtectionDomain present) {
    boolean isMoved =
        change.flags().contains(ReregMrFlag.CHANGE_PD)
            && change.pd() instanceof EmulatedProtectionDomain;
    return isMoved ? (EmulatedProtectionDomain) change.pd() : present;
  }

  private static ReregMrException command(Errno errno, String text) {
    return new ReregMrException(ReregMrErrCode.CMD, errno, text);
  }
}
