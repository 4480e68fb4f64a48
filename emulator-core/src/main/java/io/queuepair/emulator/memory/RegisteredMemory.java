package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.Set;

/** A registered region: bytes, the emulated address of the first one, and who may do what. */
public final class RegisteredMemory implements KeyedMemory {
  private final int key;
  private final int domain;
  private final long addr;
  private final ByteBuffer bytes;
  private final Set<AccessFlag> access;

  /** How many windows are bound to it. */
  private int windows;

  RegisteredMemory(int key, int domain, long addr, ByteBuffer bytes, Set<AccessFlag> access) {
    this.key = key;
    this.domain = domain;
    this.addr = addr;
    this.bytes = bytes;
    this.access = access;
  }

  /** lkey and rkey. */
  @Override
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

  /** Whether a window is bound to it, so that it has to stay. */
  public boolean hasWindows() {
    return windows > 0;
  }

  void addWindow() {
    windows++;
  }

  void removeWindow() {
    assert windows > 0;
    windows--;
  }

  int domain() {
    return domain;
  }

  boolean grants(AccessFlag right) {
    return access.contains(right);
  }

  @Override
  public MemoryRange whole() {
    return new MemoryRange(addr, bytes.capacity());
  }

  @Override
  public MemoryFault faultOf(Accessor by, MemoryRange range, AccessFlag right) {
    return faultOf(by.domain(), range, right);
  }

  /**
   * Checks an access in the order domain, right, range.
   *
   * @param right the flag needed, or null if none is
   * @return why it is refused, or null
   */
  MemoryFault faultOf(int accessingDomain, MemoryRange range, AccessFlag right) {
    if (accessingDomain != domain) {
      return MemoryFault.OTHER_DOMAIN;
    }
    if (right != null && !grants(right)) {
      return MemoryFault.MISSING_RIGHT;
    }
    return whole().contains(range) ? null : MemoryFault.OUT_OF_RANGE;
  }

  @Override
  public Payload view(long start, int length) {
    return new Payload(bytes, (int) (start - addr), length);
  }
}
