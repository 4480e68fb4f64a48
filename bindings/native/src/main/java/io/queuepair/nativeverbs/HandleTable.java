// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The objects that a program knows, by number. A number is never used again, also not for another
 * program, so that one of an object that was destroyed, or of a parent process, is refused.
 * Thread-safe; looking up takes no lock.
 */
final class HandleTable {
  private static final AtomicLong NEXT = new AtomicLong(1);

  private static final int FIRST_SIZE = 256;
  private static final int PLACE_BITS = 24;
  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private volatile Entry[] entries = new Entry[FIRST_SIZE];

  /** Places that are free again, a stack. */
  private int[] free = new int[FIRST_SIZE];

  private int freeCount;
  private int used;

  /**
   * An object.
   *
   * @param onRemove what to do when it is forgotten, or null
   */
  private record Entry(long handle, Object object, Runnable onRemove) {}

  /**
   * Names an object.
   *
   * @return its handle, above 0
   * @throws VerbsException ENOMEM if there are too many
   */
  synchronized long add(Object object) {
    int place = freeCount > 0 ? free[--freeCount] : used++;
    if (place > PLACE_MASK) {
      used--;
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "more than " + PLACE_MASK + " objects");
    }
    if (place == entries.length) {
      entries = Arrays.copyOf(entries, 2 * place);
    }
    long handle = NEXT.getAndIncrement() << PLACE_BITS | place;
    entries[place] = new Entry(handle, object, null);
    return handle;
  }

  /** Replaces what is to be done when an object is forgotten; what was to be done is done now. */
  synchronized void onRemove(long handle, Runnable action) {
    int place = (int) handle & PLACE_MASK;
    Entry before = entries[place];
    entries[place] = new Entry(handle, before.object, action);
    run(before.onRemove);
  }

  private static void run(Runnable action) {
    if (action != null) {
      action.run();
    }
  }

  /** Forgets an object; its handle is refused from now on. */
  synchronized void remove(long handle) {
    if (find(handle) == null) {
      return;
    }
    int place = (int) handle & PLACE_MASK;
    run(entries[place].onRemove);
    entries[place] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = place;
  }

  /**
   * The handle whose lower 32 bits are a number; one of an object that was destroyed may name a
   * later one.
   *
   * @throws VerbsException EINVAL if there is none
   */
  long ofNumber(int number) {
    Entry[] table = entries;
    int place = number & PLACE_MASK;
    Entry entry = place < table.length ? table[place] : null;
    if (entry == null || (int) entry.handle != number) {
      throw new VerbsException(Errno.EINVAL, Refusals.UNKNOWN_VERB, "there is no object " + number);
    }
    return entry.handle;
  }

  /**
   * The object of a handle.
   *
   * @throws VerbsException EINVAL if it was destroyed, is of another kind, or never was
   */
  <T> T get(long handle, Class<T> type) {
    Object object = find(handle);
    if (!type.isInstance(object)) {
      throw new VerbsException(
          Errno.EINVAL,
          Refusals.UNKNOWN_VERB,
          "the " + nameOf(type) + " was destroyed, or is none");
    }
    return type.cast(object);
  }

  /** Name of a type in C. */
  private static String nameOf(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "AddressHandle" -> "struct ibv_ah";
      case "CompletionChannel" -> "struct ibv_comp_channel";
      case "CompletionQueue" -> "struct ibv_cq";
      case "ExtendedCompletionQueue" -> "struct ibv_cq_ex";
      case "Context" -> "struct ibv_context";
      case "Counters" -> "struct ibv_counters";
      case "DeviceMemory" -> "struct ibv_dm";
      case "Flow" -> "struct ibv_flow";
      case "MemoryRegion" -> "struct ibv_mr";
      case "MemoryWindow" -> "struct ibv_mw";
      case "ProtectionDomain" -> "struct ibv_pd";
      case "QueuePair" -> "struct ibv_qp";
      case "ExtendedQueuePair" -> "struct ibv_qp_ex";
      case "RwqIndTable" -> "struct ibv_rwq_ind_table";
      case "SharedReceiveQueue" -> "struct ibv_srq";
      case "ThreadDomain" -> "struct ibv_td";
      case "WorkQueue" -> "struct ibv_wq";
      case "XrcDomain" -> "struct ibv_xrcd";
      case "AutoCloseable" -> "object";
      case "RdmaCmFile" -> "file of /dev/infiniband/rdma_cm";
      default -> type.getSimpleName();
    };
  }

  /** The object of a handle, or null. */
  Object find(long handle) {
    Entry[] table = entries;
    int place = (int) handle & PLACE_MASK;
    Entry entry = handle > 0 && place < table.length ? table[place] : null;
    return entry == null || entry.handle != handle ? null : entry.object;
  }

  /** All handles, the latest first. */
  List<Long> latestFirst() {
    return Stream.of(entries)
        .filter(Objects::nonNull)
        .map(Entry::handle)
        .sorted(Comparator.reverseOrder())
        .toList();
  }
}
