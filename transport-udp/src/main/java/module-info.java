// SPDX-License-Identifier: Apache-2.0
/** RoCEv2 over UDP. */
module io.queuepair.udp {
  requires transitive io.queuepair.emulator;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  // Native libraries of epoll: no other module requires them, and without them there is no epoll.
  requires io.netty.transport.epoll.linux.aarch_64;
  requires io.netty.transport.epoll.linux.x86_64;
  requires io.netty.transport.unix.common;
  requires jdk.net; // IP_DONTFRAGMENT of NIO sockets, by name.
  requires org.slf4j;

  exports io.queuepair.udp;
}
