// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** The environment variables by which a program on an emulated device is set up. */
final class Variables {
  /** How all but {@link #PRELOAD} begin. */
  static final String PREFIX = "QUEUEPAIR_";

  /**
   * Addresses of a device, with commas; more devices after semicolons. A program may choose one.
   */
  static final String ADDRESS = "QUEUEPAIR_ADDRESS";

  /** The profile of the device: standard or soft-roce. */
  static final String PROFILE = "QUEUEPAIR_PROFILE";

  /** A fault plan. */
  static final String FAULTS = "QUEUEPAIR_FAULTS";

  /** Where packets are captured. */
  static final String PCAP = "QUEUEPAIR_PCAP";

  /** Where packets are traced: a file, or - for standard error. */
  static final String TRACE = "QUEUEPAIR_TRACE";

  /** KiB that each program may pin by its regions. */
  static final String MEMLOCK = "QUEUEPAIR_MEMLOCK";

  /** Set if refusals and failed completions are to be explained. */
  static final String EXPLAIN = "QUEUEPAIR_EXPLAIN";

  /** Set if standard error is to have what the device has covered, when the program exits. */
  static final String COVERAGE = "QUEUEPAIR_COVERAGE";

  /** Name of the service to which programs attach. */
  static final String SERVICE = "QUEUEPAIR_SERVICE";

  /** What programs of other users must know: both halves of a secret, in hexadecimal digits. */
  static final String SECRET = "QUEUEPAIR_SECRET";

  /** The library, which is also the program that starts others with it. */
  static final String LIBRARY = "QUEUEPAIR_LIBRARY";

  /** Port of netlink at which the service answers what is asked of RDMA. */
  static final String NETLINK = "QUEUEPAIR_NETLINK";

  /** Where the service writes what goes wrong. */
  static final String LOG = "QUEUEPAIR_LOG";

  /** Below which directory the files of the device are. */
  static final String ROOT = "QUEUEPAIR_ROOT";

  /** Loads libraries before those of the program. */
  static final String PRELOAD = "LD_PRELOAD";

  /** Options of the AddressSanitizer: its runtime of gcc is to be loaded behind our library. */
  static final String ASAN_OPTIONS = "ASAN_OPTIONS";

  private Variables() {}
}
