// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;

/** Calls of C to completion channels and completion queues. */
final class CompletionEntries {
  private static final int COMP_VECTOR = 24;
  private static final int WC_FLAGS = 32;
  private static final int COMP_MASK = 40;
  private static final int FLAGS = 44;

  /** IBV_CQ_INIT_ATTR_MASK_FLAGS and IBV_CQ_INIT_ATTR_MASK_PD; the parent domain is ignored. */
  private static final int KNOWN_MASK = 3;

  private static final int MASK_FLAGS = 1;

  private CompletionEntries() {}

  static long createCompChannel(long context, ByteBuffer args) {
    CompletionChannel channel = Handles.get(context, Context.class).createCompChannel();
    EventSocket socket = AttachedProgram.current().openEvents(null);
    channel.onCqEvent(cq -> EventTargets.notify(cq, socket));
    long handle = Handles.add(channel);
    OpenFile.current().attach(handle, socket);
    return handle;
  }

  /**
   * Sends events again, which the library has read while it removed those of a destroyed object.
   */
  static void putBackEvents(long handle, ByteBuffer args) {
    int bytes = Math.min(Args.intSlot(args, 0), args.capacity() - Args.BYTES);
    AutoCloseable object = Handles.get(handle, AutoCloseable.class);
    EventSocket socket = OpenFile.current().socketOf(handle);
    boolean isAsync = object == socket;
    int size = isAsync ? Protocol.ASYNC_EVENT_BYTES : Protocol.COMPLETION_EVENT_BYTES;
    for (int done = 0; socket != null && done + size <= bytes; done += size) {
      byte[] event = new byte[size];
      args.get(Args.BYTES + done, event);
      socket.send(event);
    }
  }

  static long createCq(long context, ByteBuffer args) {
    int cqe = args.getInt(Args.BYTES);
    int vector = args.getInt(Args.BYTES + COMP_VECTOR);
    Context opened = Handles.get(context, Context.class);
    return give(args, opened.createCq(cqe, channel(args), vector));
  }

  static long createCqEx(long context, ByteBuffer args) {
    int mask = args.getInt(Args.BYTES + COMP_MASK);
    if ((mask & ~KNOWN_MASK) != 0) {
      throw CValues.refused("comp_mask " + Integer.toHexString(mask));
    }
    long flags =
        (mask & MASK_FLAGS) == 0 ? 0 : Integer.toUnsignedLong(args.getInt(Args.BYTES + FLAGS));
    CqInitAttrEx attr =
        new CqInitAttrEx(
            args.getInt(Args.BYTES),
            channel(args),
            args.getInt(Args.BYTES + COMP_VECTOR),
            CValues.flags(CreateCqWcFlag.class, args.getLong(Args.BYTES + WC_FLAGS)),
            CValues.flags(CreateCqAttrFlag.class, flags));
    ExtendedCompletionQueue cq = Handles.get(context, Context.class).createCqEx(attr);
    return give(args, cq);
  }

  private static CompletionChannel channel(ByteBuffer args) {
    return Handles.getOrNull(Args.slot(args, 1), CompletionChannel.class);
  }

  private static long give(ByteBuffer args, CompletionQueue cq) {
    EventTargets.put(cq, args);
    Args.setSlot(args, 0, cq.cqe());
    long handle = Handles.add(cq);
    try {
      AttachedProgram.current().share(cq, handle, args);
    } catch (VerbsException full) {
      DeviceEntries.closeQuietly(handle);
      throw full;
    }
    return handle;
  }

  /** The completion queue of a handle, or null for 0. */
  static CompletionQueue queueOrNull(long handle) {
    return handle == 0 ? null : queue(handle);
  }

  private static CompletionQueue queue(long handle) {
    return Handles.get(handle, CompletionQueue.class);
  }

  static long resizeCq(long handle, ByteBuffer args) {
    CompletionQueue cq = queue(handle);
    int before = cq.cqe();
    cq.resize(Args.intSlot(args, 0));
    try {
      AttachedProgram.current().share(cq, handle, args);
    } catch (VerbsException full) {
      cq.resize(before); // The shared memory that it has still has room for no more.
      throw full;
    }
    return cq.cqe();
  }

  static void modifyCq(long handle, ByteBuffer args) {
    int mask = args.getInt(Args.BYTES);
    if (mask != 1) {
      throw new VerbsException(
          mask == 0 ? Errno.EINVAL : Errno.EOPNOTSUPP,
          "ibv_modify_cq",
          "attr_mask " + mask + " is not that of moderation");
    }
    queue(handle)
        .modify(
            Short.toUnsignedInt(args.getShort(Args.BYTES + 4)),
            Short.toUnsignedInt(args.getShort(Args.BYTES + 6)));
  }

  static void reqNotifyCq(long handle, ByteBuffer args) {
    queue(handle).reqNotify(Args.slot(args, 0) != 0);
  }
}
