// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Socket addresses, as C has them: {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  private static final int INET_BYTES = 16;
  private static final int INET6_BYTES = 28;
  private static final int PORT = 2;
  private static final int ADDRESS = 4;
  private static final int ADDRESS6 = 8;
  private static final int SCOPE6 = 24;

  private SocketAddresses() {}

  static int familyOf(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
  }

  static int sizeOf(InetSocketAddress address) {
    return familyOf(address) == AF_INET ? INET_BYTES : INET6_BYTES;
  }

  /**
   * Where an address is written to memory of the arena; 0 for null.
   *
   * @throws VerbsException EINVAL if the name was not resolved
   */
  static long write(Arena arena, InetSocketAddress address, String verb) {
    if (address == null) {
      return 0;
    }
    if (address.isUnresolved()) {
      throw new VerbsException(Errno.EINVAL, verb, address + " is not resolved");
    }
    long at = RawMemory.allocate(arena, INET6_BYTES);
    boolean isInet = familyOf(address) == AF_INET;
    RawMemory.putShort(at, familyOf(address));
    RawMemory.putByte(at + PORT, address.getPort() >> Byte.SIZE);
    RawMemory.putByte(at + PORT + 1, address.getPort());
    byte[] bytes = address.getAddress().getAddress();
    RawMemory.putBytes(at + (isInet ? ADDRESS : ADDRESS6), ByteBuffer.wrap(bytes));
    if (address.getAddress() instanceof Inet6Address inet6) {
      RawMemory.putInt(at + SCOPE6, inet6.getScopeId());
    }
    return at;
  }

  /** Null if there is none, or it is of another family. */
  static InetSocketAddress read(long at) {
    if (at == 0) {
      return null;
    }
    return switch (RawMemory.getShort(at)) {
      case AF_INET -> new InetSocketAddress(addressAt(at + ADDRESS, new byte[4], 0), portAt(at));
      case AF_INET6 -> {
        int scope = RawMemory.getInt(at + SCOPE6);
        yield new InetSocketAddress(addressAt(at + ADDRESS6, new byte[16], scope), portAt(at));
      }
      default -> null;
    };
  }

  private static int portAt(long at) {
    return RawMemory.getByte(at + PORT) << Byte.SIZE | RawMemory.getByte(at + PORT + 1);
  }

  private static InetAddress addressAt(long at, byte[] bytes, int scope) {
    RawMemory.getBytes(at, ByteBuffer.wrap(bytes));
    try {
      return scope == 0
          ? InetAddress.getByAddress(bytes)
          : Inet6Address.getByAddress(null, bytes, scope);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // Only bytes of another number are refused.
    }
  }
}
