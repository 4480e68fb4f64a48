// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A registered region: address range, protection domain and access flags. {@code ibv_rereg_mr} can
 * change all of them; every access is checked against the current values.
 */
public final class RegisteredMemory implements KeyedMemory {
  private static final MappedBuffer NOWHERE = new MappedBuffer(0, ByteBuffer.allocate(0));

  private final Keys keys;
  private final boolean isNullMr;
  private final @Nullable Staging staging;
  private int domain;
  private MappedMemory mappedMemory;
  private Set<AccessFlag> access;

  /** The memory of another process that it is, or null. */
  private @Nullable ProcessMemory process;

  /** How many windows are bound to it. */
  private int windows;

  RegisteredMemory(
      Keys keys, int domain, MappedMemory mappedMemory, Set<AccessFlag> access, Staging staging) {
    this.keys = keys;
    isNullMr = false;
    this.staging = staging;
    become(domain, mappedMemory, access);
  }

  private RegisteredMemory(Keys keys, int domain) {
    this.keys = keys;
    isNullMr = true;
    staging = null;
    become(domain, NOWHERE, EnumSet.of(AccessFlag.LOCAL_WRITE));
  }

  /** The names of a region: one for the device itself, one for peers. */
  record Keys(int lkey, int rkey) {}

  /** A region that reads zeros and loses what is written, at any address. */
  static RegisteredMemory nullMr(Keys keys, int domain) {
    return new RegisteredMemory(keys, domain);
  }

  /** Changes everything but the keys. */
  public void become(int newDomain, MappedMemory newMappedMemory, Set<AccessFlag> newAccess) {
    domain = newDomain;
    mappedMemory = newMappedMemory;
    access = EnumSet.noneOf(AccessFlag.class);
    access.addAll(newAccess);
    process =
        mappedMemory instanceof MappedHostMemory host
                && host.memory() instanceof ProcessMemory other
            ? other
            : null;
    if (process != null) {
      staging.open();
    }
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
  public boolean isNullMr() {
    return isNullMr;
  }

  /** Whether peers have any right to it. */
  public boolean isRemote() {
    return access.contains(AccessFlag.REMOTE_READ)
        || access.contains(AccessFlag.REMOTE_WRITE)
        || access.contains(AccessFlag.REMOTE_ATOMIC);
  }

  public long addr() {
    return mappedMemory.addr();
  }

  public long length() {
    return mappedMemory.length();
  }

  public MappedMemory mappedMemory() {
    return mappedMemory;
  }

  /** The bytes as one buffer, or null if they are not kept as one; its position stays. */
  public @Nullable ByteBuffer bytes() {
    return mappedMemory instanceof MappedBuffer buffer ? buffer.bytes() : null;
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

  /** Whether an access by a right, or by none, changes the memory. */
  static boolean isWrite(@Nullable AccessFlag accessFlag) {
    return accessFlag != null && accessFlag != AccessFlag.REMOTE_READ;
  }

  /** Whether a range is in it, and can be accessed now. */
  boolean contains(long start, long length, boolean isWritten) {
    return MemoryRange.contains(mappedMemory.addr(), mappedMemory.length(), start, length)
        && mappedMemory.isAccessible(start, length, isWritten);
  }

  int domain() {
    return domain;
  }

  boolean grants(AccessFlag accessFlag) {
    return access.contains(accessFlag);
  }

  @Override
  public MemoryRange fullRange() {
    return new MemoryRange(addr(), length());
  }

  @Override
  public String description() {
    return "; the region has " + (isNullMr ? "all addresses" : fullRange()) + ", rights " + access;
  }

  @Override
  public @Nullable MemoryFault faultOf(
      AccessContext accessor, MemoryRange range, AccessFlag accessFlag) {
    return faultOf(accessor.domain(), range.addr(), range.length(), accessFlag);
  }

  /**
   * Checks an access in the order domain, right, range.
   *
   * @param accessFlag the flag needed, or null if none is
   * @return why it is refused, or null
   */
  @Nullable MemoryFault faultOf(
      int accessingDomain, long start, long length, @Nullable AccessFlag accessFlag) {
    if (accessingDomain != domain) {
      return MemoryFault.OTHER_DOMAIN;
    }
    if (accessFlag != null && !grants(accessFlag)) {
      return MemoryFault.MISSING_RIGHT;
    }
    return isNullMr || contains(start, length, isWrite(accessFlag))
        ? null
        : MemoryFault.OUT_OF_RANGE;
  }

  @Override
  public Payload view(long start, int length) {
    return isNullMr
        ? new Payload(ByteBuffer.allocate(length), 0, length)
        : new Payload(mappedMemory.buffer(start, length), mappedMemory.offset(start), length);
  }

  @Override
  public void show(long start, int length, MutablePacket packet) {
    if (isNullMr) {
      packet.setPayload(view(start, length));
    } else {
      packet.setPayload(mappedMemory.buffer(start, length), mappedMemory.offset(start), length);
    }
  }

  @Override
  public @Nullable ProcessMemory process() {
    return process;
  }

  @Override
  public long processAddress(long start) {
    return process.address() + (start - mappedMemory.addr());
  }

  @Override
  public void write(long start, Payload payload) {
    if (process != null) {
      staging.write(process.access(), processAddress(start), payload);
    } else if (!isNullMr) {
      payload.copyTo(mappedMemory.buffer(start, payload.length()), mappedMemory.offset(start));
    }
  }
}
