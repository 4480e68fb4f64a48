// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Standard error of a program here is one end of a pair of sockets. */
@Timeout(60)
final class ErrorLinesTest {
  private static final int ROOM = 4096;
  private static final int FEW = 20;
  private static final int MANY = 100_000;

  private static final Pattern LEFT_OUT =
      Pattern.compile("line (\\d+)\nqueuepair: (\\d+) lines are left out here\nline (\\d+)\n");

  @BeforeAll
  static void load() {
    CompiledProgram.assumeCompiler();
    ServiceProcess.library();
  }

  @Test
  void countsWhatAProgramDoesNotRead() {
    long ends = Kernel.socketPair();
    int programs = (int) ends;
    ErrorLines lines = new ErrorLines();
    ErrorLines.Output output = lines.open((int) (ends >>> Integer.SIZE));

    int printed = 0;
    while (printed < MANY) {
      output.print("line " + printed++);
    }
    String read = "";
    while (!LEFT_OUT.matcher(read).find()) {
      output.print("line " + printed++);
      read += receive(programs);
    }

    assertThat(read).startsWith("line 0\nline 1\n");
    Matcher gap = LEFT_OUT.matcher(read);
    while (gap.find()) {
      int next = Integer.parseInt(gap.group(1)) + 1 + Integer.parseInt(gap.group(2));
      assertThat(Integer.parseInt(gap.group(3))).isEqualTo(next);
    }
    output.close();
    Kernel.close(programs);
  }

  @Test
  void printsOnceWhereProgramsShareAFile() {
    long ends = Kernel.socketPair();
    int programs = (int) ends;
    int service = (int) (ends >>> Integer.SIZE);
    ErrorLines lines = new ErrorLines();
    lines.open(service);
    ErrorLines.Output second = lines.open(service);

    lines.printToAll("to all");
    second.print("to one");

    String read = "";
    while (!read.endsWith("to one\n")) {
      read += receive(programs);
    }
    assertThat(read).isEqualTo("to all\nto one\n");
  }

  @Test
  void awaitsWhatWasPrinted() {
    long ends = Kernel.socketPair();
    int programs = (int) ends;
    int service = (int) (ends >>> Integer.SIZE);
    ErrorLines lines = new ErrorLines();
    ErrorLines.Output output = lines.open(service);
    for (int i = 0; i < FEW; i++) {
      output.print("line " + i);
    }

    lines.await();

    Kernel.close(service); // Lines that are not written by now are lost.
    String read = "";
    for (String more = receive(programs); !more.isEmpty(); more = receive(programs)) {
      read += more;
    }
    assertThat(read).hasLineCount(FEW);
    Kernel.close(programs);
  }

  private static String receive(int socket) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM + Long.BYTES);
    byte[] bytes = new byte[Kernel.receive(socket, buffer, ROOM)];
    buffer.get(0, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
