// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A run step by step, as text and as a page: nothing that happened is missing. */
@Execution(ExecutionMode.CONCURRENT)
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
          "# There is no receive, and there",
          "# are no retries.",
          "run",
          "poll_cq a.cq",
          "```");

  /** The classes of the two drawings of a run. */
  private static final List<String> LAYOUTS = List.of("on-wide", "on-narrow");

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
            "      0.000 us  b.qp: RESET -> INIT",
            "      0.000 us  a.qp: INIT -> RTR",
            "      0.000 us  b.qp: INIT -> RTR",
            "      0.000 us  a.qp: RTR -> RTS",
            "> post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
            "  a.qp send queue + 1 SEND (started)",
            "      0.000 us  a ---> b  RC_SEND_ONLY qp=0x000011 psn=0 ackreq 5 bytes",
            "    a.qp, RC queue pair, RTS sq_psn=1 rq_psn=0; send queue: 1 SEND (started); receive"
                + " queue: empty",
            "# There is no receive, and there are no retries.",
            "> run",
            "[8/10] 1.000 us",
            "      1.000 us  a <--- b  RC_ACKNOWLEDGE qp=0x000011 psn=0 RNR NAK 0.64 ms msn=0",
            "[9/10] 2.000 us",
            "      2.000 us  a.qp: RTS -> ERR",
            "    a.cq, completion queue cqe=64; completions: 1 RNR_RETRY_EXC_ERR",
            "    a.qp, RC queue pair, ERR sq_psn=1 rq_psn=0; send queue: empty; receive queue:"
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

  /** AssertJ's subsequence takes seconds for a page. */
  private static void assertInOrder(String text, String... parts) {
    int from = 0;
    for (String part : parts) {
      int found = text.indexOf(part, from);
      assertThat(found).as(part).isNotNegative();
      from = found + part.length();
    }
  }

  private String page(String scenario) throws IOException {
    Path page = folder.resolve(scenario + ".html");
    Path source = SourceTree.root().resolve("docs/scenarios/" + scenario + ".md");
    CommandRun.of("scenario", "--html", page.toString(), source.toString());
    return Files.readString(page);
  }

  private static String drawing(String page, String layout) {
    int begin = page.indexOf("class=\"run " + layout + "\"");
    return page.substring(begin, page.indexOf("</svg>", begin));
  }

  @Test
  void messagesOfTheConnectionManagerHaveTheirNames() throws IOException {
    String page = page("cm-connect");

    assertThat(page)
        .contains(
            "\u00b5s: a sends CM REQ to b: UD_SEND_ONLY qp=0x000001 psn=0",
            "<span>1.000 \u00b5s: CM REQ arrives at b</span>");
    for (String layout : LAYOUTS) {
      assertThat(drawing(page, layout))
          .contains(">CM REQ</text>", ">CM REP</text>", ">CM RTU</text>")
          .doesNotContain("UD_SEND_ONLY");
    }
  }

  /** The receiver has Q_Key 0x1111, the datagram that is sent at 0 us has 0x2222. */
  @Test
  void anArrowOfAPacketThatIsDroppedEndsInACross() throws IOException {
    String page = page("ud-qkey");

    assertThat(page)
        .contains(
            "<span>1.000 \u00b5s: b drops UD_SEND_ONLY psn=0: The Q_Key is not the one of the"
                + " QP. It has 0x00002222, the QP 0x00001111.</span>",
            "<span>2.000 \u00b5s: UD_SEND_ONLY psn=1 arrives at b</span>");
    for (String layout : LAYOUTS) {
      assertThat(drawing(page, layout))
          .containsOnlyOnce("class=\"arrow lost\"")
          .containsOnlyOnce("<path class=\"arrow\"");
    }
  }

  /**
   * rnr-nak: the RNR timer code of b stands for 0.64 ms. retry-exceeded: TIMEOUT is 10, 4.096 us *
   * 2^10. lost-read-response: of 4096 bytes at 0x100000000 the response with those from 1024 on is
   * lost, so the second request is for the rest. memory-window: 512 bytes from 1024 on, of a region
   * at 0x100003000.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          rnr-nak | 2.000 \u00b5s: a.qp: waits 0.64 ms for the receiver, until 642.000 \u00b5s
          rnr-nak | 642.000 \u00b5s: a.qp: the RNR timer expires
          rnr-nak | 642.000 \u00b5s: a sends RC_SEND_ONLY to b, sent again (retry 1): qp=
          rnr-nak | >RC_SEND_ONLY, sent again (retry 1)</text>
          rnr-nak | "toSend":[[0,8,"
          rnr-nak | "toReceive":[[0,64,"
          rnr-nak | data-names="a a.qp b b.qp"
          rnr-nak | data-kinds="packet retry timer"
          retry-exceeded | 4194.304 \u00b5s: a.qp: the ACK timeout expires, no answer has come
          retry-exceeded | 8388.608 \u00b5s: a.qp: the ACK timeout expires, no answer has come
          retry-exceeded | >RC_RDMA_WRITE_ONLY, sent again (retry 2)</text>
          flush-order | class="change flush"
          flush-order | a.qp, flushed: receive queue - 10, 11
          fence | <span>b.mr+0:3 = &quot;new&quot;</span>
          fence | <span>a.mr+0:3 = &quot;old&quot;</span>
          fence | b.mr: memory region, 8192 bytes from 0x100000000, R_Key 0x00000101, LOCAL_WRITE
          lost-read-response | <span>b.mr+0:4096 is read</span>
          lost-read-response | <span>b.mr+1024:3072 is read</span>
          lost-read-response | "read":[[1024,3072,"
          lost-read-response | "toReceive":[[0,4096,"
          memory-window | <span>b.window: memory window, not bound</span>
          memory-window | <span>b.window: memory window, 512 bytes from 0x100003400, R_Key 0x
          """)
  void saysWhatHappens(String scenario, String text) throws IOException {
    assertThat(page(scenario)).contains(text);
  }

  @Test
  void saysNothingOfMemoryThatIsNotReadOrSent() throws IOException {
    assertThat(page("atomic-lost-ack")).containsOnlyOnce("<span>b.mr+0:8 is read</span>");
    assertThat(page("nak-invalid-request")).doesNotContain("is read");
    assertThat(page("lost-read-response")).doesNotContain("\"toSend\":[[");
  }

  /**
   * BTH: opcode 0x11, P_Key 0xffff, queue pair 0x11, PSN 0. AETH: 001 in the upper three bits of
   * the syndrome is an RNR NAK, 12 in the lower five stands for 0.64 ms.
   */
  @Test
  void namesTheFieldsOfAPacketWithTheirBytes() throws IOException {
    String page = page("rnr-nak");

    assertInOrder(
        page,
        "the 20 bytes of RC_ACKNOWLEDGE psn=0",
        row("0", "11", "opcode", "RC_ACKNOWLEDGE"),
        row("2-3", "ff ff", "P_Key", "0xffff"),
        row("5-7", "00 00 11", "DestQP", "17"),
        row("0", "2c", "syndrome", "RNR NAK 0.64 ms"),
        row("1-3", "00 00 00", "MSN", "0"));
    assertThat(page).containsOnlyOnce("<td>AETH</td><td>MSN</td>");
  }

  private static String row(String place, String hex, String field, String value) {
    return "<td>%s</td><td><code>%s</code></td><td>%s</td><td>%s</td>"
        .formatted(place, hex, field, value);
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
        .containsExactlyElementsOf(
            IntStream.range(0, 20).mapToObj(number -> String.valueOf(number % 10)).toList());
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

  /** The acknowledgement of a receiver that is not ready is an RNR NAK. */
  private String unexpected() throws IOException {
    List<String> lines = new ArrayList<>(LINES);
    lines.addAll(lines.indexOf("run"), List.of("expect packet RC_SEND_ONLY", "expect packet ACK"));
    return Files.write(folder.resolve("unexpected.md"), lines).toString();
  }

  @Test
  void showsWhereAndWhyARunStops() throws IOException {
    CommandRun run = CommandRun.of("scenario", "--step", unexpected());

    String reason =
        "expect: the next packet is from=b RC_ACKNOWLEDGE qp=0x000011 psn=0 RNR NAK 0.64 ms msn=0;"
            + " expected is ACK";
    assertThat(run.exitCode()).isOne();
    assertThat(run.lines())
        .containsSubsequence(
            "> expect packet ACK",
            "  the run stops here, line 15: " + reason,
            folder.resolve("unexpected.md") + ":15: " + reason,
            "scenarios=1 agree=0 differ=1")
        .doesNotContain("> poll_cq a.cq");
  }

  @Test
  void thePageShowsWhereAndWhyARunStops() throws IOException {
    Path page = folder.resolve("unexpected.html");

    assertThat(CommandRun.of("scenario", "--html", page.toString(), unexpected()).exitCode())
        .isOne();

    String text = Files.readString(page);
    assertInOrder(
        text,
        "class=\"note failed\"",
        "<code>expect packet ACK</code>",
        "data-kinds=\"failure\"",
        "<span class=\"failure\">the run stops here, line 15: expect: the next packet is");
    assertThat(text).doesNotContain("<code>poll_cq a.cq</code>");
  }

  @Test
  void stepsThroughOneScenarioOnly() throws IOException {
    CommandRun run = CommandRun.of("scenario", "--step", file(), file());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--step, --html and --pcap take one scenario, not 2");
  }
}
