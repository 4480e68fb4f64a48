// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.support.CommandTranscript;
import io.queuepair.tools.cli.NumberConverter;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Both roles of mckey, in memory, as the loopback interface has no multicast. What is printed is
 * what {@code mckey.c} of rdma-core prints.
 */
@Timeout(120)
final class MckeyTest {
  private static final long TIMEOUT_SECONDS = 60;
  private static final String GROUP = "239.192.0.7";

  private final Emulator emulator = Emulator.on(InMemoryFabric.create(InMemoryOptions.realTime()));

  @AfterEach
  void closeEmulator() {
    emulator.close();
  }

  /** One side, on a device of its own. */
  private final class Member {
    private final CommandTranscript out = new CommandTranscript();
    private final CommandTranscript err = new CommandTranscript();
    private final FutureTask<Integer> run;

    Member(String address, String options) {
      MckeyCommand mckey = new MckeyCommand();
      new CommandLine(mckey)
          .registerConverter(int.class, new NumberConverter())
          .setOut(new PrintWriter(out, true))
          .setErr(new PrintWriter(err, true))
          .parseArgs(("--pause 0 " + options).split(" "));
      var host = emulator.rdmaCm(emulator.addDevice(address));
      run = new FutureTask<>(() -> mckey.call(host));
      Thread thread = new Thread(run, "mckey " + options);
      thread.setDaemon(true);
      thread.start();
    }

    Member awaitJoined() throws InterruptedException {
      assertThat(out.await("mckey: joined", TIMEOUT_SECONDS)).as("%s%s", out, err).isTrue();
      return this;
    }

    int exitCode() throws Exception {
      return run.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    List<String> lines() {
      return out.toString().lines().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-C 10", "-C 4 -S 1000", "-C 10 -p 0x0002"})
  void membersReceiveWhatOneSends(String options) throws Exception {
    String group = "-m " + GROUP + " " + options;
    Member one = new Member("10.0.0.1", group).awaitJoined();
    Member other = new Member("10.0.0.2", group).awaitJoined();
    Member sender = new Member("10.0.0.3", "-s " + group);

    assertThat(sender.exitCode()).isZero();
    assertThat(sender.lines())
        .containsExactly(
            "mckey: starting client",
            "mckey: joining",
            "mckey: joined dgid: ::ffff:239.192.0.7 mlid 0x0 sl 0",
            "initiating data transfers",
            "data transfers complete",
            "test complete",
            "return status 0");
    for (Member receiver : List.of(one, other)) {
      assertThat(receiver.exitCode()).isZero();
      assertThat(receiver.lines())
          .containsExactly(
              "mckey: starting server",
              "mckey: joining",
              "mckey: joined dgid: ::ffff:239.192.0.7 mlid 0x0 sl 0",
              "receiving data transfers",
              "data transfers complete",
              "test complete",
              "return status 0");
    }
  }

  @Test
  void aSenderNeedNotReceive() throws Exception {
    Member receiver = new Member("10.0.0.1", "-b 10.0.0.1 -m " + GROUP).awaitJoined();
    Member sender = new Member("10.0.0.2", "-s -o -b 10.0.0.2 -m " + GROUP);

    assertThat(sender.exitCode()).isZero();
    assertThat(receiver.exitCode()).isZero();
    assertThat(receiver.lines())
        .endsWith("data transfers complete", "test complete", "return status 0");
  }

  /** As in Linux, rdma_cm joins no group of IPv6 over RoCEv2. */
  @Test
  void aGroupOfIpv6IsRefused() throws Exception {
    Member member = new Member("fd00::1", "-m ff0e::7");

    assertThat(member.exitCode()).isEqualTo(255);
    assertThat(member.lines()).endsWith("test complete", "return status -1");
    assertThat(member.err.toString()).contains("rdma_join_multicast: EOPNOTSUPP");
  }
}
