/** Opcodes, headers, packets to bytes and back, ICRC, PSN arithmetic, the P_Key rule. */
package io.queuepair.emulator.wire;
