package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/** A registered region: bytes, the emulated address of the first one, and who may do what. */
public final class RegisteredMemory {
  private final int key;
  private final int domain;
  private final long addr;
  private final ByteBuffer bytes;
  private final Set<AccessFlag> access;

  RegisteredMemory(int key, int domain, long addr, ByteBuffer bytes, Set<AccessFlag> access) {
    this.key = key;
    this.domain = domain;
    this.addr = addr;
    this.bytes = bytes;
    this.access = access;
  }

  /** lkey and rkey. */
  public int key() {
    return key;
  }

  /** Whether peers have any right to it. */
  public boolean isRemote() {
    return access.contains(AccessFlag.REMOTE_READ)
        || access.contains(AccessFlag.REMOTE_WRITE)
        || access.contains(AccessFlag.REMOTE_ATOMIC);
  }

  public long addr() {
    return addr;
  }

  public int length() {
    return bytes.capacity();
  }

  /** The bytes, position 0, limit at the end; for views only, its position stays. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /**
   * Checks an access in the order domain, right, range.
   *
   * @param right the flag needed, or null if none is
   * @return why it is refused, or null
   */
  MemoryFault faultOf(int accessingDomain, long start, long length, AccessFlag right) {
    if (accessingDomain != domain) {
      return MemoryFault.OTHER_DOMAIN;
    }
    if (right != null && !access.contains(right)) {
      return MemoryFault.MISSING_RIGHT;
    }
    // Both differences are exact: offset is only compared once it is known not to be negative.
    long offset = start - addr;
    boolean inside = offset >= 0 && length >= 0 && offset <= bytes.capacity() - length;
    return inside ? null : MemoryFault.OUT_OF_RANGE;
  }

  /** A view of a range that was checked. */
  Payload view(long start, int length) {
    return new Payload(bytes, (int) (start - addr), length);
  }

  long load(long start) {
    return numbers().getLong((int) (start - addr));
  }

  void store(long start, long value) {
    numbers().putLong((int) (start - addr), value);
  }

  private ByteBuffer numbers() {
    return bytes.duplicate().order(ByteOrder.nativeOrder());
  }
}
