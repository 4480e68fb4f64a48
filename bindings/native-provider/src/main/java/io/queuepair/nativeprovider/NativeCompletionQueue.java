// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.util.Objects;

/** A completion queue. */
class NativeCompletionQueue extends EventElement implements CompletionQueue {
  private static final int CQE = VerbsAbi.offset("ibv_cq.cqe");
  private static final int BATCH = 64;
  private static final int COUNT = VerbsAbi.offset("ibv_modify_cq_attr.moderate.cq_count");
  private static final int PERIOD = VerbsAbi.offset("ibv_modify_cq_attr.moderate.cq_period");
  private static final int MODERATE = 1;
  private static final int MAX_MODERATION = 0xffff;

  private final CompletionChannel channel;
  private final WorkMemory memory = new WorkMemory();
  private final UnacknowledgedEvents notifications = new UnacknowledgedEvents();

  NativeCompletionQueue(NativeContext context, long address, CompletionChannel channel) {
    super(context, address);
    this.channel = channel;
  }

  UnacknowledgedEvents notifications() {
    return notifications;
  }

  @Override
  public int cqe() {
    return RawMemory.getInt(address() + CQE);
  }

  @Override
  public void resize(int cqe) {
    Libibverbs.RESIZE_CQ.status(address(), cqe);
  }

  @Override
  public void modify(int count, int periodMicros) {
    if (count < 0 || count > MAX_MODERATION || periodMicros < 0 || periodMicros > MAX_MODERATION) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_modify_cq", count + " and " + periodMicros + " are not 0 to 65535");
    }
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, VerbsAbi.size("ibv_modify_cq_attr"));
      RawMemory.putInt(attr, MODERATE);
      RawMemory.putShort(attr + COUNT, count);
      RawMemory.putShort(attr + PERIOD, periodMicros);
      context().functions().modifyCq.status(address(), attr);
    }
  }

  @Override
  public int poll(WorkCompletion[] into) {
    Objects.requireNonNull(into, "into");
    synchronized (memory) {
      memory.reserve((long) BATCH * Completions.SIZE);
      long list = memory.take((long) BATCH * Completions.SIZE);
      int done = 0;
      while (done < into.length) {
        int most = Math.min(BATCH, into.length - done);
        int count = context().data().pollCq(address(), most, list);
        if (count < 0) {
          throw new VerbsException(Errno.EINVAL, "ibv_poll_cq", "the device says " + count);
        }
        for (int i = 0; i < count; i++) {
          into[done + i] = Completions.read(list + (long) i * Completions.SIZE);
        }
        done += count;
        if (count < most) {
          break;
        }
      }
      return done;
    }
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    if (channel == null) {
      throw new VerbsException(Errno.EINVAL, "ibv_req_notify_cq", "the queue has no channel");
    }
    int status = context().data().reqNotifyCq(address(), solicitedOnly ? 1 : 0);
    if (status != 0) {
      throw ControlFunction.refusal("ibv_req_notify_cq", Math.abs(status));
    }
  }

  @Override
  public void ackEvents(int events) {
    notifications.acknowledge(events, "ibv_ack_cq_events");
    Libibverbs.ACK_CQ_EVENTS.value(address(), events);
  }

  @Override
  void prepareDestruction() {
    Libibverbs.ACK_CQ_EVENTS.value(identity(), notifications.giveUp());
    acknowledgeAsyncEvents(EventType.CQ_ERR);
  }

  @Override
  void destroy(long address) {
    notifications.awaitNone("ibv_destroy_cq");
    asyncEvents().awaitNone("ibv_destroy_cq");
    Libibverbs.DESTROY_CQ.status(address);
  }
}
