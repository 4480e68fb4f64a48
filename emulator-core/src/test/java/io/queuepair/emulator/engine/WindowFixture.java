// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Windows of type 2 of the connection of an {@link EngineFixture}. */
final class WindowFixture {
  private static final Set<AccessFlag> BINDABLE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** The engine gets the bind by the address of the request. */
  private static final MwBindInfo NOTHING = new MwBindInfo(null, 0, 0, Set.of());

  private final EngineFixture us;
  private @Nullable MemoryWindowState window;
  private @Nullable RegisteredMemory bindable;

  WindowFixture(EngineFixture us) {
    this.us = us;
  }

  /** The window that {@link EngineScript scripts} bind and invalidate. */
  MemoryWindowState window() {
    if (window == null) {
      window = allocate();
    }
    return window;
  }

  /** Region that they bind it to. */
  RegisteredMemory bindable() {
    if (bindable == null) {
      bindable = register(EngineFixture.MTU);
    }
    return bindable;
  }

  /** Memory for windows only. */
  RegisteredMemory register(int length) {
    return us.register(new byte[length], BINDABLE);
  }

  MemoryWindowState allocate() {
    return us.memory().allocate(us.accessor().domain(), MwType.TYPE_2);
  }

  /** Posts the bind of a window to all of a region under its next key. */
  void postBind(long wrId, MemoryWindowState window, RegisteredMemory region, SendFlag... flags) {
    int rkey = MemoryWindowState.keyAfter(window.key());
    MemoryRange range = new MemoryRange(region.addr(), region.length());
    MwBindRequest bind = new MwBindRequest(window, rkey, region, range, RIGHTS);
    BindMwWr request = new BindMwWr(wrId, Set.of(flags), null, rkey, NOTHING);
    us.post(request, bind);
  }

  /** A window to all of a region, bound already. */
  MemoryWindowState bound(RegisteredMemory region) {
    MemoryWindowState window = allocate();
    postBind(0, window, region);
    us.transmit();
    return window;
  }

  void free(MemoryWindowState window) {
    us.memory().free(window, window.key());
  }

  /** Whether peers of the connection may read all of a window. */
  boolean isOpen(MemoryWindowState window) {
    return us.memory().faultOf(window.key(), us.accessor(), AccessFlag.REMOTE_READ) == null;
  }
}
