// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How many classes one has to look into to follow a request, as {@link TracingLoader} sees it. */
final class WalksTest {
  private static final int MAX_SEND = 60;
  private static final int MAX_ARRIVAL = 25;
  private static final int MAX_MODIFY = 20;

  private static final Pattern FIRST_SENTENCE =
      Pattern.compile(
          "/\\*\\*(.*?\\.)(?:\\s|$).*?^[a-z ]*(?:class|record|enum|interface) ",
          Pattern.DOTALL | Pattern.MULTILINE);

  private static Map<String, Collection<Class<?>>> walks;

  @BeforeAll
  @SuppressWarnings("unchecked") // What reflection returns.
  static void take() throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader tracing = new TracingLoader();
    thread.setContextClassLoader(tracing);
    try {
      walks =
          (Map<String, Collection<Class<?>>>)
              tracing.loadClass(TracedWalks.class.getName()).getMethod("take").invoke(null);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void aSendAndItsAcknowledgementStayWithinTheirLimit() {
    assertThat(classes("send")).hasSizeBetween(20, MAX_SEND);
  }

  @Test
  void anArrivingPacketStaysWithinItsLimit() {
    assertThat(arrival()).hasSizeBetween(10, MAX_ARRIVAL);
  }

  @Test
  void modifyQpStaysWithinItsLimit() {
    assertThat(classes("modify")).hasSizeBetween(5, MAX_MODIFY);
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Three walks through the code\n\n")
        .append("The classes of the emulator that are entered, in the order of their first entry. ")
        .append("Classes\nof which only accessors are called are left out.\n");
    append(page, "A SEND and its acknowledgement, in memory", classes("send"));
    append(page, "A packet that arrives", arrival());
    append(page, "modify_qp", classes("modify"));
    GeneratedPage.byTest("docs/reference/walks.md", WalksTest.class).check(page.toString());
  }

  private static List<Class<?>> classes(String walk) {
    return walks.get(walk).stream()
        .filter(entered -> entered.getName().startsWith("io.queuepair.emulator."))
        .toList();
  }

  /** From the device's port until something is sent in return. */
  private static List<Class<?>> arrival() {
    List<Class<?>> entered = classes("arrival");
    List<String> names = entered.stream().map(Class::getSimpleName).toList();
    return entered.subList(names.indexOf("PortStation"), names.indexOf("TxPaths"));
  }

  private static void append(StringBuilder page, String title, List<Class<?>> classes) {
    page.append("\n## ")
        .append(title)
        .append("\n\n")
        .append(classes.size())
        .append(" classes.\n\n");
    for (Class<?> entered : classes) {
      String name = entered.getName().replace("io.queuepair.emulator.", "").replace('.', '/');
      page.append("1. `").append(name).append("`: ").append(sentence(entered)).append('\n');
    }
  }

  private static String sentence(Class<?> entered) {
    Path file =
        SourceTree.root()
            .resolve("emulator-core/src/main/java")
            .resolve(entered.getName().replace('.', '/') + ".java");
    Matcher comment = FIRST_SENTENCE.matcher(String.join("\n", SourceTree.lines(file)));
    if (!comment.find()) {
      return "";
    }
    return comment
        .group(1)
        .replaceAll("\\n ?\\*? ?", " ")
        .replaceAll("\\{@(?:link|code)(?:plain)? #?([^} ]*)(?: ([^}]*))?}", "`$1`")
        .strip();
  }
}
