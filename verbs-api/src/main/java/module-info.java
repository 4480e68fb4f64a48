/** The verbs API and the interface by which devices offer themselves to it. */
module io.queuepair.verbs {
  exports io.queuepair.verbs;
  exports io.queuepair.verbs.spi;

  uses io.queuepair.verbs.spi.VerbsProvider;
}
