// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An object to which a program attaches something of its own, to find it again when an event names
 * the object: {@code qp_context}, {@code cq_context}, {@code srq_context} and {@code wq_context} of
 * C. It can be attached at any time, also after the object was closed. Thread-safe.
 */
public interface UserContextHolder {
  /**
   * Object that the program attached.
   *
   * @return what was attached last; null at first
   */
  @Nullable Object userContext();

  /**
   * Attaches something, which the device does not look at, in place of what was attached before.
   *
   * @param userContext anything, or null
   */
  void setUserContext(@Nullable Object userContext);
}
