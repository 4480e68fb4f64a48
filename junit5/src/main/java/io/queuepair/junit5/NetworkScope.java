// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.threads.ApplicationThreadException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/** A {@link TestNetwork} and its owner: a test, or a class whose tests share the network. */
final class NetworkScope implements AutoCloseable {
  private final String owner;
  private final TestNetwork network;
  private boolean hasFailed;

  /** State of the network when the test failed; null before. */
  private NetworkReport.Moment failed;

  private NetworkScope(ExtensionContext context) {
    owner = context.getUniqueId();
    String suffix =
        SeedInvocations.current(context)
            .map(run -> "-seed" + run.seed())
            .orElseGet(() -> invocation(context));
    network = new TestNetwork(settings(context), files(context).of(context, suffix));
  }

  /** Suffix of file names with the number of a repetition, such as {@code -3}. */
  private static String invocation(ExtensionContext context) {
    String id = context.getUniqueId();
    int number = id.lastIndexOf("invocation:#");
    return number < 0 ? "" : "-" + id.substring(number + "invocation:#".length(), id.length() - 1);
  }

  /** Scope of a test, or of its class if that has one; made if there is none. */
  static NetworkScope of(ExtensionContext context) {
    NetworkScope scope =
        store(context)
            .getOrComputeIfAbsent(
                NetworkScope.class, none -> new NetworkScope(context), NetworkScope.class);
    scope.checkKind(context);
    return scope;
  }

  /** Finds the scope without making one. */
  static Optional<NetworkScope> find(ExtensionContext context) {
    return Optional.ofNullable(store(context).get(NetworkScope.class, NetworkScope.class));
  }

  static TestSettings settings(ExtensionContext context) {
    return TestSettings.of(context);
  }

  static Watchdog watchdog(ExtensionContext context) {
    return store(context.getRoot())
        .getOrComputeIfAbsent(Watchdog.class, none -> new Watchdog(), Watchdog.class);
  }

  private static FailureFiles files(ExtensionContext context) {
    return store(context.getRoot())
        .getOrComputeIfAbsent(
            FailureFiles.class, none -> new FailureFiles(context), FailureFiles.class);
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(QueuepairExtension.NAMESPACE);
  }

  private void checkKind(ExtensionContext context) {
    NetworkKind wanted = settings(context).kind();
    if (!isOf(context) && wanted != network.settings().kind()) {
      throw new ExtensionConfigurationException(
          ("%s is to have a network (%s), but its class shares one (%s), as a method that runs"
                  + " before all tests has asked for it")
              .formatted(context.getDisplayName(), wanted, network.settings().kind()));
    }
  }

  TestNetwork network() {
    return network;
  }

  boolean isOf(ExtensionContext context) {
    return owner.equals(context.getUniqueId());
  }

  /** Failure of a test; empty if it passed, or ended because an assumption does not hold. */
  static Optional<Throwable> failure(ExtensionContext context) {
    return context.getExecutionException().filter(it -> !(it instanceof TestAbortedException));
  }

  /** Records the state of the network at the first failure of a test only. */
  void noteFailure() {
    if (failed == null) {
      failed = NetworkReport.Moment.of(network);
      network.mark("the test has failed; what follows comes after it");
    }
  }

  /**
   * Closes and reports on the network after a test, or after all tests of its class. Fails a passed
   * test if a check does not hold.
   *
   * @param seen gives for a failure the one that JUnit sees
   */
  void afterTest(ExtensionContext context, UnaryOperator<Throwable> seen) {
    Optional<Throwable> failure = failure(context);
    NetworkReport.Moment moment = failed == null ? NetworkReport.Moment.of(network) : failed;
    failed = null;
    Optional<Throwable> more = isOf(context) ? closeNetwork() : Optional.empty();
    boolean isAborted = failure.isEmpty() && context.getExecutionException().isPresent();
    if (failure.isPresent()) {
      more.ifPresent(failure.get()::addSuppressed);
      report(context, failure.get(), moment);
    } else if (isOf(context) && !hasFailed && !isAborted) {
      Optional<Throwable> problem = more.or(() -> violation(context));
      if (problem.isPresent()) {
        Throwable outcome = seen.apply(problem.get());
        if (outcome == problem.get()) {
          report(context, outcome, moment);
        }
        if (outcome instanceof AssertionError violation) {
          throw violation;
        }
        throw (RuntimeException) outcome;
      }
      Optional<AssertionError> difference =
          SeedInvocations.current(context).flatMap(run -> run.compare(network));
      if (difference.isPresent()) {
        report(context, difference.get(), moment);
        throw difference.get();
      }
    }
  }

  /** Closes the network; returns the exception of a thread for which no other has waited. */
  private Optional<Throwable> closeNetwork() {
    try {
      network.close();
      return Optional.empty();
    } catch (ApplicationThreadException ofThread) {
      return Optional.of(ofThread);
    }
  }

  private Optional<Throwable> violation(ExtensionContext context) {
    Map<String, Long> faults = network.emulator().faultCounts();
    Set<String> excused =
        SeedInvocations.current(context).map(run -> run.excused(faults)).orElse(Set.of());
    Map<Check, List<String>> violations = network.violations(excused);
    return violations.isEmpty()
        ? Optional.empty()
        : Optional.of(new AssertionError(describe(violations)));
  }

  private void report(ExtensionContext context, Throwable failure, NetworkReport.Moment moment) {
    hasFailed = true;
    StringJoiner again = new StringJoiner("\n  ").add(replay(context));
    SeedInvocations.current(context).flatMap(SeedSearch.Run::reductionText).ifPresent(again::add);
    failure.addSuppressed(NetworkReport.of(network, again.toString(), moment));
  }

  /** Reports on a failure after which the network may still be used. */
  void reportAtOnce(ExtensionContext context, Throwable failure) {
    report(context, failure, NetworkReport.Moment.of(network));
  }

  private static String describe(Map<Check, List<String>> violations) {
    StringJoiner text = new StringJoiner("\n");
    violations.forEach(
        (check, lines) -> {
          text.add("the test passed, but " + check.violation() + ":");
          lines.forEach(line -> text.add("  " + line.replace("\n", "\n  ")));
          text.add("  (to allow that: @DisabledChecks(Check." + check + "))");
        });
    return text.toString();
  }

  /** Text that tells how to repeat a run. */
  static String replay(ExtensionContext context) {
    long seed = settings(context).seed();
    String again = "replay it with @Seed(" + seed + ") or -Dqueuepair.seed=" + seed;
    return SeedInvocations.current(context)
        .filter(run -> SeedInvocations.only(context).isEmpty())
        .map(run -> run.seedText() + "; " + again + ", with @Test for @Seeds")
        .orElse("seed " + seed + "; " + again);
  }

  /** Called by JUnit, which closes objects in its stores, even if a test never began. */
  @Override
  public void close() {
    network.close();
    if (!hasFailed) {
      network.files().delete();
    }
  }
}
