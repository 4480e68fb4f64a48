// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests that need a device, where the JVM has one by a preloaded library. */
final class SystemTests {
  private SystemTests() {}

  /** The totals; what is skipped is printed with its reason. */
  private static final class Results extends SummaryGeneratingListener {
    private static void printSkipped(TestIdentifier test, String reason) {
      System.out.println("skipped " + test.getDisplayName() + ": " + reason);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      super.executionSkipped(test, reason);
      printSkipped(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      super.executionFinished(test, result);
      if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
        printSkipped(test, result.getThrowable().map(Throwable::getMessage).orElse(""));
      }
    }
  }

  public static void main(String[] args) {
    Results results = new Results();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(NativeRdmaCmTest.class))
            .selectors(selectClass(NativeEventChannelTest.class))
            .selectors(selectClass(NativeConnectionTypesTest.class))
            .selectors(selectClass(NativeDataPathTest.class))
            .selectors(selectClass(NativeFlowTest.class))
            .selectors(selectClass(NativeFlushTest.class))
            .selectors(selectClass(NativeListenerTest.class))
            .selectors(selectClass(NativeDmaBufferTest.class))
            .selectors(selectClass(NativeArgumentsTest.class))
            .selectors(selectClass(NativeAllocationTest.class))
            // By name: a listener for events stays with the context that all ids share, and
            // NativeListenerTest adds one, after which no other test can take events.
            .configurationParameter(
                ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME, ClassOrderer.ClassName.class.getName())
            .build();
    LauncherFactory.create().execute(request, results);
    TestExecutionSummary summary = results.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 6);
    System.out.println(
        summary.getTestsSucceededCount()
            + " pass, "
            + summary.getTestsFailedCount()
            + " fail, "
            + (summary.getTestsAbortedCount() + summary.getTestsSkippedCount())
            + " skipped");
    System.exit(summary.getTestsFailedCount() == 0 ? 0 : 1);
  }
}
