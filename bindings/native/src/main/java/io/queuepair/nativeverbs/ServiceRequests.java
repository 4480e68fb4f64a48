// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.coverage.CoverageTable;
import io.queuepair.emulator.faults.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Answers requests of the command {@code queuepair service}, and of programs at their end. */
final class ServiceRequests {
  private final Map<String, String> settings;
  private final Collection<AttachedProgram> programs;
  private final Path log;
  private final Consumer<FaultPlan> heed;
  private final ErrorLines lines;
  private String faults;

  /**
   * Answers for one service.
   *
   * @param settings variables that describe its devices
   * @param heed gets each fault plan before it takes effect
   * @param lines for which programs wait at their end
   */
  ServiceRequests(
      Map<String, String> settings,
      Collection<AttachedProgram> programs,
      Path log,
      Consumer<FaultPlan> heed,
      ErrorLines lines) {
    this.settings = settings;
    this.programs = programs;
    this.log = log;
    this.heed = heed;
    this.lines = lines;
    faults = settings.getOrDefault(Variables.FAULTS, "");
  }

  String answer(String request) {
    String[] words = request.split(" ", 2);
    return switch (words[0]) {
      case "status" -> status();
      case "report" -> words.length == 1 ? ServiceDevices.emulator().report() : report(words[1]);
      case "coverage" ->
          String.join("\n", CoverageTable.linesOf(ServiceDevices.emulator().coverage()));
      case "lines" -> {
        lines.await();
        yield "";
      }
      case "faults" -> words.length == 1 ? faults : replaceFaults(words[1]);
      default -> "";
    };
  }

  /** Lines of the report about objects of a program. */
  private String report(String process) {
    List<AttachedProgram> asked =
        programs.stream()
            .filter(program -> Integer.toString(program.process).equals(process))
            .toList();
    if (asked.isEmpty()) {
      return ServiceClient.REFUSED
          + "no program "
          + process
          + " is attached: queuepair service status";
    }
    List<String> names = asked.stream().flatMap(program -> program.names().stream()).toList();
    return ServiceDevices.emulator()
        .report()
        .lines()
        .filter(line -> names.stream().anyMatch(line::contains))
        .collect(Collectors.joining("\n"));
  }

  private String status() {
    List<String> lines = new ArrayList<>();
    String[] addresses = ServiceDevices.addresses().split(ServiceDevices.SEPARATOR, -1);
    for (int i = 0; i < addresses.length; i++) {
      lines.add("device " + ServiceDevices.devices().get(i).name() + ": " + addresses[i]);
    }
    lines.add("profile: " + settings.getOrDefault(Variables.PROFILE, "standard"));
    if (!faults.isEmpty()) {
      lines.add("faults: " + faults);
    }
    if (settings.containsKey(Variables.MEMLOCK)) {
      lines.add("memlock: " + settings.get(Variables.MEMLOCK) + " KiB");
    }
    if (settings.containsKey(Variables.PCAP)) {
      lines.add("capture: " + settings.get(Variables.PCAP));
    }
    lines.add("log: " + log);
    lines.add(programs.size() + (programs.size() == 1 ? " program" : " programs"));
    programs.stream()
        .map(program -> program.process)
        .sorted(Comparator.naturalOrder())
        .forEach(process -> lines.add("  " + process + " " + nameOf(process)));
    return String.join("\n", lines);
  }

  /** Name of a process in /proc; ? if it is in another PID namespace, without a number here. */
  static String nameOf(int process) {
    try {
      return Files.readString(Path.of("/proc", Integer.toString(process), "comm")).strip();
    } catch (IOException gone) {
      return "?";
    }
  }

  private String replaceFaults(String text) {
    try {
      FaultPlan plan = FaultPlan.parse(text);
      ServiceDevices.emulator().clearFaults();
      heed.accept(plan);
      faults = "";
      if (!plan.isEmpty()) {
        ServiceDevices.emulator().injectFaults(plan);
        faults = plan.toString();
      }
      return faults;
    } catch (IllegalArgumentException wrong) { // Other clients may send any text.
      return ServiceClient.REFUSED + wrong.getMessage();
    }
  }
}
