// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/** A registration of memory at its own address, all of a buffer whatever its position. */
final class RegMrCall extends SVCRegMr {
  private static final int PAGE_BYTES = 4_096;

  private final DisniPd pd;
  private final long address;
  private final int length;
  private final int access;
  private final ByteBuffer pinned;
  private IbvMr mr;
  private boolean isValid = true;

  RegMrCall(DisniPd pd, ByteBuffer buffer, int access) {
    this(pd, DirectMemory.addressOf(buffer), buffer.capacity(), access, buffer);
  }

  /** Of memory that nothing here can keep from being freed. */
  RegMrCall(DisniPd pd, long address, int length, int access) {
    this(pd, address, length, access, null);
  }

  private RegMrCall(DisniPd pd, long address, int length, int access, ByteBuffer pinned) {
    this.pd = pd;
    this.address = address;
    this.length = length;
    this.access = access;
    this.pinned = pinned;
  }

  @Override
  public SVCRegMr execute() throws IOException {
    DisniErrors.requireOpen(pd.isOpen(), "regMr", "protection domain");
    Set<AccessFlag> flags = DisniFlags.many(AccessFlag.class, access, "regMr", "access");
    if (length < 0) {
      throw new IOException("j2c::regMr: a length of " + length + " bytes is negative");
    }
    boolean isWritten = flags.contains(AccessFlag.LOCAL_WRITE);
    if (pinned == null && !DirectMemory.isMapped(address, length, isWritten)) {
      throw new IOException(
          "j2c::regMr: EFAULT: not all of the %d bytes at 0x%x is memory that can be %s"
              .formatted(length, address, isWritten ? "written" : "read"));
    }
    ByteBuffer memory = pageAligned();
    MemoryRegion region =
        DisniErrors.call("regMr", () -> pd.pd().regMrIova(memory, address, flags));
    mr = new DisniMr(pd.getContext(), region, access, pinned);
    return this;
  }

  /** The memory from its position on, as far into a page as its address is, as verbs ask for. */
  private ByteBuffer pageAligned() throws IOException {
    int inPage = (int) Long.remainderUnsigned(address, PAGE_BYTES);
    if (length > Integer.MAX_VALUE - inPage) {
      throw new IOException(
          "j2c::regMr: " + length + " bytes are more than " + (Integer.MAX_VALUE - inPage));
    }
    return DirectMemory.view(address - inPage, inPage + length).position(inPage);
  }

  @Override
  public IbvMr getMr() {
    return mr;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCRegMr free() {
    isValid = false;
    return this;
  }
}
