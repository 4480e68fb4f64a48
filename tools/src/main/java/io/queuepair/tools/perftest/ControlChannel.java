// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.PrintableText;
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
 * The messages that the two sides exchange, over TCP or over a queue pair of their own, as perftest
 * 4.5 does. In every exchange the client speaks first, and both messages have the same length.
 *
 * @param link to the peer
 * @param isServer whether this side is the server
 * @param introduction how long the peer may take until its parameters and addresses are known
 */
record ControlChannel(ControlLink link, boolean isServer, TimeLimit introduction) {
  /** What perftest 4.5 calls itself. */
  static final String VERSION = "6.06";

  /** Older ones are refused by perftest 4.5, too. */
  private static final double OLDEST_VERSION = 5.70;

  private static final int VERSION_BYTES = 16;

  /** For what a peer says without having anything to measure first. */
  private static final Duration TIMEOUT = TcpConnection.READ_TIMEOUT;

  /** Far more than pages have on any machine that perftest runs on. */
  private static final int LARGEST_CYCLE_BUFFER = 1 << 20;

  private static final int LARGEST_CACHE_LINE = 4096;

  private static final String PARAMETERS = "Failed to exchange parameters with the peer";
  private static final String ADDRESSES = "Couldn't exchange addresses with the peer";
  private static final String REPORTS = "Couldn't exchange reports with the peer";

  /** Starts it. */
  static ControlChannel over(ControlLink link, boolean isServer) {
    return new ControlChannel(link, isServer, TimeLimit.fromNow(TIMEOUT));
  }

  /** Finds out what both can do. */
  NegotiatedParameters agree(NegotiatedParameters own) {
    String version = text(exchange(padded(VERSION, VERSION_BYTES), introduction, PARAMETERS));
    if (!isNewEnough(version)) {
      throw new CommandFailure(
          "The peer speaks version '"
              + PrintableText.printable(version)
              + "' of perftest's exchange; at least "
              + OLDEST_VERSION
              + "0 is needed");
    }
    int cycleBufferBytes = agreeBytes("cycle buffer", own.cycleBufferBytes(), LARGEST_CYCLE_BUFFER);
    int cacheLineBytes = agreeBytes("cache line", own.cacheLineBytes(), LARGEST_CACHE_LINE);
    byte[] mtuCode = padded(Integer.toString(own.mtu().code()), 2);
    Mtu mtu = mtu(text(exchange(mtuCode, introduction, PARAMETERS)), own.mtu());
    return own.with(new NegotiatedParameters(cycleBufferBytes, cacheLineBytes, mtu));
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
  List<PeerQp> exchange(List<PeerQp> own) {
    List<PeerQp> peers = new ArrayList<>();
    for (PeerQp one : own) {
      peers.add(link.decode(exchange(link.encode(one), introduction, ADDRESSES)));
    }
    return peers;
  }

  /**
   * Waits until the peer has come to the same point. It measures as long as it likes; if it or its
   * host dies the connection tells.
   */
  void meet(PeerQp own) {
    link.decode(exchange(link.encode(own), TimeLimit.NONE, ADDRESSES));
  }

  /**
   * Exchanges what was measured.
   *
   * @return what the peer has measured
   * @throws CommandFailure if that cannot have been measured
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
    return ByteBuffer.wrap(exchange(message, TimeLimit.fromNow(TIMEOUT), REPORTS)).getLong();
  }

  /** The end; neither side waits for the other's last message. */
  void close(PeerQp own) {
    meet(own);
    link.finish(ADDRESSES);
  }

  private byte[] exchange(byte[] own, TimeLimit limit, String trouble) {
    if (isServer) {
      byte[] theirs = link.read(own.length, limit, trouble);
      link.send(own, trouble);
      return theirs;
    }
    link.send(own, trouble);
    return link.read(own.length, limit, trouble);
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
