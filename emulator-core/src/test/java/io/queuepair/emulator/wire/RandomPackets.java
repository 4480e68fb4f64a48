// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.List;
import java.util.Random;

/** Packets with random fields, also with payloads that break the rule of their opcode. */
final class RandomPackets {
  private static final int MAX_PAYLOAD = 600;

  private final Random random;

  RandomPackets(long seed) {
    this.random = new Random(seed);
  }

  Packet next(Route route) {
    Opcode[] opcodes = Opcode.values();
    return next(route, opcodes[random.nextInt(opcodes.length)]);
  }

  Packet next(Route route, Opcode opcode) {
    List<ExtensionHeader> extensions = opcode.headers().stream().map(this::header).toList();
    return new Packet(route, bth(opcode), extensions, payload(opcode));
  }

  private Bth bth(Opcode opcode) {
    return new Bth(
        opcode,
        random.nextBoolean(),
        random.nextBoolean(),
        bits(16),
        random.nextBoolean(),
        random.nextBoolean(),
        1 + random.nextInt(0xffffff),
        random.nextBoolean(),
        bits(24));
  }

  private Payload payload(Opcode opcode) {
    if (opcode.payloadRule() == PayloadRule.NONE) {
      return Payload.EMPTY;
    }
    byte[] bytes = new byte[random.nextInt(MAX_PAYLOAD)];
    random.nextBytes(bytes);
    return Payload.of(bytes);
  }

  private ExtensionHeader header(HeaderKind kind) {
    return switch (kind) {
      case RDETH -> new Rdeth(bits(24));
      case DETH -> new Deth(random.nextInt(), bits(24));
      case XRCETH -> new XrcEth(bits(24));
      case FETH -> new Feth(bits(4), bits(2));
      case RETH -> new Reth(random.nextLong(), random.nextInt(), random.nextLong() >>> 32);
      case ATOMIC_ETH ->
          new AtomicEth(random.nextLong(), random.nextInt(), random.nextLong(), random.nextLong());
      case AETH -> new Aeth(bits(8), bits(24));
      case ATOMIC_ACK_ETH -> new AtomicAckEth(random.nextLong());
      case IMM_DT -> new ImmDt(random.nextInt());
      case IETH -> new Ieth(random.nextInt());
      case CNP_RESERVED -> new CnpReserved();
    };
  }

  private int bits(int count) {
    return random.nextInt(1 << count);
  }
}
