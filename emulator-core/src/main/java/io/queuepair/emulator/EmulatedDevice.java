// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A device of an {@link Emulator}. Besides the verbs it offers changes of ports and addresses,
 * failure of the device, counters and reports. Thread-safe if its network is.
 */
public interface EmulatedDevice extends Device {
  /**
   * Returns the emulated device that a device of the verbs API is.
   *
   * @param device such as that of {@link Context#device()}
   * @return the same object
   * @throws IllegalArgumentException if it is not a device of an emulator
   */
  static EmulatedDevice of(Device device) {
    Objects.requireNonNull(device, "device");
    if (device instanceof EmulatedDevice emulated) {
      return emulated;
    }
    throw new IllegalArgumentException(device + " is not a device of an emulator");
  }

  /** {@return the IP addresses that the device was added with, port 1 first; also after close} */
  List<InetAddress> addresses();

  /**
   * Takes a port down, as a pulled cable does, or up again. A port that is down neither sends nor
   * receives; requests are retried until their retries are exhausted. If the state changes, every
   * context of the device gets {@code PORT_ERR} or {@code PORT_ACTIVE}.
   *
   * @param portNum number of the port, from 1; one without addresses stays down
   * @param up whether the port is up from now on
   * @throws VerbsException EINVAL if there is no such port
   */
  void setPortUp(int portNum, boolean up);

  /**
   * Adds an address to a port, in the first empty slot of its GID table. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param portNum number of the port, from 1; one that is down stays down
   * @param address an IP address
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses the address
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, ENOSPC if its GID table is full
   */
  void addAddress(int portNum, String address);

  /**
   * Removes an address from a port, and empties its slot of the GID table. Queue pairs that use the
   * address stay as they are: their packets are dropped, and no packet reaches them. Posting a
   * datagram with an address handle that names the slot fails with EINVAL. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param portNum number of the port, from 1
   * @param address an address of the port, but not its first
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, if the port does not have the address,
   *     or if it is the first of the port; EBUSY if the device is in a multicast group with it
   */
  void removeAddress(int portNum, String address);

  /**
   * Puts a P_Key into a slot of the P_Key table of a port. Queue pairs that use the slot send and
   * check the new P_Key from now on; if the slot is empty (0), their packets are dropped. If the
   * P_Key changes, every context of the device gets {@code PKEY_CHANGE}.
   *
   * @param portNum number of the port, from 1
   * @param index slot of the table, from 0
   * @param pkey unsigned 16-bit; 0 empties the slot
   * @throws VerbsException EINVAL if there is no such port or slot, or the key has more than 16
   *     bits
   */
  void setPkey(int portNum, int index, int pkey);

  /**
   * Limits the length of IP packets of a port, and with it the active MTU. Connected queue pairs
   * keep their path MTU; datagrams and frames must fit from now on.
   *
   * @param portNum number of the port, from 1
   * @param bytes the longest IP packet: from 336, for a path MTU of 256, to what the network
   *     carries
   * @throws VerbsException EINVAL if there is no such port, or the length is out of this range
   */
  void setMtu(int portNum, int bytes);

  /**
   * Registers for the management datagrams of a class that arrive at queue pair 1 of a port ({@code
   * umad_register}).
   *
   * @param portNum number of the port, from 1
   * @param mgmtClass management class, 1 to 255, but not 7, that of the connection manager
   * @return the agent that sends and receives, which the caller closes
   * @throws VerbsException EINVAL if there is no such port or class; EBUSY if the class is taken at
   *     the port; ENODEV if the device is closed
   */
  UmadAgent registerUmad(int portNum, int mgmtClass);

  /** Fails the device: queue pairs in use move to ERR, every context gets {@code DEVICE_FATAL}. */
  void fail();

  /**
   * Traffic counters of a port, with the names that Linux uses in {@code
   * /sys/class/infiniband/DEVICE/ports/PORT/counters}: packets, unicast and multicast also
   * separately, and data in units of 4 octets.
   *
   * @param portNum number of the port, from 1
   * @return values by name, for example {@code port_xmit_data}
   * @throws VerbsException EINVAL if there is no such port
   */
  Map<String, Long> trafficCounters(int portNum);

  /**
   * Number of packets that the device has dropped, by reason; for example {@code BAD_ICRC}.
   *
   * @return only the reasons that occurred
   */
  Map<String, Long> dropCounts();

  /**
   * Number of rdma_cm connections that ended before the timeout chosen by their peer, in time-wait
   * or while waiting for an answer. At most 4,096 connections of a host wait at a time; one more
   * ends the oldest wait.
   *
   * @return the number since the device was made
   */
  long displacedConnections();

  /**
   * Coverage of the device so far, also after the emulator was closed.
   *
   * @return a snapshot
   */
  Coverage coverage();

  /**
   * Findings of the sanitizer of the device so far, also after the emulator was closed; the first
   * 1,000 are kept.
   *
   * @return the reports, oldest first; none unless its profile is {@link DeviceProfile#sanitized()}
   */
  List<SanitizerFinding> sanitizerFindings();
}
