// SPDX-License-Identifier: Apache-2.0
/** A program of a user, as a module: it names what it uses and no more. */
module org.example.app {
  requires io.queuepair.udp;
}
