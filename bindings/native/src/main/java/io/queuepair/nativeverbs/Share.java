// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Share of one program in a resource of which the process of the service has a limited number, such
 * as descriptors: at most as many as it leaves for others. Thread-safe.
 */
final class Share {
  private final AtomicInteger all;
  private final int limit;
  private final String what;
  private final AtomicInteger own = new AtomicInteger();

  /**
   * Creates the share of a program, of nothing.
   *
   * @param all number that all programs have
   * @param limit the most that all programs may have
   * @param what name of the resource, in the plural
   */
  Share(AtomicInteger all, int limit, String what) {
    this.all = all;
    this.limit = limit;
    this.what = what;
  }

  /**
   * Takes one.
   *
   * @param maker makes it, or throws VerbsException
   * @throws VerbsException ENOMEM if the program would have more than are left, or of the maker
   */
  <T> T take(Supplier<T> maker) {
    int has = own.incrementAndGet();
    int left = limit - all.incrementAndGet();
    try {
      if (has > left) {
        throw new VerbsException(
            Errno.ENOMEM,
            Refusals.UNKNOWN_VERB,
            "the program has %d of the %d %s of the service".formatted(has - 1, limit, what));
      }
      return maker.get();
    } catch (VerbsException | OutOfMemoryError refused) {
      release();
      throw refused;
    }
  }

  /** Gives one back. */
  void release() {
    own.decrementAndGet();
    all.decrementAndGet();
  }
}
