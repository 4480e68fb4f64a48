// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of the parts into which a long run is divided.
 *
 * @param number index of the part, from 1
 * @param of number of parts
 */
public record Shard(int number, int of) {
  private static final int MAX = 100_000;

  /** The undivided run. */
  static final Shard WHOLE = new Shard(1, 1);

  /** Number of steps of a run that belong to earlier parts. */
  public long before(long steps) {
    return share(steps, number - 1);
  }

  /** Number of steps of a run that belong to this part; parts differ by one step at most. */
  public long count(long steps) {
    return share(steps, number) - share(steps, number - 1);
  }

  /** Computes steps * parts / of; the product alone could overflow 64 bits. */
  private long share(long steps, int parts) {
    return steps / of * parts + steps % of * parts / of;
  }

  @Override
  public String toString() {
    return number + "/" + of;
  }

  /** Converts {@code I/N}. */
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
