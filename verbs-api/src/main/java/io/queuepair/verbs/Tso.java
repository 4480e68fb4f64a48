package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * A SEND that the device cuts into segments, each with the same header in front.
 *
 * @param wrId returned in the completion
 * @param sgList the data after the header
 * @param flags the flags
 * @param hdr the header, from the buffer's position to its limit; read when the request is posted
 * @param mss most bytes of data in one segment
 */
public record Tso(long wrId, List<Sge> sgList, Set<SendFlag> flags, ByteBuffer hdr, int mss)
    implements SendWr {
  @Override
  public WrOpcode opcode() {
    return WrOpcode.TSO;
  }

  @Override
  public Tso withFlags(SendFlag... newFlags) {
    return new Tso(wrId, sgList, Set.of(newFlags), hdr, mss);
  }
}
