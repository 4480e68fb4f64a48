// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes to register a region with ({@code struct ibv_mr_init_attr}). Each {@code with} method
 * sets fields and their bit; the bits of what is not offered can be set alone, and are refused.
 *
 * @param access rights
 * @param compMask which of the other fields count
 * @param iova address of the first byte, unsigned 64-bit
 * @param addr memory of the application, direct, from its position to its limit, or null
 * @param buf memory of the device's choice, or null
 * @param offset first byte in {@code buf}
 * @param length bytes of {@code buf} from there
 */
public record MrInitAttr(
    Set<AccessFlag> access,
    Set<MrInitAttrMask> compMask,
    long iova,
    @Nullable ByteBuffer addr,
    @Nullable DmaBuffer buf,
    long offset,
    long length) {
  /**
   * Copies the rights and the mask; the buffers may be missing.
   *
   * @param access rights
   * @param compMask which of the other fields count
   * @param iova address of the first byte, unsigned 64-bit
   * @param addr memory of the application, direct, from its position to its limit, or null
   * @param buf memory of the device's choice, or null
   * @param offset first byte in {@code buf}
   * @param length bytes of {@code buf} from there
   */
  public MrInitAttr {
    access = FlagSet.copyOf(access, "access");
    compMask = FlagSet.copyOf(compMask, "compMask");
  }

  /**
   * No memory yet.
   *
   * @param access rights
   * @return attributes to add to
   */
  public static MrInitAttr of(AccessFlag... access) {
    return new MrInitAttr(FlagSet.of("access", access), Set.of(), 0, null, null, 0, 0);
  }

  /**
   * A copy with memory of the application.
   *
   * @param newAddr direct memory, from its position to its limit
   * @return new attributes with {@link MrInitAttrMask#ADDR}
   */
  public MrInitAttr withAddr(ByteBuffer newAddr) {
    return new MrInitAttr(access, and(MrInitAttrMask.ADDR), iova, newAddr, buf, offset, length);
  }

  /**
   * A copy with an address of the caller's choice.
   *
   * @param newIova address of the first byte
   * @return new attributes with {@link MrInitAttrMask#IOVA}
   */
  public MrInitAttr withIova(long newIova) {
    return new MrInitAttr(access, and(MrInitAttrMask.IOVA), newIova, addr, buf, offset, length);
  }

  /**
   * A copy with a part of a buffer of the device's choice.
   *
   * @param newBuf the buffer
   * @param newOffset first byte in it
   * @param newLength bytes from there
   * @return new attributes with {@link MrInitAttrMask#BUF}
   */
  public MrInitAttr withBuf(DmaBuffer newBuf, long newOffset, long newLength) {
    return new MrInitAttr(
        access, and(MrInitAttrMask.BUF), iova, addr, newBuf, newOffset, newLength);
  }

  /**
   * A copy with another bit set.
   *
   * @param bit what counts besides
   * @return new attributes
   */
  public MrInitAttr with(MrInitAttrMask bit) {
    return new MrInitAttr(access, and(bit), iova, addr, buf, offset, length);
  }

  private Set<MrInitAttrMask> and(MrInitAttrMask bit) {
    Set<MrInitAttrMask> more = EnumSet.of(bit);
    more.addAll(compMask);
    return more;
  }
}
