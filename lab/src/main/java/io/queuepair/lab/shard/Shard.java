// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of the parts that a long run is divided into.
 *
 * @param number which, from 1
 * @param of how many parts there are
 */
public record Shard(int number, int of) {
  private static final int MAX = 100_000;

  /** The whole, undivided. */
  static final Shard WHOLE = new Shard(1, 1);

  /** How many of the first steps of a run come before this part. */
  public long before(long steps) {
    return share(steps, number - 1);
  }

  /** How many of the steps of a run are this part's. The parts differ by one step at most. */
  public long count(long steps) {
    return share(steps, number) - share(steps, number - 1);
  }

  /** Steps times parts may be more than 64 bits have. */
  private long share(long steps, int parts) {
    return steps / of * parts + steps % of * parts / of;
  }

  @Override
  public String toString() {
    return number + "/" + of;
  }

  /** {@code I/N}. */
  static final class ShardConverter implements ITypeConverter<Shard> {
    @Override
    public Shard convert(String text) {
      String[] parts = text.split("/", -1);
      try {
        if (parts.length == 2) {
          Shard shard = new Shard(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
          if (shard.number >= 1 && shard.number <= shard.of && shard.of <= MAX) {
            return shard;
          }
        }
      } catch (NumberFormatException malformed) {
        throw new TypeConversionException(sentence(text));
      }
      throw new TypeConversionException(sentence(text));
    }

    private static String sentence(String text) {
      return "'" + text + "' is no part of a run such as 1/4, with at most " + MAX + " parts";
    }
  }
}
