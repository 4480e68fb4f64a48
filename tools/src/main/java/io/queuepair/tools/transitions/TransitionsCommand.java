// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.cli.ProfileOption;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpType;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Prints the state transitions of a queue pair. */
@Command(
    name = "transitions",
    description = {
      "Prints which transitions of a queue pair ibv_modify_qp can ask for, what each requires and,"
          + " in brackets, what it allows besides. The emulator decides by the same table.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair transitions --type rc                the table of one type",
      "  queuepair transitions --profile soft-roce      the tables of Linux",
      "  queuepair transitions --type ud --format svg > ud.svg    a picture"
    })
public final class TransitionsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = TypeConverter.class,
      description = "RC, UC, UD, RAW_PACKET, XRC_SEND or XRC_RECV (default: all).")
  private QpType type;

  @Mixin private ProfileOption profileOption;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "${COMPLETION-CANDIDATES}; a diagram is of one type (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Override
  public void run() {
    if (type == null && format.isDiagram()) {
      throw new ParameterException(spec.commandLine(), "a diagram needs a --type");
    }
    Set<QpType> types = type == null ? TransitionTable.types() : EnumSet.of(type);
    lines(types).forEach(spec.commandLine().getOut()::println);
  }

  private List<String> lines(Set<QpType> types) {
    TransitionTable table = profileOption.profile().transitions();
    return switch (format) {
      case TABLE -> PlainTable.of(table, types);
      case MARKDOWN -> StatePage.of(table, types);
      case MERMAID -> StateDiagram.mermaid(table, type);
      case SVG -> StatePicture.document(table, type).lines().toList();
    };
  }

  enum Format {
    TABLE,
    MARKDOWN,
    MERMAID,
    SVG;

    boolean isDiagram() {
      return this == MERMAID || this == SVG;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Converts the name, in any case, of a queue pair type that has a table of transitions. */
  static final class TypeConverter implements ITypeConverter<QpType> {
    @Override
    public QpType convert(String text) {
      return TransitionTable.types().stream()
          .filter(type -> type.name().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("'" + text + "' is not one of " + names()));
    }

    private static String names() {
      return TransitionTable.types().stream().map(QpType::name).collect(Collectors.joining(", "));
    }
  }
}
