// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QueuePair;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Limit of what all programs hold in the heap. Beyond it the one that holds most has to end, as
 * with the kernel's OOM killer. Objects are counted only then. One thread only.
 */
final class HeapLimit {
  private static final int PERCENT = 75;
  private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();
  private static final long MAX_BYTES = HEAP_BYTES / 100 * PERCENT;
  private static final int MEBIBYTE = 1 << 20;

  /** Typical memory of an object of verbs or rdma_cm, as measured. */
  private static final int OBJECT_BYTES = 350;

  private static final int QP_BYTES = 1500;
  private static final int EVENT_BYTES = 64;

  private final HandleTable handles;

  /** Cleared by the next collection. */
  private WeakReference<Object> sinceCollection = new WeakReference<>(new Object());

  HeapLimit(HandleTable handles) {
    this.handles = handles;
  }

  /** Estimate of what the files hold that a program has opened, or a file that is ending. */
  private static final class Holder {
    /** Null if the file is ending. */
    private final AttachedProgram program;

    private int objects;
    private long bytes;

    private Holder(Object holder) {
      program = holder instanceof AttachedProgram opener ? opener : null;
    }

    private void add(OpenFile file, Object object) {
      objects++;
      bytes += object instanceof QueuePair ? QP_BYTES : OBJECT_BYTES;
      if (object instanceof ReceivePoster queue) {
        bytes += queue.postedBytes();
      } else if (object instanceof RdmaCmFile ids) {
        objects += ids.size();
        bytes += (long) OBJECT_BYTES * ids.size();
      } else if (object instanceof Context) {
        bytes += (long) EVENT_BYTES * file.unsentEvents();
      }
    }
  }

  /**
   * Ends the program that holds most, unless that is memory which is being freed.
   *
   * @param isOpen whether a file is not ending
   * @param end gets the program, and a line about its end
   */
  void endLargest(Predicate<OpenFile> isOpen, BiConsumer<AttachedProgram, String> end) {
    Map<Object, Holder> holders = new HashMap<>();
    handles.forEach(
        (file, object) ->
            holders
                .computeIfAbsent(isOpen.test(file) ? file.opener : file, Holder::new)
                .add(file, object));
    holders.values().stream()
        .max(Comparator.comparingLong(holder -> holder.bytes))
        .filter(most -> most.program != null)
        .ifPresent(most -> end.accept(most.program, lineAbout(most)));
  }

  private static String lineAbout(Holder most) {
    return String.format(
        "the service has %d MiB of %d in use: process %d (%s) holds most, about %d MiB in %d"
            + " objects and their requests, and is ended; start the service with"
            + " QUEUEPAIR_JAVA_OPTS=-Xmx%dm for more",
        usedBytes() / MEBIBYTE,
        HEAP_BYTES / MEBIBYTE,
        most.program.process,
        ServiceRequests.nameOf(most.program.process),
        most.bytes / MEBIBYTE,
        most.objects,
        2 * HEAP_BYTES / MEBIBYTE);
  }

  /** Whether a collection since the last call has left more than the limit. */
  boolean isExceeded() {
    if (sinceCollection.get() != null) {
      return false;
    }
    boolean isExceeded = usedBytes() > MAX_BYTES;
    if (isExceeded) { // Of a young collection perhaps, which leaves garbage.
      System.gc();
      isExceeded = usedBytes() > MAX_BYTES;
    }
    sinceCollection = new WeakReference<>(new Object());
    return isExceeded;
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
