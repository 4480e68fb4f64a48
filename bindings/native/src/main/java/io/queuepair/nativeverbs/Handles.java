// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.Arrays;

/**
 * The objects that C knows, by number. A number is never used again, so that one of an object that
 * was destroyed is refused. Thread-safe; looking up takes no lock.
 */
final class Handles {
  private static final int FIRST_SIZE = 256;
  private static final int PLACE_BITS = 24;
  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private static volatile Entry[] entries = new Entry[FIRST_SIZE];

  /** Places that are free again, a stack. */
  private static int[] free = new int[FIRST_SIZE];

  private static int freeCount;
  private static int used;
  private static long next = 1;

  private Handles() {}

  private record Entry(long handle, Object object) {}

  /**
   * Names an object.
   *
   * @return its handle, above 0
   * @throws VerbsException ENOMEM if there are too many
   */
  static synchronized long add(Object object) {
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
    entries[place] = new Entry(handle, object);
    return handle;
  }

  /** Forgets an object; its handle is refused from now on. */
  static synchronized void remove(long handle) {
    int place = (int) handle & PLACE_MASK;
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
  static long ofNumber(int number) {
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
  static <T> T get(long handle, Class<T> type) {
    Entry[] table = entries;
    int place = (int) handle & PLACE_MASK;
    Entry entry = handle > 0 && place < table.length ? table[place] : null;
    if (entry == null || entry.handle != handle || !type.isInstance(entry.object)) {
      throw new VerbsException(
          Errno.EINVAL,
          Refusals.UNKNOWN_VERB,
          "the " + nameOf(type) + " was destroyed, or is none");
    }
    return type.cast(entry.object);
  }

  /** Name of a type in C. */
  private static String nameOf(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "AddressHandle" -> "struct ibv_ah";
      case "CompletionChannel" -> "struct ibv_comp_channel";
      case "CompletionQueue" -> "struct ibv_cq";
      case "ExtendedCompletionQueue", "ExtendedCq" -> "struct ibv_cq_ex";
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

  /** The object of a handle, or null for handle 0: C had a null pointer. */
  static <T> T getOrNull(long handle, Class<T> type) {
    return handle == 0 ? null : get(handle, type);
  }
}
