package io.queuepair.tools.states;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpType;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The types of queue pairs that have a table of transitions, by name. */
final class TypeConverter implements ITypeConverter<QpType> {
  @Override
  public QpType convert(String text) {
    return TransitionTable.types().stream()
        .filter(type -> type.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' is not one of " + allNames()));
  }

  private static String allNames() {
    return TransitionTable.types().stream().map(QpType::name).collect(Collectors.joining(", "));
  }
}
