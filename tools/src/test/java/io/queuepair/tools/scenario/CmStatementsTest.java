// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements of the connection manager that make no sense. */
@Execution(ExecutionMode.CONCURRENT)
final class CmStatementsTest {
  /** Line 16 is the statement. */
  private static final List<String> BEFORE =
      List.of(
          "# A connection",
          "",
          "Why.",
          "",
          "```commands",
          "device a",
          "device b",
          "rdma_create_id a.id",
          "rdma_create_id a.ud ps=UDP",
          "rdma_bind_addr a.ud port=7",
          "rdma_create_id a.routed",
          "rdma_resolve_addr a.routed dst=b port=7471",
          "rdma_get_cm_event a",
          "rdma_resolve_route a.routed",
          "rdma_get_cm_event a");

  @TempDir private Path folder;

  private CommandRun run(String command) throws IOException {
    List<String> lines = new ArrayList<>(BEFORE);
    lines.addAll(List.of(command, "```"));
    return CommandRun.of("scenario", Files.write(folder.resolve("it.md"), lines).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          rdma_creat_id a.x | no such statement (did you mean 'rdma_create_id'?)
          rdma_create_id | what it is called on is missing, for example a.id
          rdma_create_id c.id | 'c.id' does not begin with the name of a device; there are [a, b]
          rdma_create_id a.x ps=TPC \
           | 'TPC' is no port space (did you mean 'TCP'?): [IPOIB, TCP, UDP, IB]
          rdma_create_id a.id | there is a 'a.id' already
          rdma_create_id a.qp.x | what it is called on is missing, for example a.id
          rdma_create_id a.x extra | 'extra' is none of [ps] with a value
          rdma_bind_addr a.no port=1 | 'a.no' is no RdmaCmId; the device has [
          rdma_bind_addr a.id prt=1 \
           | 'prt=1' is none of [addr, port] with a value (did you mean 'port'?)
          rdma_bind_addr a.id port=65536 | '65536' is not a number of port from 0 to 65535
          rdma_bind_addr a.id port=http | 'http' is not a number of port from 0 to 65535
          rdma_bind_addr a.id port= | '' is not a number of port from 0 to 65535
          rdma_listen a.id backlog=1025 | '1025' is not a number of backlog from 0 to 1024
          rdma_resolve_addr a.id port=1 | the argument 'dst' is missing
          rdma_resolve_addr a.id dst=fd00::zz | 'fd00::zz' is neither a device nor an address
          rdma_resolve_route a.id timeout=2 | 'timeout=2' is too much; it takes no arguments
          rdma_connect a.id responder_resources=256 \
           | '256' is not a number of responder_resources from 0 to 255
          rdma_connect a.id initiator_depth=-1 \
           | '-1' is not a number of initiator_depth from 0 to 255
          rdma_connect a.id qp_num=0x1000000 \
           | '16777216' is not a number of qp_num from 0 to 16777215
          rdma_connect a.id private_data="hello | the quotation mark at column 32 is not closed
          rdma_connect a.id backlog=1 \
           | 'backlog=1' is none of [initiator_depth, private_data, qp_num, responder_resources]
          rdma_accept b.request | 'b.request' is no RdmaCmId; the device has [
          rdma_join_multicast a.ud | the argument 'addr' is missing
          rdma_join_multicast a.ud addr=239.1.2.3 flag=FULL \
           | 'FULL' is no flag of joins: [FULLMEMBER, SENDONLY_FULLMEMBER]
          rdma_get_cm_event | it is written: rdma_get_cm_event DEVICE
          rdma_get_cm_event a b | it is written: rdma_get_cm_event DEVICE
          rdma_get_cm_event c | 'c' does not begin with the name of a device
          """)
  void namesTheLineAndWhatIsAllowed(String command, String message) throws IOException {
    CommandRun run = run(command);

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines().get(0)).startsWith(folder.resolve("it.md") + ":16: ").contains(message);
  }

  /** Calls that the library refuses, as a scenario may show. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          rdma_resolve_route a.id | EINVAL: not in this state of the id: it is bound to nothing
          rdma_create_qp a.id | EINVAL: the id is not bound to a device
          rdma_connect a.id | EINVAL: the route is not resolved: it is bound to nothing
          rdma_connect a.routed qp_num=17 \
          private_data=123456789012345678901234567890123456789012345678901234567 \
          | EINVAL: 57 bytes of private data are more than 56
          rdma_accept a.id | EINVAL: there is no request to answer: it is bound to nothing
          rdma_reject a.id | EINVAL: there is no request to reject: it is bound to nothing
          rdma_establish a.id | EINVAL: the peer has not accepted: it is bound to nothing
          rdma_disconnect a.id | EINVAL: there is no connection: it is bound to nothing
          rdma_join_multicast a.id addr=239.1.2.3 | EINVAL: the id is no datagram service
          rdma_leave_multicast a.ud addr=239.1.2.3 | EADDRNOTAVAIL: the id has not joined 239.1.2.3
          rdma_bind_addr a.id addr=b \
          | EADDRNOTAVAIL: 10.0.0.2 is not an address of a device of the host
          """)
  void showsWhatTheLibraryRefuses(String command, String message) throws IOException {
    CommandRun run = run(command);

    assertThat(run.exitCode()).isOne();
    assertThat(run.lines())
        .containsSubsequence(
            "  + > " + command, "  + refused: " + command.split(" ", 2)[0] + ": " + message);
  }
}
