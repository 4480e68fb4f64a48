// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import io.queuepair.lab.transitions.RecordedCall.BrokenLine;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.ProfileOption;
import io.queuepair.tools.transitions.TransitionReplay;
import io.queuepair.tools.transitions.TransitionReplay.DeviceAnswer;
import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the transitions of an emulated device with recorded ones. */
@Command(
    name = "check-transitions",
    description = {
      "Makes recorded calls of ibv_modify_qp again, each on a fresh queue pair of an emulated"
          + " device, and prints every answer that differs. Exits with 1 if any does.",
      "",
      "FILE has lines of six columns, separated by tabs: type, state, state asked for, mask, errno,"
          + " state afterwards. Lines that start with # are comments.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair check-transitions --profile soft-roce modify_qp.tsv",
      "  queuepair check-transitions --format markdown modify_qp.tsv > page.md"
    })
public final class CheckTransitionsCommand implements Callable<Integer> {
  private static final int DIFFERS = 1;

  @Spec private CommandSpec spec;

  @Mixin private ProfileOption profileOption;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "lines",
      description =
          "${COMPLETION-CANDIDATES}: every difference, or how many there are of each kind"
              + " (default: ${DEFAULT-VALUE}).")
  private Output output;

  @Parameters(paramLabel = "FILE", description = "The recorded calls.")
  private Path file;

  enum Output {
    LINES,
    MARKDOWN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Integer call() {
    List<RecordedCall> calls = calls();
    Map<DifferenceKind, Integer> countByKind = new EnumMap<>(DifferenceKind.class);
    PrintWriter out = spec.commandLine().getOut();
    try (TransitionReplay replay = new TransitionReplay(profileOption.profile())) {
      for (RecordedCall call : calls) {
        DeviceAnswer answer = ask(replay, call);
        if (!answer.answer().equals(call.answer())) {
          countByKind.merge(DifferenceKind.of(call, answer.answer()), 1, Integer::sum);
          if (output == Output.LINES) {
            out.println(difference(call, answer));
          }
        }
      }
    }
    int differ = countByKind.values().stream().mapToInt(Integer::intValue).sum();
    if (output == Output.MARKDOWN) {
      DifferencePage.of(calls.size(), countByKind).forEach(out::println);
    } else {
      int agree = calls.size() - differ;
      out.println("cases=" + calls.size() + " agree=" + agree + " differ=" + differ);
    }
    return differ == 0 ? 0 : DIFFERS;
  }

  private static String difference(RecordedCall call, DeviceAnswer answer) {
    String reason = answer.sentence().isEmpty() ? "" : " (" + answer.sentence() + ")";
    return String.format(
        "line %d: %s: recorded %s; here %s%s",
        call.line(), call.question(), call.answer(), answer.answer(), reason);
  }

  private List<RecordedCall> calls() {
    List<String> lines = lines();
    List<RecordedCall> calls = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith("#") && !lines.get(i).isBlank()) {
        calls.add(parse(i + 1, lines.get(i)));
      }
    }
    if (calls.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "no recorded call is in " + file);
    }
    return calls;
  }

  private List<String> lines() {
    try {
      return InputFile.lines(file);
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), file, unreadable);
    }
  }

  private RecordedCall parse(int line, String text) {
    try {
      RecordedCall call = RecordedCall.parse(line, text);
      if (!TransitionReplay.canReach(call.from())) {
        throw new BrokenLine("no call brings a queue pair to " + call.from());
      }
      return call;
    } catch (BrokenLine broken) {
      throw broken(line, broken);
    }
  }

  private DeviceAnswer ask(TransitionReplay replay, RecordedCall call) {
    try {
      return replay.ask(call.type(), call.from(), call.to(), call.mask());
    } catch (VerbsException refused) {
      throw broken(call.line(), refused);
    }
  }

  private ParameterException broken(int line, Exception reason) {
    return new ParameterException(
        spec.commandLine(), file + " line " + line + ": " + reason.getMessage(), reason);
  }
}
