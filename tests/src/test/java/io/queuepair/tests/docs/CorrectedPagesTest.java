// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What pages once said wrongly, and say rightly now. Where the device shows it, a scenario or a
 * test compares that, too; where adapters differ from each other, only the page can say so.
 */
final class CorrectedPagesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scenarios/state-reset           | accepts ERR, as one of the documents allows
          scenarios/ud-grh                | Over IPv4, as here, there is no GRH
          scenarios/ud-grh                | bytes 0 to 19 are undefined
          scenarios/ud-grh                | Some adapters complete the receive in error
          scenarios/nak-invalid-request   | Some adapters answer REM_ACCESS_ERR to both
          scenarios/atomic-misaligned     | some adapters answer "remote access error"
          scenarios/credits               | a code of five bits
          scenarios/credits               | rounded down
          scenarios/ud-qkey               | this device has no such check
          scenarios/README                | send MigReq 0, as Linux Soft-RoCE does
          scenarios/xrc                   | has no queues
          tutorial/first-connection       | the port, the index of its P_Key
          tutorial/states-and-attributes  | top bit needs privilege
          reference/qp-state-machine      | with two additions from the documents
          reference/qp-state-machine      | RC and XRC never enter SQE
          reference/qp-state-machine      | The specification also allows SQD to SQE
          reference/coverage              | in SQD, as it may by the specification
          """)
  void saysWhatIsSo(String page, String isSo) throws Exception {
    String text =
        Files.readString(SourceTree.root().resolve("docs/" + page + ".md")).replaceAll("\\s+", " ");

    assertThat(text).contains(isSo);
  }
}
