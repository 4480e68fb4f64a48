// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** Environment variables that set up a program on an emulated device. */
final class Variables {
  /** Prefix of all variables but {@link #PRELOAD} and {@link #ASAN_OPTIONS}. */
  static final String PREFIX = "QUEUEPAIR_";

  /**
   * Addresses of the devices, with commas between those of one device and semicolons between
   * devices. A program may choose one address.
   */
  static final String ADDRESS = "QUEUEPAIR_ADDRESS";

  /** The profile of the device: standard or soft-roce. */
  static final String PROFILE = "QUEUEPAIR_PROFILE";

  /** A fault plan. */
  static final String FAULTS = "QUEUEPAIR_FAULTS";

  /** File for captured packets. */
  static final String PCAP = "QUEUEPAIR_PCAP";

  /** File for traced packets, or - for standard error. */
  static final String TRACE = "QUEUEPAIR_TRACE";

  /** KiB that each program may pin by its regions. */
  static final String MEMLOCK = "QUEUEPAIR_MEMLOCK";

  /** Set if standard error gets the reasons of refusals and failed completions. */
  static final String EXPLAIN = "QUEUEPAIR_EXPLAIN";

  /** In programs, the process that prints coverage at its exit; for a service, set if one does. */
  static final String COVERAGE = "QUEUEPAIR_COVERAGE";

  /** Options for the JVM of the service, separated by spaces. */
  static final String JAVA_OPTS = "QUEUEPAIR_JAVA_OPTS";

  /** Socket name of the service to which programs attach. */
  static final String SERVICE = "QUEUEPAIR_SERVICE";

  /** Secret that programs of other users must know: both halves, in hexadecimal digits. */
  static final String SECRET = "QUEUEPAIR_SECRET";

  /** Path of the library, which is also an executable that starts programs with it. */
  static final String LIBRARY = "QUEUEPAIR_LIBRARY";

  /** Netlink port at which the service answers NETLINK_RDMA requests. */
  static final String NETLINK = "QUEUEPAIR_NETLINK";

  /** Log file of the service. */
  static final String LOG = "QUEUEPAIR_LOG";

  /** Directory that contains the files of the devices. */
  static final String ROOT = "QUEUEPAIR_ROOT";

  /** Libraries loaded before those of the program. */
  static final String PRELOAD = "LD_PRELOAD";

  /** Options of the AddressSanitizer: its gcc runtime must accept a library loaded before it. */
  static final String ASAN_OPTIONS = "ASAN_OPTIONS";

  private Variables() {}
}
