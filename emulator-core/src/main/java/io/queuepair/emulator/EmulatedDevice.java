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
 * A device of an {@link Emulator}: its verbs, what can happen to its ports and addresses, its
 * failure, and its counters. Thread-safe as far as its network is.
 */
public interface EmulatedDevice extends Device {
  /**
   * The emulated device that a program has as a device of the verbs.
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

  /**
   * {@return the IP addresses that the device was added with, those of its first port first; also
   * after the emulator was closed}
   */
  List<InetAddress> addresses();

  /**
   * Pulls the cable of a port, or plugs it in again. A port that is down neither sends nor
   * receives; requests are tried again until their retries are exhausted. Every context of the
   * device gets {@code PORT_ERR} or {@code PORT_ACTIVE}, if that is a change.
   *
   * @param portNum number of the port, from 1; one without addresses stays down
   * @param up whether the port is up from now on
   * @throws VerbsException EINVAL if there is no such port
   */
  void setPortUp(int portNum, boolean up);

  /**
   * Gives a port another address, in the first empty slot of its GID table. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param portNum number of the port, from 1; one that is down stays down
   * @param address an IP address
   * @throws io.queuepair.emulator.fabric.FabricException if the address cannot be had
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, ENOSPC if its GID table is full
   */
  void addAddress(int portNum, String address);

  /**
   * Takes an address from a port and empties its slot of the GID table. Queue pairs that use it
   * stay as they are: what they send is dropped, and nothing reaches them. Datagrams by an address
   * handle that names the slot are refused when they are posted: EINVAL. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param portNum number of the port, from 1
   * @param address an address of the port, but not its first
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, if the address is not one of it, or is
   *     its first; EBUSY if the device is in a multicast group with it
   */
  void removeAddress(int portNum, String address);

  /**
   * Puts a P_Key into a slot of the table of a port. Queue pairs that use the slot send it, and
   * check for it, from now on; with 0, an empty slot, their packets are dropped. Every context of
   * the device gets {@code PKEY_CHANGE}, if that is a change.
   *
   * @param portNum number of the port, from 1
   * @param index slot of the table, from 0
   * @param pkey unsigned 16-bit; 0 empties the slot
   * @throws VerbsException EINVAL if there is no such port or slot, or the key has more than 16
   *     bits
   */
  void setPkey(int portNum, int index, int pkey);

  /**
   * Limits the IP packets of a port, and with it the active MTU. Connected queue pairs keep the
   * path MTU that they have; datagrams and frames must fit from now on.
   *
   * @param portNum number of the port, from 1
   * @param bytes the longest IP packet: 336, for a path MTU of 256, to what the network carries
   * @throws VerbsException EINVAL if there is no such port, or for other numbers
   */
  void setMtu(int portNum, int bytes);

  /**
   * Registers for the management datagrams of a class that arrive at queue pair 1 of a port ({@code
   * umad_register}).
   *
   * @param portNum number of the port, from 1
   * @param mgmtClass management class, 1 to 255, but not 7, that of the connection manager
   * @return the agent that sends and receives; to be closed
   * @throws VerbsException EINVAL if there is no such port or class; EBUSY if the class is taken at
   *     the port; ENODEV if the device is closed
   */
  UmadAgent registerUmad(int portNum, int mgmtClass);

  /**
   * Lets a device fail: all its queue pairs that are in use go to ERR, and every context gets
   * {@code DEVICE_FATAL}.
   */
  void fail();

  /**
   * What has passed a port, by the names that Linux has for it in {@code
   * /sys/class/infiniband/DEVICE/ports/PORT/counters}: packets, apart to groups and to single
   * receivers, and data in units of 4 octets.
   *
   * @param portNum number of the port, from 1
   * @return for example {@code port_xmit_data}
   * @throws VerbsException EINVAL if there is no such port
   */
  Map<String, Long> trafficCounters(int portNum);

  /**
   * How many packets a device has dropped, by reason; for example {@code BAD_ICRC}.
   *
   * @return only the reasons that occurred
   */
  Map<String, Long> dropCounts();

  /**
   * How many connections of rdma_cm have ended before the time that their peers have chosen, for a
   * time-wait or an answer that does not come: at most 4,096 of a host wait at one moment, and the
   * one that has waited longest gives way.
   *
   * @return their number since the device was made
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
