package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.RemoteWindow;
import io.queuepair.emulator.memory.WindowBind;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMw;
import io.queuepair.verbs.MwBinding;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Set;

/** Windows of type 2 of the connection of an {@link EngineFixture}. */
final class WindowFixture {
  private static final Set<AccessFlag> BINDABLE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
  private static final Set<AccessFlag> RIGHTS =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** The engine is told of the bind by the address of the request. */
  private static final MwBinding NOTHING = new MwBinding(null, 0, 0, Set.of());

  private final EngineFixture us;

  WindowFixture(EngineFixture us) {
    this.us = us;
  }

  /** Memory for windows only. */
  RegisteredMemory register(int length) {
    return us.register(new byte[length], BINDABLE);
  }

  RemoteWindow allocate() {
    return us.memory().allocate(us.accessor().domain(), MwType.TYPE_2);
  }

  /** Posts the bind of a window to all of a region under its next key. */
  void postBind(long wrId, RemoteWindow window, RegisteredMemory region, SendFlag... flags) {
    int rkey = RemoteWindow.keyAfter(window.key());
    MemoryRange range = new MemoryRange(region.addr(), region.length());
    WindowBind bind = new WindowBind(window, rkey, region, range, RIGHTS);
    BindMw request = new BindMw(wrId, Set.of(flags), null, rkey, NOTHING);
    us.post(request, SendWqe.Address.PEER.withBind(bind));
  }

  /** A window to all of a region, bound already. */
  RemoteWindow bound(RegisteredMemory region) {
    RemoteWindow window = allocate();
    postBind(0, window, region);
    us.transmit();
    return window;
  }

  void free(RemoteWindow window) {
    us.memory().free(window, window.key());
  }

  /** Whether peers of the connection may read all of a window. */
  boolean isOpen(RemoteWindow window) {
    return us.memory().faultOf(window.key(), us.accessor(), AccessFlag.REMOTE_READ) == null;
  }
}
