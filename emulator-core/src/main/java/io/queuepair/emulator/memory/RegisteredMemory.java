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
 * Registered region: address range, protection domain and access flags. {@code ibv_rereg_mr} can
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

  private @Nullable ProcessMemory process;

  /** Number of windows bound to the region. */
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

  /** Keys of a region: the lkey for local access, the rkey for peers. */
  record Keys(int lkey, int rkey) {}

  /** Creates a null MR: reads return zeros and writes are discarded, at any address. */
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

  @Override
  public int key() {
    return keys.rkey;
  }

  /** Key of local accesses; equals the rkey unless the table has separate keys. */
  public int lkey() {
    return keys.lkey;
  }

  /** Whether the region is a null MR, which has no bytes and accepts any address. */
  public boolean isNullMr() {
    return isNullMr;
  }

  /** Whether peers may read, write or execute atomics. */
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

  /** Bytes as one buffer, whose position must not move; null if they are not kept in one. */
  public @Nullable ByteBuffer bytes() {
    return mappedMemory instanceof MappedBuffer buffer ? buffer.bytes() : null;
  }

  /** Copy of the access flags. */
  public Set<AccessFlag> access() {
    return EnumSet.copyOf(access);
  }

  /** Whether a window is bound to the region, which then cannot be deregistered. */
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

  /** Whether an access with a flag writes memory; null stands for a local read. */
  static boolean isWrite(@Nullable AccessFlag accessFlag) {
    return accessFlag != null && accessFlag != AccessFlag.REMOTE_READ;
  }

  /** Whether a range is inside the region and can be accessed now. */
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
