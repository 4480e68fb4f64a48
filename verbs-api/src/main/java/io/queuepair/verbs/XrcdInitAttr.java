// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which XRC domain {@link Context#openXrcd(XrcdInitAttr)} opens ({@code struct
 * ibv_xrcd_init_attr}).
 *
 * @param name what contexts of a device that share the domain call it, in place of the file whose
 *     descriptor they pass in C; null for a domain that is not shared
 * @param oflags whether it may or must be a new one
 */
public record XrcdInitAttr(@Nullable String name, Set<OpenFlag> oflags) {
  /**
   * Copies the flags; without a name the domain is private.
   *
   * @param name what contexts of a device that share the domain call it, in place of the file whose
   *     descriptor they pass in C; null for a domain that is not shared
   * @param oflags whether it may or must be a new one
   */
  public XrcdInitAttr {
    oflags = FlagSet.copyOf(oflags, "oflags");
  }

  /** The flags of {@code open(2)} that count. */
  public enum OpenFlag {
    /** {@code O_CREAT}: the domain is created if it does not exist. */
    CREAT,
    /** {@code O_EXCL}: it must not exist. */
    EXCL
  }

  /** A domain of its own. */
  public static final XrcdInitAttr PRIVATE = new XrcdInitAttr(null, Set.of(OpenFlag.CREAT));

  /**
   * A shared domain.
   *
   * @param name what its users call it
   * @param oflags whether it may or must be a new one
   * @return the attributes
   */
  public static XrcdInitAttr shared(String name, OpenFlag... oflags) {
    return new XrcdInitAttr(name, FlagSet.of("oflags", oflags));
  }
}
