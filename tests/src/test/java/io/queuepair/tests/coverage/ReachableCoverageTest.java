// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.TsvTable;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.verbs.DeviceCapFlag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Parts that devices can cover are those that the documents list. */
final class ReachableCoverageTest {
  private static final Coverage STANDARD = of(DeviceProfile.standard());

  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/coverage.md", ReachableCoverageTest.class);

  private static Coverage of(DeviceProfile profile) {
    try (Emulator emulator = Emulator.inMemory()) {
      emulator.addDevice(profile, "10.0.0.1");
      return emulator.coverage();
    }
  }

  /**
   * The list of ibv_poll_cq(3), {@code enum ibv_wc_status}, without those that are for reliable
   * datagrams alone (3, 14, 16, 17, 18), for tag matching (22, 23), and for what no rule leads to
   * (19 to 21). 15 answers NAK code 4, which is for RD too, but any peer may send it.
   */
  @Test
  void statusesAreThoseOfTheServicesOffered() {
    assertThat(String.join(" ", STANDARD.possible(CoverageGroup.STATUS)))
        .isEqualTo(
            "SUCCESS LOC_LEN_ERR LOC_QP_OP_ERR LOC_PROT_ERR WR_FLUSH_ERR MW_BIND_ERR"
                + " BAD_RESP_ERR LOC_ACCESS_ERR REM_INV_REQ_ERR REM_ACCESS_ERR REM_OP_ERR"
                + " RETRY_EXC_ERR RNR_RETRY_EXC_ERR REM_INV_RD_REQ_ERR");
    assertThat(STANDARD.unreachable(CoverageGroup.STATUS)).hasSize(10);
  }

  /** ibv_get_async_event(3), without what subnet managers and work queues are for. */
  @Test
  void eventsAreThoseOfARoceDevice() {
    assertThat(String.join(" ", STANDARD.possible(CoverageGroup.EVENT)))
        .isEqualTo(
            "CQ_ERR QP_FATAL QP_REQ_ERR QP_ACCESS_ERR COMM_EST SQ_DRAINED PATH_MIG"
                + " PATH_MIG_ERR DEVICE_FATAL PORT_ACTIVE PORT_ERR PKEY_CHANGE SRQ_LIMIT_REACHED"
                + " QP_LAST_WQE_REACHED GID_CHANGE WQ_FATAL");
  }

  /** The rows of {@code qp_state_table}, ERR from any state, and SQE for what the documents say. */
  @Test
  void transitionsAreThoseOfTheTableThatStartSomewhereReachable() {
    List<String> expected = new ArrayList<>();
    List<String> withSqe = List.of("UC", "UD", "RAW_PACKET");
    for (String[] row : TsvTable.rows(TsvTable.class, "qp_transitions.tsv")) {
      if (!row[1].equals("SQE") || withSqe.contains(row[0])) {
        expected.add(row[0] + " " + row[1] + " -> " + row[2]);
      }
    }
    for (String type : List.of("RC", "UC", "UD", "RAW_PACKET", "XRC_SEND", "XRC_RECV")) {
      expected.add(type + " RESET -> ERR");
    }
    withSqe.forEach(type -> expected.add(type + " RTS -> SQE"));

    assertThat(STANDARD.possible(CoverageGroup.TRANSITION))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void statesAreSixAndSqeOfThreeTypes() {
    assertThat(STANDARD.possible(CoverageGroup.STATE))
        .hasSize(6 * 6 + 3)
        .contains("UC SQE", "UD SQE", "RAW_PACKET SQE", "XRC_RECV SQD")
        .doesNotContain("RC SQE", "XRC_SEND SQE", "XRC_RECV SQE", "RC UNKNOWN", "DRIVER RESET");
  }

  /** 25 opcodes of RC, 12 of UC, 2 of UD, 23 of XRC (annexes A14 and A19). */
  @Test
  void opcodesAreThoseOfTheServicesOffered() {
    List<String> sent = STANDARD.possible(CoverageGroup.OPCODE_SENT);

    assertThat(sent).hasSize(25 + 12 + 2 + 23);
    assertThat(sent).noneMatch(name -> name.startsWith("RD_") || name.equals("CNP"));
    assertThat(STANDARD.possible(CoverageGroup.OPCODE_RECEIVED)).isEqualTo(sent);
  }

  /** Table of NAK codes: 0 to 3 and RNR are for RC; whatever comes from a peer can be received. */
  @Test
  void naksSentAreThoseOfReliableConnections() {
    assertThat(String.join(" ", STANDARD.possible(CoverageGroup.NAK_SENT)))
        .isEqualTo(
            "RNR_NAK PSN_SEQUENCE_ERROR INVALID_REQUEST REMOTE_ACCESS_ERROR"
                + " REMOTE_OPERATIONAL_ERROR");
    assertThat(STANDARD.unreachable(CoverageGroup.NAK_RECEIVED)).isEmpty();
  }

  @Test
  void whatAProfileLacksItNeverMeets() {
    Coverage plain =
        of(
            DeviceProfile.standard()
                .without(DeviceCapFlag.XRC)
                .without(DeviceCapFlag.AUTO_PATH_MIG));

    assertThat(plain.unreachable(CoverageGroup.STATE))
        .containsKeys("XRC_SEND RTS", "XRC_RECV RESET");
    assertThat(plain.unreachable(CoverageGroup.OPCODE_SENT)).containsKey("XRC_SEND_ONLY");
    assertThat(plain.unreachable(CoverageGroup.EVENT)).containsKeys("PATH_MIG", "PATH_MIG_ERR");
  }

  /** Linux rxe raises these three of queues, and those of ports and devices. */
  @Test
  void softRoceRaisesFewEventsAndHasNoRawPackets() {
    Coverage softRoce = of(DeviceProfile.softRoce());

    assertThat(String.join(" ", softRoce.possible(CoverageGroup.EVENT)))
        .isEqualTo(
            "CQ_ERR SQ_DRAINED DEVICE_FATAL PORT_ACTIVE PORT_ERR PKEY_CHANGE"
                + " SRQ_LIMIT_REACHED GID_CHANGE");
    assertThat(softRoce.unreachable(CoverageGroup.STATE)).containsKey("RAW_PACKET RESET");
  }

  @Test
  void everythingNeverMetHasAReason() {
    for (CoverageGroup group : CoverageGroup.values()) {
      assertThat(STANDARD.unreachable(group).values()).as(group.text()).noneMatch(String::isBlank);
    }
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(CoveragePage.of(STANDARD, of(DeviceProfile.softRoce()), PAGE.command()));
  }

  /** The page that lists what devices can cover, and what they cannot, with the reason. */
  private static final class CoveragePage {
    private static final String HEAD =
        """
        # What a run can cover

        Devices count the states, transitions, opcodes, NAK codes, completion statuses, asynchronous
        events, checks and drop reasons that they cover ([how to see it](../coverage.md)). This
        page lists what those of the default profile can meet, and what they never meet, and why.
        Soft-RoCE follows, as far as it differs. The tests of the project, together, meet all that
        the default profile can; a test checks that.

        Generated by `%s`.
        """;

    private static final int MANY = 10;

    private CoveragePage() {}

    static String of(Coverage standard, Coverage softRoce, String command) {
      List<String> lines = new ArrayList<>(HEAD.formatted(command).lines().toList());
      lines.add("");
      lines.add("| what | possible | never |");
      lines.add("|---|---|---|");
      for (CoverageGroup group : CoverageGroup.values()) {
        int possible = standard.possible(group).size();
        int never = standard.unreachable(group).size();
        lines.add("| " + group.text() + " | " + possible + " | " + never + " |");
      }
      for (CoverageGroup group : CoverageGroup.values()) {
        addGroup(standard, group, lines);
      }
      lines.add("");
      lines.add("## Soft-RoCE");
      lines.add("");
      lines.add("What these devices never meet besides.");
      for (CoverageGroup group : CoverageGroup.values()) {
        Map<String, String> more = new LinkedHashMap<>(softRoce.unreachable(group));
        more.keySet().removeAll(standard.unreachable(group).keySet());
        addReasons(group.text(), more, lines);
      }
      return String.join("\n", lines) + "\n";
    }

    private static void addGroup(Coverage standard, CoverageGroup group, List<String> lines) {
      lines.add("");
      String text = group.text();
      lines.add("## " + text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1));
      lines.add("");
      lines.add(names(standard.possible(group)) + ".");
      addReasons("Never", standard.unreachable(group), lines);
    }

    /** A table with one row for each reason. */
    private static void addReasons(String heading, Map<String, String> never, List<String> lines) {
      if (never.isEmpty()) {
        return;
      }
      Map<String, List<String>> byReason = new LinkedHashMap<>();
      never.forEach(
          (name, reason) -> byReason.computeIfAbsent(reason, none -> new ArrayList<>()).add(name));
      lines.add("");
      lines.add("| " + heading + " | because |");
      lines.add("|---|---|");
      byReason.forEach((reason, names) -> lines.add("| " + some(names) + " | " + reason + " |"));
    }

    /** Long lists are cut: the reason says what is in them. */
    private static String some(List<String> names) {
      int shown = 5;
      int cut = names.size() - shown;
      return cut < MANY ? names(names) : names(names.subList(0, shown)) + " and " + cut + " more";
    }

    private static String names(List<String> names) {
      StringJoiner text = new StringJoiner(", ");
      names.forEach(name -> text.add("`" + name + "`"));
      return text.toString();
    }
  }
}
