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

/** Answers the command {@code queuepair service}, and programs at their end. */
final class ServiceRequests {
  private final Map<String, String> settings;
  private final Collection<AttachedProgram> programs;
  private final Path log;
  private final Consumer<FaultPlan> heed;
  private String faults;

  /**
   * Answers for a service.
   *
   * @param settings the variables of its devices
   * @param heed gets the faults that are going to be in force
   */
  ServiceRequests(
      Map<String, String> settings,
      Collection<AttachedProgram> programs,
      Path log,
      Consumer<FaultPlan> heed) {
    this.settings = settings;
    this.programs = programs;
    this.log = log;
    this.heed = heed;
    faults = settings.getOrDefault(Variables.FAULTS, "");
  }

  /** The text that answers a request. */
  String answer(String request) {
    String[] words = request.split(" ", 2);
    return switch (words[0]) {
      case "status" -> status();
      case "report" -> ServiceDevices.emulator().report();
      case "coverage" ->
          String.join("\n", CoverageTable.linesOf(ServiceDevices.emulator().coverage()));
      case "faults" -> words.length == 1 ? faults : replaceFaults(words[1]);
      default -> "";
    };
  }

  private String status() {
    List<String> lines = new ArrayList<>();
    lines.add("device qp0: " + ServiceDevices.addresses());
    lines.add("profile: " + settings.getOrDefault(Variables.PROFILE, "standard"));
    if (!faults.isEmpty()) {
      lines.add("faults: " + faults);
    }
    if (settings.containsKey(Variables.PCAP)) {
      lines.add("capture: " + settings.get(Variables.PCAP));
    }
    lines.add("log: " + log);
    lines.add(programs.size() + (programs.size() == 1 ? " program" : " programs"));
    programs.stream()
        .map(AttachedProgram::process)
        .sorted(Comparator.naturalOrder())
        .forEach(process -> lines.add("  " + process + " " + nameOf(process)));
    return String.join("\n", lines);
  }

  /** As the kernel has it; a program in another namespace has no number here. */
  private static String nameOf(int process) {
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
    } catch (IllegalArgumentException wrong) { // The command has parsed it, but others may ask.
      return "refused: " + wrong.getMessage();
    }
  }
}
