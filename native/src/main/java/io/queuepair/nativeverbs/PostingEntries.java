// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Work requests that C posts. They come as records one behind the other, see {@link SendWrStruct}.
 * If one is refused, the first number becomes its place in the list; those before it are posted.
 */
final class PostingEntries {
  private static final int RECV_WR_SIZE = 32;
  private static final int RECORD_BYTES = 8;
  private static final int NUM_SGE = 24;

  private PostingEntries() {}

  static long postSend(long handle, ByteBuffer args) {
    try {
      int count = Args.intSlot(Args.of(args), 0);
      Args.setSlot(args, 0, 0);
      QueuePair qp = Handles.get(handle, QueuePair.class);
      if (count == 1) {
        qp.postSend(SendWrStruct.read(args, Args.BYTES, typeOf(qp)));
        return 0;
      }
      return postList(qp, args, count);
    } catch (Throwable refused) {
      return result(refused, args);
    }
  }

  private static QpType typeOf(QueuePair qp) {
    return qp.initAttr().qpType();
  }

  private static long postList(QueuePair qp, ByteBuffer args, int count) {
    List<SendWr> requests = new ArrayList<>(count);
    VerbsException unreadable = null;
    int at = Args.BYTES;
    for (int i = 0; i < count && unreadable == null; i++) {
      try {
        requests.add(SendWrStruct.read(args, at, typeOf(qp)));
      } catch (VerbsException refused) {
        unreadable = refused;
      }
      at += recordBytes(args, at);
    }
    if (!requests.isEmpty()) {
      qp.postSend(requests);
    }
    if (unreadable != null) {
      Args.setSlot(args, 0, requests.size());
      throw unreadable;
    }
    return 0;
  }

  /** Where the next record begins, from this one on. */
  private static int recordBytes(ByteBuffer args, int at) {
    return (int) args.getLong(at + RECORD_BYTES);
  }

  private static long result(Throwable refused, ByteBuffer args) {
    if (refused instanceof BadWorkRequestException bad) {
      Args.setSlot(args, 0, bad.index());
    }
    return Refusals.resultOf(refused);
  }

  /** Posts all requests of a batch, or none. */
  static long postBatch(long handle, ByteBuffer args) {
    try {
      int count = Args.intSlot(Args.of(args), 0);
      ExtendedQueuePair qp = Handles.get(handle, ExtendedQueuePair.class);
      try (WrBatch batch = qp.wrStart()) {
        int at = Args.BYTES;
        for (int i = 0; i < count; i++) {
          SendWrStruct.build(args, at, typeOf(qp), batch);
          at += recordBytes(args, at);
        }
        batch.complete();
      }
      return 0;
    } catch (Throwable refused) {
      return Refusals.resultOf(refused);
    }
  }

  static long postRecv(long handle, ByteBuffer args) {
    try {
      List<RecvWr> requests = receives(args);
      Handles.get(handle, QueuePair.class).postRecv(requests);
      return 0;
    } catch (Throwable refused) {
      return result(refused, args);
    }
  }

  static long postSrqRecv(long handle, ByteBuffer args) {
    try {
      List<RecvWr> requests = receives(args);
      Handles.get(handle, SharedReceiveQueue.class).postRecv(requests);
      return 0;
    } catch (Throwable refused) {
      return result(refused, args);
    }
  }

  static long postWqRecv(long handle, ByteBuffer args) {
    try {
      List<RecvWr> requests = receives(args);
      Handles.get(handle, WorkQueue.class).postRecv(requests);
      return 0;
    } catch (Throwable refused) {
      return result(refused, args);
    }
  }

  private static List<RecvWr> receives(ByteBuffer args) {
    int count = Args.intSlot(Args.of(args), 0);
    Args.setSlot(args, 0, 0);
    if (count == 1) {
      return List.of(receive(args, Args.BYTES));
    }
    RecvWr[] requests = new RecvWr[count];
    int at = Args.BYTES;
    for (int i = 0; i < count; i++) {
      requests[i] = receive(args, at);
      at += recordBytes(args, at);
    }
    return List.of(requests);
  }

  private static RecvWr receive(ByteBuffer args, int at) {
    int entries = Math.max(0, args.getInt(at + NUM_SGE));
    return new RecvWr(args.getLong(at), SgeStruct.readList(args, at + RECV_WR_SIZE, entries));
  }
}
