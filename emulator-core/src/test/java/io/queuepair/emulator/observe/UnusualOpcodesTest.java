// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.CaptureBytes.hex;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.observe.PacketRecord.Integrity;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Opcodes that Wireshark does not know, laid out by hand from the tables of the specification
 * (annexes A14 XRC, A17 RoCEv2, A19 memory placement). The ICRCs come from a separate program that
 * reproduces packets recorded from hardware.
 */
final class UnusualOpcodesTest {
  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          4500003c00004000401126af0a0000010a000002 c12312b700280000 \
          a530ffff00000a1180000064 00000b12 01020304 68656c6c6f000000 | 6ca72afd \
          | XRC_SEND_ONLY_WITH_IMM | srqn | 2834
          4500004400004000401126a70a0000010a000002 c12312b700300000 \
          aa00ffff00000a1180000065 00000b12 00007f0000001000 00001234 00000004 61626364 | 14c66d17 \
          | XRC_RDMA_WRITE_ONLY | va | 0x7f0000001000
          4500004c000040004011269f0a0000010a000002 c12312b700380000 \
          b300ffff00000a1180000066 00000b12 00007f0000001008 00001234 1112131415161718 \
          0000000000000021 | 98df7960 | XRC_COMPARE_SWAP | compare | 0x21
          4500003400004000401126b70a0000010a000002 c12312b700200000 \
          b700ffff00000a1180000067 00000b12 00005678 | db13a6c1 \
          | XRC_SEND_ONLY_WITH_INVALIDATE | invalidate_rkey | 0x00005678
          4500003000004000401126bb0a0000010a000002 c12312b7001c0000 \
          b100ffff00000a1200000067 1f000004 | 42396efb | XRC_ACKNOWLEDGE | msn | 4
          4500003800004000401126b30a0000010a000002 c12312b700240000 \
          b200ffff00000a1200000066 1f000003 0000000000000021 | 4fbe0312 \
          | XRC_ATOMIC_ACKNOWLEDGE | original | 0x21
          4500003400004000401126b70a0000010a000002 c12312b700200000 \
          b000ffff00000a1200000068 1f000005 61626364 | b0f03341 \
          | XRC_RDMA_READ_RESPONSE_ONLY | payload | 4
          4500004000004000401126ab0a0000010a000002 c12312b7002c0000 \
          1c00ffff0000001180000064 00000012 00007f0000001000 00001234 00001000 | 9ac2caec \
          | RC_FLUSH | placement | 2
          4500004000004000401126ab0a0000010a000002 c12312b7002c0000 \
          1c00ffff0000001180000064 00000012 00007f0000001000 00001234 00001000 | 9ac2caec \
          | RC_FLUSH | selectivity | 1
          4500004400004000401126a70a0000010a000002 c12312b700300000 \
          1d00ffff0000001180000065 00007f0000001000 00001234 00000008 0102030405060708 | a7435a33 \
          | RC_ATOMIC_WRITE | dma_length | 8
          4500003c00004000401126af0a0000010a000002 c12312b700280000 \
          8100ffff4000011800000000 00000000000000000000000000000000 | ab61900a | CNP | becn | true
          """)
  void areDecodedAndReproduced(
      String packet, String icrc, String opcode, String field, String value) {
    CaptureBytes file = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(0xa1b2c3d4, 101);

    PacketRecord record = file.record(0, 0, hex(packet + icrc)).packets().get(0);

    assertThat(record.integrity()).isEqualTo(Integrity.ICRC_OK);
    assertThat(record.isReproduced()).isTrue();
    assertThat(record.fields()).containsEntry("opcode", opcode);
    assertThat(record.fields().get(field)).hasToString(value);
  }
}
