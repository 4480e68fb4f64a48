// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsConstant;

/** A memory window. */
final class NativeMemoryWindow extends NativeObject implements MemoryWindow {
  static final int BIND_INFO_BYTES = VerbsAbi.size("ibv_mw_bind_info");

  private static final int RKEY = VerbsAbi.offset("ibv_mw.rkey");
  private static final int INFO_ADDR = VerbsAbi.offset("ibv_mw_bind_info.addr");
  private static final int INFO_LENGTH = VerbsAbi.offset("ibv_mw_bind_info.length");
  private static final int INFO_ACCESS = VerbsAbi.offset("ibv_mw_bind_info.mw_access_flags");

  private final NativeProtectionDomain pd;
  private final MwType type;

  NativeMemoryWindow(NativeProtectionDomain pd, long address, MwType type) {
    super(pd.context(), address);
    this.pd = pd;
    this.type = type;
  }

  static void writeBindInfo(long at, MwBindInfo info, NativeContext context, String verb) {
    RawMemory.putLong(at, context.addressOrNull(info.mr(), verb));
    RawMemory.putLong(at + INFO_ADDR, info.addr());
    RawMemory.putLong(at + INFO_LENGTH, info.length());
    RawMemory.putInt(at + INFO_ACCESS, VerbsConstant.mask(info.access()));
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public MwType type() {
    return type;
  }

  @Override
  public int rkey() {
    return RawMemory.getInt(address() + RKEY);
  }

  @Override
  void destroy(long address) {
    context().functions().deallocMw.status(address);
  }
}
