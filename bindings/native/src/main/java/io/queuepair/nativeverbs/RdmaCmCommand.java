// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Ece;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One command of librdmacm ({@code rdma/rdma_user_cm.h}, ABI version 4): a structure that also
 * names the address for the answer.
 */
final class RdmaCmCommand {
  /** Offsets of the command, of the value of an option, and of the answer. */
  private static final int COMMAND = Args.BYTES;

  private static final int OPTION = COMMAND + 1_024;
  private static final int RESPONSE = COMMAND + 2_048;

  private static final int GET_OPTION = 13;
  private static final int QUERY = 19;
  private static final int REJECT_CONSUMER = 28;
  private static final int REJECT_VENDOR_OPTION = 35;
  private static final int LEVEL_ID = 0;
  private static final int LEVEL_IB = 1;
  private static final int IB_PATH = 1;

  /** Size of {@code struct ibv_path_data}; an option may have several. */
  private static final int PATH_DATA_BYTES = 72;

  private static final int TOS = 0;
  private static final int REUSEADDR = 1;
  private static final int AFONLY = 2;
  private static final int ACK_TIMEOUT = 3;

  private final ByteBuffer args;
  private final int code;
  private final int length;

  private RdmaCmCommand(ByteBuffer args) {
    this.args = args;
    code = Args.intSlot(args, 0);
    length = Args.intSlot(args, 1);
  }

  static RdmaCmCommand of(ByteBuffer args) {
    return new RdmaCmCommand(args);
  }

  /**
   * Carries the command out.
   *
   * @return bytes of the answer, or a negated errno
   */
  long runOn(RdmaCmFile file) {
    Args.setSlot(args, 0, 0);
    return switch (code) {
      case 0 -> createId(file);
      case 1 -> destroy(file, false);
      case 2 -> bindIp(file);
      case 3 -> resolveIp(file);
      case 4 -> resolveRoute(file);
      case 5 -> queryRoute(file);
      case 6 -> connect(file);
      case 7 -> listen(file);
      case 8 -> accept(file);
      case 9 -> reject(file);
      case 10 -> disconnect(file);
      case 11 -> initQpAttr(file);
      case 12 -> getEvent(file);
      case 14 -> setOption(file);
      case 15 -> notifyOf(file);
      case 16 -> joinIpMcast(file);
      case 17 -> destroy(file, true);
      case 18 -> migrate(file);
      case 20 -> bind(file);
      case 21 -> resolveAddr(file);
      case 22 -> joinMcast(file);
      case 24 -> writeCmEvent(file);
      case GET_OPTION, QUERY ->
          throw new VerbsException(
              Errno.ENOSYS, "rdma_cm", "the device has no command " + code + " of librdmacm");
      default -> throw CValues.refused("there is no command " + code + " of librdmacm");
    };
  }

  private RdmaCmId id(RdmaCmFile file, int at) {
    RdmaCmObject object = file.object(int32(at));
    if (object.group != null) {
      throw CValues.refused("number " + object.number + " is a membership of a group, no id");
    }
    return object.id;
  }

  private long createId(RdmaCmFile file) {
    RdmaPortSpace portSpace = CValues.one("ps", RdmaPortSpace.class, uint16(16));
    RdmaCmId id = file.channel().createId(portSpace);
    return answer(8, file.addId(file, id, int64(0)).number);
  }

  private long destroy(RdmaCmFile file, boolean isMembership) {
    RdmaCmObject object = file.object(int32(8));
    if ((object.group != null) != isMembership) {
      throw CValues.refused("number " + object.number + " is of another kind");
    }
    int reported = file.remove(object);
    if (isMembership) {
      object.id.leaveMulticast(object.group);
    } else {
      object.id.close();
    }
    return answer(0, reported);
  }

  private long bindIp(RdmaCmFile file) {
    id(file, 36).bindAddr(address(8));
    return 0;
  }

  private long bind(RdmaCmFile file) {
    if (SockaddrStruct.isIb(args, COMMAND + 8)) {
      return -Errno.EINVAL.code(); // librdmacm asks so at its start whether AF_IB is supported.
    }
    id(file, 0).bindAddr(address(8));
    return 0;
  }

  private long resolveIp(RdmaCmFile file) {
    id(file, 56).resolveAddr(optionalAddress(0), address(28), millis(60));
    return 0;
  }

  private long resolveAddr(RdmaCmFile file) {
    InetSocketAddress source = uint16(8) == 0 ? null : optionalAddress(16);
    id(file, 0).resolveAddr(source, address(144), millis(4));
    return 0;
  }

  private long resolveRoute(RdmaCmFile file) {
    id(file, 0).resolveRoute(millis(4));
    return 0;
  }

  private long queryRoute(RdmaCmFile file) {
    RdmaRouteStruct.write(args, RESPONSE, id(file, 8));
    return answered(0, RdmaRouteStruct.SIZE);
  }

  private long connect(RdmaCmFile file) {
    RdmaCmId id = id(file, RdmaConnParamStruct.SIZE);
    setEce(id, 280);
    id.connect(RdmaConnParamStruct.read(args, COMMAND));
    return 0;
  }

  private long listen(RdmaCmFile file) {
    id(file, 0).listen(int32(4));
    return 0;
  }

  /** Accepts a connection request, or establishes a connection that the peer has accepted. */
  private long accept(RdmaCmFile file) {
    RdmaCmId id = id(file, 280);
    if (!RdmaConnParamStruct.isValid(args, COMMAND + 8)) {
      id.establish();
      return 0;
    }
    RdmaConnParam param = RdmaConnParamStruct.read(args, COMMAND + 8);
    RdmaCmObject object = file.object(int32(280));
    long before = object.uid;
    // Set before the peer can cause an event.
    RdmaCmFile.setUid(object, int64(0));
    try {
      setEce(id, 288);
      id.accept(param);
    } catch (VerbsException refused) {
      RdmaCmFile.setUid(object, before);
      throw refused;
    }
    return 0;
  }

  private void setEce(RdmaCmId id, int at) {
    if (length >= at + 8 && int32(at) != 0) {
      id.setLocalEce(new Ece(int32(at), int32(at + 4)));
    }
  }

  private long reject(RdmaCmFile file) {
    RdmaCmId id = id(file, 0);
    byte[] data = new byte[Byte.toUnsignedInt(args.get(COMMAND + 4))];
    args.get(COMMAND + 8, data);
    int reason = Byte.toUnsignedInt(args.get(COMMAND + 5));
    switch (reason) {
      case 0, REJECT_CONSUMER -> id.reject(data);
      case REJECT_VENDOR_OPTION -> id.rejectEce(data);
      default -> throw CValues.refused("reason " + reason + " is not for programs");
    }
    return 0;
  }

  private long disconnect(RdmaCmFile file) {
    id(file, 0).disconnect();
    return 0;
  }

  private long initQpAttr(RdmaCmFile file) {
    QpState state = CValues.one("qp_state", QpState.class, int32(12));
    UverbsQpAttrStruct.write(args, RESPONSE, id(file, 8).initQpAttr(state));
    return answered(0, UverbsQpAttrStruct.SIZE);
  }

  private long getEvent(RdmaCmFile file) {
    RdmaCmEventStruct.Reported event = file.nextEvent();
    return event == null ? -Errno.EAGAIN.code() : answered(0, event.write(args, RESPONSE));
  }

  private long setOption(RdmaCmFile file) {
    int level = int32(12);
    int name = int32(16);
    int bytes = int32(20);
    boolean isPath = level == LEVEL_IB && name == IB_PATH;
    if (isPath && (bytes == 0 || bytes % PATH_DATA_BYTES != 0)) {
      throw CValues.refused(bytes + " bytes are no paths");
    }
    if (level != LEVEL_ID) {
      throw new VerbsException(
          Errno.ENOSYS, "rdma_set_option", "options of level " + level + " are not offered");
    }
    id(file, 8).setOption(option(name, bytes));
    return 0;
  }

  private RdmaOption option(int name, int bytes) {
    if (name > ACK_TIMEOUT || name < 0) {
      throw new VerbsException(
          Errno.ENOSYS, "rdma_set_option", "option " + name + " is not offered");
    }
    boolean isByte = name == TOS || name == ACK_TIMEOUT;
    if (bytes != (isByte ? 1 : Integer.BYTES)) {
      throw CValues.refused("option " + name + " has no " + bytes + " bytes");
    }
    int value = isByte ? Byte.toUnsignedInt(args.get(OPTION)) : args.getInt(OPTION);
    return switch (name) {
      case TOS -> new RdmaOption.Tos(value);
      case REUSEADDR -> new RdmaOption.ReuseAddress(value != 0);
      case AFONLY -> new RdmaOption.AddressFamilyOnly(value != 0);
      default -> new RdmaOption.AckTimeout(value);
    };
  }

  private long notifyOf(RdmaCmFile file) {
    id(file, 0).notify(CValues.one("event", EventType.class, int32(4)));
    return 0;
  }

  private long joinIpMcast(RdmaCmFile file) {
    return join(file, id(file, 44), address(16), RdmaMcJoinFlag.FULLMEMBER);
  }

  private long joinMcast(RdmaCmFile file) {
    RdmaMcJoinFlag flag = CValues.one("join_flags", RdmaMcJoinFlag.class, uint16(22));
    return join(file, id(file, 16), address(24), flag);
  }

  private long join(RdmaCmFile file, RdmaCmId id, InetSocketAddress group, RdmaMcJoinFlag flag) {
    RdmaCmObject membership = file.addMembership(id, group, int64(8));
    try {
      id.joinMulticastEx(group, flag, membership);
    } catch (VerbsException refused) {
      file.remove(membership);
      throw refused;
    }
    return answer(0, membership.number);
  }

  private long migrate(RdmaCmFile file) {
    return answer(0, file.take(file.anywhere(int32(8))));
  }

  private long writeCmEvent(RdmaCmFile file) {
    RdmaCmEventType type = CValues.one("event", RdmaCmEventType.class, int32(8));
    id(file, 0).writeCmEvent(type, int32(12), int64(16));
    return 0;
  }

  private InetSocketAddress address(int at) {
    InetSocketAddress address = optionalAddress(at);
    if (address == null) {
      throw CValues.refused("there is no address");
    }
    return address;
  }

  private InetSocketAddress optionalAddress(int at) {
    InetSocketAddress address = SockaddrStruct.read(args, COMMAND + at);
    return address == null ? null : HostAddresses.atDevice(address);
  }

  private Duration millis(int at) {
    return Duration.ofMillis(Integer.toUnsignedLong(int32(at)));
  }

  /** Answers with one number. */
  private long answer(int pointerAt, int number) {
    args.putInt(RESPONSE, number);
    return answered(pointerAt, Integer.BYTES);
  }

  /** Returns a written answer; the command has the address for it at {@code pointerAt}. */
  private long answered(int pointerAt, int bytes) {
    Args.setSlot(args, 0, int64(pointerAt));
    return bytes;
  }

  private int uint16(int at) {
    return Short.toUnsignedInt(args.getShort(COMMAND + at));
  }

  private int int32(int at) {
    return args.getInt(COMMAND + at);
  }

  private long int64(int at) {
    return args.getLong(COMMAND + at);
  }
}
