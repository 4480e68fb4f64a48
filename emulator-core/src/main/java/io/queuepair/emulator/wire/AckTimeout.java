package io.queuepair.emulator.wire;

/** The local ACK timeout of a QP: 4.096 us times a power of two. */
public final class AckTimeout {
  private static final long UNIT_NANOS = 4096;

  private AckTimeout() {}

  /** The timeout for a code of 0 to 31; 0 stands for none. */
  public static long nanos(int code) {
    assert code >>> 5 == 0 : code;
    return code == 0 ? 0 : UNIT_NANOS << code;
  }
}
