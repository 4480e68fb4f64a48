// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Set;

/**
 * A memory window.
 *
 * @param rkey the key that its latest bind gave it
 */
public record Window(MemoryWindow mw, int rkey) {
  /** Work request id of binds. */
  public static final long BIND = 7_000;

  /** Work request id of invalidations. */
  public static final long INVALIDATE = 7_001;

  public static final Set<AccessFlag> ALL_REMOTE =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

  /** All that a region behind a window can need. */
  public static final Set<AccessFlag> BINDABLE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);

  private static final int KEY = 0xba;
  private static final int TAG = 0xff;
  private static final Set<SendFlag> SIGNALED = EnumSet.of(SendFlag.SIGNALED);

  /** A part of a region. */
  public static MwBindInfo over(
      MemoryRegion region, long offset, long length, Set<AccessFlag> rights) {
    return new MwBindInfo(region, region.addr() + offset, length, rights);
  }

  /** All of a region. */
  public static MwBindInfo over(MemoryRegion region, Set<AccessFlag> rights) {
    return over(region, 0, region.length(), rights);
  }

  /** A new window that is bound through the queue pair of a side. */
  public static Window bound(Pair pair, TestEndpoint side, MwType type, MwBindInfo binding) {
    Window window = posted(side.qp(), side.pd().allocMw(type), binding);
    assertThat(Outcomes.of(pair.await(side.sendCq()))).isEqualTo(BIND + " BIND_MW");
    return window;
  }

  /** Posts a bind, as the type of the window wants it. */
  public static Window posted(QueuePair qp, MemoryWindow mw, MwBindInfo binding) {
    return switch (mw.type()) {
      case TYPE_1 -> {
        qp.bindMw(mw, new MwBind(BIND, SIGNALED, binding));
        yield new Window(mw, mw.rkey());
      }
      case TYPE_2 -> {
        BindMwWr request = request(mw, KEY, binding);
        qp.postSend(request);
        yield new Window(mw, request.rkey());
      }
    };
  }

  /** The bind of a window of type 2 under the key with these lower 8 bits. */
  public static BindMwWr request(MemoryWindow mw, int key, MwBindInfo binding) {
    int rkey = (mw.rkey() & ~TAG) | (key & TAG);
    return new BindMwWr(BIND, SIGNALED, mw, rkey, binding);
  }

  /** The invalidation by its owner. */
  public LocalInvWr invalidation() {
    return new LocalInvWr(INVALIDATE, SIGNALED, rkey);
  }
}
