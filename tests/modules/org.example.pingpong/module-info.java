// SPDX-License-Identifier: Apache-2.0
/** The commands of Queuepair as part of a program that is a module. */
module org.example.pingpong {
  requires info.picocli; // Of the tools, which are an automatic module and name nothing.
  requires io.queuepair.nativeverbs; // The tools use it.
  requires io.queuepair.udp;
  requires queuepair.tools;
}
