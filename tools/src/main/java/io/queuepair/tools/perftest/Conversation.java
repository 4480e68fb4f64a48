package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.PeerText;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.verbs.Mtu;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The messages that the two sides exchange over TCP, as perftest 4.5 does. In every exchange the
 * client speaks first, and both messages have the same length.
 *
 * @param connection to the peer
 * @param isServer whether this side is the server
 */
record Conversation(TcpConnection connection, boolean isServer) {
  /** What perftest 4.5 calls itself. */
  static final String VERSION = "6.06";

  /** Older ones are refused by perftest 4.5, too. */
  private static final double OLDEST_VERSION = 5.70;

  private static final int VERSION_BYTES = 16;
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  /** For what a peer says without having anything to measure first. */
  private static final Duration PATIENCE = TcpConnection.READ_TIMEOUT;

  /** The peer measures as long as it likes; if it or its host dies the connection tells. */
  private static final Duration ENDLESS = Duration.ZERO;

  private static final String PARAMETERS = "Failed to exchange parameters with the peer";
  private static final String ADDRESSES = "Couldn't exchange addresses with the peer";
  private static final String REPORTS = "Couldn't exchange reports with the peer";

  /** Starts it; from then on the connection tells if the host of the peer dies. */
  static Conversation over(TcpConnection connection, boolean isServer) {
    KeepAlive.on(connection.socket());
    return new Conversation(connection, isServer);
  }

  /** Finds out what both can do. */
  Agreement agree(Agreement own) {
    String version = text(exchange(padded(VERSION, VERSION_BYTES), PATIENCE, PARAMETERS));
    if (!isNewEnough(version)) {
      throw new CommandFailure(
          "The peer speaks version '"
              + PeerText.printable(version)
              + "' of perftest's exchange; at least "
              + OLDEST_VERSION
              + "0 is needed");
    }
    int cycleBufferBytes = agreeNumber(own.cycleBufferBytes());
    int cacheLineBytes = agreeNumber(own.cacheLineBytes());
    byte[] mtuCode = padded(Integer.toString(own.mtu().code()), 2);
    Mtu mtu = mtu(text(exchange(mtuCode, PATIENCE, PARAMETERS)), own.mtu());
    return own.with(new Agreement(cycleBufferBytes, cacheLineBytes, mtu));
  }

  private static boolean isNewEnough(String version) {
    return version.matches("\\d+\\.\\d+") && Double.parseDouble(version) >= OLDEST_VERSION;
  }

  private int agreeNumber(int own) {
    return ByteBuffer.wrap(exchange(bytes(own), PATIENCE, PARAMETERS)).getInt();
  }

  /** A peer that says nothing sensible leaves it to this side. */
  private static Mtu mtu(String code, Mtu own) {
    return Arrays.stream(Mtu.values())
        .filter(mtu -> Integer.toString(mtu.code()).equals(code))
        .findFirst()
        .orElse(own);
  }

  /** Tells the peer of the queue pairs of this side, one by one, and learns of its own. */
  List<Destination> exchange(List<Destination> own) {
    List<Destination> peers = new ArrayList<>();
    for (Destination one : own) {
      peers.add(Destination.ofMessage(exchange(one.toMessage(), PATIENCE, ADDRESSES)));
    }
    return peers;
  }

  /** Waits until the peer has come to the same point. */
  void meet(Destination own) {
    Destination.ofMessage(exchange(own.toMessage(), ENDLESS, ADDRESSES));
  }

  /**
   * Exchanges what was measured.
   *
   * @return what the peer has measured
   * @throws CommandFailure if nobody can have measured that
   */
  BandwidthResult exchange(BandwidthResult own) {
    BandwidthResult peers = exchangeNumbers(own);
    peers
        .flaw()
        .ifPresent(
            flaw -> {
              throw new CommandFailure("Couldn't use the report of the peer: " + flaw);
            });
    return peers;
  }

  /** Tells what was measured. The peer has not measured, so what it answers means nothing. */
  void tell(BandwidthResult own) {
    exchangeNumbers(own);
  }

  private BandwidthResult exchangeNumbers(BandwidthResult own) {
    long size = exchangeReport(own.sizeBytes());
    long iterations = exchangeReport(own.iterations());
    double peak = exchangeReport(own.peakMibPerSecond());
    double average = exchangeReport(own.averageMibPerSecond());
    double rate = exchangeReport(own.millionsPerSecond());
    return new BandwidthResult(size, iterations, peak, average, rate);
  }

  private double exchangeReport(double own) {
    return Double.longBitsToDouble(exchangeReport(Double.doubleToLongBits(own)));
  }

  private long exchangeReport(long own) {
    byte[] message = ByteBuffer.allocate(Long.BYTES).putLong(own).array();
    return ByteBuffer.wrap(exchange(message, PATIENCE, REPORTS)).getLong();
  }

  /** The end; nobody waits for the other's last word. */
  void close(Destination own) {
    meet(own);
    connection.send(DONE, ADDRESSES);
  }

  private byte[] exchange(byte[] own, Duration patience, String trouble) {
    if (isServer) {
      byte[] theirs = connection.read(own.length, patience, trouble);
      connection.send(own, trouble);
      return theirs;
    }
    connection.send(own, trouble);
    return connection.read(own.length, patience, trouble);
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static byte[] padded(String text, int length) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
  }

  private static String text(byte[] padded) {
    return new String(padded, StandardCharsets.ISO_8859_1).split("\0", 2)[0];
  }
}
