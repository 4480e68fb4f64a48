// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static io.queuepair.emulator.wire.HeaderKind.AETH;
import static io.queuepair.emulator.wire.HeaderKind.ATOMIC_ACK_ETH;
import static io.queuepair.emulator.wire.HeaderKind.ATOMIC_ETH;
import static io.queuepair.emulator.wire.HeaderKind.CNP_RESERVED;
import static io.queuepair.emulator.wire.HeaderKind.DETH;
import static io.queuepair.emulator.wire.HeaderKind.FETH;
import static io.queuepair.emulator.wire.HeaderKind.IETH;
import static io.queuepair.emulator.wire.HeaderKind.IMM_DT;
import static io.queuepair.emulator.wire.HeaderKind.RDETH;
import static io.queuepair.emulator.wire.HeaderKind.RETH;
import static io.queuepair.emulator.wire.HeaderKind.XRCETH;
import static io.queuepair.emulator.wire.Opcode.Operation.ACKNOWLEDGE;
import static io.queuepair.emulator.wire.Opcode.Operation.ATOMIC_ACKNOWLEDGE;
import static io.queuepair.emulator.wire.Opcode.Operation.ATOMIC_WRITE;
import static io.queuepair.emulator.wire.Opcode.Operation.COMPARE_SWAP;
import static io.queuepair.emulator.wire.Opcode.Operation.CONGESTION_NOTIFICATION;
import static io.queuepair.emulator.wire.Opcode.Operation.FETCH_ADD;
import static io.queuepair.emulator.wire.Opcode.Operation.FLUSH;
import static io.queuepair.emulator.wire.Opcode.Operation.RDMA_READ_REQUEST;
import static io.queuepair.emulator.wire.Opcode.Operation.RDMA_READ_RESPONSE;
import static io.queuepair.emulator.wire.Opcode.Operation.RDMA_WRITE;
import static io.queuepair.emulator.wire.Opcode.Operation.RESYNC;
import static io.queuepair.emulator.wire.Opcode.Operation.SEND;
import static io.queuepair.emulator.wire.Opcode.Position.FIRST;
import static io.queuepair.emulator.wire.Opcode.Position.LAST;
import static io.queuepair.emulator.wire.Opcode.Position.MIDDLE;
import static io.queuepair.emulator.wire.Opcode.Position.ONLY;
import static io.queuepair.emulator.wire.Opcode.Service.RC;
import static io.queuepair.emulator.wire.Opcode.Service.RD;
import static io.queuepair.emulator.wire.Opcode.Service.UC;
import static io.queuepair.emulator.wire.Opcode.Service.UD;
import static io.queuepair.emulator.wire.Opcode.Service.XRC;

import io.queuepair.verbs.AccessFlag;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table of opcodes (InfiniBand Architecture, BTH OpCode, annexes A14 XRC, A17 RoCEv2, A19 memory
 * placement extensions; Linux {@code ib_pack.h}). A row has code, service, operation, position and
 * the headers after the BTH in order; everything else follows from the row and from the row of its
 * {@link Operation}.
 */
public enum Opcode {
  RC_SEND_FIRST(0x00, RC, SEND, FIRST),
  RC_SEND_MIDDLE(0x01, RC, SEND, MIDDLE),
  RC_SEND_LAST(0x02, RC, SEND, LAST),
  RC_SEND_LAST_WITH_IMM(0x03, RC, SEND, LAST, IMM_DT),
  RC_SEND_ONLY(0x04, RC, SEND, ONLY),
  RC_SEND_ONLY_WITH_IMM(0x05, RC, SEND, ONLY, IMM_DT),
  RC_RDMA_WRITE_FIRST(0x06, RC, RDMA_WRITE, FIRST, RETH),
  RC_RDMA_WRITE_MIDDLE(0x07, RC, RDMA_WRITE, MIDDLE),
  RC_RDMA_WRITE_LAST(0x08, RC, RDMA_WRITE, LAST),
  RC_RDMA_WRITE_LAST_WITH_IMM(0x09, RC, RDMA_WRITE, LAST, IMM_DT),
  RC_RDMA_WRITE_ONLY(0x0a, RC, RDMA_WRITE, ONLY, RETH),
  RC_RDMA_WRITE_ONLY_WITH_IMM(0x0b, RC, RDMA_WRITE, ONLY, RETH, IMM_DT),
  RC_RDMA_READ_REQUEST(0x0c, RC, RDMA_READ_REQUEST, ONLY, RETH),
  RC_RDMA_READ_RESPONSE_FIRST(0x0d, RC, RDMA_READ_RESPONSE, FIRST, AETH),
  RC_RDMA_READ_RESPONSE_MIDDLE(0x0e, RC, RDMA_READ_RESPONSE, MIDDLE),
  RC_RDMA_READ_RESPONSE_LAST(0x0f, RC, RDMA_READ_RESPONSE, LAST, AETH),
  RC_RDMA_READ_RESPONSE_ONLY(0x10, RC, RDMA_READ_RESPONSE, ONLY, AETH),
  RC_ACKNOWLEDGE(0x11, RC, ACKNOWLEDGE, ONLY, AETH),
  RC_ATOMIC_ACKNOWLEDGE(0x12, RC, ATOMIC_ACKNOWLEDGE, ONLY, AETH, ATOMIC_ACK_ETH),
  RC_COMPARE_SWAP(0x13, RC, COMPARE_SWAP, ONLY, ATOMIC_ETH),
  RC_FETCH_ADD(0x14, RC, FETCH_ADD, ONLY, ATOMIC_ETH),
  RC_SEND_LAST_WITH_INVALIDATE(0x16, RC, SEND, LAST, IETH),
  RC_SEND_ONLY_WITH_INVALIDATE(0x17, RC, SEND, ONLY, IETH),
  RC_FLUSH(0x1c, RC, FLUSH, ONLY, FETH, RETH),
  RC_ATOMIC_WRITE(0x1d, RC, ATOMIC_WRITE, ONLY, RETH),

  UC_SEND_FIRST(0x20, UC, SEND, FIRST),
  UC_SEND_MIDDLE(0x21, UC, SEND, MIDDLE),
  UC_SEND_LAST(0x22, UC, SEND, LAST),
  UC_SEND_LAST_WITH_IMM(0x23, UC, SEND, LAST, IMM_DT),
  UC_SEND_ONLY(0x24, UC, SEND, ONLY),
  UC_SEND_ONLY_WITH_IMM(0x25, UC, SEND, ONLY, IMM_DT),
  UC_RDMA_WRITE_FIRST(0x26, UC, RDMA_WRITE, FIRST, RETH),
  UC_RDMA_WRITE_MIDDLE(0x27, UC, RDMA_WRITE, MIDDLE),
  UC_RDMA_WRITE_LAST(0x28, UC, RDMA_WRITE, LAST),
  UC_RDMA_WRITE_LAST_WITH_IMM(0x29, UC, RDMA_WRITE, LAST, IMM_DT),
  UC_RDMA_WRITE_ONLY(0x2a, UC, RDMA_WRITE, ONLY, RETH),
  UC_RDMA_WRITE_ONLY_WITH_IMM(0x2b, UC, RDMA_WRITE, ONLY, RETH, IMM_DT),

  RD_SEND_FIRST(0x40, RD, SEND, FIRST, RDETH, DETH),
  RD_SEND_MIDDLE(0x41, RD, SEND, MIDDLE, RDETH, DETH),
  RD_SEND_LAST(0x42, RD, SEND, LAST, RDETH, DETH),
  RD_SEND_LAST_WITH_IMM(0x43, RD, SEND, LAST, RDETH, DETH, IMM_DT),
  RD_SEND_ONLY(0x44, RD, SEND, ONLY, RDETH, DETH),
  RD_SEND_ONLY_WITH_IMM(0x45, RD, SEND, ONLY, RDETH, DETH, IMM_DT),
  RD_RDMA_WRITE_FIRST(0x46, RD, RDMA_WRITE, FIRST, RDETH, DETH, RETH),
  RD_RDMA_WRITE_MIDDLE(0x47, RD, RDMA_WRITE, MIDDLE, RDETH, DETH),
  RD_RDMA_WRITE_LAST(0x48, RD, RDMA_WRITE, LAST, RDETH, DETH),
  RD_RDMA_WRITE_LAST_WITH_IMM(0x49, RD, RDMA_WRITE, LAST, RDETH, DETH, IMM_DT),
  RD_RDMA_WRITE_ONLY(0x4a, RD, RDMA_WRITE, ONLY, RDETH, DETH, RETH),
  RD_RDMA_WRITE_ONLY_WITH_IMM(0x4b, RD, RDMA_WRITE, ONLY, RDETH, DETH, RETH, IMM_DT),
  RD_RDMA_READ_REQUEST(0x4c, RD, RDMA_READ_REQUEST, ONLY, RDETH, DETH, RETH),
  RD_RDMA_READ_RESPONSE_FIRST(0x4d, RD, RDMA_READ_RESPONSE, FIRST, RDETH, AETH),
  RD_RDMA_READ_RESPONSE_MIDDLE(0x4e, RD, RDMA_READ_RESPONSE, MIDDLE, RDETH),
  RD_RDMA_READ_RESPONSE_LAST(0x4f, RD, RDMA_READ_RESPONSE, LAST, RDETH, AETH),
  RD_RDMA_READ_RESPONSE_ONLY(0x50, RD, RDMA_READ_RESPONSE, ONLY, RDETH, AETH),
  RD_ACKNOWLEDGE(0x51, RD, ACKNOWLEDGE, ONLY, RDETH, AETH),
  RD_ATOMIC_ACKNOWLEDGE(0x52, RD, ATOMIC_ACKNOWLEDGE, ONLY, RDETH, AETH, ATOMIC_ACK_ETH),
  RD_COMPARE_SWAP(0x53, RD, COMPARE_SWAP, ONLY, RDETH, DETH, ATOMIC_ETH),
  RD_FETCH_ADD(0x54, RD, FETCH_ADD, ONLY, RDETH, DETH, ATOMIC_ETH),
  RD_RESYNC(0x55, RD, RESYNC, ONLY, RDETH, DETH),

  UD_SEND_ONLY(0x64, UD, SEND, ONLY, DETH),
  UD_SEND_ONLY_WITH_IMM(0x65, UD, SEND, ONLY, DETH, IMM_DT),

  CNP(0x81, Service.CNP, CONGESTION_NOTIFICATION, ONLY, CNP_RESERVED),

  XRC_SEND_FIRST(0xa0, XRC, SEND, FIRST, XRCETH),
  XRC_SEND_MIDDLE(0xa1, XRC, SEND, MIDDLE, XRCETH),
  XRC_SEND_LAST(0xa2, XRC, SEND, LAST, XRCETH),
  XRC_SEND_LAST_WITH_IMM(0xa3, XRC, SEND, LAST, XRCETH, IMM_DT),
  XRC_SEND_ONLY(0xa4, XRC, SEND, ONLY, XRCETH),
  XRC_SEND_ONLY_WITH_IMM(0xa5, XRC, SEND, ONLY, XRCETH, IMM_DT),
  XRC_RDMA_WRITE_FIRST(0xa6, XRC, RDMA_WRITE, FIRST, XRCETH, RETH),
  XRC_RDMA_WRITE_MIDDLE(0xa7, XRC, RDMA_WRITE, MIDDLE, XRCETH),
  XRC_RDMA_WRITE_LAST(0xa8, XRC, RDMA_WRITE, LAST, XRCETH),
  XRC_RDMA_WRITE_LAST_WITH_IMM(0xa9, XRC, RDMA_WRITE, LAST, XRCETH, IMM_DT),
  XRC_RDMA_WRITE_ONLY(0xaa, XRC, RDMA_WRITE, ONLY, XRCETH, RETH),
  XRC_RDMA_WRITE_ONLY_WITH_IMM(0xab, XRC, RDMA_WRITE, ONLY, XRCETH, RETH, IMM_DT),
  XRC_RDMA_READ_REQUEST(0xac, XRC, RDMA_READ_REQUEST, ONLY, XRCETH, RETH),
  XRC_RDMA_READ_RESPONSE_FIRST(0xad, XRC, RDMA_READ_RESPONSE, FIRST, AETH),
  XRC_RDMA_READ_RESPONSE_MIDDLE(0xae, XRC, RDMA_READ_RESPONSE, MIDDLE),
  XRC_RDMA_READ_RESPONSE_LAST(0xaf, XRC, RDMA_READ_RESPONSE, LAST, AETH),
  XRC_RDMA_READ_RESPONSE_ONLY(0xb0, XRC, RDMA_READ_RESPONSE, ONLY, AETH),
  XRC_ACKNOWLEDGE(0xb1, XRC, ACKNOWLEDGE, ONLY, AETH),
  XRC_ATOMIC_ACKNOWLEDGE(0xb2, XRC, ATOMIC_ACKNOWLEDGE, ONLY, AETH, ATOMIC_ACK_ETH),
  XRC_COMPARE_SWAP(0xb3, XRC, COMPARE_SWAP, ONLY, XRCETH, ATOMIC_ETH),
  XRC_FETCH_ADD(0xb4, XRC, FETCH_ADD, ONLY, XRCETH, ATOMIC_ETH),
  XRC_SEND_LAST_WITH_INVALIDATE(0xb6, XRC, SEND, LAST, XRCETH, IETH),
  XRC_SEND_ONLY_WITH_INVALIDATE(0xb7, XRC, SEND, ONLY, XRCETH, IETH);

  private static final Opcode[] BY_CODE = new Opcode[256];
  private static final Opcode[] BY_SELECTION = new Opcode[OpcodeSelection.COUNT];

  static {
    for (Opcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
      BY_SELECTION[OpcodeSelection.of(opcode)] = opcode;
    }
  }

  private final int code;
  private final Service service;
  private final Operation operation;
  private final Position position;
  private final List<HeaderKind> headers;
  private final int headerBytes;

  /** Offset of each extension after the BTH, by kind; -1 for those that are not there. */
  private final int[] offsets = new int[HeaderKind.values().length];

  private final PayloadRule payloadRule;
  private final boolean hasAeth;
  private final boolean hasImmediate;
  private final boolean hasInvalidate;
  private final boolean takesReceive;
  private final boolean completesReceive;

  Opcode(int code, Service service, Operation operation, Position position, HeaderKind... headers) {
    this.code = code;
    this.service = service;
    this.operation = operation;
    this.position = position;
    this.headers = List.of(headers);
    Arrays.fill(offsets, -1);
    int extensionBytes = 0;
    for (HeaderKind kind : headers) {
      offsets[kind.ordinal()] = extensionBytes;
      extensionBytes += kind.bytes();
    }
    this.headerBytes = RoceV2.BTH_BYTES + extensionBytes;
    this.payloadRule = operation.payload.at(position);
    this.hasAeth = this.headers.contains(AETH);
    this.hasImmediate = this.headers.contains(IMM_DT);
    this.hasInvalidate = this.headers.contains(IETH);
    this.takesReceive = operation == SEND ? position.startsMessage : hasImmediate;
    this.completesReceive = operation == SEND ? position.endsMessage : hasImmediate;
  }

  /** Opcode of a wire value of 0 to 255; null if the value is reserved. */
  public static @Nullable Opcode ofCode(int code) {
    return BY_CODE[code];
  }

  /** Opcode with these properties; null if the service has none. */
  public static @Nullable Opcode select(
      Service service,
      Operation operation,
      Position position,
      boolean immediate,
      boolean invalidate) {
    return BY_SELECTION[OpcodeSelection.of(service, operation, position, immediate, invalidate)];
  }

  public int code() {
    return code;
  }

  public Service service() {
    return service;
  }

  public Operation operation() {
    return operation;
  }

  public Position position() {
    return position;
  }

  /** Headers between BTH and payload, in order. */
  public List<HeaderKind> headers() {
    return headers;
  }

  /** Number of bytes before the payload, BTH included. */
  public int headerBytes() {
    return headerBytes;
  }

  /** Number of bytes between the BTH and the payload. */
  int extensionBytes() {
    return headerBytes - RoceV2.BTH_BYTES;
  }

  /** Offset of an extension in bytes after the BTH. The opcode must have the extension. */
  int offsetOf(HeaderKind kind) {
    int offset = offsets[kind.ordinal()];
    if (offset < 0) {
      throw new AssertionError(this + " has no " + kind);
    }
    return offset;
  }

  public PayloadRule payloadRule() {
    return payloadRule;
  }

  public boolean hasImmediate() {
    return hasImmediate;
  }

  public boolean hasInvalidate() {
    return hasInvalidate;
  }

  public boolean hasAeth() {
    return hasAeth;
  }

  /** Whether this packet needs a receive, if its message has none yet. */
  public boolean takesReceive() {
    return takesReceive;
  }

  public boolean completesReceive() {
    return completesReceive;
  }

  /** Whether a responder processes it; a congestion notification is no request or response. */
  public boolean isRequest() {
    return operation.response != null;
  }

  public boolean isResponse() {
    return operation.isResponse;
  }

  /** Services of opcodes: bits 7-5. All but {@link #CNP} are transport services. */
  public enum Service {
    RC(0),
    UC(1),
    RD(2),
    UD(3),
    CNP(4),
    XRC(5);

    private final int code;

    Service(int code) {
      this.code = code;
    }

    /** Whether requests are acknowledged, and repeated until they are. */
    public boolean isReliable() {
      return this == RC || this == RD || this == XRC;
    }

    /** Value of the three bits, right-aligned. */
    public int code() {
      return code;
    }
  }

  /**
   * Operations of packets, independent of service and position. The row of a request has the
   * operation of its response, the payload of a message of one packet, and the access flag that it
   * needs.
   */
  public enum Operation {
    ACKNOWLEDGE(PayloadRule.NONE),
    ATOMIC_ACKNOWLEDGE(PayloadRule.NONE),
    RDMA_READ_RESPONSE(PayloadRule.UP_TO_MTU),

    SEND(ACKNOWLEDGE, PayloadRule.UP_TO_MTU, null),
    RDMA_WRITE(ACKNOWLEDGE, PayloadRule.UP_TO_MTU, AccessFlag.REMOTE_WRITE),
    RDMA_READ_REQUEST(RDMA_READ_RESPONSE, PayloadRule.NONE, AccessFlag.REMOTE_READ),
    COMPARE_SWAP(ATOMIC_ACKNOWLEDGE, PayloadRule.NONE, AccessFlag.REMOTE_ATOMIC),
    FETCH_ADD(ATOMIC_ACKNOWLEDGE, PayloadRule.NONE, AccessFlag.REMOTE_ATOMIC),
    /** The access flags that it needs are in its {@link Feth}. */
    FLUSH(RDMA_READ_RESPONSE, PayloadRule.NONE, null),
    ATOMIC_WRITE(RDMA_READ_RESPONSE, PayloadRule.EIGHT, AccessFlag.REMOTE_WRITE),
    RESYNC(ACKNOWLEDGE, PayloadRule.NONE, null),

    CONGESTION_NOTIFICATION(null, PayloadRule.NONE, null);

    private final boolean isResponse;
    private final @Nullable Operation response;
    private final PayloadRule payload;
    private final @Nullable AccessFlag right;

    Operation(PayloadRule payload) {
      isResponse = true;
      response = null;
      this.payload = payload;
      right = null;
    }

    Operation(@Nullable Operation response, PayloadRule payload, @Nullable AccessFlag right) {
      isResponse = false;
      this.response = response;
      this.payload = payload;
      this.right = right;
    }

    /** Operation that answers an accepted request; null for other packets than requests. */
    public @Nullable Operation response() {
      return response;
    }

    /** Access flag that queue pair and key must have; null if none of its own is needed. */
    public @Nullable AccessFlag right() {
      return right;
    }

    /** Whether messages may have many packets, with the data in the requests. */
    public boolean isSegmented() {
      return response == ACKNOWLEDGE && payload == PayloadRule.UP_TO_MTU;
    }

    /** Whether the response contains data. */
    public boolean isFetch() {
      return this == RDMA_READ_REQUEST || response == ATOMIC_ACKNOWLEDGE;
    }

    /** Whether the operation works on 8 bytes at an address that is a multiple of 8. */
    public boolean isAtomic() {
      return response == ATOMIC_ACKNOWLEDGE || payload == PayloadRule.EIGHT;
    }
  }

  /** Positions of a packet in its message; {@link #ONLY} if that has one packet. */
  public enum Position {
    FIRST(true, false),
    MIDDLE(false, false),
    LAST(false, true),
    ONLY(true, true);

    private final boolean startsMessage;
    private final boolean endsMessage;

    Position(boolean startsMessage, boolean endsMessage) {
      this.startsMessage = startsMessage;
      this.endsMessage = endsMessage;
    }

    public boolean startsMessage() {
      return startsMessage;
    }

    public boolean endsMessage() {
      return endsMessage;
    }

    /** Position of a packet that is, or is not, the first and the last of its message. */
    public static Position of(boolean isFirst, boolean isLast) {
      if (isFirst) {
        return isLast ? ONLY : FIRST;
      }
      return isLast ? LAST : MIDDLE;
    }
  }

  /** Index for every combination of the arguments of {@link Opcode#select}. */
  private static final class OpcodeSelection {
    private static final int OPERATIONS = Operation.values().length;
    private static final int POSITIONS = Position.values().length;
    static final int COUNT = Service.values().length * OPERATIONS * POSITIONS * 4;

    static int of(Opcode opcode) {
      return of(
          opcode.service,
          opcode.operation,
          opcode.position,
          opcode.hasImmediate(),
          opcode.hasInvalidate());
    }

    static int of(
        Service service,
        Operation operation,
        Position position,
        boolean immediate,
        boolean invalidate) {
      int number = service.ordinal();
      number = number * OPERATIONS + operation.ordinal();
      number = number * POSITIONS + position.ordinal();
      return number * 4 + (immediate ? 2 : 0) + (invalidate ? 1 : 0);
    }
  }
}
