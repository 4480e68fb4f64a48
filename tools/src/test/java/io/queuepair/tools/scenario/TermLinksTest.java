// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Terms of the glossary become links, each page once in a step. */
final class TermLinksTest {
  private final TermLinks terms =
      new TermLinks(Map.of("NAK", "nak.html", "RNR NAK", "rnr.html", "queue pair", "qp.html"));
  private TermLinks.Links step;

  @BeforeEach
  void begin() {
    step = terms.begin();
  }

  private static String link(String page, String text) {
    return "<a class=\"term\" href=\"" + page + "\">" + text + "</a>";
  }

  @Test
  void linksATermAndItsPluralOnce() {
    assertThat(step.of("a NAK to both queue pairs"))
        .isEqualTo("a " + link("nak.html", "NAK") + " to both " + link("qp.html", "queue pairs"));
    assertThat(step.of("another NAK")).isEqualTo("another NAK");
    assertThat(terms.begin().of("NAK")).isEqualTo(link("nak.html", "NAK"));
  }

  @Test
  void takesTheLongestTerm() {
    assertThat(step.of("RNR NAK")).isEqualTo(link("rnr.html", "RNR NAK"));
  }

  @Test
  void linksWholeWordsOnly() {
    assertThat(step.of("SNAKE, NAK-like, xNAK")).isEqualTo("SNAKE, NAK-like, xNAK");
  }

  @Test
  void escapesWhatIsNoTerm() {
    assertThat(step.of("<b> & a NAK")).isEqualTo("&lt;b&gt; &amp; a " + link("nak.html", "NAK"));
  }

  @Test
  void withoutTermsATextIsEscapedOnly() {
    assertThat(new TermLinks(Map.of()).begin().of("a < b")).isEqualTo("a &lt; b");
  }
}
