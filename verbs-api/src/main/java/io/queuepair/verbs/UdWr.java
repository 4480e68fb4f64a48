// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A request with the address of its receiver, for queue pairs of type UD ({@code wr.ud}).
 *
 * @param wr a SEND, with or without immediate data
 * @param ah where the message goes
 * @param remoteQpn queue pair number of the receiver, 24-bit; 0xFFFFFF for a multicast group
 * @param remoteQkey Q_Key the receiver checks; with the top bit set that of the sender is used
 */
public record UdWr(SendWr wr, AddressHandle ah, int remoteQpn, int remoteQkey) implements SendWr {
  /**
   * Demands a request; a missing address handle is refused when it is posted.
   *
   * @param wr a SEND, with or without immediate data
   * @param ah where the message goes
   * @param remoteQpn queue pair number of the receiver, 24-bit; 0xFFFFFF for a multicast group
   * @param remoteQkey Q_Key the receiver checks; with the top bit set that of the sender is used
   */
  public UdWr {
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
  public UdWr withFlags(SendFlag... newFlags) {
    return new UdWr(wr.withFlags(newFlags), ah, remoteQpn, remoteQkey);
  }
}
