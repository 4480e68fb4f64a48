// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * A promise that one thread at a time uses the objects that are created with it, in a {@linkplain
 * Context#allocParentDomain parent domain} ({@code struct ibv_td}). Nothing here relies on that
 * promise: there is a lock all the same. A device with a sanitizer reports two threads that are
 * inside at one time, not two that take turns. Thread-safe.
 */
public interface ThreadDomain extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context this domain was allocated on
   */
  Context context();

  /**
   * Frees the domain.
   *
   * @throws VerbsException EBUSY while a parent domain uses it
   */
  @Override
  @Verb("ibv_dealloc_td")
  void close();
}
