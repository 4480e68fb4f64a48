// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * A domain for extended reliable connections. In C the name of a shared one is a file: that of the
 * name in the directory of temporary files, or the name itself if it is an absolute path.
 */
final class NativeXrcDomain extends NativeObject implements XrcDomain {
  private static final String OPEN = "ibv_open_xrcd";
  private static final int FD_AND_OFLAGS = 1 | 2;
  private static final int FD = VerbsAbi.offset("ibv_xrcd_init_attr.fd");
  private static final int OFLAGS = VerbsAbi.offset("ibv_xrcd_init_attr.oflags");
  private static final int O_RDWR_OR_CREAT = 2 | 0x40;
  private static final int O_CREAT = 0x40;
  private static final int O_EXCL = 0x80;
  private static final int OWNER_ONLY = 0600;

  /** NUM, XRCD and TYPE. */
  private static final int OPEN_QP_MASK = 1 | 2 | 8;

  private NativeXrcDomain(NativeContext context, long address) {
    super(context, address);
  }

  static NativeXrcDomain open(NativeContext context, XrcdInitAttr attr) {
    try (Arena arena = Arena.ofConfined()) {
      int fd = attr.name() == null ? -1 : openFile(arena, attr.name());
      long init = RawMemory.allocate(arena, VerbsAbi.size("ibv_xrcd_init_attr"));
      RawMemory.putInt(init, FD_AND_OFLAGS);
      RawMemory.putInt(init + FD, fd);
      RawMemory.putInt(init + OFLAGS, flags(attr));
      try {
        long xrcd = context.functions().openXrcd.pointer(context.address(), init);
        return context.keep(new NativeXrcDomain(context, xrcd));
      } finally {
        if (fd >= 0) {
          Libibverbs.CLOSE.value(fd); // The domain belongs to the file, not to its descriptor.
        }
      }
    }
  }

  private static int flags(XrcdInitAttr attr) {
    int create = attr.oflags().contains(XrcdInitAttr.OpenFlag.CREAT) ? O_CREAT : 0;
    int exclusive = attr.oflags().contains(XrcdInitAttr.OpenFlag.EXCL) ? O_EXCL : 0;
    return create | exclusive;
  }

  private static int openFile(Arena arena, String name) {
    Path path = Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
    long text = arena.allocateFrom(path.toString()).address();
    long fd = Libibverbs.OPEN.value(text, O_RDWR_OR_CREAT, OWNER_ONLY);
    if (fd < 0) {
      throw ControlFunction.refusal(OPEN, ControlFunction.lastErrno());
    }
    return (int) fd;
  }

  static QueuePair openQp(NativeContext context, QpOpenAttr attr) {
    try (Arena arena = Arena.ofConfined()) {
      long open = RawMemory.allocate(arena, VerbsAbi.size("ibv_qp_open_attr"));
      RawMemory.putInt(open, OPEN_QP_MASK);
      RawMemory.putInt(open + VerbsAbi.offset("ibv_qp_open_attr.qp_num"), attr.qpNum());
      long xrcd = context.addressOf(attr.xrcd(), "ibv_open_qp");
      RawMemory.putLong(open + VerbsAbi.offset("ibv_qp_open_attr.xrcd"), xrcd);
      int type = attr.qpType().code();
      RawMemory.putInt(open + VerbsAbi.offset("ibv_qp_open_attr.qp_type"), type);
      long qp = context.functions().openQp.pointer(context.address(), open);
      return context.keep(new NativeQueuePair(context, qp, null, QueuePairCreation.target()));
    }
  }

  @Override
  public QueuePair createQp() {
    return QueuePairCreation.createTarget(this);
  }

  @Override
  public SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    return NativeSharedReceiveQueue.createXrc(this, pd, cq, attr);
  }

  @Override
  void destroy(long address) {
    context().functions().closeXrcd.status(address);
  }
}
