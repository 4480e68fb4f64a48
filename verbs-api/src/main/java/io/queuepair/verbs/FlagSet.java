// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flags as one word of bits, as in C. Immutable, so that records hold it without a copy; iterates
 * in the order of the enum, as EnumSet does.
 */
final class FlagSet<E extends Enum<E>> extends AbstractSet<E> {
  private static final FlagSet<?> EMPTY = new FlagSet<>(null, 0);

  private static final ClassValue<Object[]> CONSTANTS =
      new ClassValue<>() {
        @Override
        protected Object[] computeValue(Class<?> type) {
          return type.getEnumConstants();
        }
      };

  /** The flags of requests that say nothing about them; behind what its creation needs. */
  static final Set<SendFlag> SIGNALED = of("flags", SendFlag.SIGNALED);

  /** Of the flags; null if there are none. */
  private final @Nullable Class<E> type;

  private final long bits;

  private FlagSet(@Nullable Class<E> type, long bits) {
    this.type = type;
    this.bits = bits;
  }

  /**
   * Flags from an argument list. One that is there twice counts once, as in C.
   *
   * @param name of the parameter
   * @throws NullPointerException naming the parameter if it, or a flag, is null
   */
  @SafeVarargs
  static <E extends Enum<E>> Set<E> of(String name, E... flags) {
    @Nullable Class<E> type = null;
    long bits = 0;
    for (E flag : Objects.requireNonNull(flags, name)) {
      type = Objects.requireNonNull(flag, name).getDeclaringClass();
      bits |= 1L << flag.ordinal();
    }
    return of(type, bits);
  }

  /**
   * The flags of a set, as they are now.
   *
   * @param name of the parameter
   * @throws NullPointerException naming the parameter if it, or a flag, is null
   */
  static <E extends Enum<E>> Set<E> copyOf(Collection<E> flags, String name) {
    if (flags instanceof FlagSet<E> same) {
      return same;
    }
    @Nullable Class<E> type = null;
    long bits = 0;
    for (E flag : Objects.requireNonNull(flags, name)) {
      type = Objects.requireNonNull(flag, name).getDeclaringClass();
      bits |= 1L << flag.ordinal();
    }
    return of(type, bits);
  }

  @SuppressWarnings("unchecked") // The empty set holds no element of a wrong type.
  private static <E extends Enum<E>> FlagSet<E> of(@Nullable Class<E> type, long bits) {
    assert type == null || CONSTANTS.get(type).length <= Long.SIZE;
    return type == null ? (FlagSet<E>) EMPTY : new FlagSet<>(type, bits);
  }

  @Override
  public boolean contains(Object flag) {
    return flag instanceof Enum<?> constant
        && (bits >>> constant.ordinal() & 1) != 0
        && type.isInstance(constant);
  }

  @Override
  public int size() {
    return Long.bitCount(bits);
  }

  @Override
  public Iterator<E> iterator() {
    return new Iterator<>() {
      private long left = bits;

      @Override
      public boolean hasNext() {
        return left != 0;
      }

      @Override
      public E next() {
        if (left == 0) {
          throw new NoSuchElementException();
        }
        int ordinal = Long.numberOfTrailingZeros(left);
        left &= left - 1;
        return type.cast(CONSTANTS.get(type)[ordinal]);
      }
    };
  }
}
