// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What two programs of perftest said to each other; the README beside the recordings says how it
 * was obtained.
 *
 * @param command the program with its options
 * @param messages in order
 */
record RecordedExchange(String command, List<RecordedMessage> messages) {
  /** One message, and whose it was. */
  static final class RecordedMessage {
    private final boolean isOfClient;
    private final byte[] bytes;

    private RecordedMessage(boolean isOfClient, byte[] bytes) {
      this.isOfClient = isOfClient;
      this.bytes = bytes;
    }

    boolean isOfClient() {
      return isOfClient;
    }

    byte[] bytes() {
      return bytes;
    }

    boolean isAddress() {
      return bytes.length == PeerQp.MESSAGE_BYTES || (isDescription() && !isEmpty());
    }

    /** As it is sent through the connection manager. */
    private boolean isDescription() {
      return bytes.length == PingpongDest.BYTES;
    }

    private boolean isEmpty() {
      return PingpongDest.decode(bytes).equals(PeerQp.NONE);
    }

    PeerQp address() {
      return isDescription() ? PingpongDest.decode(bytes) : PeerQp.ofMessage(bytes);
    }

    boolean isReport() {
      return bytes.length == Long.BYTES;
    }
  }

  static RecordedExchange read(String name) {
    try (InputStream in = RecordedExchange.class.getResourceAsStream("exchanges/" + name + ".txt");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      String command = lines.readLine().substring(2);
      return new RecordedExchange(command, lines.lines().map(RecordedExchange::message).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordedMessage message(String line) {
    String[] words = line.split(" +", 3);
    byte[] bytes =
        words[1].equals("hex")
            ? HexFormat.of().parseHex(words[2])
            : (words[2] + "\0").getBytes(StandardCharsets.US_ASCII);
    return new RecordedMessage(words[0].equals("client"), bytes);
  }

  Benchmark benchmark() {
    String program = command.split(" ", 2)[0];
    return Benchmark.valueOf(program.substring("ib_".length()).toUpperCase(Locale.ROOT));
  }

  String[] options() {
    return command.split(" ", 2)[1].split(" ", -1);
  }

  List<byte[]> of(boolean client) {
    return messages.stream()
        .filter(message -> message.isOfClient() == client)
        .map(RecordedMessage::bytes)
        .toList();
  }

  /** Addresses of the queue pairs of one side. */
  List<PeerQp> destinations(boolean client, int count) {
    return messages.stream()
        .filter(message -> message.isOfClient() == client && message.isAddress())
        .limit(count)
        .map(RecordedMessage::address)
        .toList();
  }

  /** What one side said that it had measured, five numbers at a time. */
  List<BandwidthResult> reports(boolean client) {
    List<Long> numbers =
        messages.stream()
            .filter(message -> message.isOfClient() == client && message.isReport())
            .map(message -> ByteBuffer.wrap(message.bytes()).getLong())
            .toList();
    List<BandwidthResult> reports = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i += 5) {
      reports.add(
          new BandwidthResult(
              numbers.get(i),
              numbers.get(i + 1),
              Double.longBitsToDouble(numbers.get(i + 2)),
              Double.longBitsToDouble(numbers.get(i + 3)),
              Double.longBitsToDouble(numbers.get(i + 4))));
    }
    return reports;
  }

  /** Plays one side to the end, and returns what the other said. */
  List<byte[]> play(boolean client, Socket socket) throws IOException {
    List<byte[]> heard = new ArrayList<>();
    for (RecordedMessage message : messages) {
      if (message.isOfClient() == client) {
        socket.getOutputStream().write(message.bytes());
      } else {
        heard.add(socket.getInputStream().readNBytes(message.bytes().length));
      }
    }
    return heard;
  }
}
