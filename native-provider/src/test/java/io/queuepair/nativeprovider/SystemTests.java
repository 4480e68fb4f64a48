// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests that need a device, where the JVM has one by a preloaded library. */
final class SystemTests {
  private SystemTests() {}

  public static void main(String[] args) {
    SummaryGeneratingListener results = new SummaryGeneratingListener();
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
            .selectors(selectClass(NativeAllocationTest.class))
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
