// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import java.util.Objects;

/** Writes lists of receives. */
final class ReceiveRequests {
  private static final int SIZE = VerbsAbi.size("ibv_recv_wr");
  private static final int NEXT = VerbsAbi.offset("ibv_recv_wr.next");
  private static final int SG_LIST = VerbsAbi.offset("ibv_recv_wr.sg_list");
  private static final int NUM_SGE = VerbsAbi.offset("ibv_recv_wr.num_sge");

  private final WorkMemory memory = new WorkMemory();

  /** Why the list that was written ends early; null if it does not. */
  private BadWorkRequestException mistake;

  /** Where the function puts the request that it refuses. */
  long bad() {
    return memory.takeZero();
  }

  /** The first of the list, which ends before a mistake; 0 if it is empty. */
  long write(List<RecvWr> wrs, String verb) {
    mistake = null;
    long bytes = Long.BYTES;
    for (int i = 0; i < wrs.size(); i++) {
      RecvWr wr = Objects.requireNonNull(wrs.get(i), "wrs");
      bytes += SIZE + (long) wr.sgList().size() * SgeList.SIZE;
    }
    memory.reserve(bytes);
    long first = memory.take((long) wrs.size() * SIZE);
    for (int i = 0; i < wrs.size(); i++) {
      RecvWr wr = wrs.get(i);
      List<Sge> entries = wr.sgList();
      if (hasInline(entries)) {
        mistake = new BadWorkRequestException(Errno.EINVAL, verb, i, "a receive with own bytes");
        return i == 0 ? 0 : first;
      }
      long at = first + (long) i * SIZE;
      long list = memory.take((long) entries.size() * SgeList.SIZE);
      SgeList.write(list, entries);
      RawMemory.putLong(at, wr.wrId());
      RawMemory.putLong(at + NEXT, 0);
      if (i > 0) {
        RawMemory.putLong(at - SIZE + NEXT, at);
      }
      RawMemory.putLong(at + SG_LIST, list);
      RawMemory.putInt(at + NUM_SGE, entries.size());
    }
    return wrs.isEmpty() ? 0 : first;
  }

  /** Throws the mistake that the list ended before, when it is posted. */
  void refuseMistake() {
    if (mistake != null) {
      throw mistake;
    }
  }

  private static boolean hasInline(List<Sge> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).hasInlineData()) {
        return true;
      }
    }
    return false;
  }

  /** Throws what the function says, for the request that it refuses. */
  static void check(int status, long first, long bad, String verb) {
    if (status != 0) {
      throw refusal(status, indexOf(bad, first, SIZE), verb);
    }
  }

  /** Index of the request that a function refused; 0 if it does not say which, as rxe. */
  static int indexOf(long bad, long first, int size) {
    return (int) Math.max(0, (RawMemory.getLong(bad) - first) / size);
  }

  static BadWorkRequestException refusal(int status, int index, String verb) {
    int code = status == -1 ? Errno.EINVAL.code() : Math.abs(status);
    return new BadWorkRequestException(
        ControlFunction.errno(code), verb, index, "refused, errno " + code);
  }
}
