// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
final class MainTest {
  @Test
  void helpSaysWhatItIsAndListsTheCommands() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("An RDMA device in software")
        .containsSubsequence("See and learn:", "demo ", "grade ", "Run programs:", "devinfo ")
        .containsSubsequence("Look up and look into:", "decode ", "Of a checkout:", "simulate ")
        .contains("Start with 'queuepair demo'");
  }

  @Test
  void withoutCommandHelpIsShown() {
    assertThat(CommandRun.of()).isEqualTo(CommandRun.of("--help"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "demo --version", "pingpong -V"})
  void versionNamesTheProgramAndItsModels(String arguments) {
    CommandRun run = CommandRun.of(arguments.split(" "));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("queuepair 0.").contains("Java ").contains("rdma-core 44");
  }

  @Test
  void versionIsThatOfTheBuild() throws IOException {
    String pom = Files.readString(Path.of("../pom.xml"));
    String version = pom.replaceFirst("(?s)^.*?\\n  <version>(.*?)</version>.*$", "$1");

    assertThat(CommandRun.of("--version").out()).startsWith("queuepair " + version + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                      | pong            | unknown command 'pong'
                      | decod           | unknown command 'decod' (did you mean 'decode'?)
                      | trasitions      | unknown command 'trasitions' (did you mean 'transitions'?)
          simulate    | --seeds 1 --los 0.1 | unknown option '--los' (did you mean '--loss'?)
          simulate    | --sedes 1..2    | unknown option '--sedes' (did you mean '--seeds'?)
                      | --foo           | unknown option '--foo'
          decode      | --ladder        | Missing required parameter: 'FILE'
          decode      | --json --ladder x | Error: --ladder, --json are mutually exclusive
          run         | /none/such      | cannot read /none/such: there is no such file
          run         | --trace=/none/such x | /none/such cannot be written: there is no
          demo        | --pcap=         | Invalid value for option '--pcap': '' is no name of a file
          demo        | --faults @      | Invalid value for option '--faults': '' is no name of a
          grade       | x --hints -1    | hints -1 is not 0 to 2147483647
          site        | x --lessons=    | --lessons: there is no folder ''
          site        | x --lessons /dev/null | --lessons: there is no folder '/dev/null'
          devinfo     | -i 99999999999  | Invalid value for option '--ib-port': '99999999999' is not
          devinfo     | --foo           | unknown option '--foo'
          devinfo     | -i 0            | port 0 is not 1 or more
          devinfo     | -d mlx5_0       | IB device 'mlx5_0' wasn't found; the emulated device is
          devinfo     | --bind eth0     | Invalid value for option '--bind' (ADDRESS[,ADDRESS])
          devinfo     | --bind ,        | --bind names no address
          transitions | --type RD       | Invalid value for option '--type': 'RD' is not one of RC
          transitions | --type driver   | Invalid value for option '--type': 'driver' is not one of
          transitions | --format svg    | a diagram needs a --type
          transitions | --profile x     | Invalid value for option '--profile': 'x' is not one of
          check-transitions | /dev/null | no recorded call is in /dev/null
          bench       | --rows x        | there is no row 'x'; --list names all
          bench       | --rows ,        | --rows names no row; --list names all
          bench       | --in-process --before x | --before goes with --rows, not with
          bench       | --rounds 0      | rounds 0 is not 1 to 1000
          bench       | --seconds 0     | --seconds 0.0 is not above 0 to 3600
          bench       | --warmup -1     | --warmup -1.0 is not 0 to 3600
          simulate    | --qps 3         | Missing required option: '--seeds=A..B'
          simulate    | --seeds x       | Invalid value for option '--seeds': 'x' is not a range
          simulate    | --seeds 1..x    | Invalid value for option '--seeds': '1..x' is not a range
          simulate    | --seeds 2..1    | Invalid value for option '--seeds': '2..1' is not a range
          simulate    | --seeds -1      | Invalid value for option '--seeds': '-1' is not a range
          simulate    | --seeds 1..2 --pcap x | --pcap is for one seed
          simulate    | --seeds 1 --qps 0     | 0 queue pairs are not 1 to 64
          simulate    | --seeds 1 --qps 65    | 65 queue pairs are not 1 to 64
          simulate    | --seeds 1 --loss 1.5  | --loss 1.5 is not a probability, 0 to 1
          simulate    | --seeds 1 --delay -1  | --delay -1.0 is not a probability, 0 to 1
          simulate    | --seeds 1 --corrupt NaN | --corrupt NaN is not a probability, 0 to 1
          simulate    | --seeds 1 --coverage-min 101 | Invalid value for option '--coverage-min'
          simulate    | --seeds 1 --coverage-min -1  | Invalid value for option '--coverage-min'
          simulate    | --seeds 1 --coverage-min NaN | Invalid value for option '--coverage-min'
          simulate    | --seeds 1 --type xrc  | Invalid value for option '--type'
          simulate    | --seeds 1 --largest 2999 | messages of 2999 bytes are not of 3000 to 4194304
          simulate    | --seeds 1 --largest 4194305 | messages of 4194305 bytes are not of 3000
          simulate    | --cm --seeds 1 --type uc    | --cm connects queue pairs of type rc
          simulate    | --cm --seeds 1 --largest 9000 | --largest is for the work that --cm leaves
          replay      | --strict        | FILE is missing
          replay      | --profile=moon  | Invalid value for option '--profile'
          replay      | --mutations=-1  | mutations -1 is not 0 to 2147483647
          replay      | /dev/null       | no scenario is in [/dev/null]
          replay      | /dev/null --only x | --only matches no scenario of [/dev/null]
          replay      | --only=[        | Invalid value for option '--only': '[' is not a regular
          serve       | --address=      | Invalid value for option '--address': '' is no name
          rping       | -c -a=          | Invalid value for option '-a': '' is no name or address
          rping       | -c -I=          | Invalid value for option '-I': '' is no name or address
          bench       | --seconds x     | Invalid value for option '--seconds': 'x' is not a number
          replay      | --seed 1x       | Invalid value for option '--seed': '1x' is not a number
          serve       | --port 65536    | --port 65536 is not 0 to 65535
          rping       | -v              | either -c or -s has to be given
          rping       | -c              | a client needs the address of its server, -a
          rping       | -s -S 25        | size 25 is not 26 to 65535
          pingpong    | --foo           | unknown option '--foo'
          pingpong    | a b             | unknown argument 'b'
          pingpong    | -s 0            | size 0 is not 1 to 2147483647
          pingpong    | -s -1           | size -1 is not 1 to 2147483647
          pingpong    | -s many         | Invalid value for option '--size': 'many'
          pingpong    | -s              | Missing required parameter for option '--size'
          pingpong    | -n 0            | iters 0 is not 1 to 2147483647
          pingpong    | -r 0            | rx-depth 0 is not 1 to 2147483646
          pingpong    | -l 16           | service level 16 is not 0 to 15
          pingpong    | -g -1           | GID index -1 is not 0 to 2147483647
          pingpong    | -p 65536        | TCP port 65536 is not 1 to 65535
          pingpong    | -i 0            | device port 0 is not 1 to 255
          pingpong    | -m 1000         | MTU 1000 is not one of 256, 512, 1024
          pingpong    | --transport x   | Invalid value for option '--transport'
          pingpong    | --bind lo       | Invalid value for option '--bind': 'lo' is not an IP
          pingpong    | --bind=         | Invalid value for option '--bind': '' is not an IP
          pingpong    | --type x        | Invalid value for option '--type'
          pingpong    | --type ud -m 1024 | -m is not of ud
          pingpong    | -q 2            | -q is of --type srq only
          pingpong    | --type srq -q 0 | num-qp 0 is not 1 to 255
          pingpong    | --type srq -q 256 | num-qp 256 is not 1 to 255
          pingpong    | --type srq -r 15 | rx-depth 15 is too small for 16 queue pairs
          pingpong    | --clients 2     | --clients is of xrc only
          pingpong    | --type xrc --clients 0 | clients 0 is not 1 to 32767
          pingpong    | --type xrc -r 1 | -r is not of xrc
          pingpong    | --type xrc -c   | -c is not of xrc
          """)
  void argumentsThatAreWrongGetOneLineAndAHint(String command, String arguments, String line) {
    String name = command == null ? "queuepair" : "queuepair " + command;
    CommandRun run = CommandRun.of((name + " " + arguments).substring(10).split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith(name + ": " + line).hasLineCount(1).contains("--help')");
  }
}
