// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/** The checks of a bind at post time. The others follow when it is executed. */
final class MwBindChecks {
  private static final String BIND = "ibv_bind_mw";

  private MwBindChecks() {}

  /**
   * The bind of a work request.
   *
   * @param position which request it is, for a refusal
   */
  static MwBindRequest of(BindMwWr wr, WrPosition position) {
    if (!(wr.mw() instanceof HcaObject.Window mw)) {
      throw position.refusal("there is no memory window");
    }
    if (mw.type() == MwType.TYPE_1) {
      throw position.refusal("a memory window of type 1 is bound by ibv_bind_mw");
    }
    return of(mw, wr.rkey(), wr.binding());
  }

  /** Refuses a queue pair of a type without binds: at once, whatever other operations it takes. */
  static void checkType(QpContext qp) {
    if (!SendOperation.BIND_MW.isOffered(qp.type())) {
      throw new VerbsException(
          Errno.EINVAL, BIND, "BIND_MW is not an operation of type " + qp.type());
    }
  }

  static MwBindRequest of(HcaObject.Window mw, int newKey, MwBindInfo binding) {
    RegisteredMemory region = binding.mr() instanceof HcaObject.Region mr ? mr.memory() : null;
    Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
    access.addAll(binding.access());
    MemoryRange range = new MemoryRange(binding.addr(), binding.length());
    return new MwBindRequest(mw.window(), newKey, region, range, access);
  }
}
