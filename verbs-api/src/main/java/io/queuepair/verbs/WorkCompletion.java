// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one work request ({@code struct ibv_wc}). If {@code status} is not SUCCESS only
 * {@code wrId}, {@code status}, {@code qpNum} and {@code vendorErr} mean something: as on Linux
 * Soft-RoCE the other fields are then zero or empty, and {@code opcode} is that of value 0, SEND.
 *
 * @param wrId identifier given in the work request
 * @param status success, or why the work failed
 * @param opcode what kind of work completed
 * @param vendorErr vendor specific detail of an error, 0 here
 * @param byteLen bytes transferred, unsigned 32-bit
 * @param immData immediate data; its big-endian bytes are those on the wire; or the remote key that
 *     the message invalidated
 * @param qpNum local queue pair number, 24-bit
 * @param srcQp queue pair number of the sender, 24-bit (UD only)
 * @param wcFlags which optional fields are valid
 * @param explanation why the work failed, in words; null if it did not
 */
public record WorkCompletion(
    long wrId,
    WcStatus status,
    WcOpcode opcode,
    int vendorErr,
    int byteLen,
    int immData,
    int qpNum,
    int srcQp,
    Set<WcFlag> wcFlags,
    @Nullable String explanation) {
  /**
   * Copies the flags.
   *
   * @param wrId identifier given in the work request
   * @param status success, or why the work failed
   * @param opcode what kind of work completed
   * @param vendorErr vendor specific detail of an error, 0 here
   * @param byteLen bytes transferred, unsigned 32-bit
   * @param immData immediate data; its big-endian bytes are those on the wire; or the remote key
   *     that the message invalidated
   * @param qpNum local queue pair number, 24-bit
   * @param srcQp queue pair number of the sender, 24-bit (UD only)
   * @param wcFlags which optional fields are valid
   * @param explanation why the work failed, in words; null if it did not
   */
  public WorkCompletion {
    wcFlags = FlagSet.copyOf(wcFlags, "wcFlags");
  }

  /**
   * Whether the work was done.
   *
   * @return true if the status is SUCCESS
   */
  public boolean isSuccess() {
    return status == WcStatus.SUCCESS;
  }

  /**
   * Why the work failed: which check, packet, timer or rule, here or at the peer. If no answer
   * came, what became of the packets and of their answers: each reason with its count. A peer that
   * is not of this kind, or beyond a real network, is known by its answers only.
   *
   * @return some sentences, the cause of a cause last; empty for a success
   */
  public String explain() {
    return explanation == null ? "" : explanation;
  }

  /**
   * The key that the peer invalidated with SEND_WITH_INV.
   *
   * @return remote key; only if the flags contain WITH_INV
   */
  public int invalidatedRkey() {
    return immData;
  }
}
