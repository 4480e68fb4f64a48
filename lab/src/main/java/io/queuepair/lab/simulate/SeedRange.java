// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.lab.shard.Shard;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Range of seeds to run, both ends included. */
record SeedRange(long first, long last) {
  long count() {
    return last - first + 1;
  }

  SeedRange part(Shard shard) {
    long begin = first + shard.before(count());
    return new SeedRange(begin, begin + shard.count(count()) - 1);
  }

  /** Converts {@code A..B}, or one number. */
  static final class SeedRangeConverter implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      String[] ends = text.split("\\.\\.", 2);
      try {
        long first = Long.parseLong(ends[0]);
        long last = ends.length == 1 ? first : Long.parseLong(ends[1]);
        if (first >= 0 && last >= first && last < Long.MAX_VALUE) {
          return new SeedRange(first, last);
        }
      } catch (NumberFormatException malformed) {
        throw new TypeConversionException("'" + text + "' is not a range of seeds such as 1..100");
      }
      throw new TypeConversionException(
          "'" + text + "' is not a range of seeds from 0 on, the first not above the last");
    }
  }
}
