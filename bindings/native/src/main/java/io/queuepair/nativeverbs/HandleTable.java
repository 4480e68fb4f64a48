// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Objects of programs by handle, each of an open file. Handles are never used again, so that a
 * handle of a destroyed object is refused. Thread-safe; lookups take no lock.
 */
final class HandleTable {
  private static final int FIRST_SIZE = 256;

  /** Lower bits of a handle, the place in the table; the upper bits are a unique number. */
  static final int PLACE_BITS = 24;

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private volatile Entry[] entries = new Entry[FIRST_SIZE];

  /** Stack of free places. */
  private int[] free = new int[FIRST_SIZE];

  private int freeCount;
  private int used;
  private long next = 1;

  /**
   * An object.
   *
   * @param onRemove runs when the object is removed, or null
   */
  private record Entry(long handle, OpenFile file, Object object, Runnable onRemove) {}

  /**
   * Adds an object.
   *
   * @param file that the object belongs to
   * @return its handle, above 0
   * @throws VerbsException ENOMEM if there are too many
   */
  synchronized long add(OpenFile file, Object object) {
    int place = freeCount > 0 ? free[--freeCount] : used++;
    if (place > PLACE_MASK) {
      used--;
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "more than " + PLACE_MASK + " objects");
    }
    if (place == entries.length) {
      entries = Arrays.copyOf(entries, 2 * place);
    }
    long handle = next++ << PLACE_BITS | place;
    entries[place] = new Entry(handle, file, object, null);
    return handle;
  }

  /** Sets the action for an object's removal, and runs the former one; at once if it is gone. */
  synchronized void onRemove(long handle, Runnable action) {
    Entry before = entry(handle);
    if (before == null) {
      action.run();
      return;
    }
    entries[(int) handle & PLACE_MASK] = new Entry(handle, before.file, before.object, action);
    run(before.onRemove);
  }

  private static void run(Runnable action) {
    if (action != null) {
      action.run();
    }
  }

  /** Removes an object and runs its action; the handle is refused from now on. */
  synchronized void remove(long handle) {
    Entry gone = entry(handle);
    if (gone == null) {
      return;
    }
    run(gone.onRemove);
    int place = (int) handle & PLACE_MASK;
    entries[place] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = place;
  }

  /**
   * Handle of a file whose lower 32 bits are a number, as C shows it. The number of a destroyed
   * object may name a later one.
   *
   * @throws VerbsException EINVAL if there is none
   */
  long ofNumber(OpenFile file, int number) {
    Entry[] table = entries;
    int place = number & PLACE_MASK;
    Entry entry = place < table.length ? table[place] : null;
    if (entry == null || (int) entry.handle != number || entry.file != file) {
      throw new VerbsException(Errno.EINVAL, Refusals.UNKNOWN_VERB, "there is no object " + number);
    }
    return entry.handle;
  }

  /**
   * Object of a handle.
   *
   * @throws VerbsException EINVAL if it was destroyed, never existed, or is of another type or file
   */
  <T> T get(OpenFile file, long handle, Class<T> type) {
    Entry entry = entry(handle);
    Object object = entry == null || entry.file != file ? null : entry.object;
    if (!type.isInstance(object)) {
      throw new VerbsException(
          Errno.EINVAL,
          Refusals.UNKNOWN_VERB,
          "the " + nameOf(type) + " was destroyed, or is none");
    }
    return type.cast(object);
  }

  /** Name of a type in C, for errors. */
  private static String nameOf(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "AddressHandle" -> "struct ibv_ah";
      case "CompletionChannel" -> "struct ibv_comp_channel";
      case "EventSocket" -> "async_fd of the struct ibv_context";
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

  private Entry entry(long handle) {
    Entry[] table = entries;
    int place = (int) handle & PLACE_MASK;
    Entry entry = handle > 0 && place < table.length ? table[place] : null;
    return entry == null || entry.handle != handle ? null : entry;
  }

  /** The object of a handle, or null. */
  Object find(long handle) {
    Entry entry = entry(handle);
    return entry == null ? null : entry.object;
  }

  /** The file that the object of a handle belongs to, or null. */
  OpenFile fileOf(long handle) {
    Entry entry = entry(handle);
    return entry == null ? null : entry.file;
  }

  /** All handles of a file, the latest first. */
  List<Long> latestFirst(OpenFile file) {
    return Stream.of(entries)
        .filter(entry -> entry != null && entry.file == file)
        .map(Entry::handle)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  void forEach(BiConsumer<OpenFile, Object> action) {
    Stream.of(entries)
        .filter(Objects::nonNull)
        .forEach(entry -> action.accept(entry.file, entry.object));
  }
}
