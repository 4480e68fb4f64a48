/** RoCEv2 over UDP. */
module io.queuepair.udp {
  requires transitive io.queuepair.emulator;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires org.slf4j;

  exports io.queuepair.udp;
}
