// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.benchmark;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.DecodeResult;
import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A WRITE of one packet over IPv4: to bytes, back, and its ICRC. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PacketBenchmark {
  private static final int SOURCE_PORT = 0xc000;

  /** Bytes of the payload. */
  @Param({"8", "1024", "4096"})
  public int payloadBytes;

  private final PacketCodec codec = new PacketCodec();
  private final Icrc icrc = new Icrc();
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(8192);
  private Route route;
  private Packet packet;
  private int encodedBytes;

  /** Encodes once, so that there is something to decode. */
  @Setup
  public void encodeOnce() {
    route =
        new Route(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2"), SOURCE_PORT, 0, 64, 0);
    packet =
        new Packet(
            route,
            Bth.of(Opcode.RC_RDMA_WRITE_ONLY, 0x12, 7).withAckRequest(true),
            List.of(new Reth(0x1000, 0x1234, payloadBytes)),
            new Payload(ByteBuffer.allocateDirect(payloadBytes), 0, payloadBytes));
    encodedBytes = encode();
  }

  /** Headers, payload and ICRC into a buffer. */
  @Benchmark
  public int encode() {
    return codec.encode(packet, 0, bytes, 0);
  }

  /** ICRC checked, headers read. */
  @Benchmark
  public DecodeResult decode() {
    return codec.decode(route, bytes, 0, encodedBytes);
  }

  /** The check alone, over all but itself. */
  @Benchmark
  public int icrc() {
    return icrc.compute(route, 0, bytes, 0, encodedBytes - Integer.BYTES);
  }
}
