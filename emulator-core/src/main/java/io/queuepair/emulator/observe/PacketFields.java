// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Feth;
import io.queuepair.emulator.wire.Ieth;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.MadPayload;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PayloadRule;
import io.queuepair.emulator.wire.Rdeth;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.XrcEth;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Header fields of a packet by name, for programs. Values of 64 bits and keys are hexadecimal text,
 * as many parsers of numbers lose the lowest bits.
 */
final class PacketFields {
  static final String OPCODE = "opcode";
  static final String OPCODE_VALUE = "opcode_value";
  static final String QPN = "qpn";
  static final String PSN = "psn";

  private final Map<String, Object> fields = new LinkedHashMap<>();

  private PacketFields() {}

  static Map<String, Object> of(Packet packet) {
    PacketFields fields = new PacketFields();
    fields.add(packet.bth());
    packet.extensions().forEach(fields::add);
    if (packet.opcode().payloadRule() != PayloadRule.NONE) {
      fields.add("payload", packet.payloadBytes());
    }
    MadPayload mad = MadPayload.in(packet);
    if (mad != null) {
      fields.fields.putAll(mad.fields());
    }
    return Collections.unmodifiableMap(fields.fields);
  }

  private void add(Bth bth) {
    add(OPCODE, bth.opcode().toString());
    add(OPCODE_VALUE, bth.opcode().code());
    add(QPN, bth.destQpn());
    add(PSN, bth.psn());
    add("pkey", bth.pkey());
    add("solicited", bth.solicited());
    add("migrated", bth.migrated());
    add("fecn", bth.fecn());
    add("becn", bth.becn());
    add("ackreq", bth.ackRequest());
  }

  private void add(ExtensionHeader header) {
    switch (header.kind()) {
      case RDETH -> add("ee_context", ((Rdeth) header).eeContext());
      case DETH -> {
        Deth deth = (Deth) header;
        addHex("qkey", deth.qkey());
        add("source_qpn", deth.sourceQpn());
      }
      case XRCETH -> add("srqn", ((XrcEth) header).srqn());
      case FETH -> {
        Feth feth = (Feth) header;
        add("placement", feth.placement());
        add("selectivity", feth.selectivity());
      }
      case RETH -> {
        Reth reth = (Reth) header;
        addHex("va", reth.virtualAddress());
        addHex("rkey", reth.rkey());
        add("dma_length", reth.dmaLength());
      }
      case ATOMIC_ETH -> add((AtomicEth) header);
      case AETH -> {
        Aeth aeth = (Aeth) header;
        add("syndrome", aeth.syndrome());
        add("verdict", LadderText.verdict(aeth));
        add("msn", aeth.msn());
      }
      case ATOMIC_ACK_ETH -> addHex("original", ((AtomicAckEth) header).original());
      case IMM_DT -> addHex("immediate", ((ImmDt) header).immediate());
      case IETH -> addHex("invalidate_rkey", ((Ieth) header).rkey());
      case CNP_RESERVED -> add("cnp", true);
    }
  }

  private void add(AtomicEth atomic) {
    addHex("va", atomic.virtualAddress());
    addHex("rkey", atomic.rkey());
    addHex("swap_add", atomic.swapOrAdd());
    addHex("compare", atomic.compare());
  }

  private void addHex(String name, int value) {
    add(name, String.format(Locale.ROOT, "0x%08x", value));
  }

  private void addHex(String name, long value) {
    add(name, "0x" + Long.toHexString(value));
  }

  private void add(String name, Object value) {
    fields.put(name, value);
  }
}
