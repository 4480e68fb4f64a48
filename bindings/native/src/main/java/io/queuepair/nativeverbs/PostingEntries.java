// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.emulator.queue.SendBatchPoster;
import io.queuepair.emulator.queue.SendPoster;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.WorkQueue;
import java.nio.ByteBuffer;

/**
 * Calls of C that post work requests, read by {@link WrReader}. Slot 0 becomes the index of a
 * refused request; those before it are posted. After sends without a refusal it becomes the number
 * of further sends that there is room for.
 */
final class PostingEntries {
  private PostingEntries() {}

  static void postSend(long handle, ByteBuffer args) {
    int count = takeCount(args);
    QueuePair qp = Handles.get(handle, QueuePair.class);
    WrReader requests = WrReader.at(args, Args.BYTES).readSendsOf(typeOf(qp), false);
    try {
      Args.setSlot(args, 0, ((SendPoster) qp).postSend(count, requests, WrReader.SENDS));
    } catch (Throwable refused) {
      setPlace(args, requests, refused);
      throw refused;
    }
  }

  /**
   * Posts requests that nothing can refuse, according to the library. If one is refused all the
   * same, its queue fails: the program has changed memory that it shares with the service.
   *
   * @param places offset of each record
   * @return how many more sends there is room for, or {@code -1 - n} if request n was refused and
   *     those after it are not posted
   */
  static int postUnanswered(
      long handle, boolean isReceive, ByteBuffer posts, int[] places, int count) {
    String verb = isReceive ? "ibv_post_recv" : "ibv_post_send";
    int refusedAt = 0;
    try {
      Class<?> type = isReceive ? ReceivePoster.class : QueuePair.class;
      Object queue = Handles.get(handle, type);
      WrReader requests = WrReader.at(posts, places);
      try {
        if (isReceive) {
          ((ReceivePoster) queue).postRecv(count, requests, WrReader.RECEIVES);
          return 0;
        }
        requests.readSendsOf(typeOf((QueuePair) queue), false);
        return ((SendPoster) queue).postSend(count, requests, WrReader.SENDS);
      } catch (RuntimeException | Error refused) {
        refusedAt = placeOf(requests, refused);
        Refusals.resultOf(verb, refused);
        if (refused instanceof RuntimeException) {
          fail(queue);
        }
      }
    } catch (Throwable refused) { // Also an Error, which must not end the service.
      Refusals.resultOf(verb, refused);
    }
    return -1 - refusedAt;
  }

  private static void fail(Object queue) {
    if (queue instanceof QueuePair qp) {
      qp.modify(QpAttr.to(QpState.ERR));
      EventTargets.pass(qp, EventType.QP_FATAL.code());
    } else if (queue instanceof SharedReceiveQueue srq) {
      EventTargets.pass(srq, EventType.SRQ_ERR.code());
    }
  }

  private static QpType typeOf(QueuePair qp) {
    return qp.initAttr().qpType();
  }

  /** Number of requests; sets slot 0, the index of a refused request, to 0. */
  private static int takeCount(ByteBuffer args) {
    int count = Args.intSlot(args, 0);
    Args.setSlot(args, 0, 0);
    return count;
  }

  private static void setPlace(ByteBuffer args, WrReader requests, Throwable refused) {
    Args.setSlot(args, 0, placeOf(requests, refused));
  }

  /** Index of the request that was refused. */
  private static int placeOf(WrReader requests, Throwable refused) {
    return refused instanceof BadWorkRequestException named ? named.index() : requests.index();
  }

  /** Posts all requests of a batch, or none. */
  static void postBatch(long handle, ByteBuffer args) {
    int count = takeCount(args);
    QueuePair qp = Handles.get(handle, QueuePair.class);
    if (!(qp instanceof SendBatchPoster extended)) {
      throw CValues.refused("the queue pair was created without extended posting");
    }
    WrReader requests = WrReader.at(args, Args.BYTES).readSendsOf(typeOf(qp), true);
    extended.postBatch(count, requests, WrReader.SENDS);
  }

  static void postRecv(long handle, ByteBuffer args) {
    postReceives(handle, QueuePair.class, args);
  }

  static void postSrqRecv(long handle, ByteBuffer args) {
    postReceives(handle, SharedReceiveQueue.class, args);
  }

  static void postWqRecv(long handle, ByteBuffer args) {
    postReceives(handle, WorkQueue.class, args);
  }

  private static void postReceives(long handle, Class<?> type, ByteBuffer args) {
    int count = takeCount(args);
    ReceivePoster queue = (ReceivePoster) Handles.get(handle, type);
    WrReader requests = WrReader.at(args, Args.BYTES);
    try {
      queue.postRecv(count, requests, WrReader.RECEIVES);
    } catch (Throwable refused) {
      setPlace(args, requests, refused);
      throw refused;
    }
  }
}
