// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.memory.MappedHostMemory;
import io.queuepair.emulator.memory.ProcessMemory;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code ibv_rereg_mr}, with the checks of libibverbs and of the device. */
public final class ReregMrRequest {
  public static final String VERB = "ibv_rereg_mr";

  private final ReregMr reregMr;
  private final @Nullable ProcessMemory processMemory;
  private final Context context;
  private final boolean isOfDevice;

  /**
   * Takes the arguments.
   *
   * @param processMemory new memory of the region, in another process, or null
   * @param context context of the region
   * @param isOfDevice whether the region is of device memory
   */
  public ReregMrRequest(
      ReregMr reregMr, @Nullable ProcessMemory processMemory, Context context, boolean isOfDevice) {
    this.reregMr = reregMr;
    this.processMemory = processMemory;
    this.context = context;
    this.isOfDevice = isOfDevice;
  }

  public boolean movesDomain() {
    return reregMr.flags().contains(ReregMrFlag.CHANGE_PD);
  }

  public boolean movesMemory() {
    return reregMr.flags().contains(ReregMrFlag.CHANGE_TRANSLATION);
  }

  /** New memory of the region in another process, at its own addresses; or null. */
  @Nullable MappedHostMemory processMemory() {
    return processMemory == null || !movesMemory()
        ? null
        : new MappedHostMemory(processMemory.address(), processMemory);
  }

  Set<AccessFlag> accessOr(Set<AccessFlag> access) {
    return reregMr.flags().contains(ReregMrFlag.CHANGE_ACCESS) ? reregMr.access() : access;
  }

  @Nullable ByteBuffer bufferOr(@Nullable ByteBuffer present) {
    return movesMemory() ? reregMr.buffer() : present;
  }

  /** Registration of memory, at the address asked for if the memory changes. */
  RegMrRequest registration(@Nullable ByteBuffer bytes, Set<AccessFlag> access) {
    RegMrRequest registration = RegMrRequest.of(VERB, bytes, access);
    return movesMemory() && reregMr.iova().isPresent()
        ? registration.at(reregMr.iova().getAsLong())
        : registration;
  }

  /** Refuses what libibverbs does not pass on to the device. */
  public void checkInput(RegisteredMemory region) {
    if (region.isNullMr()) {
      throw input("the region has no memory that could change");
    }
    if (movesMemory() && !hasMemory()) {
      throw input("CHANGE_TRANSLATION needs memory, and some of it");
    }
    if (!reregMr.access().isEmpty() && !reregMr.flags().contains(ReregMrFlag.CHANGE_ACCESS)) {
      throw input("rights are given without CHANGE_ACCESS");
    }
  }

  private boolean hasMemory() {
    return processMemory == null
        ? reregMr.buffer() != null && reregMr.buffer().hasRemaining()
        : processMemory.length() > 0;
  }

  private static ReregMrException input(String text) {
    return new ReregMrException(ReregMrErrCode.INPUT, Errno.EINVAL, text);
  }

  /** Refuses what the device cannot do. */
  void checkCommand(RegisteredMemory region) {
    if (reregMr.flags().isEmpty()) {
      throw command(Errno.EINVAL, "nothing is to change");
    }
    if (isOfDevice) {
      throw command(Errno.EINVAL, "the region is of device memory");
    }
    if (movesDomain()) {
      checkDomain();
    }
    if (region.hasWindows()) {
      throw command(Errno.EBUSY, "a memory window is bound to the region");
    }
  }

  private void checkDomain() {
    if (!(reregMr.pd() instanceof HcaObject.Domain ownDomain) || ownDomain.context() != context) {
      throw command(Errno.EINVAL, "the domain is missing or of another context");
    }
    if (ownDomain.lifecycle().hasEnded()) {
      throw command(Errno.EINVAL, "the domain was destroyed");
    }
  }

  private static ReregMrException command(Errno errno, String text) {
    return new ReregMrException(ReregMrErrCode.CMD, errno, text);
  }
}
