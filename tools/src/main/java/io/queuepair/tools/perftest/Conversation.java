package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.PeerText;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.tools.cli.TimeLimit;
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
 * @param introduction how long the peer may take until its parameters and addresses are known
 */
record Conversation(TcpConnection connection, boolean isServer, TimeLimit introduction) {
  /** What perftest 4.5 calls itself. */
  static final String VERSION = "6.06";

  /** Older ones are refused by perftest 4.5, too. */
  private static final double OLDEST_VERSION = 5.70;

  private static final int VERSION_BYTES = 16;
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  /** For what a peer says without having anything to measure first. */
  private static final Duration PATIENCE = TcpConnection.READ_TIMEOUT;

  /** Far more than pages have on any machine that perftest runs on. */
  private static final int LARGEST_CYCLE_BUFFER = 1 << 20;

  private static final int LARGEST_CACHE_LINE = 4096;

  private static final String PARAMETERS = "Failed to exchange parameters with the peer";
  private static final String ADDRESSES = "Couldn't exchange addresses with the peer";
  private static final String REPORTS = "Couldn't exchange reports with the peer";

  /** Starts it; from then on the connection tells if the host of the peer dies. */
  static Conversation over(TcpConnection connection, boolean isServer) {
    KeepAlive.on(connection.socket());
    return new Conversation(connection, isServer, TimeLimit.fromNow(PATIENCE));
  }

  /** Finds out what both can do. */
  Agreement agree(Agreement own) {
    String version = text(exchange(padded(VERSION, VERSION_BYTES), introduction, PARAMETERS));
    if (!isNewEnough(version)) {
      throw new CommandFailure(
          "The peer speaks version '"
              + PeerText.printable(version)
              + "' of perftest's exchange; at least "
              + OLDEST_VERSION
              + "0 is needed");
    }
    int cycleBufferBytes = agreeBytes("cycle buffer", own.cycleBufferBytes(), LARGEST_CYCLE_BUFFER);
    int cacheLineBytes = agreeBytes("cache line", own.cacheLineBytes(), LARGEST_CACHE_LINE);
    byte[] mtuCode = padded(Integer.toString(own.mtu().code()), 2);
    Mtu mtu = mtu(text(exchange(mtuCode, introduction, PARAMETERS)), own.mtu());
    return own.with(new Agreement(cycleBufferBytes, cacheLineBytes, mtu));
  }

  private static boolean isNewEnough(String version) {
    return version.matches("\\d+\\.\\d+") && Double.parseDouble(version) >= OLDEST_VERSION;
  }

  /** What the peer names is memory that this side takes up. */
  private int agreeBytes(String what, int own, int largest) {
    int theirs = ByteBuffer.wrap(exchange(bytes(own), introduction, PARAMETERS)).getInt();
    if (theirs < 0 || theirs > largest) {
      throw new CommandFailure(
          "The peer names a "
              + what
              + " of "
              + Integer.toUnsignedString(theirs)
              + " bytes; at most "
              + largest
              + " are possible");
    }
    return theirs;
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
      peers.add(Destination.ofMessage(exchange(one.toMessage(), introduction, ADDRESSES)));
    }
    return peers;
  }

  /**
   * Waits until the peer has come to the same point. It measures as long as it likes; if it or its
   * host dies the connection tells.
   */
  void meet(Destination own) {
    Destination.ofMessage(exchange(own.toMessage(), TimeLimit.NONE, ADDRESSES));
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
    return ByteBuffer.wrap(exchange(message, TimeLimit.fromNow(PATIENCE), REPORTS)).getLong();
  }

  /** The end; nobody waits for the other's last word. */
  void close(Destination own) {
    meet(own);
    connection.send(DONE, ADDRESSES);
  }

  private byte[] exchange(byte[] own, TimeLimit limit, String trouble) {
    if (isServer) {
      byte[] theirs = connection.read(own.length, limit, trouble);
      connection.send(own, trouble);
      return theirs;
    }
    connection.send(own, trouble);
    return connection.read(own.length, limit, trouble);
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
