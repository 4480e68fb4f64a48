// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Calls of C to memory regions, memory windows and device memory. */
final class MemoryEntries {
  private static final int BIND_INFO = 16;

  private MemoryEntries() {}

  static long regMr(long pd, ByteBuffer args) {
    long address = Args.slot(args, 0);
    long length = Args.slot(args, 1);
    long iova = Args.slot(args, 2);
    Set<AccessFlag> access = CValues.access(Args.intSlot(args, 3));
    ProtectionDomain domain = Handles.get(pd, ProtectionDomain.class);
    if (address == 0 && length == -1 && access.contains(AccessFlag.ON_DEMAND)) {
      return registered(args, domain, 0, Long.MAX_VALUE, 0, access); // Implicit on-demand region.
    }
    if (length < 0) {
      throw CValues.refused(Long.toUnsignedString(length) + " bytes are more than there can be");
    }
    if (address == 0) {
      return give(args, domain.regMr(null, access));
    }
    return registered(args, domain, address, length, iova, access);
  }

  private static long registered(
      ByteBuffer args,
      ProtectionDomain domain,
      long address,
      long length,
      long iova,
      Set<AccessFlag> access) {
    HostMemory range =
        AttachedProgram.current().range(address, length, access.contains(AccessFlag.ON_DEMAND));
    return pinned(
        address, length, access, () -> give(args, domain.regHostMemory(range, iova, access)));
  }

  /**
   * Pins memory for a call that creates or changes a region, and unpins it if the call throws.
   *
   * @return the result of the call, a handle
   */
  private static long pinned(long address, long length, Set<AccessFlag> access, LongSupplier call) {
    LongConsumer pin =
        AttachedProgram.current().pin(address, length, access.contains(AccessFlag.ON_DEMAND));
    long handle = 0;
    try {
      handle = call.getAsLong();
    } finally {
      pin.accept(handle);
    }
    return handle;
  }

  private static long give(ByteBuffer args, MemoryRegion region) {
    Args.setSlot(args, 0, region.lkey());
    Args.setSlot(args, 1, region.rkey());
    return Handles.add(region);
  }

  /** Changes a region; on failure slot 2 is 1 if the library refuses, 0 if the device does. */
  static void reregMr(long handle, ByteBuffer args) {
    Set<ReregMrFlag> flags = CValues.flags(ReregMrFlag.class, Args.slot(args, 0));
    ProtectionDomain pd = Handles.getOrNull(Args.slot(args, 1), ProtectionDomain.class);
    long address = Args.slot(args, 2);
    boolean moves = flags.contains(ReregMrFlag.CHANGE_TRANSLATION);
    Set<AccessFlag> access =
        flags.contains(ReregMrFlag.CHANGE_ACCESS)
            ? CValues.access(Args.intSlot(args, 4))
            : Set.of();
    Args.setSlot(args, 2, 0);
    MemoryRegion region = Handles.get(handle, MemoryRegion.class);
    OptionalLong iova = moves ? OptionalLong.of(address) : OptionalLong.empty();
    ReregMr change = new ReregMr(flags, pd, null, access, iova);
    long length = Args.slot(args, 3);
    try {
      if (moves) {
        pinned(
            address,
            length,
            access,
            () -> {
              AttachedProgram.current().rereg(region, change, length);
              return handle;
            });
      } else {
        AttachedProgram.current().rereg(region, change, length);
      }
    } catch (ReregMrException refused) {
      Args.setSlot(args, 2, refused.code() == ReregMrErrCode.INPUT ? 1 : 0);
      throw refused;
    }
    Args.setSlot(args, 0, region.lkey());
    Args.setSlot(args, 1, region.rkey());
  }

  static long allocNullMr(long pd, ByteBuffer args) {
    return give(args, Handles.get(pd, ProtectionDomain.class).allocNullMr());
  }

  static void adviseMr(long pd, ByteBuffer args) {
    AdviseMrAdvice advice = CValues.one("advice", AdviseMrAdvice.class, Args.intSlot(args, 0));
    Set<AdviseMrFlag> flags = CValues.flags(AdviseMrFlag.class, Args.slot(args, 1));
    int count = Args.intSlot(args, 2);
    if (count < 0 || count > (args.capacity() - Args.BYTES) / SgeStruct.SIZE) {
      throw CValues.refused("num_sge " + Integer.toUnsignedString(count));
    }
    Handles.get(pd, ProtectionDomain.class)
        .adviseMr(advice, flags, SgeStruct.readList(args, Args.BYTES, count));
  }

  static long allocMw(long pd, ByteBuffer args) {
    MwType type = CValues.one("type", MwType.class, Args.intSlot(args, 0));
    MemoryWindow window = Handles.get(pd, ProtectionDomain.class).allocMw(type);
    Args.setSlot(args, 0, window.rkey());
    return Handles.add(window);
  }

  static void bindMw(long qp, ByteBuffer args) {
    MemoryWindow window = Handles.get(Args.slot(args, 0), MemoryWindow.class);
    long region = Args.slot(args, 1);
    long wrId = args.getLong(Args.BYTES);
    Set<SendFlag> flags =
        CValues.flags(SendFlag.class, Integer.toUnsignedLong(args.getInt(Args.BYTES + Long.BYTES)));
    MwBindInfo binding = bindInfo(args, Args.BYTES + BIND_INFO, region);
    Handles.get(qp, QueuePair.class).bindMw(window, new MwBind(wrId, flags, binding));
    Args.setSlot(args, 0, window.rkey());
  }

  /** Reads {@code struct ibv_mw_bind_info}; the region is given by its handle. */
  static MwBindInfo bindInfo(ByteBuffer args, int at, long region) {
    return new MwBindInfo(
        Handles.getOrNull(region, MemoryRegion.class),
        args.getLong(at + 8),
        args.getLong(at + 16),
        CValues.access(args.getInt(at + 24)));
  }

  static long allocDm(long context, ByteBuffer args) {
    AllocDmAttr attr = new AllocDmAttr(Args.slot(args, 0), Args.intSlot(args, 1));
    return Handles.add(Handles.get(context, Context.class).allocDm(attr));
  }

  static void copyDm(long dm, ByteBuffer args) {
    boolean isTo = Args.slot(args, 0) != 0;
    long offset = Args.slot(args, 1);
    long address = Args.slot(args, 2);
    long length = Args.slot(args, 3);
    DeviceMemory device = Handles.get(dm, DeviceMemory.class);
    if (length < 0 || length > device.length()) {
      throw new VerbsException(
          Errno.EFAULT,
          Refusals.UNKNOWN_VERB,
          Long.toUnsignedString(length) + " bytes are more than the device memory has");
    }
    AttachedProgram program = AttachedProgram.current();
    if (isTo) {
      device.copyTo(offset, program.read(address, (int) length));
    } else {
      ByteBuffer copy = ByteBuffer.allocateDirect((int) length);
      device.copyFrom(copy, offset);
      program.written(address, copy);
    }
  }

  static long regDmMr(long pd, ByteBuffer args) {
    DeviceMemory dm = Handles.get(Args.slot(args, 0), DeviceMemory.class);
    Set<AccessFlag> access = CValues.access(Args.intSlot(args, 3));
    ProtectionDomain domain = Handles.get(pd, ProtectionDomain.class);
    return give(args, domain.regDmMr(dm, Args.slot(args, 1), Args.slot(args, 2), access));
  }
}
