// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.threads.ApplicationThreads;
import io.queuepair.emulator.threads.Schedule;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Report on the network of a failed test, added to the failure as a suppressed exception. */
final class NetworkReport extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_LADDER_LINES = 40;
  private static final int MAX_SWITCHES = 40;

  /** Prefix of the emulator's lines about fault plans, which have a section of their own here. */
  private static final String FAULTS = "faults: ";

  private static final String INDENT = "  ";

  /**
   * State of a network when its test fails: later steps may close objects that are waited for.
   *
   * @param waiting what its queue pairs wait for, in words
   * @param packets number of packets so far
   * @param ladder lines of the last packets
   */
  record Moment(List<String> waiting, long packets, List<String> ladder) {
    static Moment of(TestNetwork network) {
      return new Moment(
          NetworkReport.waiting(network),
          network.ladder().total(),
          network.ladder().last(MAX_LADDER_LINES));
    }
  }

  private NetworkReport(String text) {
    super(text, null, false, false);
  }

  /** Makes the report of a test without a network. */
  static NetworkReport of(String replay) {
    return new NetworkReport(replay);
  }

  /**
   * Describes a network, and writes its ladder to a file.
   *
   * @param failed state of the network when the test failed
   */
  static NetworkReport of(TestNetwork network, String replay, Moment failed) {
    StringJoiner text = new StringJoiner("\n  ");
    long micros = network.emulator().now().toNanos() / 1_000;
    text.add("network (" + network.settings().kind() + ") after " + micros + " us");
    text.add(replay);
    addThreads(text, network.emulator().threads(), network.settings().schedule());
    String shown =
        failed.packets() > MAX_LADDER_LINES ? "the last " + MAX_LADDER_LINES + " of " : "";
    addAll(text, "packets (" + shown + failed.packets() + "):", failed.ladder());
    List<String> misuses = network.misuses();
    if (!misuses.isEmpty()) {
      addAll(text, Check.MISUSE.violation() + ":", misuses);
    }
    addAll(text, "waiting and dropped:", failed.waiting());
    addAll(text, "faults carried out:", counts(network.emulator().faultCounts()));
    addAll(text, "hosts:", network.hosts().describe());
    text.add("capture: " + network.files().capture());
    text.add("ladder: " + network.files().ladder());
    network.files().writeLadder(network.ladder().last(Integer.MAX_VALUE));
    return new NetworkReport(text.toString());
  }

  /** Waits of every queue pair, and dropped packets. */
  static List<String> waiting(TestNetwork network) {
    return network.emulator().report().lines().filter(line -> !line.startsWith(FAULTS)).toList();
  }

  /** Adds the schedule of threads and its switches, and why the next run may differ. */
  private static void addThreads(StringJoiner text, ApplicationThreads threads, Schedule schedule) {
    List<String> switches = threads.switches();
    if (!schedule.equals(Schedule.fifo())) {
      text.add(
          "schedule "
              + schedule
              + ("; replay it with @ThreadSchedule(\"" + schedule + "\")")
              + (" or -D" + TestSettings.SCHEDULE_PARAMETER + "=\"" + schedule + "\""));
      String shown = switches.size() > MAX_SWITCHES ? "the first " + MAX_SWITCHES + " of " : "";
      String title = "switches (" + shown + switches.size() + "):";
      addAll(text, title, switches.stream().limit(MAX_SWITCHES).toList());
    }
    if (!threads.nonDeterminism().isEmpty()) {
      addAll(text, "the next run may differ, as", threads.nonDeterminism());
    }
  }

  private static List<String> counts(Map<String, Long> counts) {
    return counts.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue()).toList();
  }

  private static void addAll(StringJoiner text, String title, List<String> lines) {
    if (lines.isEmpty()) {
      text.add(title + " none");
      return;
    }
    text.add(title);
    lines.forEach(line -> text.add(INDENT + line.replace("\n", "\n  " + INDENT)));
  }
}
