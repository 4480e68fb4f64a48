// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Both sides of the protocol have the same numbers, and the same entries. */
final class ProtocolTest {
  private static final Pattern NUMBER = Pattern.compile("(?:NUMBER|PLACE)\\((\\w+), (0x\\w+|\\d+)");
  private static final Pattern ENTRY = Pattern.compile("ENTRY\\((\\w+)\\)");

  @Test
  void hasTheNumbersOfTheHeader() throws IllegalAccessException {
    List<String> own = new ArrayList<>();
    for (Field field : Protocol.class.getDeclaredFields()) {
      if (field.getType() == int.class) {
        own.add(field.getName() + " " + field.getInt(null));
      }
    }

    assertThat(own).isEqualTo(matches("protocol.h", NUMBER).map(ProtocolTest::number).toList());
  }

  private static String number(MatchResult row) {
    return row.group(1) + " " + Integer.decode(row.group(2));
  }

  @Test
  void hasTheEntriesOfTheHeader() {
    List<String> own =
        Stream.of(ServiceEntry.values())
            .map(Enum::name)
            .filter(name -> !name.equals("UNKNOWN"))
            .toList();

    assertThat(own).isEqualTo(matches("entries.h", ENTRY).map(row -> row.group(1)).toList());
  }

  private static Stream<MatchResult> matches(String file, Pattern pattern) {
    return pattern.matcher(NativeLibrary.sources().get(file) + " ").results();
  }
}
