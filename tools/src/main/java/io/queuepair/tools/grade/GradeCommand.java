// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.grade;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.RangeChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Grades the gaps of an exercise that students have filled in. */
@Command(
    name = "grade",
    description = {
      "Grades exercises: scenarios with gaps. What a file says in the gaps is put into the"
          + " exercise itself, which is run: nothing else of the file counts. Each gap has a"
          + " point, with the rest as in the solution. Without files, it writes the"
          + " exercise into this folder, to be completed; without an exercise, it lists them."
          + " Exit code 0 if all files have all points, 1 if not, 2 if a file cannot be read.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair grade",
      "  queuepair grade receiver-not-ready",
      "  queuepair grade receiver-not-ready receiver-not-ready.md --hints 1",
      "  queuepair grade --json receiver-not-ready receiver-not-ready.md"
    })
public final class GradeCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXERCISE",
      description =
          "the name of an exercise, or a file of your own that ends in .md; its solution, if there"
              + " is one, has the same name in the folder 'solutions' beside it")
  private String name;

  @Parameters(index = "1..*", paramLabel = "FILE", description = "answers; - is standard input")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "print a JSON object for each file")
  private boolean isJson;

  @Option(
      names = "--hints",
      paramLabel = "N",
      defaultValue = "0",
      description = "give so many hints for each gap that is not right; none of them is the answer")
  private int hints;

  @Spec private CommandSpec spec;

  public GradeCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    new RangeChecks(spec.commandLine()).require("hints", hints, 0, Integer.MAX_VALUE);
    if (name == null) {
      Exercise.titles().forEach((each, title) -> out.printf("%-24s %s%n", each, title));
      return 0;
    }
    Exercise exercise = exercise();
    if (files.isEmpty()) {
      write(exercise, out);
      return 0;
    }
    Map<Path, List<String>> answers = new LinkedHashMap<>();
    files.forEach(file -> answers.put(file, lines(file)));
    int points = 0;
    int solved = 0;
    for (Map.Entry<Path, List<String>> answer : answers.entrySet()) {
      String file = answer.getKey().toString();
      Grade grade = Grading.of(exercise, file, answer.getValue(), hints);
      points += grade.points();
      solved += grade.points() == grade.of() ? 1 : 0;
      String json = new ObjectMapper().valueToTree(grade).toString();
      (isJson ? List.of(json) : grade.sentences()).forEach(out::println);
    }
    if (!isJson) {
      int most = exercise.points() * answers.size();
      out.printf("files=%d solved=%d points=%d/%d%n", answers.size(), solved, points, most);
    }
    return solved == answers.size() ? 0 : 1;
  }

  private Exercise exercise() {
    try {
      return name.endsWith(".md") ? Exercise.of(Path.of(name)) : Exercise.named(name);
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), Path.of(name), unreadable);
    } catch (CommandFailure failure) {
      throw new ParameterException(spec.commandLine(), failure.getMessage(), failure);
    }
  }

  private static void write(Exercise exercise, PrintWriter out) {
    Path file = Path.of(exercise.name() + ".md");
    if (Files.exists(file)) {
      throw new CommandFailure(file + " is there already: name it as an answer, or move it away");
    }
    OutputFile.write(file, String.join("\n", exercise.lines()) + "\n");
    out.printf("%s: complete it, then run: queuepair grade %s %s%n", file, exercise.name(), file);
  }

  private List<String> lines(Path file) {
    try {
      return file.toString().equals("-")
          ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()
          : InputFile.lines(file);
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), file, unreadable);
    }
  }
}
