package io.queuepair.tools.bench;

import io.queuepair.tools.bench.load.Network;
import io.queuepair.tools.bench.load.WriteStream;
import io.queuepair.tools.bench.load.WriteStream.Shape;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How speed depends on one number, over UDP and in memory. */
enum Sweep {
  /** How many queue pairs work. */
  QPS("queue pairs at work, RC WRITE 8 B", Unit.MILLIONS_PER_SECOND, powersOf4(1, 4096)) {
    @Override
    Shape shape(int number) {
      return Shape.small(SMALL_BYTES, number);
    }
  },

  /** How many requests are outstanding. */
  OUTSTANDING(
      "requests outstanding, RC WRITE 8 B, 1 QP", Unit.MILLIONS_PER_SECOND, powersOf4(2, 512)) {
    @Override
    Shape shape(int number) {
      return new Shape(SMALL_BYTES, 1, number / 2, SMALL_BYTES);
    }
  },

  /** How long messages are. */
  SIZE("bytes of a message, RC WRITE, 1 QP", Unit.GIGABYTES_PER_SECOND, powersOf4(8, 8 << 20)) {
    @Override
    Shape shape(int number) {
      return number < LARGE_BYTES ? Shape.small(number, 1) : Shape.large(number);
    }
  };

  private static final int SMALL_BYTES = 8;
  private static final int LARGE_BYTES = 64 << 10;

  private final String quantity;
  private final Unit unit;
  private final List<Integer> numbers;

  Sweep(String quantity, Unit unit, List<Integer> numbers) {
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

  abstract Shape shape(int number);

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
  Stream<Row> rows() {
    return numbers.stream().map(this::row);
  }

  /** One point of it: UDP, and in memory beside it. */
  private Row row(int number) {
    String name = "sweep-" + label() + "-" + number;
    return Row.of(name, number + " " + quantity, unit, null, probe(Network.UDP_BACKGROUND, number))
        .beside("in memory, in bursts", probe(Network.MEMORY_BURSTS, number));
  }

  private Probe probe(Network network, int number) {
    Shape shape = shape(number);
    double factor = unit == Unit.GIGABYTES_PER_SECOND ? shape.messageBytes() / 1e9 : 1e-6;
    return Probe.ofLoad(
        effort -> WriteStream.open(network, shape),
        (stream, nanos) -> stream.messagesPerSecond(nanos) * factor);
  }
}
