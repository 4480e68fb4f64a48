// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the application, the peer and the clock do to an {@link EngineFixture}, as text: steps with
 * a semicolon between them, after each of which everything leaves that may; {@code &} joins what
 * happens at once. The application: {@code send 1 600}, {@code write 2 8}, {@code read 3 8}, {@code
 * fenced 4}, {@code silent 5}, {@code imm 6 300}, {@code recv 7 64}, {@code bind 8 fenced}, {@code
 * badbind 9}, {@code invalidate 10}; {@code error}, {@code reset}, {@code sqd}, {@code rts}, {@code
 * connect}; {@code one} lets a single packet leave. The clock: {@code timeout 2}, {@code wait
 * 640000}. Everything else is a packet of the peer: opcode, PSN, then the bytes of its payload,
 * {@code @OFFSET+LENGTH} in the region, {@code #MSN} and {@code /SYNDROME}; {@code ACK} and {@code
 * NAK60} are acknowledge packets. Packets that leave are written the same way.
 */
final class EngineScript {
  static final long REMOTE = 0x7fff_0000_1000L;
  static final int RKEY = 0x1234;

  private final EngineFixture us;
  private final RegisteredMemory region;
  private final WindowFixture windows;

  EngineScript(EngineFixture us, RegisteredMemory region) {
    this.us = us;
    this.region = region;
    this.windows = us.windows();
  }

  String run(String script) {
    List<Packet> left = new ArrayList<>();
    for (String step : script.strip().split("\\s*;\\s*", -1)) {
      for (String action : step.split("\\s*&\\s*", -1)) {
        left.addAll(perform(action.split("\\s+")));
      }
      left.addAll(us.transmit());
    }
    return text(left);
  }

  private List<Packet> perform(String[] words) {
    switch (words[0]) {
      case "" -> {}
      case "send" -> us.post(SendWr.send(number(words, 1, 0), data(words)));
      case "silent" -> us.post(SendWr.send(number(words, 1, 0), data(words)).withFlags());
      case "fenced" ->
          us.post(SendWr.send(number(words, 1, 0), data(words)).withFlags(SendFlag.FENCE));
      case "imm" -> us.post(SendWr.sendWithImm(number(words, 1, 0), 7, data(words)));
      case "write" -> us.post(SendWr.rdmaWrite(number(words, 1, 0), REMOTE, RKEY, data(words)));
      case "read" -> us.post(SendWr.rdmaRead(number(words, 1, 0), REMOTE, RKEY, data(words)));
      case "recv" -> {
        int length = number(words, 2, (int) region.length());
        us.postReceive(number(words, 1, 0), EngineFixture.sge(region, 0, length));
      }
      case "bind" ->
          windows.postBind(number(words, 1, 0), windows.window(), windows.bindable(), flags(words));
      case "badbind" ->
          windows.postBind(number(words, 1, 0), windows.window(), region, SendFlag.SIGNALED);
      case "invalidate" ->
          us.post(
              new LocalInvWr(
                  number(words, 1, 0), Set.of(SendFlag.SIGNALED), windows.window().key()));
      case "error" -> us.enter(QpState.ERR);
      case "sqd" -> us.enter(QpState.SQD);
      case "rts" -> us.enter(QpState.RTS);
      case "reset" -> us.enter(QpState.RESET);
      case "connect" -> us.connect();
      case "one" -> {
        return List.of(us.transmitOne());
      }
      case "timeout" -> {
        return us.elapse(number(words, 1, 1) * TIMEOUT_NANOS);
      }
      case "wait" -> {
        return us.elapse(number(words, 1, 0));
      }
      default -> us.deliver(packet(words));
    }
    return List.of();
  }

  /** Of a bind: signaled, {@code fenced} too, or {@code silent}. */
  private static SendFlag[] flags(String[] words) {
    return switch (words.length > 2 ? words[2] : "") {
      case "fenced" -> new SendFlag[] {SendFlag.SIGNALED, SendFlag.FENCE};
      case "silent" -> new SendFlag[0];
      default -> new SendFlag[] {SendFlag.SIGNALED};
    };
  }

  private static int number(String[] words, int index, int otherwise) {
    return index < words.length ? Integer.decode(words[index]) : otherwise;
  }

  private Sge[] data(String[] words) {
    int length = number(words, 2, 0);
    return length == 0 ? new Sge[0] : new Sge[] {EngineFixture.sge(region, 0, length)};
  }

  /** A packet of the peer. */
  Packet packet(String text) {
    return packet(text.split("\\s+"));
  }

  private Packet packet(String[] words) {
    boolean quiet = words[0].equals("quiet");
    String name = words[quiet ? 1 : 0];
    Opcode opcode = opcode(name);
    int psn = Integer.decode(words[quiet ? 2 : 1]);
    int length = defaultLength(opcode);
    String range = null;
    int msn = 1;
    int syndrome = name.startsWith("NAK") ? Integer.parseInt(name.substring(3), 16) : 0x1f;
    for (String word : List.of(words).subList(quiet ? 3 : 2, words.length)) {
      switch (word.charAt(0)) {
        case '@' -> range = word.substring(1);
        case '#' -> msn = Integer.parseInt(word.substring(1));
        case '/' -> syndrome = Integer.parseInt(word.substring(1), 16);
        default -> length = Integer.parseInt(word);
      }
    }
    ExtensionHeader[] headers =
        headers(opcode, range == null ? "0+" + length : range, new Aeth(syndrome, msn));
    byte[] payload = payload(psn - (opcode.isResponse() ? OWN_PSN : PEER_PSN), length);
    return quiet
        ? us.peer().quiet(opcode, psn, payload, headers)
        : us.peer().of(opcode, psn, payload, headers);
  }

  private static Opcode opcode(String name) {
    if (name.startsWith("NAK") || name.equals("ACK")) {
      return Opcode.RC_ACKNOWLEDGE;
    }
    return Stream.of(Opcode.values())
        .filter(row -> name.equals(nameOf(row)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name));
  }

  /** Without service and RDMA. */
  private static String nameOf(Opcode opcode) {
    return opcode.name().startsWith("RC_") ? opcode.name().substring(3).replace("RDMA_", "") : "";
  }

  private static int defaultLength(Opcode opcode) {
    return switch (opcode.position()) {
      case FIRST, MIDDLE -> MTU;
      default -> opcode.name().contains("SEND") || opcode.name().contains("WRITE") ? 5 : 0;
    };
  }

  private ExtensionHeader[] headers(Opcode opcode, String range, Aeth aeth) {
    int plus = range.indexOf('+');
    long address = region.addr() + Long.parseLong(range.substring(0, plus));
    Reth reth = new Reth(address, region.key(), Long.parseLong(range.substring(plus + 1)));
    return opcode.headers().stream()
        .<ExtensionHeader>map(
            kind ->
                switch (kind) {
                  case RETH -> reth;
                  case AETH -> aeth;
                  case ATOMIC_ETH -> new AtomicEth(address, region.key(), 1, 0);
                  case ATOMIC_ACK_ETH -> new AtomicAckEth(-1);
                  case IMM_DT -> new ImmDt(7);
                  default -> throw new IllegalArgumentException(opcode + ": " + kind);
                })
        .toArray(ExtensionHeader[]::new);
  }

  /** Bytes that a message has in the packet with a number from 0. */
  static byte[] payload(int number, int length) {
    int from = Math.floorMod(number, 16) * MTU;
    return TestPayloads.slice(TestPayloads.pattern(from + length, 9), from, length);
  }

  /** Description of packets. */
  static String text(List<Packet> packets) {
    return packets.stream().map(EngineScript::text).collect(Collectors.joining("; "));
  }

  private static String text(Packet packet) {
    Aeth aeth = packet.opcode() == Opcode.RC_ACKNOWLEDGE ? packet.aeth() : null;
    if (aeth != null) {
      String name = aeth.isAck() ? "ACK" : "NAK" + Integer.toHexString(aeth.syndrome());
      return name + " " + packet.psn() + " #" + aeth.msn();
    }
    StringBuilder text = new StringBuilder(nameOf(packet.opcode())).append(' ');
    text.append(packet.psn());
    if (packet.payload().length() > 0) {
      text.append(' ').append(packet.payload().length());
    }
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof Reth reth) {
        text.append(" @")
            .append(reth.virtualAddress() - REMOTE)
            .append("+")
            .append(reth.dmaLength());
      } else if (header instanceof Aeth answer) {
        text.append(" #").append(answer.msn());
      }
    }
    return text.toString();
  }
}
