// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpType;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The types of queue pairs that have a table of transitions, by name in any case. */
final class TypeConverter implements ITypeConverter<QpType> {
  @Override
  public QpType convert(String text) {
    return TransitionTable.types().stream()
        .filter(type -> type.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("'" + text + "' is not one of " + names()));
  }

  private static String names() {
    return TransitionTable.types().stream().map(QpType::name).collect(Collectors.joining(", "));
  }
}
