// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.EthL2;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** Calls of C to protection, thread and XRC domains, and to address handles. */
final class DomainEntries {
  private static final int O_CREAT = 0100;
  private static final int O_EXCL = 0200;
  private static final int GRH_BYTES = 40;
  private static final int MAC_BYTES = 6;

  private DomainEntries() {}

  static long allocPd(long context, ByteBuffer args) {
    return Handles.add(Handles.get(context, Context.class).allocPd());
  }

  static long allocTd(long context, ByteBuffer args) {
    return Handles.add(Handles.get(context, Context.class).allocTd());
  }

  static long allocParentDomain(long context, ByteBuffer args) {
    ProtectionDomain pd = Handles.get(Args.slot(args, 0), ProtectionDomain.class);
    ThreadDomain td = Handles.getOrNull(Args.slot(args, 1), ThreadDomain.class);
    return Handles.add(Handles.get(context, Context.class).allocParentDomain(pd, td));
  }

  static long openXrcd(long context, ByteBuffer args) {
    int oflags = Args.intSlot(args, 0);
    Set<OpenFlag> flags = EnumSet.noneOf(OpenFlag.class);
    if ((oflags & O_CREAT) != 0) {
      flags.add(OpenFlag.CREAT);
    }
    if ((oflags & O_EXCL) != 0) {
      flags.add(OpenFlag.EXCL);
    }
    String name = Args.slot(args, 1) == 0 ? null : Args.text(args, Args.BYTES);
    XrcdInitAttr attr = new XrcdInitAttr(name, flags);
    return Handles.add(Handles.get(context, Context.class).openXrcd(attr));
  }

  static long createAh(long pd, ByteBuffer args) {
    AhAttr attr = AhAttrStruct.read(args, Args.BYTES);
    return Handles.add(Handles.get(pd, ProtectionDomain.class).createAh(attr));
  }

  static void initAhFromWc(long context, ByteBuffer args) {
    int port = Args.intSlot(args, 0);
    WorkCompletion completion = WcStruct.read(args, Args.BYTES);
    ByteBuffer grh = ByteBuffer.allocate(GRH_BYTES);
    grh.put(0, args, Args.BYTES + WcStruct.SIZE, GRH_BYTES);
    Context opened = Handles.get(context, Context.class);
    AhAttrStruct.write(args, Args.BYTES, opened.initAhFromWc(port, completion, grh));
  }

  static void resolveEthL2(long context, ByteBuffer args) {
    AhAttr attr = AhAttrStruct.read(args, Args.BYTES);
    EthL2 found = Handles.get(context, Context.class).resolveEthL2FromGid(attr);
    for (int i = 0; i < MAC_BYTES; i++) {
      args.put(Args.BYTES + i, (byte) (found.mac().bits() >>> (8 * (MAC_BYTES - 1 - i))));
    }
    Args.setSlot(args, 0, found.vlanId());
  }
}
