package io.queuepair.tools.workload;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;

/** Is told of everything that a simulation does to its devices, in order. */
interface Journal {
  /** Writes nothing down. */
  Journal NONE = new Journal() {};

  /**
   * A region was registered.
   *
   * @param name of the region, unique on its device
   * @param isFilled with {@link Arena#FILL}, not with zeros or with bytes that never change
   */
  default void registered(Host host, String name, MemoryRegion region, boolean isFilled) {}

  /** A queue pair was created. */
  default void created(Side side) {}

  /** Both queue pairs of a connection go from RESET to RTS. */
  default void connecting(Side even, Side odd, int psn) {}

  /** A queue pair that has stayed in RTR goes to RTS. */
  default void sending(Side side, int psn) {}

  /** A queue pair goes to a state that needs no attributes. */
  default void modifying(Side side, QpState state) {}

  /** A send is posted. */
  default void posting(Side side, SendWr wr) {}

  /** A receive is posted. */
  default void posting(Side side, RecvWr wr) {}

  /** The program writes to memory. */
  default void writing(MemoryRegion region, int offset, byte[] bytes) {}

  /** The program makes a slot as it was in the beginning. */
  default void wiping(MemoryRegion region, int offset) {}

  /** The program found completions. */
  default void polled(Host host, boolean ofSends) {}

  /** The next event of the network happens. */
  default void event() {}

  /** A time begins in which the program only looks. */
  default void waiting() {}

  /** That time is over. */
  default void waited(long nanos) {}
}
