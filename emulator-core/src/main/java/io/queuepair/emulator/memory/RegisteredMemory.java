package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * A registered region: where it is, and who may do what. All that can change, and what is under way
 * sees the change: everything is checked when it is accessed.
 */
public final class RegisteredMemory implements KeyedMemory {
  private static final Place NOWHERE = new Place(0, ByteBuffer.allocate(0));

  private final Keys keys;
  private final boolean isEndless;
  private int domain;
  private Place place;
  private Set<AccessFlag> access;

  /** How many windows are bound to it. */
  private int windows;

  RegisteredMemory(Keys keys, int domain, Place place, Set<AccessFlag> access) {
    this(keys, domain, place, access, false);
  }

  private RegisteredMemory(
      Keys keys, int domain, Place place, Set<AccessFlag> access, boolean isEndless) {
    this.keys = keys;
    this.isEndless = isEndless;
    become(domain, place, access);
  }

  /** The names of a region: one for the device itself, one for peers. */
  record Keys(int lkey, int rkey) {}

  /** A region that reads zeros and loses what is written, at any address. */
  static RegisteredMemory endless(Keys keys, int domain) {
    return new RegisteredMemory(keys, domain, NOWHERE, EnumSet.of(AccessFlag.LOCAL_WRITE), true);
  }

  /** Changes everything but the keys. */
  public void become(int newDomain, Place newPlace, Set<AccessFlag> newAccess) {
    domain = newDomain;
    place = newPlace;
    access = EnumSet.noneOf(AccessFlag.class);
    access.addAll(newAccess);
  }

  /** The key that peers use. */
  @Override
  public int key() {
    return keys.rkey;
  }

  /** The key that the device itself uses; equal unless the table has separate keys. */
  public int lkey() {
    return keys.lkey;
  }

  /** Whether it has no bytes but all addresses. */
  public boolean isEndless() {
    return isEndless;
  }

  /** Whether peers have any right to it. */
  public boolean isRemote() {
    return access.contains(AccessFlag.REMOTE_READ)
        || access.contains(AccessFlag.REMOTE_WRITE)
        || access.contains(AccessFlag.REMOTE_ATOMIC);
  }

  public long addr() {
    return place.addr();
  }

  public int length() {
    return place.bytes().capacity();
  }

  public Place place() {
    return place;
  }

  /** The bytes, position 0, limit at the end; for views only, its position stays. */
  public ByteBuffer bytes() {
    return place.bytes();
  }

  /** The rights, a copy. */
  public Set<AccessFlag> access() {
    return EnumSet.copyOf(access);
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
    return place.range();
  }

  @Override
  public MemoryFault faultOf(Accessor by, MemoryRange range, AccessFlag right) {
    return faultOf(by.domain(), range.addr(), range.length(), right);
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
    if (right != null && !grants(right)) {
      return MemoryFault.MISSING_RIGHT;
    }
    return isEndless || place.contains(start, length) ? null : MemoryFault.OUT_OF_RANGE;
  }

  @Override
  public Payload view(long start, int length) {
    return isEndless
        ? new Payload(ByteBuffer.allocate(length), 0, length)
        : new Payload(place.bytes(), (int) (start - place.addr()), length);
  }

  @Override
  public void write(long start, Payload bytes) {
    if (!isEndless) {
      bytes.copyTo(place.bytes(), (int) (start - place.addr()));
    }
  }
}
