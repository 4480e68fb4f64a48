// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.WcStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything that can be looked up has its page, made of tables and runs. */
@Execution(ExecutionMode.CONCURRENT)
final class LookUpTest {

  /** The pages of a folder, without its list of them. */
  private static List<String> pagesIn(String folder) {
    return MadeSite.FILES.keySet().stream()
        .filter(path -> path.startsWith(folder + "/") && !path.endsWith("/index.html"))
        .toList();
  }

  private static List<String> pagesOf(String folder, Stream<String> names) {
    return names.map(name -> folder + "/" + name.toLowerCase(Locale.ROOT) + ".html").toList();
  }

  private static List<String> pagesOf(String folder, Enum<?>[] constants) {
    return pagesOf(folder, Arrays.stream(constants).map(Enum::name));
  }

  /** The first cells of the rows of the tables of a page of the reference. */
  private static Stream<String> namesIn(String page) {
    return namesIn(page, null);
  }

  /** Names in a page, up to a heading. */
  private static Stream<String> namesIn(String page, String heading) {
    return SourceTree.lines(SourceTree.root().resolve("docs/reference/" + page)).stream()
        .takeWhile(line -> !line.equals(heading))
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(3, line.indexOf('`', 3)));
  }

  private static String page(String path) {
    return MadeSite.FILES.get(path);
  }

  @Test
  void everyStatusEventAndAttributeHasItsPage() {
    assertThat(pagesIn("statuses"))
        .containsExactlyInAnyOrderElementsOf(pagesOf("statuses", WcStatus.values()));
    assertThat(pagesIn("events"))
        .containsExactlyInAnyOrderElementsOf(pagesOf("events", EventType.values()));
    assertThat(pagesIn("attributes"))
        .containsExactlyInAnyOrderElementsOf(pagesOf("attributes", QpAttrMask.values()));
  }

  @Test
  void everyOpcodeHeaderAndVerbHasItsPage() {
    assertThat(pagesIn("opcodes"))
        .hasSize(85)
        .containsExactlyInAnyOrderElementsOf(pagesOf("opcodes", namesIn("opcodes.md")));
    assertThat(pagesIn("headers"))
        .hasSize(12 + 15)
        .containsExactlyInAnyOrderElementsOf(
            pagesOf(
                "headers",
                Stream.of("headers.md", "frames.md")
                    .flatMap(table -> namesIn(table, "## Fields"))));
    // Sixty have pages (VerbPagesTest), the others a row.
    assertThat(namesIn("verbs-coverage.md"))
        .hasSize(190 + 62)
        .allSatisfy(
            name -> assertThat(page("verbs/index.html")).contains("<code>" + name + "</code>"));
  }

  /**
   * From the headers of scenarios; the InfiniBand Architecture; and ibv_modify_qp(3): codes have 5
   * bits, counts 3, ports begin with 1.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          statuses/rem_access_err | href="../scenarios/nak-remote-access.html"
          statuses/rem_access_err | a.qp wr_id 1: REM_ACCESS_ERR (remote access error)
          statuses/rem_access_err | IBV_WC_REM_ACCESS_ERR
          statuses/tm_err | This device never reports it: tag matching is not offered
          events/qp_access_err | href="../scenarios/nak-remote-access.html"
          headers/aeth | +-+-+;   syndrome    ;                      MSN                      ;+-+-+
          headers/ipv4 | version;header;DSCP;ECN;total length;+-+-+;identification
          headers/reth | +-+-+;                        virtual address               ;...;R_Key
          opcodes/rc_rdma_write_only_with_imm | >0-11<;>BTH<;>12-27<;>RETH<
          opcodes/rc_rdma_write_only_with_imm | >RETH<;>28-31<;>IMM_DT<;>from 32<
          attributes/qkey | RESET to INIT;>UD<;>-<
          attributes/timeout | <td>EINVAL</td>;timeout=32
          attributes/timeout | href="../states/xrc-recv-rtr-to-rts.html"
          attributes/rnr_retry | <td>EINVAL</td>;rnr_retry=8
          attributes/port | <td>EINVAL</td>;port=0;<td>EINVAL</td>;port=9
          attributes/pkey_index | href="../scenarios/pkey-membership.html"
          verbs/ibv_modify_qp | <code>ibv_modify_qp</code>
          verbs/ibv_modify_qp | QueuePair.modify(QpAttr
          verbs/ibv_modify_qp | href="../scenarios/transitions-refused.html"
          reference/extended-posting | <code>ibv_wr_rdma_write_imm</code>
          reference/extended-posting | <code>setUdAddr</code>
          opcodes/rc_rdma_write_only | >A packet<;<div class="bytes">;<td>R_Key</td>
          opcodes/xrc_send_last_with_invalidate | ../scenarios/opcodes-xrc.html;<div class="bytes">
          """)
  void saysWhatIsKnown(String path, String texts) {
    assertThat(page(path + ".html")).containsSubsequence(texts.split(";"));
  }

  @Test
  void aPageSaysItsCauseOnce() {
    String statuses = "docs/reference/statuses.md";
    for (List<String> row : MarkdownTable.rows(statuses, "status", "seen by")) {
      String name = MarkdownTable.plain(row.get(0)).toLowerCase(Locale.ROOT);
      // As it stands in the text, without the description of the head.
      String cause = row.get(2).replaceAll("`.*", "").strip();
      String body = page("statuses/" + name + ".html").split("<main>", 2)[1];

      assertThat(body).as(name).containsOnlyOnce(cause);
    }
  }
}
