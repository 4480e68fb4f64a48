// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory outside of the heap by its address. DiSNI's programs reckon with addresses, and may hand
 * over memory of which there is no buffer.
 *
 * <p>JDK 22 and later have {@code java.lang.foreign} for it. Before that only {@code
 * sun.misc.Unsafe} does it; both are looked up at run time, since the baseline is JDK 17.
 */
public final class DirectMemory {
  private static final Access ACCESS = access();

  private DirectMemory() {}

  /** How this JDK turns buffers into addresses, and addresses into buffers. */
  private interface Access {
    long addressOf(ByteBuffer buffer) throws Throwable;

    ByteBuffer view(long address, int length) throws Throwable;
  }

  /**
   * Where the memory of a direct buffer begins.
   *
   * @param buffer a direct buffer; its position does not count
   * @return address of its first byte
   * @throws IllegalArgumentException if the buffer is not direct
   */
  public static long addressOf(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the buffer is on the heap, where it has no address");
    }
    return (long) call(() -> ACCESS.addressOf(buffer));
  }

  /**
   * Memory as a buffer, which does not keep it from being freed.
   *
   * @param address of its first byte; whether there is memory is not checked
   * @param length bytes
   * @return a direct buffer in big-endian order
   */
  static ByteBuffer view(long address, int length) {
    return (ByteBuffer) call(() -> ACCESS.view(address, length));
  }

  /**
   * Whether the process has all of a range of memory with the rights that its registration needs.
   * Where {@code /proc/self/maps} cannot be read, every range counts as such.
   *
   * @param isWritten whether it is to be written, too
   */
  static boolean isMapped(long address, int length, boolean isWritten) {
    long end = address + length;
    long next = address; // First address not known to have the rights.
    try {
      Path maps = Path.of("/proc/self/maps");
      for (String line : Files.readAllLines(maps, StandardCharsets.ISO_8859_1)) {
        String[] range = line.split("[- ]", 4); // from-to rights ...
        boolean hasRights = range[2].startsWith(isWritten ? "rw" : "r");
        if (hasRights && Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), next) <= 0) {
          long to = Long.parseUnsignedLong(range[1], 16);
          next = Long.compareUnsigned(to, next) > 0 ? to : next;
        }
      }
    } catch (IOException unreadable) {
      return true;
    }
    return Long.compareUnsigned(end, address) >= 0 && Long.compareUnsigned(next, end) >= 0;
  }

  /** A call of a method handle. */
  private interface Call {
    Object run() throws Throwable;
  }

  private static Object call(Call call) {
    try {
      return call.run();
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable failed) {
      throw new IllegalStateException("memory cannot be had by its address", failed);
    }
  }

  private static Access access() {
    try {
      return Runtime.version().feature() >= 22 ? new ForeignAccess() : new UnsafeAccess();
    } catch (ReflectiveOperationException missing) {
      throw new IllegalStateException("this JDK has no way to the addresses of buffers", missing);
    }
  }

  /** By {@code java.lang.foreign.MemorySegment}. */
  private static final class ForeignAccess implements Access {
    private final MethodHandle ofBuffer;
    private final MethodHandle address;
    private final MethodHandle ofAddress;
    private final MethodHandle reinterpret;
    private final MethodHandle asByteBuffer;

    ForeignAccess() throws ReflectiveOperationException {
      Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      ofBuffer =
          lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
      address = lookup.findVirtual(segment, "address", MethodType.methodType(long.class));
      ofAddress =
          lookup.findStatic(segment, "ofAddress", MethodType.methodType(segment, long.class));
      reinterpret =
          MethodHandles.lookup()
              .findVirtual(segment, "reinterpret", MethodType.methodType(segment, long.class));
      asByteBuffer =
          lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
    }

    @Override
    public long addressOf(ByteBuffer buffer) throws Throwable {
      return (long) address.invoke(ofBuffer.invoke(buffer.duplicate().clear()));
    }

    @Override
    public ByteBuffer view(long from, int length) throws Throwable {
      Object segment = reinterpret.invoke(ofAddress.invoke(from), (long) length);
      return (ByteBuffer) asByteBuffer.invoke(segment);
    }
  }

  /** By {@code sun.misc.Unsafe}. */
  private static final class UnsafeAccess implements Access {
    private final Class<?> directBuffer = ByteBuffer.allocateDirect(0).getClass();
    private final MethodHandle getLong;
    private final MethodHandle putLong;
    private final MethodHandle putInt;
    private final MethodHandle allocateInstance;
    private final long addressOffset;
    private final long capacityOffset;

    UnsafeAccess() throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      MethodHandle instance =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .findStaticGetter(type, "theUnsafe", type);
      Object unsafe = call(instance::invoke);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodType put = MethodType.methodType(void.class, Object.class, long.class);
      getLong =
          bind(
              lookup,
              unsafe,
              "getLong",
              MethodType.methodType(long.class, Object.class, long.class));
      putLong = bind(lookup, unsafe, "putLong", put.appendParameterTypes(long.class));
      putInt = bind(lookup, unsafe, "putInt", put.appendParameterTypes(int.class));
      allocateInstance =
          bind(
              lookup, unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class));
      MethodHandle offset =
          bind(lookup, unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class));
      addressOffset = offsetOf(offset, "address");
      capacityOffset = offsetOf(offset, "capacity");
    }

    private static MethodHandle bind(
        MethodHandles.Lookup lookup, Object unsafe, String name, MethodType type)
        throws ReflectiveOperationException {
      return lookup.findVirtual(unsafe.getClass(), name, type).bindTo(unsafe);
    }

    private static long offsetOf(MethodHandle objectFieldOffset, String name)
        throws ReflectiveOperationException {
      Field field = Buffer.class.getDeclaredField(name);
      return (long) call(() -> objectFieldOffset.invoke(field));
    }

    @Override
    public long addressOf(ByteBuffer buffer) throws Throwable {
      return (long) getLong.invoke((Object) buffer, addressOffset);
    }

    @Override
    public ByteBuffer view(long from, int length) throws Throwable {
      Object buffer = allocateInstance.invoke(directBuffer);
      putLong.invoke(buffer, addressOffset, from);
      putInt.invoke(buffer, capacityOffset, length);
      // No constructor has run: clear sets limit and mark, order both fields of the byte order.
      return ((ByteBuffer) buffer).clear().order(ByteOrder.BIG_ENDIAN);
    }
  }
}
