// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.RoceV2;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the headers of a datagram are, by its opcode. The payload, its pad and the ICRC of four
 * bytes follow the headers.
 *
 * @param opcode first byte of the datagram
 * @param name of the opcode, such as {@code RC_SEND_ONLY}
 * @param headers offset of each extension header from the beginning of the datagram, by name, such
 *     as {@code RETH}
 * @param headerBytes bytes before the payload
 */
record DatagramLayout(int opcode, String name, Map<String, Integer> headers, int headerBytes) {
  private static final List<DatagramLayout> ALL = all(Opcode.values());

  /** The layouts of all opcodes that are not reserved, in the order of their opcodes. */
  static List<DatagramLayout> all() {
    return ALL;
  }

  private static List<DatagramLayout> all(Opcode... opcodes) {
    List<DatagramLayout> layouts = new ArrayList<>();
    for (Opcode opcode : opcodes) {
      Map<String, Integer> headers = new LinkedHashMap<>();
      int at = RoceV2.BTH_BYTES;
      for (HeaderKind kind : opcode.headers()) {
        headers.put(kind.name(), at);
        at += kind.bytes();
      }
      layouts.add(
          new DatagramLayout(
              opcode.code(), opcode.name(), Collections.unmodifiableMap(headers), at));
    }
    return List.copyOf(layouts);
  }
}
