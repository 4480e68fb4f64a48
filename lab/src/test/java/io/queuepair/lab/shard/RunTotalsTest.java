// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RunTotalsTest {
  private static RunTotals run(long first, long last) {
    TraceHash trace = new TraceHash();
    long sum = 0;
    for (long seed = first; seed <= last; seed++) {
      trace.add(new Random(seed).nextLong());
      sum += seed;
    }
    List<String> failures = last >= 5 && first <= 5 ? List.of("seed 5") : List.of();
    return new RunTotals("run", first, last, Map.of("sum", sum), failures, trace.value());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100})
  void thePartsAddUpToTheWhole(int of) {
    long seeds = 100;
    List<RunTotals> parts = new ArrayList<>();
    for (int number = 1; number <= of; number++) {
      Shard shard = new Shard(number, of);
      long first = 1 + shard.before(seeds);
      parts.add(run(first, first + shard.count(seeds) - 1));
    }
    Collections.shuffle(parts, new Random(of));

    assertThat(RunTotals.sum(parts)).isEqualTo(run(1, seeds));
  }

  @Test
  void partsDifferByOneStepAtMost() {
    assertThat(new Shard(1, 3).count(10)).isEqualTo(3);
    assertThat(new Shard(2, 3).count(10)).isEqualTo(3);
    assertThat(new Shard(3, 3).count(10)).isEqualTo(4);
    assertThat(new Shard(100_000, 100_000).count(Long.MAX_VALUE)).isPositive();
    assertThat(new Shard(100_000, 100_000).before(Long.MAX_VALUE)).isPositive();
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    assertThat(RunTotals.parse(run(1, 9).json())).isEqualTo(run(1, 9));
  }

  @Test
  void gapsOverlapsAndOtherRunsAreRefused() {
    assertThatThrownBy(() -> RunTotals.sum(List.of(run(1, 4), run(7, 9))))
        .hasMessage("no part has the seeds 5..6");
    assertThatThrownBy(() -> RunTotals.sum(List.of(run(1, 4), run(4, 9))))
        .hasMessage("seed 4 is in two parts");
    RunTotals other = new RunTotals("other", 5, 9, Map.of(), List.of(), 0);
    assertThatThrownBy(() -> RunTotals.sum(List.of(run(1, 4), other)))
        .hasMessage("these are parts of different runs: 'run' and 'other'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|it has no \"first_seed\"",
        "{\"first_seed\":\"x\"}|\"first_seed\" is not a number of 64 bits",
        "{\"first_seed\":1.5}|\"first_seed\" is not a number of 64 bits",
        "{\"first_seed\":3,\"last_seed\":2}|the seeds 3..2 are no range",
        "{\"first_seed\":1,\"last_seed\":2,\"counts\":{\"a\":-1}}|\"a\" is not a number from 0 on",
        "{\"first_seed\":1,\"last_seed\":2,\"counts\":{},\"failures\":[],\"trace\":\"x\"}"
            + "|\"trace\" is not a hash of 16 hexadecimal digits"
      })
  void whatIsNoTotalsIsRefused(String json, String why) {
    assertThatThrownBy(() -> RunTotals.parse(json)).isInstanceOf(IOException.class).hasMessage(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/4", "5/4", "1", "1/", "/2", "a/b", "1/2/3", "1/100001", "-1/2"})
  void whatIsNoPartIsRefused(String text) {
    assertThatThrownBy(() -> new Shard.ShardConverter().convert(text))
        .hasMessage("'" + text + "' is no part of a run such as 1/4, with at most 100000 parts");
  }
}
