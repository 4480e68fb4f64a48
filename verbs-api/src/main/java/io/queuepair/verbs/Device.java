// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** An RDMA device that can be opened ({@code struct ibv_device}). Thread-safe. */
public interface Device {
  /**
   * The name.
   *
   * @return for example {@code qp0}
   */
  @Verb("ibv_get_device_name")
  String name();

  /**
   * The GUID of the node.
   *
   * @return 64 bits, of which the most significant byte comes first on the wire
   */
  @Verb("ibv_get_device_guid")
  long guid();

  /**
   * A number that no other device of the same network has.
   *
   * @return from 0; -1 if unknown
   */
  @Verb("ibv_get_device_index")
  int index();

  /**
   * The kind of node.
   *
   * @return CA for a RoCE device
   */
  NodeType nodeType();

  /**
   * The transport.
   *
   * @return IB for a RoCE device
   */
  TransportType transportType();

  /**
   * Opens the device. Contexts of one device are independent: objects of one cannot be used with
   * those of another.
   *
   * @return a new context
   * @throws VerbsException ENODEV if the device is gone
   */
  @Verb("ibv_open_device")
  Context open();
}
