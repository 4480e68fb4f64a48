// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import java.util.Objects;

/**
 * An option of an id, with its value ({@code rdma_set_option}). In C it is a level, a number and
 * untyped bytes.
 */
public sealed interface RdmaOption {
  /**
   * The traffic class of the connection ({@code RDMA_OPTION_ID_TOS}). It counts when the route is
   * resolved, and when a listener takes a request; later it is of no effect.
   *
   * @param value 0 to 255
   */
  record Tos(int value) implements RdmaOption {}

  /**
   * Whether a port can be bound that another id with this option is bound to ({@code
   * RDMA_OPTION_ID_REUSEADDR}). Who listens does not share: {@link RdmaCmId#listen} refuses while
   * another id has the port, and takes the option back. An id that listens cannot be changed, and
   * one that is bound can only be changed to share: EINVAL.
   *
   * @param isOn whether it can
   */
  record ReuseAddress(boolean isOn) implements RdmaOption {}

  /**
   * Whether an id that is bound to the IPv6 wildcard takes no IPv4 requests ({@code
   * RDMA_OPTION_ID_AFONLY}). Set it before the id listens: afterwards EINVAL.
   *
   * @param isOn whether it takes only those of its own family
   */
  record AddressFamilyOnly(boolean isOn) implements RdmaOption {}

  /**
   * The local ACK timeout of the queue pair, instead of the one computed ({@code
   * RDMA_OPTION_ID_ACK_TIMEOUT}). It counts when the queue pair becomes ready to send, so it is set
   * before {@link RdmaCmId#connect} or {@link RdmaCmId#accept}. Only ids of RC and XRC_SEND have
   * one; for others EINVAL.
   *
   * @param code 0 to 31: 4.096 microseconds times 2 to that power; 0 means none. As in Linux, 32 to
   *     255 are taken, and no queue pair becomes ready to send with them
   */
  record AckTimeout(int code) implements RdmaOption {}

  /**
   * The path to the peer, which stands for {@link RdmaCmId#resolveRoute} ({@code
   * RDMA_OPTION_IB_PATH}).
   *
   * @param path the path
   */
  record IbPath(RdmaPath path) implements RdmaOption {
    /**
     * Demands a path.
     *
     * @param path the path
     */
    public IbPath {
      Objects.requireNonNull(path, "path");
    }
  }
}
