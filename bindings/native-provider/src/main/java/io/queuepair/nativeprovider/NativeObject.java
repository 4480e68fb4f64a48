// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/**
 * An object of the library, by the address of its structure. One that was closed is refused, with
 * EINVAL; to close it while another thread uses it is a mistake, as it is in C.
 */
abstract class NativeObject implements AutoCloseable {
  private final NativeContext context;
  private final long structure;
  private volatile boolean isClosed;

  /** Null if nothing is to be done. */
  private volatile Runnable afterwards;

  /** Null is the context of itself. */
  NativeObject(NativeContext context, long structure) {
    this.context = context == null ? (NativeContext) this : context;
    this.structure = structure;
  }

  public final NativeContext context() {
    return context;
  }

  /** The address of its structure, of which nothing is left when it is closed. */
  final long address() {
    if (isClosed) {
      throw new VerbsException(Errno.EINVAL, "verbs", this + " was closed");
    }
    return structure;
  }

  /** Address also after it was closed: its name among events. */
  final long identity() {
    return structure;
  }

  final boolean isClosed() {
    return isClosed;
  }

  /** Has something done once it is destroyed. */
  final void whenClosed(Runnable action) {
    afterwards = action;
  }

  /** Destroys it; a refusal leaves it as it is. */
  abstract void destroy(long address);

  /** Ends what would have it refuse to be destroyed, before it is with its context. */
  void prepareDestruction() {
    // Most objects have no events, batches or groups.
  }

  @Override
  public final void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      destroy(structure);
      isClosed = true;
      if (afterwards != null) {
        afterwards.run();
      }
    }
    context.forget(this);
  }

  /**
   * The address of an object that a caller gave, to be used with this one. The library takes its
   * handle, which may be that of another object in this context.
   *
   * @throws VerbsException EINVAL if it is missing, of another provider or context, or was closed
   */
  final long addressOf(Object given, String verb) {
    NativeObject own = of(given, NativeObject.class, verb);
    if (own.context() != context) {
      throw new VerbsException(Errno.EINVAL, verb, given + " is of another context");
    }
    return own.address();
  }

  /** Likewise the address of an object; 0 for null. */
  final long addressOrNull(Object given, String verb) {
    return given == null ? 0 : addressOf(given, verb);
  }

  static <T> T of(Object given, Class<T> type, String verb) {
    if (!type.isInstance(given)) {
      String wrong = given == null ? "there is no object" : given + " is of another provider";
      throw new VerbsException(Errno.EINVAL, verb, wrong);
    }
    return type.cast(given);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " of " + context.device().name();
  }
}
