// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/** Operations for memory regions and their content. */
final class MemoryOps {
  /** Field of long content, recorded as checksum, first and last bytes. */
  private static final String CRC32_FIELD = "crc32";

  private static final int LONGEST_HEX = 96;

  /** {@code IBV_ACCESS_OPTIONAL_RANGE}: flags that a device may ignore. */
  private static final int OPTIONAL_FLAGS = 0x3ff0_0000;

  private static final int END_BYTES = 16;
  private static final int PAGE_BYTES = 4096;
  private static final int LARGEST_BUFFER = 1 << 28;
  private static final String FILL = "fill";

  private MemoryOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("reg_mr", MemoryOps::register);
    ops.put("dereg_mr", MemoryOps::deregister);
    ops.put("rereg_mr", MemoryOps::reregister);
    ops.put(FILL, MemoryOps::fill);
    ops.put("mem", MemoryOps::read);
  }

  private static ObjectNode register(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("name", "pd", "length", "access", FILL, "offset", "iova", "addr", "prot", "buf");
    ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
    Set<AccessFlag> access = args.flags(AccessFlag.class, "access", OPTIONAL_FLAGS);
    ByteBuffer bytes = memory(device, args);
    try {
      MemoryRegion region =
          args.has("iova")
              ? pd.regMrIova(bytes, args.number("iova"), access)
              : pd.regMr(bytes, access);
      String name = args.text("name");
      device.put(name, new Memory(region, bytes));
      define(device, name, region);
      return CallResults.success()
          .put("lkey_eq_rkey", region.lkey() == region.rkey())
          .put("rkey_zero", region.rkey() == 0)
          .put("lkey_zero", region.lkey() == 0);
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
  }

  private static void define(RecordedDevice device, String name, MemoryRegion region) {
    device.define(name, "addr", region.addr());
    device.define(name, "lkey", Integer.toUnsignedLong(region.lkey()));
    device.define(name, "rkey", Integer.toUnsignedLong(region.rkey()));
  }

  /** Allocates memory, or returns another region's: Java registers no bare address. */
  private static ByteBuffer memory(RecordedDevice device, RecordedArgs args) {
    if (args.has("addr") && args.number("length") != 0) {
      throw new UnmappedValueException("reg_mr: an address without a buffer");
    }
    if (args.has("buf")) {
      return part(device.get(Memory.class, args.text("buf")), args);
    }
    ByteBuffer bytes = filled(args);
    if (!args.has("prot")) {
      return bytes;
    }
    return switch (args.text("prot")) {
      case "r" -> throw new UnmappedValueException("reg_mr: a buffer does not tell who shares it");
      case "rp" -> bytes.asReadOnlyBuffer();
      default -> throw new WrongCallException("reg_mr: prot is not r or rp");
    };
  }

  private static ByteBuffer part(Memory memory, RecordedArgs args) {
    long offset = args.number("offset", 0);
    long length = args.number("length");
    if (!memory.contains(offset, length)) {
      throw new WrongCallException("the bytes are not in the buffer");
    }
    return memory.bytes().duplicate().limit((int) (offset + length)).position((int) offset);
  }

  /** Allocates whole pages and fills them; a part, usually the first bytes, is registered. */
  private static ByteBuffer filled(RecordedArgs args) {
    long length = args.number("length");
    long offset = args.number("offset", 0);
    if (length < 0 || length > LARGEST_BUFFER || offset < 0 || offset > LARGEST_BUFFER) {
      throw new WrongCallException(
          "reg_mr: a buffer of %d and %d bytes is too large; either is 0 to %d"
              .formatted(offset, length, LARGEST_BUFFER));
    }
    int end = (int) (offset + length);
    ByteBuffer bytes = ByteBuffer.allocateDirect((end + PAGE_BYTES - 1) & -PAGE_BYTES);
    boolean isPattern = !args.has(FILL) || args.isText(FILL);
    if (args.isText(FILL) && !args.text(FILL).equals("inc")) {
      throw new WrongCallException("reg_mr: fill '" + args.text(FILL) + "' is not known");
    }
    byte constant = isPattern ? 0 : (byte) args.int32(FILL);
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put(i, isPattern ? pattern(i) : constant);
    }
    return bytes.limit(end).position((int) offset);
  }

  /** Byte of the pattern that recordings name {@code inc}. */
  private static byte pattern(int index) {
    return (byte) (7 * index + 13 * (index >> 8) + 1);
  }

  private static ObjectNode deregister(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    // The content stays readable by name, as the buffer belongs to the application.
    Memory memory = device.get(Memory.class, args.allow("name").text("name"));
    return CallResults.of(() -> memory.region().close());
  }

  private static ObjectNode reregister(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("name", "rflags", "access", "offset", "length", "pd");
    Memory memory = device.get(Memory.class, args.text("name"));
    MemoryRegion region = memory.region();
    int lkey = region.lkey();
    int rkey = region.rkey();
    ObjectNode answer = CallResults.success();
    try {
      region.rereg(change(device, args, memory));
      define(device, args.text("name"), region);
    } catch (UnmappedValueException unknownFlag) {
      answer = CallResults.refusal(ReregMrErrCode.INPUT, Errno.EINVAL);
    } catch (ReregMrException refused) {
      answer = CallResults.refusal(refused.code(), refused.errno());
    }
    return answer.put("keys_changed", lkey != region.lkey() || rkey != region.rkey());
  }

  private static ReregMr change(RecordedDevice device, RecordedArgs args, Memory memory) {
    Set<ReregMrFlag> flags = args.flags(ReregMrFlag.class, "rflags", "CHANGE_");
    ProtectionDomain pd =
        args.has("pd") ? device.get(ProtectionDomain.class, args.text("pd")) : null;
    ByteBuffer buffer = args.has("length") ? part(memory, args) : null;
    Set<AccessFlag> access = args.has("access") ? args.flags(AccessFlag.class, "access") : Set.of();
    return new ReregMr(flags, pd, buffer, access);
  }

  private static ObjectNode fill(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("mr", "off", "length", "hex", FILL);
    Memory memory = device.get(Memory.class, args.text("mr"));
    long offset = args.number("off");
    byte[] bytes = args.has(FILL) ? constant(args) : bytes(args.text("hex"));
    long length = args.number("length", bytes.length);
    if (length != bytes.length || !memory.contains(offset, length)) {
      throw new WrongCallException("fill: the bytes do not fit the region");
    }
    memory.bytes().put((int) offset, bytes);
    return CallResults.empty();
  }

  /** One byte, repeated. */
  private static byte[] constant(RecordedArgs args) {
    long length = args.number("length");
    if (length < 0 || length > LARGEST_BUFFER) {
      throw new WrongCallException("fill: " + length + " bytes are not 0 to " + LARGEST_BUFFER);
    }
    byte[] bytes = new byte[(int) length];
    Arrays.fill(bytes, (byte) args.int32(FILL));
    return bytes;
  }

  private static byte[] bytes(String hex) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException malformed) {
      throw new WrongCallException("'" + hex + "' is not hexadecimal");
    }
  }

  private static ObjectNode read(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("mr", "off", "length", "inc_from");
    Memory memory = device.get(Memory.class, args.text("mr"));
    long offset = args.number("off");
    long length = args.number("length");
    if (!memory.contains(offset, length)) {
      throw new WrongCallException("mem: the bytes are not in the region");
    }
    byte[] bytes = memory.read((int) offset, (int) length, recordedBytes(recorded));
    ObjectNode answer = CallResults.empty();
    if (length <= LONGEST_HEX) {
      answer.put("hex", HexFormat.of().formatHex(bytes));
    } else {
      String wanted = recorded == null ? "" : recorded.path(CRC32_FIELD).asText();
      bytes = memory.read((int) offset, (int) length, fitting -> crc32(fitting).equals(wanted));
      answer.put(CRC32_FIELD, crc32(bytes));
      answer.put("head", HexFormat.of().formatHex(bytes, 0, END_BYTES));
      answer.put("tail", HexFormat.of().formatHex(bytes, bytes.length - END_BYTES, bytes.length));
    }
    if (args.has("inc_from")) {
      byte[] expected = new byte[bytes.length];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = pattern(args.int32("inc_from") + i);
      }
      answer.put("equals_inc", Arrays.equals(bytes, expected));
    }
    if (bytes.length > 0 && isUniform(bytes)) {
      answer.put("all", Byte.toUnsignedInt(bytes[0]));
    }
    return answer;
  }

  private static String crc32(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return String.format("%08x", crc.getValue());
  }

  private static byte[] recordedBytes(ObjectNode recorded) {
    JsonNode hex = recorded == null ? null : recorded.get("hex");
    return hex == null || !hex.isTextual() ? null : bytes(hex.textValue());
  }

  private static boolean isUniform(byte[] bytes) {
    for (byte b : bytes) {
      if (b != bytes[0]) {
        return false;
      }
    }
    return true;
  }
}
