// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** A part of a region that peers may use while it is bound ({@code struct ibv_mw}). Thread-safe. */
public interface MemoryWindow extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain the window belongs to
   */
  ProtectionDomain pd();

  /**
   * The type of the window.
   *
   * @return TYPE_1 or TYPE_2, which differ in who binds it, and how
   */
  MwType type();

  /**
   * The key to hand to peers.
   *
   * @return for type 1 the key of the latest bind, whether it was carried out yet or not; for type
   *     2 the key that the window was allocated with, whose lower 8 bits each bind may choose
   */
  int rkey();

  /** Frees the window, bound or not; later use of its key fails. */
  @Override
  @Verb("ibv_dealloc_mw")
  void close();
}
