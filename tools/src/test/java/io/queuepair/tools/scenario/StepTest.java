// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.CommandRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A run step by step, as text and as a page: nothing that happened is missing. */
final class StepTest {
  private static final List<String> LINES =
      List.of(
          "# One message & <two> devices",
          "",
          "A message that is refused once.",
          "",
          "```commands",
          "device a",
          "device b",
          "create_qp a.qp",
          "create_qp b.qp",
          "connect a.qp b.qp rnr_retry=0",
          "post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
          "run",
          "poll_cq a.cq",
          "```");

  @TempDir private Path folder;

  private String file() throws IOException {
    return Files.write(folder.resolve("it.md"), LINES).toString();
  }

  @Test
  void showsEveryQueuePairAndQueueAfterEachEvent() throws IOException {
    CommandRun run = CommandRun.of("scenario", "--step", file());

    assertThat(run.lines())
        .containsSubsequence(
            "[1/10] 0.000 us",
            "> device a",
            "    a.cq, completion queue cqe=64; completions: empty",
            "> connect a.qp b.qp rnr_retry=0",
            "      0.000 us  a.qp: RESET -> INIT",
            "      0.000 us  a.qp: INIT -> RTR",
            "      0.000 us  a.qp: RTR -> RTS",
            "      0.000 us  b.qp: RESET -> INIT",
            "> post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
            "  a.qp send queue + 1 SEND (started)",
            "      0.000 us  a ---> b  RC_SEND_ONLY qp=0x000011 psn=0 ackreq 5 bytes",
            "    a.qp, RC queue pair, RTS sq_psn=1 rq_psn=0; send queue: 1 SEND (started); receive"
                + " queue: empty",
            "> run",
            "[8/10] 1.000 us",
            "      1.000 us  a <--- b  RC_ACKNOWLEDGE qp=0x000011 psn=0 RNR NAK 0.64 ms msn=0",
            "[9/10] 2.000 us",
            "      2.000 us  a.qp: RTS -> ERR",
            "    a.cq, completion queue cqe=64; completions: 1 RNR_RETRY_EXC_ERR",
            "    a.qp, RC queue pair, ERR sq_psn=0 rq_psn=0; send queue: empty; receive queue:"
                + " empty",
            "> poll_cq a.cq",
            "  a.cq completions - 1 RNR_RETRY_EXC_ERR");
  }

  /** The two ends of an XRC connection share no receive queue, and a target sends nothing. */
  @Test
  void showsOnlyQueuesThatThereAre() throws IOException {
    List<String> lines =
        List.of(
            "# XRC",
            "",
            "What each end has.",
            "",
            "```commands",
            "device a",
            "device b",
            "open_xrcd b.xrcd",
            "create_xrc_srq b.srq xrcd=b.xrcd",
            "create_xrc_target b.target xrcd=b.xrcd",
            "create_qp a.qp type=XRC_SEND",
            "create_srq b.srq2 max_wr=8",
            "create_qp b.on_srq srq=b.srq2",
            "```");
    Path file = Files.write(folder.resolve("xrc.md"), lines);

    assertThat(CommandRun.of("scenario", "--step", file.toString()).lines())
        .contains(
            "    a.qp, XRC_SEND queue pair, RESET sq_psn=0 rq_psn=0; send queue: empty",
            "    b.target, XRC_RECV queue pair, RESET sq_psn=0 rq_psn=0",
            "    b.on_srq, RC queue pair, RESET sq_psn=0 rq_psn=0; send queue: empty",
            "    b.srq, shared receive queue srq_limit=0; receive queue: empty");
  }

  @Test
  void thePageIsWellFormedAndHasEveryEvent()
      throws IOException, ParserConfigurationException, SAXException {
    Path page = folder.resolve("it.html");

    CommandRun.of("scenario", "--html", page.toString(), file());

    Document document = parse(Files.readString(page));
    List<Element> moments =
        elements(document, "g").filter(g -> g.getAttribute("class").equals("moment")).toList();
    assertThat(moments.stream().map(g -> g.getAttribute("data-moment")))
        .containsExactlyElementsOf(IntStream.range(0, 10).mapToObj(String::valueOf).toList());
    assertThat(elements(document, "text").map(Element::getTextContent))
        .contains(
            "> device a",
            "> post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
            "RC_SEND_ONLY",
            "qp=0x000011 psn=0 ackreq 5 bytes",
            "RC_ACKNOWLEDGE",
            "qp=0x000011 psn=0 RNR NAK 0.64 ms msn=0",
            "a.qp: RESET \u2192 INIT",
            "a.qp: INIT \u2192 RTR",
            "a.qp: RTS \u2192 ERR",
            "a.qp wr_id 1: RNR_RETRY_EXC_ERR (RNR retry counter exceeded)");
    assertThat(elements(document, "h1").map(Element::getTextContent))
        .containsExactly("One message & <two> devices");
    assertThat(elements(document, "script").filter(s -> s.hasAttribute("id")))
        .singleElement()
        .satisfies(
            script ->
                assertThat(script.getTextContent())
                    .contains("\"state\":\"ERR\"", "1 RNR_RETRY_EXC_ERR"));
  }

  private static Document parse(String page)
      throws ParserConfigurationException, SAXException, IOException {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  private static Stream<Element> elements(Document document, String tag) {
    NodeList found = document.getElementsByTagName(tag);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
  }

  @Test
  void stepsThroughOneScenarioOnly() throws IOException {
    CommandRun run = CommandRun.of("scenario", "--step", file(), file());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--step, --html and --pcap take one scenario, not 2");
  }
}
