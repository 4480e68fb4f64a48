// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.examples.ReadClient;
import com.ibm.disni.examples.ReadServer;
import com.ibm.disni.examples.SendRecvClient;
import com.ibm.disni.examples.SendRecvServer;
import com.ibm.disni.examples.VerbsClient;
import com.ibm.disni.examples.VerbsServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The published examples of DiSNI, both sides in this process. */
@Timeout(60)
final class DisniProgramsTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream stdout = System.out;

  @BeforeEach
  void catchOutput() {
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restoreOutput() {
    System.setOut(stdout);
  }

  /** A program's main. */
  private interface Main {
    void run(String... arguments) throws Exception;
  }

  private String run(Main server, Main client, int port) throws Exception {
    String[] arguments = {"-a", "10.0.0.2", "-p", Integer.toString(port)};
    FutureTask<Void> served =
        new FutureTask<>(
            () -> {
              server.run(arguments);
              return null;
            });
    Thread thread = new Thread(served);
    thread.start();
    while (!served.isDone() && !waitsForClients(thread)) {
      Thread.onSpinWait();
    }
    client.run(arguments);
    served.get();
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static boolean waitsForClients(Thread server) {
    return Stream.of(server.getStackTrace())
        .anyMatch(
            frame ->
                frame.getMethodName().equals("getCmEvent")
                    || (frame.getClassName().endsWith("RdmaServerEndpoint")
                        && frame.getMethodName().equals("accept")));
  }

  @Test
  void readsByTheVerbsAlone() throws Exception {
    assertThat(run(VerbsServer::main, VerbsClient::main, 7_801))
        .contains("VerbsClient::read memory from server: This is a RDMA/read on stag")
        .contains("VerbsServer::done");
  }

  @Test
  void readsByEndpoints() throws Exception {
    assertThat(run(ReadServer::main, ReadClient::main, 7_802)).contains("This is a RDMA/read");
  }

  @Test
  void sendsByEndpoints() throws Exception {
    assertThat(run(SendRecvServer::main, SendRecvClient::main, 7_803)).contains("Hello from the");
  }
}
