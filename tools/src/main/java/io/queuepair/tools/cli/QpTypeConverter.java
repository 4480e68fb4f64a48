// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.verbs.QpType;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Types of queue pairs, by name in any case, of which a command offers some. */
public class QpTypeConverter implements ITypeConverter<QpType> {
  private final String whatOthersAre;
  private final Set<QpType> offered;

  /**
   * Creates a converter.
   *
   * @param whatOthersAre what is said of another text, before the names of those offered
   * @param offered in the order in which they are named
   */
  public QpTypeConverter(String whatOthersAre, Set<QpType> offered) {
    this.whatOthersAre = whatOthersAre;
    this.offered = offered;
  }

  @Override
  public QpType convert(String text) {
    return offered.stream()
        .filter(type -> name(type).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () -> new TypeConversionException("'" + text + "' " + whatOthersAre + " " + names()));
  }

  /**
   * The name of a type.
   *
   * @param type one that is offered
   * @return its own, unless a command has another
   */
  protected String name(QpType type) {
    return type.name();
  }

  private String names() {
    return offered.stream().map(this::name).collect(Collectors.joining(", "));
  }
}
