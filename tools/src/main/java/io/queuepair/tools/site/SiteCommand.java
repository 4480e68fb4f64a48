// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.cli.ErrorReporter;
import io.queuepair.tools.cli.InputFile;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.cli.RangeChecks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the site, generated from the pages of docs and of the project's top folder. */
@Command(
    name = "site",
    description = {
      "Writes the documentation as a static site: the pages of docs and of the top folder, a page"
          + " for each scenario to step through in a browser, an explorer of the states of queue"
          + " pairs, a glossary and a search. It needs no network and no server: open index.html."
          + " Each scenario is run when its page is written.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair site /tmp/queuepair-site",
      "  queuepair site rdma --lessons my-course --no-solutions"
    })
public final class SiteCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      description = "the folder to write into; it is made if it is missing, files are replaced")
  private Path folder;

  @Option(
      names = "--lessons",
      paramLabel = "FOLDER",
      description =
          "pages of your own, Markdown files that link as if they stood in docs/lessons: text,"
              + " exercises, and scenarios, which are run; README.md is the first of them")
  private String lessons; // No Path: FileArguments would treat it as an output.

  @Option(names = "--no-solutions", description = "leave out the solutions of exercises")
  private boolean isWithoutSolutions;

  @Spec private CommandSpec spec;

  public SiteCommand() {}

  @Override
  public Integer call() {
    RangeChecks checks = new RangeChecks(spec.commandLine());
    checks.require(
        lessons == null || (!lessons.isEmpty() && Files.isDirectory(Path.of(lessons))),
        "--lessons: there is no folder '" + lessons + "'");
    makeFolder(folder);
    Map<String, String> own = lessons == null ? Map.of() : lessons(Path.of(lessons));
    Map<String, String> files = Site.files(new Site.Content(false, !isWithoutSolutions, own));
    long bytes = 0;
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path target = folder.resolve(file.getKey());
      makeFolder(target.getParent());
      OutputFile.write(target, file.getValue());
      bytes += file.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    spec.commandLine()
        .getOut()
        .printf("%s: %d files, %d KiB%n", folder.resolve("index.html"), files.size(), bytes / 1024);
    return 0;
  }

  private Map<String, String> lessons(Path top) {
    Map<String, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        String path = top.relativize(file).toString().replace('\\', '/');
        if (isWithoutSolutions && path.contains("solutions/")) {
          continue;
        }
        String text = InputFile.text(file).replace("\r\n", "\n");
        if (!text.startsWith("# ")) {
          throw new IOException("the first line of " + file + " is not '# ' and a title");
        }
        pages.put(SitePaths.LESSONS + path, text);
      }
    } catch (IOException unreadable) {
      throw InputFile.refusal(spec.commandLine(), top, unreadable);
    }
    StringBuilder list = new StringBuilder("# Lessons\n\n");
    pages.forEach(
        (page, text) -> {
          String title = text.lines().findFirst().orElseThrow().substring("# ".length());
          String file = page.substring(SitePaths.LESSONS.length());
          list.append("- [").append(title).append("](").append(file).append(")\n");
        });
    pages.putIfAbsent(SitePaths.LESSONS + "README.md", list.toString());
    return pages;
  }

  private void makeFolder(Path wanted) {
    try {
      Files.createDirectories(wanted);
    } catch (FileAlreadyExistsException isFile) {
      throw refusal(wanted, "it is a file");
    } catch (IOException impossible) {
      throw refusal(wanted, ErrorReporter.why(impossible));
    }
  }

  private ParameterException refusal(Path wanted, String why) {
    return new ParameterException(
        spec.commandLine(), "the folder " + wanted + " cannot be made: " + why);
  }
}
