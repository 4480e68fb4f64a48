// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.load.BenchmarkNetwork;
import io.queuepair.lab.bench.load.WriteStream;
import io.queuepair.lab.bench.load.WriteStream.StreamShape;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How speed depends on one number, over UDP and in memory. */
enum ScalingChart {
  /** How many queue pairs work. */
  QPS("queue pairs at work, RC WRITE 8 B", Unit.MILLIONS_PER_SECOND, powersOf4(1, 4096)) {
    @Override
    StreamShape shape(int number) {
      return StreamShape.small(SMALL_BYTES, number);
    }
  },

  /** How many requests are outstanding. */
  OUTSTANDING(
      "requests outstanding, RC WRITE 8 B, 1 QP", Unit.MILLIONS_PER_SECOND, powersOf4(2, 512)) {
    @Override
    StreamShape shape(int number) {
      return new StreamShape(SMALL_BYTES, 1, number / 2, 2, SMALL_BYTES);
    }
  },

  /** How long messages are. */
  SIZE("bytes of a message, RC WRITE, 1 QP", Unit.GIGABYTES_PER_SECOND, powersOf4(8, 8 << 20)) {
    @Override
    StreamShape shape(int number) {
      return number < LARGE_BYTES ? StreamShape.small(number, 1) : StreamShape.large(number);
    }
  };

  private static final int SMALL_BYTES = 8;
  private static final int LARGE_BYTES = 64 << 10;

  private final String quantity;
  private final Unit unit;
  private final List<Integer> numbers;

  ScalingChart(String quantity, Unit unit, List<Integer> numbers) {
    this.quantity = quantity;
    this.unit = unit;
    this.numbers = numbers;
  }

  private static List<Integer> powersOf4(int first, int last) {
    return IntStream.iterate(first, number -> number <= last, number -> 4 * number)
        .boxed()
        .toList();
  }

  /** What it is called on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  abstract StreamShape shape(int number);

  String quantity() {
    return quantity;
  }

  Unit unit() {
    return unit;
  }

  List<Integer> numbers() {
    return numbers;
  }

  /** All points, in order. */
  Stream<BenchmarkCase> rows() {
    return numbers.stream().map(this::row);
  }

  /** One point of it: UDP, and in memory beside it. */
  private BenchmarkCase row(int number) {
    String name = "sweep-" + label() + "-" + number;
    return BenchmarkCase.of(
            name,
            number + " " + quantity,
            unit,
            null,
            probe(BenchmarkNetwork.UDP_BACKGROUND, number))
        .beside("in memory, in bursts", probe(BenchmarkNetwork.MEMORY_BURSTS, number));
  }

  private LoadFactory probe(BenchmarkNetwork network, int number) {
    StreamShape shape = shape(number);
    double factor = unit == Unit.GIGABYTES_PER_SECOND ? shape.messageBytes() / 1e9 : 1e-6;
    return LoadFactory.ofLoad(
        settings -> WriteStream.open(network, shape),
        (stream, nanos) -> stream.messagesPerSecond(nanos) * factor);
  }
}
