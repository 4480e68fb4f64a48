package io.queuepair.tools.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/** Registered memory and what is in it. */
final class MemoryOps {
  /** Longer contents are recorded as checksum and ends. */
  private static final int LONGEST_HEX = 96;

  /** {@code IBV_ACCESS_OPTIONAL_RANGE}: flags that a device may ignore. */
  private static final int OPTIONAL_FLAGS = 0x3ff0_0000;

  private static final int END_BYTES = 16;
  private static final int PAGE_BYTES = 4096;
  private static final int LARGEST_BUFFER = 1 << 28;

  private MemoryOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("reg_mr", MemoryOps::register);
    ops.put("dereg_mr", MemoryOps::deregister);
    ops.put("fill", MemoryOps::fill);
    ops.put("mem", MemoryOps::read);
  }

  private static ObjectNode register(Party side, Args args, ObjectNode recorded) {
    if (args.has("offset") || args.has("iova")) {
      throw new NotReplayableException("reg_mr: the emulator chooses addresses, not the caller");
    }
    args.allow("name", "pd", "length", "access", "fill", "offset", "iova");
    ProtectionDomain pd = side.get(ProtectionDomain.class, args.text("pd"));
    Set<AccessFlag> access = args.flags(AccessFlag.class, "access", OPTIONAL_FLAGS);
    ByteBuffer bytes = filled(args);
    try {
      MemoryRegion region = pd.regMr(bytes, access);
      String name = args.text("name");
      side.put(name, new Memory(region, bytes));
      side.define(name, "addr", region.addr());
      side.define(name, "lkey", Integer.toUnsignedLong(region.lkey()));
      side.define(name, "rkey", Integer.toUnsignedLong(region.rkey()));
      return Answers.success()
          .put("lkey_eq_rkey", region.lkey() == region.rkey())
          .put("rkey_zero", region.rkey() == 0)
          .put("lkey_zero", region.lkey() == 0);
    } catch (VerbsException refused) {
      return Answers.refusal(refused);
    }
  }

  /** A buffer of whole pages, of which the first part is registered. */
  private static ByteBuffer filled(Args args) {
    long length = args.number("length");
    if (length < 0 || length > LARGEST_BUFFER) {
      throw new NotReplayableException("reg_mr: a buffer of " + length + " bytes is too large");
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) (length + PAGE_BYTES - 1) & -PAGE_BYTES);
    boolean isPattern = !args.has("fill") || args.isText("fill");
    if (args.isText("fill") && !args.text("fill").equals("inc")) {
      throw new NotReplayableException("reg_mr: fill '" + args.text("fill") + "' is not known");
    }
    byte constant = isPattern ? 0 : (byte) args.int32("fill");
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put(i, isPattern ? pattern(i) : constant);
    }
    return bytes.limit((int) length);
  }

  /** What the recording calls {@code inc}. */
  private static byte pattern(int index) {
    return (byte) (7 * index + 13 * (index >> 8) + 1);
  }

  private static ObjectNode deregister(Party side, Args args, ObjectNode recorded) {
    // The bytes stay readable under their name: the buffer is the application's.
    Memory memory = side.get(Memory.class, args.allow("name").text("name"));
    return Answers.of(() -> memory.region().close());
  }

  private static ObjectNode fill(Party side, Args args, ObjectNode recorded) {
    args.allow("mr", "off", "length", "hex");
    byte[] bytes = bytes(args.text("hex"));
    Memory memory = side.get(Memory.class, args.text("mr"));
    long offset = args.number("off");
    long length = args.number("length", bytes.length);
    if (length != bytes.length || !memory.contains(offset, length)) {
      throw new NotReplayableException("fill: the bytes do not fit the region");
    }
    memory.bytes().put((int) offset, bytes);
    return Answers.empty();
  }

  private static byte[] bytes(String hex) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException malformed) {
      throw new NotReplayableException("'" + hex + "' is not hexadecimal");
    }
  }

  private static ObjectNode read(Party side, Args args, ObjectNode recorded) {
    args.allow("mr", "off", "length", "inc_from");
    Memory memory = side.get(Memory.class, args.text("mr"));
    long offset = args.number("off");
    long length = args.number("length");
    if (!memory.contains(offset, length)) {
      throw new NotReplayableException("mem: the bytes are not in the region");
    }
    byte[] bytes = memory.read((int) offset, (int) length, recordedBytes(recorded));
    ObjectNode answer = Answers.empty();
    if (length <= LONGEST_HEX) {
      answer.put("hex", HexFormat.of().formatHex(bytes));
    } else {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      answer.put("crc32", String.format("%08x", crc.getValue()));
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
