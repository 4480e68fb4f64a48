// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Files of a command line: parameters are inputs, options are outputs; no file is both. */
final class FileArguments {
  /** Path that stands for standard input or output. */
  private static final Path STANDARD = Path.of("-");

  private final ParseResult arguments;
  private final Map<Path, String> inputs = new LinkedHashMap<>();
  private final Map<Path, String> outputs = new LinkedHashMap<>();

  FileArguments(ParseResult arguments) {
    this.arguments = arguments;
    for (PositionalParamSpec parameter : arguments.matchedPositionals()) {
      paths(parameter).forEach(path -> inputs.put(path, path.toString()));
    }
    FaultsOption.file(arguments).ifPresent(path -> inputs.put(path, "--faults @" + path));
    for (OptionSpec option : arguments.matchedOptions()) {
      paths(option).forEach(path -> add(option.longestName() + " " + path, path));
    }
  }

  private static List<Path> paths(ArgSpec argument) {
    List<Path> paths = new ArrayList<>();
    Object value = argument.getValue();
    for (Object one : value instanceof Collection<?> several ? several : Arrays.asList(value)) {
      if (one instanceof Path path && !path.equals(STANDARD)) {
        paths.add(path);
      }
    }
    return paths;
  }

  private void add(String name, Path output) {
    inputs.forEach((input, as) -> requireOther(name, output, as, input));
    outputs.forEach((earlier, as) -> requireOther(name, output, as, earlier));
    outputs.put(output, name);
  }

  private void requireOther(String name, Path file, String otherName, Path other) {
    if (isSame(file, other)) {
      throw new ParameterException(
          arguments.commandSpec().commandLine(),
          name + " would overwrite " + otherName + ": it is the same file");
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      if (!Files.exists(one) && !Files.exists(other)) {
        return one.toAbsolutePath().equals(other.toAbsolutePath());
      }
      // Only regular files can lose data; devices and pipes cannot.
      return Files.isRegularFile(one) && Files.isRegularFile(other) && Files.isSameFile(one, other);
    } catch (IOException unreadable) {
      // The command that reads or writes the file reports the error.
      return false;
    }
  }

  /** Refuses outputs that cannot be written. */
  void probeOutputs() {
    outputs
        .keySet()
        .forEach(output -> OutputFile.probe(arguments.commandSpec().commandLine(), output));
  }
}
