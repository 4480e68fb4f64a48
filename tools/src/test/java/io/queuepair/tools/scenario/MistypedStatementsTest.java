// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tools.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Whatever is written, the answer is one sentence that names the file and the line. */
@Execution(ExecutionMode.CONCURRENT)
final class MistypedStatementsTest {
  private static final Pattern OBJECT = Pattern.compile("\\b[ab]\\.\\w+");

  /** Statements that create what {@link #STATEMENTS} name, each after those that it needs. */
  private static final List<String> BEFORE =
      List.of(
          "device a",
          "device b",
          "create_qp a.qp",
          "create_qp b.qp",
          "connect a.qp b.qp",
          "create_qp a.fresh",
          "create_qp b.fresh",
          "create_qp a.ud type=UD",
          "create_qp a.raw type=RAW_PACKET",
          "ready a.raw",
          "create_qp a.batch"
              + " send_ops=WITH_SEND|WITH_SEND_WITH_IMM|WITH_RDMA_WRITE|WITH_RDMA_READ",
          "create_qp b.batch",
          "connect a.batch b.batch",
          "wr_start a.batch",
          "create_qp a.idle send_ops=WITH_SEND",
          "create_comp_channel a.channel",
          "create_cq a.events channel=a.channel",
          "create_srq a.srq",
          "alloc_mw a.mw",
          "open_xrcd a.xrcd",
          "create_ah a.ah dgid=b.gid0",
          "create_flow a.flow qp=a.raw type=ALL_DEFAULT",
          "rdma_create_id b.listener",
          "rdma_bind_addr b.listener addr=b port=7471",
          "rdma_listen b.listener backlog=4",
          "rdma_create_id a.id");

  /** One of each kind, with all that can stand in it. */
  static final List<String> STATEMENTS =
      List.of(
          "alloc_mw a.mw2 pd=a.pd type=TYPE_2",
          "alloc_pd a.pd2",
          "attach_mcast a.ud gid=::ffff:239.1.2.3",
          "bind_mw a.qp wr_id=1 mw=a.mw mr=a.mr off=0 length=64 access=REMOTE_READ",
          "close_xrcd a.xrcd",
          "connect a.fresh b.fresh timeout=8 a.sq_psn=7",
          "create_ah a.ah2 pd=a.pd dgid=b.gid0",
          "create_comp_channel a.channel2",
          "create_cq a.cq2 cqe=4 channel=a.channel",
          "create_flow a.flow2 qp=a.raw type=MC_DEFAULT",
          "create_qp a.qp2 type=RC pd=a.pd scq=a.cq rcq=a.cq max_send_wr=4",
          "create_srq a.srq2 pd=a.pd max_wr=4 max_sge=1",
          "create_xrc_srq a.srq2 pd=a.pd cq=a.cq xrcd=a.xrcd max_wr=4",
          "create_xrc_target a.target xrcd=a.xrcd",
          "dealloc_mw a.mw",
          "dealloc_pd a.pd",
          "dereg_mr a.mr",
          "destroy_ah a.ah",
          "destroy_comp_channel a.channel",
          "destroy_cq a.cq",
          "destroy_flow a.flow",
          "destroy_qp a.qp",
          "destroy_srq a.srq",
          "detach_mcast a.ud gid=::ffff:239.1.2.3",
          "device c profile=soft-roce address=10.0.0.9 port2=10.0.1.9 pkeys=0xffff"
              + " with=AUTO_PATH_MIG",
          "drops a",
          "expect no packet",
          "fault drop 2nd RC_SEND_ONLY from a",
          "fill a.mr+8:16 0x5a",
          "get_async_event a",
          "get_cq_event a.channel",
          "modify_qp a.fresh state=INIT port=1 pkey_index=0 access=REMOTE_READ|REMOTE_WRITE",
          "modify_srq a.srq srq_limit=1",
          "open_xrcd a.xrcd2",
          "poll_cq a.cq 3",
          "port a 1 down",
          "post_recv a.qp wr_id=1 sge=a.mr:64 ; wr_id=2 sge=a.mr+64:64",
          "post_send a.qp wr_id=1 opcode=RDMA_WRITE sge=a.mr:8 remote=b.mr+16 flags=SIGNALED",
          "post_srq_recv a.srq wr_id=1 sge=a.mr:64",
          "query_gid a port=1 index=0",
          "query_pkey a port=1 index=0",
          "query_port a qkey_viol_cntr",
          "query_qp a.qp qp_state",
          "query_srq a.srq srq_limit",
          "rdma_accept a.id private_data=\"yes\" responder_resources=1",
          "rdma_bind_addr a.id addr=a port=7471",
          "rdma_connect a.id private_data=\"who\" initiator_depth=1",
          "rdma_create_id a.id2 ps=TCP",
          "rdma_create_qp a.id",
          "rdma_destroy_id a.id",
          "rdma_disconnect a.id",
          "rdma_establish a.id",
          "rdma_get_cm_event a",
          "rdma_join_multicast a.id addr=239.1.2.3 flag=FULLMEMBER",
          "rdma_leave_multicast a.id addr=239.1.2.3",
          "rdma_listen a.id backlog=4",
          "rdma_notify a.id",
          "rdma_reject a.id private_data=\"no\"",
          "rdma_resolve_addr a.id dst=b port=7471",
          "rdma_resolve_route a.id",
          "ready a.ud qkey=0x11 port=1",
          "reg_mr a.mr2 pd=a.pd length=64 fill=0 access=LOCAL_WRITE",
          "req_notify_cq a.cq solicited_only=1",
          "rereg_mr a.mr rflags=CHANGE_ACCESS access=LOCAL_WRITE",
          "resize_cq a.cq cqe=32",
          "run 5 events",
          "show a.mr+8:16",
          "wr_abort a.batch",
          "wr_complete a.batch",
          "wr_rdma_read a.batch wr_id=1 sge=a.mr:5 remote=b.mr",
          "wr_rdma_write a.batch wr_id=1 flags=SIGNALED sge=a.mr:5 remote=b.mr",
          "wr_send a.batch wr_id=1 sge=a.mr:5",
          "wr_send_imm a.batch wr_id=1 imm=0000002a sge=a.mr:5",
          "wr_start a.idle");

  @TempDir private Path folder;

  @Test
  void hasARowForEachKind() {
    String message = failure(List.of(), "nonsense").orElseThrow();
    String known = message.substring(message.lastIndexOf('[') + 1, message.lastIndexOf(']'));

    assertThat(
            STATEMENTS.stream().map(row -> row.replaceFirst(" .*", "")).collect(Collectors.toSet()))
        .isEqualTo(new TreeSet<>(List.of(known.split(", "))));
  }

  @ParameterizedTest
  @FieldSource("STATEMENTS")
  void areCarriedOutAsTheyStand(String statement) {
    assertThat(failure(neededBy(statement), statement)).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("STATEMENTS")
  void areAnsweredWithOneSentence(String statement) {
    List<String> before = neededBy(statement);
    for (String mutated : mutations(statement)) {
      failure(before, mutated)
          .ifPresent(
              message ->
                  assertThat(message)
                      .as(mutated)
                      .startsWith("it.md:" + (before.size() + 6) + ": ")
                      .doesNotContain("\n", "Exception", "java.", "null"));
    }
  }

  /** Statements without {@code name=value}, such as options, are not meant here. */
  @ParameterizedTest
  @FieldSource("STATEMENTS")
  void areRefusedWithAnUnknownOrDoubledArgument(String statement) {
    List<String> before = neededBy(statement);
    List<String> words = List.of(statement.split(" "));
    for (String word : words) {
      if (!word.contains("=") || words.contains("fault")) {
        continue;
      }
      String name = word.substring(0, word.indexOf('='));
      assertThat(failure(before, statement.replaceFirst(name + "=", "x" + name + "=")))
          .as("%s, mistyped %s", statement, name)
          .isPresent();
      assertThat(failure(before, statement.replace(word, word + " " + word)).orElse("accepted"))
          .as("%s, doubled %s", statement, name)
          .endsWith(name + "' is there twice");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          device a addres=10.0.0.1      | device: 'addres=10.0.0.1': it is written: device NAME [
          device a profile=soft         | device: 'soft' is no profile: standard, soft-roce
          device a pkeys=0x1ffff        | device: '131071' is not a number of pkeys from 0 to 65535
          device a with=MAGIC           | device: 'MAGIC' is no capability: [
          device a again                | device: it is written: device NAME [
          fault seed 1; seed 2          | fault: line 1, column 9: the seed is given twice
          create_flow a.f qp=a.ud       | create_flow: create_flow: 'type' is missing
          ready a.ud qkey.x=1           | ready: argument 'qkey.x': 'qkey' has no parts
          create_cq a.                  | create_cq: 'a.' is not an object of device a: a.NAME
          """)
  void namesTheLineInTheCommandAndInThePlayground(String statement, String message)
      throws IOException {
    boolean isFirst = !statement.contains("a.");
    List<String> before = isFirst ? List.of() : List.of("device a", "create_qp a.ud type=UD");
    int line = before.size() + 6;
    List<String> lines = scenario(before, statement);
    Path file = Files.write(folder.resolve("it.md"), lines);

    CommandRun run = CommandRun.of("scenario", file.toString());

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEmpty();
    assertThat(run.lines().get(0)).startsWith(file + ":" + line + ": " + message);
    assertThat(answerOfPlayground(lines)).startsWith("Line " + line + ": " + message);
  }

  private static String answerOfPlayground(List<String> lines) {
    try {
      return ScenarioPlayer.tried(lines, 1_000).end();
    } catch (CommandFailure refused) {
      return refused.getMessage();
    }
  }

  /** Each word missing, doubled, and mistyped in several ways. */
  private static Set<String> mutations(String statement) {
    String[] words = statement.split(" ");
    Set<String> mutated = new TreeSet<>();
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      int equals = word.indexOf('=');
      String name = word.substring(0, equals + 1);
      String value = word.substring(equals + 1);
      Consumer<String> add = replacing(words, i, mutated);
      Stream.of("", word + " " + word, word + "x").forEach(add);
      Stream.of("", value + ".x", "-1").forEach(wrong -> add.accept(name + wrong));
    }
    mutated.remove(statement);
    return mutated;
  }

  private static Consumer<String> replacing(String[] words, int place, Set<String> into) {
    return word -> {
      List<String> copy = new ArrayList<>(Arrays.asList(words));
      copy.set(place, word);
      String text = String.join(" ", copy).replaceAll(" +", " ").strip();
      if (!text.isEmpty()) {
        into.add(text);
      }
    };
  }

  private static List<String> scenario(List<String> before, String statement) {
    List<String> lines = new ArrayList<>(List.of("# Title", "", "Why.", "", "```commands"));
    lines.addAll(before);
    lines.add(statement);
    lines.add("```");
    return lines;
  }

  /** Statements about what a statement names, and about what those name. */
  private static List<String> neededBy(String statement) {
    Set<String> names = objectsIn(statement);
    List<String> needed = new ArrayList<>();
    for (int i = BEFORE.size() - 1; i >= 0; i--) {
      String earlier = BEFORE.get(i);
      Set<String> named = objectsIn(earlier);
      if (earlier.startsWith("device ") || !Collections.disjoint(names, named)) {
        needed.add(0, earlier);
        names.addAll(named);
      }
    }
    return needed;
  }

  private static Set<String> objectsIn(String statement) {
    return OBJECT.matcher(statement).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /** Why a run ends at the statement; empty if it does not. */
  private static Optional<String> failure(List<String> before, String statement) {
    ScenarioFile file = ScenarioFile.of(Path.of("it.md"), scenario(before, statement));
    try {
      return ScenarioRun.of(file, step -> {}, fabric -> fabric)
          .failure()
          .map(ScenarioException::getMessage);
    } catch (ScenarioException wrong) {
      return Optional.of(wrong.getMessage());
    }
  }
}
