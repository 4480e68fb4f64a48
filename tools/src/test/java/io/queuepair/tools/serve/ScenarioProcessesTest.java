// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.site.Site;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A scenario of anyone runs in a process that can only take so much. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("processes")
final class ScenarioProcessesTest {
  private static final UntrustedRuns RUNS = new ScenarioProcesses(Duration.ofMinutes(2));

  private static String scenario(String commands) {
    String devices = "device a\ndevice b\ncreate_qp a.qp\ncreate_qp b.qp\n";
    return "# T\n\nText.\n\n```commands\n" + devices + commands + "\n```\n";
  }

  @Test
  void answersWithThePlayerAndAFileThatExpectsWhatHappened() {
    RunAnswer answer = RUNS.run(PlaygroundPage.read("first.md"));

    assertThat(answer.error()).isEmpty();
    assertThat(answer.page()).contains("<h1>Two messages</h1>", "id=\"moments\"");
    // The first message has PSN 0, as connect sets sq_psn.
    assertThat(answer.file())
        .contains("```expected\n", "a ---> b  RC_SEND_ONLY qp=0x000011 psn=0 ackreq 8 bytes\n");
  }

  @Test
  void showsTheRunUpToTheLineThatIsWrong() {
    RunAnswer answer = RUNS.run(scenario("connect a.qp b.qp\nfrobnicate\npoll_cq a.cq"));

    assertThat(answer.page())
        .contains(
            "<p role=\"alert\">Line 11: frobnicate: there is no such statement",
            "<code>connect a.qp b.qp</code>")
        .doesNotContain("<code>poll_cq a.cq</code>");
  }

  /** A test that is edited, and a wrong Q_Key: the exercise is run, and not the text. */
  @Test
  void gradesAnAnswerToAnExercise() {
    String text =
        Site.exercise("datagram")
            .orElseThrow()
            .replace("remote_qkey=???", "remote_qkey=0x1111")
            .replace("b.cq wr_id=20 status=SUCCESS byte_len=???", "b.cq none");

    assertThat(RUNS.run(PlaygroundProcess.answer("datagram", text)).page())
        .contains("<div role=\"status\">\n<ul>\n<li>Your answer: 0 of 4</li>\n")
        .contains("remote_qkey=???: then this fails: expect completion b.cq wr_id=20")
        .contains("hint: Whose Q_Key does a datagram have to carry");
    assertThat(RUNS.run(PlaygroundProcess.answer("datagram", "# T\n")).error())
        .contains("it has no block of commands");
  }

  @Test
  void saysWhyATextIsNoScenario() {
    assertThat(RUNS.run("").error())
        .isEqualTo("Line 1: the first line is not '# ' and the title of the scenario");
  }

  @Test
  void endsARunThatIsTooLong() {
    // With rnr_retry 7 a requester asks for ever.
    String scenario = "connect a.qp b.qp\npost_send a.qp wr_id=1 opcode=SEND sge=a.mr:8\nrun";

    assertThat(RUNS.run(scenario(scenario)).page())
        .contains("Line 12: the run takes more than 1000 steps; qp0: ")
        .contains("RNR_RETRY is 7, without limit")
        .contains(". This is the run up to there.");
  }

  @Test
  void endsARunThatTakesTooMuchTime() {
    assertThat(new ScenarioProcesses(Duration.ZERO).run(scenario("run")).error())
        .isEqualTo("The run took more than 0 s and was ended");
  }

  @Test
  void endsARunThatTakesTooMuchMemory() {
    String regions =
        IntStream.range(0, 50)
            .mapToObj(i -> "reg_mr a.region" + i + " length=200000000")
            .collect(Collectors.joining("\n"));

    assertThat(RUNS.run(scenario(regions)).error())
        .isEqualTo("The run needs more memory than 128 MiB");
  }

  @Test
  void whatIsWrittenIsNeverMarkup() {
    String hostile = "\"><script>alert(1)</script></textarea>@MOMENTS@";
    String text =
        "# T "
            + hostile
            + "\n\n@DIAGRAM@ "
            + hostile
            + "\n\n```commands\ndevice a\nfill a.mr \"<script>x</script>@TOP@\"\n```\n";

    RunAnswer answer = RUNS.run(text);

    assertThat(answer.error()).isEmpty();
    assertThat(answer.page())
        .contains("@DIAGRAM@", "&lt;script&gt;alert(1)&lt;/script&gt;&lt;/textarea&gt;@MOMENTS@")
        .doesNotContain("<script>alert", "<script>x");
    assertThat(PlaygroundPage.failed("", text, hostile)).doesNotContain("<script>");
  }

  @Test
  void refusesMoreRunsAtOnceThanAllowed() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    UntrustedRuns slow =
        text -> {
          started.countDown();
          await(end);
          return new RunAnswer("", "page", "file");
        };
    LimitedRuns runs = new LimitedRuns(slow, 1);
    CompletableFuture<RunAnswer> first = CompletableFuture.supplyAsync(() -> runs.run("first"));
    await(started);

    assertThat(runs.run("second").error())
        .isEqualTo("1 scenarios are being run already; try again");
    end.countDown();
    assertThat(first.join().page()).isEqualTo("page");
    assertThat(runs.run("third").page()).isEqualTo("page");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
