// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static io.queuepair.emulator.wire.HeaderKind.AETH;
import static io.queuepair.emulator.wire.HeaderKind.ATOMIC_ACK_ETH;
import static io.queuepair.emulator.wire.HeaderKind.ATOMIC_ETH;
import static io.queuepair.emulator.wire.HeaderKind.DETH;
import static io.queuepair.emulator.wire.HeaderKind.FETH;
import static io.queuepair.emulator.wire.HeaderKind.IETH;
import static io.queuepair.emulator.wire.HeaderKind.IMM_DT;
import static io.queuepair.emulator.wire.HeaderKind.RETH;
import static io.queuepair.emulator.wire.HeaderKind.XRCETH;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Fields of headers as unsigned numbers. Their names in reports are in lower case. A field is in
 * the BTH if no header is named, otherwise in any of the named headers; a packet may have none of
 * them.
 */
public enum HeaderField implements PacketField {
  PSN(24, p -> p.bth().psn(), (p, v) -> p.with(p.bth().withPsn((int) v))),
  QPN(24, p -> p.bth().destQpn(), (p, v) -> p.with(p.bth().withDestQpn((int) v))),
  PKEY(16, p -> p.bth().pkey(), (p, v) -> p.with(p.bth().withPkey((int) v))),
  ACKREQ(1, p -> bit(p.bth().ackRequest()), (p, v) -> p.with(p.bth().withAckRequest(v != 0))),
  SOLICITED(1, p -> bit(p.bth().solicited()), (p, v) -> p.with(p.bth().withSolicited(v != 0))),
  MIGRATED(1, p -> bit(p.bth().migrated()), (p, v) -> p.with(p.bth().withMigrated(v != 0))),
  FECN(1, p -> bit(p.bth().fecn()), (p, v) -> p.with(p.bth().withFecn(v != 0))),
  BECN(1, p -> bit(p.bth().becn()), (p, v) -> p.with(p.bth().withBecn(v != 0))),

  QKEY(
      32,
      p -> Integer.toUnsignedLong(p.deth().qkey()),
      (p, v) -> p.with(new Deth((int) v, p.deth().sourceQpn())),
      DETH),
  SOURCE_QPN(
      24, p -> p.deth().sourceQpn(), (p, v) -> p.with(new Deth(p.deth().qkey(), (int) v)), DETH),
  SRQN(24, p -> p.xrcEth().srqn(), (p, v) -> p.with(new XrcEth((int) v)), XRCETH),
  PLACEMENT(
      4,
      p -> p.feth().placement(),
      (p, v) -> p.with(new Feth((int) v, p.feth().selectivity())),
      FETH),
  SELECTIVITY(
      2,
      p -> p.feth().selectivity(),
      (p, v) -> p.with(new Feth(p.feth().placement(), (int) v)),
      FETH),
  VA(64, HeaderField::va, HeaderField::withVa, RETH, ATOMIC_ETH),
  RKEY(32, p -> Integer.toUnsignedLong(rkey(p)), HeaderField::withRkey, RETH, ATOMIC_ETH),
  DMA_LENGTH(
      32,
      p -> p.reth().dmaLength(),
      (p, v) -> p.with(new Reth(p.reth().virtualAddress(), p.reth().rkey(), v)),
      RETH),
  SWAP_ADD(64, p -> p.atomicEth().swapOrAdd(), HeaderField::withSwapOrAdd, ATOMIC_ETH),
  COMPARE(64, p -> p.atomicEth().compare(), HeaderField::withCompare, ATOMIC_ETH),
  SYNDROME(8, p -> p.aeth().syndrome(), (p, v) -> p.with(new Aeth((int) v, p.aeth().msn())), AETH),
  MSN(24, p -> p.aeth().msn(), (p, v) -> p.with(new Aeth(p.aeth().syndrome(), (int) v)), AETH),
  ORIGINAL(
      64, p -> p.atomicAckEth().original(), (p, v) -> p.with(new AtomicAckEth(v)), ATOMIC_ACK_ETH),
  IMMEDIATE(
      32,
      p -> Integer.toUnsignedLong(p.immDt().immediate()),
      (p, v) -> p.with(new ImmDt((int) v)),
      IMM_DT),
  INVALIDATE_RKEY(
      32, p -> Integer.toUnsignedLong(p.ieth().rkey()), (p, v) -> p.with(new Ieth((int) v)), IETH);

  private final int bits;
  private final ToLongFunction<Packet> reader;
  private final Writer writer;
  private final List<HeaderKind> headers;

  HeaderField(int bits, ToLongFunction<Packet> reader, Writer writer, HeaderKind... headers) {
    this.bits = bits;
    this.reader = reader;
    this.writer = writer;
    this.headers = List.of(headers);
  }

  private interface Writer {
    Packet write(Packet packet, long value);
  }

  @Override
  public int bits() {
    return bits;
  }

  @Override
  public boolean isIn(Packet packet) {
    return headers.isEmpty() || packet.opcode().headers().stream().anyMatch(headers::contains);
  }

  @Override
  public long of(Packet packet) {
    return reader.applyAsLong(packet);
  }

  @Override
  public Packet with(Packet packet, long value) {
    return writer.write(packet, value & mask());
  }

  public static @Nullable HeaderField named(String name) {
    for (HeaderField field : values()) {
      if (field.toString().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static long bit(boolean isSet) {
    return isSet ? 1 : 0;
  }

  private static boolean isAtomic(Packet packet) {
    return packet.opcode().headers().contains(ATOMIC_ETH);
  }

  private static long va(Packet packet) {
    return isAtomic(packet) ? packet.atomicEth().virtualAddress() : packet.reth().virtualAddress();
  }

  private static Packet withVa(Packet packet, long va) {
    if (isAtomic(packet)) {
      AtomicEth atomic = packet.atomicEth();
      return packet.with(new AtomicEth(va, atomic.rkey(), atomic.swapOrAdd(), atomic.compare()));
    }
    return packet.with(new Reth(va, packet.reth().rkey(), packet.reth().dmaLength()));
  }

  private static int rkey(Packet packet) {
    return isAtomic(packet) ? packet.atomicEth().rkey() : packet.reth().rkey();
  }

  private static Packet withRkey(Packet packet, long value) {
    int rkey = (int) value;
    if (isAtomic(packet)) {
      AtomicEth atomic = packet.atomicEth();
      return packet.with(
          new AtomicEth(atomic.virtualAddress(), rkey, atomic.swapOrAdd(), atomic.compare()));
    }
    return packet.with(new Reth(packet.reth().virtualAddress(), rkey, packet.reth().dmaLength()));
  }

  private static Packet withSwapOrAdd(Packet packet, long value) {
    AtomicEth atomic = packet.atomicEth();
    return packet.with(
        new AtomicEth(atomic.virtualAddress(), atomic.rkey(), value, atomic.compare()));
  }

  private static Packet withCompare(Packet packet, long value) {
    AtomicEth atomic = packet.atomicEth();
    return packet.with(
        new AtomicEth(atomic.virtualAddress(), atomic.rkey(), atomic.swapOrAdd(), value));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
