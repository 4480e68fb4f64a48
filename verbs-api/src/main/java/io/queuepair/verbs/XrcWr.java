// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A request for a shared receive queue of the peer, for queue pairs of type XRC_SEND ({@code
 * wr.qp_type.xrc}).
 *
 * @param wr the request itself
 * @param remoteSrqn number of the shared receive queue, 24-bit
 */
public record XrcWr(SendWr wr, int remoteSrqn) implements SendWr {
  /**
   * Demands a request.
   *
   * @param wr the request itself
   * @param remoteSrqn number of the shared receive queue, 24-bit
   */
  public XrcWr {
    Objects.requireNonNull(wr, "wr");
  }

  @Override
  public long wrId() {
    return wr.wrId();
  }

  @Override
  public List<Sge> sgList() {
    return wr.sgList();
  }

  @Override
  public Set<SendFlag> flags() {
    return wr.flags();
  }

  @Override
  public WrOpcode opcode() {
    return wr.opcode();
  }

  @Override
  public XrcWr withFlags(SendFlag... newFlags) {
    return new XrcWr(wr.withFlags(newFlags), remoteSrqn);
  }
}
