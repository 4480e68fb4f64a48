// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of this package on a device of the system, and writes a table of what came of
 * them: a row for each test, with PASS, DIFFER or NA, and the reason. Tests with a network of their
 * own, which the emulator makes, do not apply.
 *
 * <p>Arguments: the name of the device, the file to write, and names of classes if not all are to
 * run.
 */
public final class SystemConformance {
  /** Text in the file of a class that can run on any device. */
  private static final Pattern FIXTURE = Pattern.compile("conformance/(Pair|QpFixture)");

  /** Text in the file of a class that makes emulated devices, itself or by another class. */
  private static final Pattern OWN_NETWORK =
      Pattern.compile("emulator/(Emulat|fabric)|conformance/(RawHost|DatagramHost|XrcLoopback)");

  private static final int MAX_REASON = 160;

  private SystemConformance() {}

  public static void main(String[] args) throws IOException {
    System.setProperty(SystemDevice.PROPERTY, args[0]);
    SystemDevice.device();
    Path table = Path.of(args[1]);
    List<String> names = args.length > 2 ? List.of(args).subList(2, args.length) : all();
    ResultTable results = new ResultTable();
    for (String name : names) {
      Class<?> type = type(name);
      if (applies(type)) {
        LauncherFactory.create().execute(request(type), results);
      }
      results.write(table);
    }
    System.out.println(results);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(SystemConformance.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> all() throws IOException {
    Path here = Path.of(SystemConformance.class.getResource("").getPath());
    try (Stream<Path> files = Files.list(here)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Test.class") && !name.contains("$"))
          .map(name -> name.replace(".class", ""))
          .sorted()
          .toList();
    }
  }

  private static boolean applies(Class<?> type) {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return FIXTURE.matcher(text).find() && !OWN_NETWORK.matcher(text).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LauncherDiscoveryRequest request(Class<?> type) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(type))
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
        // A device that raises no event lets a test wait for one without limit.
        .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", "60 s")
        .configurationParameter(
            "junit.jupiter.execution.timeout.thread.mode.default", "separate_thread")
        .build();
  }

  /** Collects a row for each test, in the order of their names. */
  private static final class ResultTable implements TestExecutionListener {
    private final Map<String, String> rows = new TreeMap<>();

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      put(test, "NA", reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      String reason = result.getThrowable().map(SystemConformance::reasonOf).orElse("");
      switch (result.getStatus()) {
        case SUCCESSFUL -> put(test, "PASS", "");
        case ABORTED -> put(test, "NA", reason);
        case FAILED -> {
          System.out.println(test.getDisplayName() + ": " + reason + whereOf(result));
          put(test, "DIFFER", reason);
        }
      }
    }

    /** Several runs of one method are one row: the worst of them. */
    private synchronized void put(TestIdentifier test, String outcome, String reason) {
      TestSource source = test.getSource().orElse(null);
      if (test.isTest() && source instanceof MethodSource method) {
        String type = method.getClassName().replaceAll(".*\\.", "");
        String row = outcome + "\t" + reason;
        rows.merge(type + "\t" + method.getMethodName(), row, ResultTable::worse);
      }
    }

    private static String worse(String one, String other) {
      boolean isOther = other.startsWith("DIFFER") || one.startsWith("NA");
      return isOther && !one.startsWith("DIFFER") ? other : one;
    }

    private synchronized void write(Path table) throws IOException {
      StringBuilder text = new StringBuilder("class\ttest\toutcome\treason\n");
      rows.forEach((test, outcome) -> text.append(test).append('\t').append(outcome).append('\n'));
      Files.writeString(table, text);
    }

    @Override
    public String toString() {
      return count("PASS")
          + " pass, "
          + count("DIFFER")
          + " differ, "
          + count("NA")
          + " do not apply";
    }

    private long count(String outcome) {
      return rows.values().stream().filter(row -> row.startsWith(outcome)).count();
    }
  }

  /** The lines of the tests that it comes from. */
  private static String whereOf(TestExecutionResult result) {
    return result
        .getThrowable()
        .map(Throwable::getStackTrace)
        .map(
            lines ->
                Stream.of(lines)
                    .filter(line -> line.getClassName().contains("conformance"))
                    .map(line -> "\n  " + line)
                    .collect(Collectors.joining()))
        .orElse("");
  }

  private static String reasonOf(Throwable thrown) {
    String text = thrown.getMessage() == null ? "" : thrown.getMessage();
    String line = (thrown.getClass().getSimpleName() + ": " + text).strip().replaceAll("\\s+", " ");
    return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) : line;
  }
}
