// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A C function that creates, changes, queries or destroys, with the errno that it leaves. Not for
 * what has to be fast: each call leaves a little garbage. Its signature has a letter for the result
 * and one for each argument: V void, B, S, I, J as in Java's descriptors; a pointer is a J.
 */
final class ControlFunction {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final ThreadLocal<MemorySegment> STATES =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  private final String verb;

  /** Null if there is no such function. */
  private final MethodHandle handle;

  private ControlFunction(String verb, MethodHandle handle) {
    this.verb = verb;
    this.handle = handle;
  }

  /** The function at an address; at 0 there is none, which a call refuses. */
  @SuppressWarnings("restricted") // Calling C is what this is for.
  static ControlFunction at(long address, String verb, String signature) {
    if (address == 0) {
      return new ControlFunction(verb, null);
    }
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                MemorySegment.ofAddress(address),
                descriptor(signature),
                Linker.Option.captureCallState("errno"));
    return new ControlFunction(verb, handle);
  }

  static FunctionDescriptor descriptor(String signature) {
    MemoryLayout[] arguments =
        signature.substring(1).chars().mapToObj(c -> type((char) c)).toArray(MemoryLayout[]::new);
    return signature.charAt(0) == 'V'
        ? FunctionDescriptor.ofVoid(arguments)
        : FunctionDescriptor.of(type(signature.charAt(0)), arguments);
  }

  private static MemoryLayout type(char letter) {
    return switch (letter) {
      case 'B' -> ValueLayout.JAVA_BYTE;
      case 'S' -> ValueLayout.JAVA_SHORT;
      case 'I' -> ValueLayout.JAVA_INT;
      case 'J' -> ValueLayout.JAVA_LONG;
      default -> throw new IllegalArgumentException("no type " + letter);
    };
  }

  boolean exists() {
    return handle != null;
  }

  /**
   * Calls it, and returns what it returns; 0 if that is void.
   *
   * @throws VerbsException EOPNOTSUPP if there is no such function
   */
  long value(Object... arguments) {
    if (handle == null) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, verb, "this device or its library has no such function");
    }
    Object[] all = new Object[arguments.length + 1];
    all[0] = STATES.get();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return handle.invokeWithArguments(all) instanceof Number number ? number.longValue() : 0;
    } catch (Throwable e) {
      throw new IllegalStateException("calling " + verb, e);
    }
  }

  /** Calls it for a pointer; NULL throws the errno it left. */
  long pointer(Object... arguments) {
    long pointer = value(arguments);
    if (pointer == 0) {
      throw refusal(lastErrno());
    }
    return pointer;
  }

  /** Calls it for a status: 0, an errno, or -1 and the errno it left. */
  void status(Object... arguments) {
    long status = value(arguments);
    if (status != 0) {
      throw refusal(status == -1 ? lastErrno() : (int) Math.abs(status));
    }
  }

  /** The errno of this thread's last call. */
  static int lastErrno() {
    return STATES.get().get(ValueLayout.JAVA_INT, ERRNO);
  }

  VerbsException refusal(int code) {
    return refusal(verb, code);
  }

  /** An errno that the API has no name for is EINVAL with its number in the text. */
  static VerbsException refusal(String verb, int code) {
    String by = verb.startsWith("rdma_") ? "librdmacm or the kernel" : "the device";
    return new VerbsException(errno(code), verb, "refused by " + by + ", errno " + code);
  }

  static Errno errno(int code) {
    return VerbsConstant.of(Errno.class, code).orElse(Errno.EINVAL);
  }
}
