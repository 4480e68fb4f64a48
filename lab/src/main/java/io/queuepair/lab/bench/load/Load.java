// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

/** Something that devices do again and again, as fast as it goes. */
public interface Load extends AutoCloseable {
  /**
   * Does it for some time.
   *
   * @param nanos how long
   * @return messages that completed
   */
  long run(long nanos);

  /**
   * Packets that both devices have sent, acknowledgements included.
   *
   * @return how many, since the load was opened
   */
  long packets();

  @Override
  void close();

  /**
   * How fast messages go, after a warm-up of a quarter of the time.
   *
   * @param nanos how long
   * @return messages in a second
   */
  default double messagesPerSecond(long nanos) {
    run(nanos / 4);
    long start = System.nanoTime();
    long messages = run(nanos);
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  /**
   * How fast packets go, after a warm-up of a quarter of the time.
   *
   * @param nanos how long
   * @return packets in a second
   */
  default double packetsPerSecond(long nanos) {
    run(nanos / 4);
    long before = packets();
    long start = System.nanoTime();
    run(nanos);
    return (packets() - before) / ((System.nanoTime() - start) / 1e9);
  }

  /**
   * What the Java heap gives out, after a warm-up of a quarter of the time.
   *
   * @param nanos how long
   * @return bytes that all threads together allocated, divided by packets
   */
  default double allocatedBytesPerPacket(long nanos) {
    run(nanos / 4);
    long packets = packets();
    Allocations allocations = Allocations.sinceNow();
    run(nanos);
    return (double) allocations.bytes() / (packets() - packets);
  }

  /**
   * The same for each message.
   *
   * @param nanos how long
   * @return bytes that all threads together allocated, divided by messages
   */
  default double allocatedBytesPerMessage(long nanos) {
    run(nanos / 4);
    Allocations allocations = Allocations.sinceNow();
    long messages = run(nanos);
    return (double) allocations.bytes() / messages;
  }
}
