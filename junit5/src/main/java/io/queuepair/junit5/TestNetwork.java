// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network of one test, or of the tests of one class: the objects that they asked for, and the
 * contents of the report when one of them fails.
 */
final class TestNetwork implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestNetwork.class);
  private static final String PAIR_A = "10.0.0.1";
  private static final String PAIR_B = "10.0.0.2";

  private final TestSettings settings;
  private final FailureFiles.Artifacts artifacts;
  private final LadderTail ladder = new LadderTail();
  private final Emulator emulator;
  private final Hosts hosts;
  private final Map<String, QpPair> pairs = new LinkedHashMap<>();

  /** Warnings about fault statements; another thread may add them when it closes. */
  private final List<String> faultWarnings = new CopyOnWriteArrayList<>();

  /** Number of {@link #faultWarnings} before the network was closed. */
  private int warningsOfPlans;

  private boolean isClosed;

  TestNetwork(TestSettings settings, FailureFiles.Artifacts artifacts) {
    this.settings = settings;
    this.artifacts = artifacts;
    emulator = capturing(LadderTrace.on(settings.kind().open(), ladder::add));
    hosts = new Hosts(emulator, settings.kind() == NetworkKind.UDP);
    boolean isComplete = false;
    try {
      scheduleThreads();
      injectFaults(String.join("\n", settings.faults()));
      isComplete = true;
    } finally {
      if (!isComplete) {
        close();
        artifacts.delete();
      }
    }
  }

  private Emulator capturing(Fabric fabric) {
    boolean isOpen = false;
    try {
      Emulator opened =
          Emulator.builder()
              .fabric(fabric)
              .profile(settings.profile())
              // Findings fail the test, or are in its report: no need to log them as well.
              .sanitized(finding -> {})
              .capture(artifacts.capture())
              .faultWarnings(faultWarnings::add)
              .build();
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        fabric.close();
        artifacts.delete();
      }
    }
  }

  private void scheduleThreads() {
    if (settings.kind() == NetworkKind.VIRTUAL) {
      emulator.threads().schedule(settings.schedule());
      if (settings.isStrict()) {
        emulator.threads().strict();
      }
    }
  }

  TestSettings settings() {
    return settings;
  }

  FailureFiles.Artifacts files() {
    return artifacts;
  }

  Emulator emulator() {
    return emulator;
  }

  Hosts hosts() {
    return hosts;
  }

  LadderTail ladder() {
    return ladder;
  }

  EmulatedDevice device(String label, DeviceProfile profile) {
    return hosts.device(label, profile, settings.profile());
  }

  Context context(String label, DeviceProfile profile) {
    return hosts.context(label, profile, settings.profile());
  }

  synchronized QpPair pair(String label, DeviceProfile profile) {
    QpPair known = pairs.get(label);
    if (known == null) {
      known = new QpPair(endpoint(PAIR_A, profile), endpoint(PAIR_B, profile));
      pairs.put(label, known);
    }
    return known;
  }

  private QpEndpoint endpoint(String label, DeviceProfile profile) {
    return new QpEndpoint(this, hosts.address(label), context(label, profile));
  }

  void injectFaults(String text) {
    FaultPlan plan = FaultPlan.parse(hosts.translated(text));
    emulator.injectFaults(plan.seed() == 0 ? plan.withSeed(settings.seed()) : plan);
  }

  /** Adds a line to the ladder: what happened between two packets. */
  void mark(String what) {
    ladder.mark(emulator.now().toNanos(), what);
  }

  /** Closes the objects given to tests, then the network, which finds those left open. */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    warningsOfPlans = faultWarnings.size();
    pairs.values().forEach(pair -> closeAll(List.of(pair.a()::close, pair.b()::close)));
    hosts.contexts().values().forEach(context -> closeAll(List.of(context::close)));
    emulator.close();
  }

  /** Closes objects; one that refuses is in use, which the sanitizer reports. */
  private static void closeAll(List<Runnable> closings) {
    for (Runnable closing : closings) {
      try {
        closing.run();
      } catch (VerbsException inUse) {
        LOG.debug("The network of a test closes what it was refused to close.", inUse);
      }
    }
  }

  /**
   * Lists what is wrong with a test that has passed, by check. The network must be closed.
   *
   * @param excused statements of fault plans that need not have happened
   */
  Map<Check, List<String>> violations(Set<String> excused) {
    Map<Check, List<String>> violations = new LinkedHashMap<>();
    violations.put(Check.LEAKS, leaks());
    violations.put(Check.MISUSE, misuses());
    violations.put(Check.UNUSED_FAULTS, unusedFaults(excused));
    violations.put(Check.DEADLOCK, emulator.deadlocks());
    violations.values().removeIf(List::isEmpty);
    violations.keySet().retainAll(settings.checks());
    return violations;
  }

  private List<String> unusedFaults(Set<String> excused) {
    boolean isExcused = excused.containsAll(emulator.faultsNotTaken());
    return List.copyOf(isExcused ? faultWarnings.subList(0, warningsOfPlans) : faultWarnings);
  }

  private List<String> leaks() {
    return counted(
        emulator.sanitizerFindings().stream()
            .filter(TestNetwork::isLeak)
            .filter(finding -> !isOwn(finding)),
        finding -> List.of(finding.what(), finding.where()),
        finding -> finding.what() + " (made " + finding.where() + ")");
  }

  /** Findings of the sanitizer so far, except objects that are open. */
  List<String> misuses() {
    return counted(
        emulator.sanitizerFindings().stream().filter(finding -> !isLeak(finding)),
        finding -> List.of(finding.kind(), finding.where()),
        SanitizerFinding::toString);
  }

  /** The first finding of each place, and how many there are. */
  private static List<String> counted(
      Stream<SanitizerFinding> findings,
      Function<SanitizerFinding, List<?>> place,
      Function<SanitizerFinding, String> text) {
    Map<List<?>, List<SanitizerFinding>> places =
        findings.collect(Collectors.groupingBy(place, LinkedHashMap::new, Collectors.toList()));
    return places.values().stream()
        .map(
            same ->
                text.apply(same.get(0))
                    + (same.size() == 1 ? "" : "; " + same.size() + " times at this place"))
        .toList();
  }

  private static boolean isLeak(SanitizerFinding finding) {
    return finding.kind() == SanitizerFindingKind.OBJECT_NOT_CLOSED;
  }

  /** Objects of the extension are only left open if objects of the test depend on them. */
  private static boolean isOwn(SanitizerFinding finding) {
    return finding.where().contains(QpEndpoint.class.getName() + ".")
        || finding.where().contains(Hosts.class.getName() + ".");
  }
}
