package io.queuepair.tools.perftest;

import io.queuepair.verbs.QpType;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The transport services that a benchmark has, by name. */
record ServiceConverter(Benchmark benchmark) implements ITypeConverter<QpType> {
  @Override
  public QpType convert(String text) {
    Set<QpType> offered = benchmark.operation().services();
    return offered.stream()
        .filter(service -> service.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + text
                        + "' is not one that "
                        + benchmark.commandName()
                        + " has: "
                        + offered.stream().map(QpType::name).collect(Collectors.joining(", "))));
  }
}
