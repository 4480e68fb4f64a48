/** Somebody else's program, as a module: it names what it uses and no more. */
module org.example.app {
  requires io.queuepair.udp;
}
