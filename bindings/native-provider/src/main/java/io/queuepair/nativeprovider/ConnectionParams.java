// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** Parameters of connections and datagram services, as {@code rdma_conn_param} of C. */
final class ConnectionParams {
  private static final int SIZE = VerbsAbi.size("rdma_conn_param");
  private static final int LENGTH = connection("private_data_len");
  private static final int RESOURCES = connection("responder_resources");
  private static final int DEPTH = connection("initiator_depth");
  private static final int FLOW_CONTROL = connection("flow_control");
  private static final int RETRY_COUNT = connection("retry_count");
  private static final int RNR_RETRY_COUNT = connection("rnr_retry_count");
  private static final int SRQ = connection("srq");
  private static final int QP_NUM = connection("qp_num");

  private static final int UD_LENGTH = datagrams("private_data_len");
  private static final int UD_AH_ATTR = datagrams("ah_attr");
  private static final int UD_QP_NUM = datagrams("qp_num");
  private static final int UD_QKEY = datagrams("qkey");

  private static final int MAX_BYTE = 0xff;

  private ConnectionParams() {}

  private static int connection(String field) {
    return VerbsAbi.offset("rdma_conn_param." + field);
  }

  private static int datagrams(String field) {
    return VerbsAbi.offset("rdma_ud_param." + field);
  }

  /** Where parameters are written to memory of the arena; 0 for null. */
  static long write(Arena arena, RdmaConnParam param, String verb) {
    if (param == null) {
      return 0;
    }
    long at = RawMemory.allocate(arena, SIZE);
    ByteBuffer data = param.privateData();
    int length = checkedLength(data.remaining(), verb);
    RawMemory.putLong(at, length == 0 ? 0 : copyOf(arena, data));
    RawMemory.putByte(at + LENGTH, length);
    int resources = checked("responder resources", param.responderResources(), verb);
    RawMemory.putByte(at + RESOURCES, resources);
    int depth = checked("initiator depth", param.initiatorDepth(), verb);
    RawMemory.putByte(at + DEPTH, depth);
    RawMemory.putByte(at + FLOW_CONTROL, param.flowControl() ? 1 : 0);
    RawMemory.putByte(at + RETRY_COUNT, checked("retry count", param.retryCount(), verb));
    int rnrRetries = checked("RNR retry count", param.rnrRetryCount(), verb);
    RawMemory.putByte(at + RNR_RETRY_COUNT, rnrRetries);
    RawMemory.putByte(at + SRQ, param.srq() ? 1 : 0);
    RawMemory.putInt(at + QP_NUM, param.qpNum());
    return at;
  }

  static long copyOf(Arena arena, ByteBuffer data) {
    long at = RawMemory.allocate(arena, data.remaining());
    RawMemory.putBytes(at, data);
    return at;
  }

  /** The length of private data, which C has in a byte. */
  static int checkedLength(int length, String verb) {
    return checked("the length of private data", length, verb);
  }

  private static int checked(String name, int value, String verb) {
    if (value < 0 || value > MAX_BYTE) {
      throw new VerbsException(Errno.EINVAL, verb, name + " " + value + " is not 0 to 255");
    }
    return value;
  }

  static RdmaConnParam read(long at) {
    return new RdmaConnParam(
        bytesAt(RawMemory.getLong(at), RawMemory.getByte(at + LENGTH)),
        RawMemory.getByte(at + RESOURCES),
        RawMemory.getByte(at + DEPTH),
        RawMemory.getByte(at + FLOW_CONTROL) != 0,
        RawMemory.getByte(at + RETRY_COUNT),
        RawMemory.getByte(at + RNR_RETRY_COUNT),
        RawMemory.getByte(at + SRQ) != 0,
        RawMemory.getInt(at + QP_NUM));
  }

  /** Of a peer; its request has no address. */
  static RdmaUdParam readDatagrams(long at, boolean hasAddress) {
    ByteBuffer data = bytesAt(RawMemory.getLong(at), RawMemory.getByte(at + UD_LENGTH));
    return datagrams(at, data, hasAddress);
  }

  /** Of a multicast group, where the private data is the program's context. */
  static RdmaUdParam readGroup(long at, boolean hasAddress) {
    return datagrams(at, ByteBuffer.allocate(0), hasAddress);
  }

  private static RdmaUdParam datagrams(long at, ByteBuffer data, boolean hasAddress) {
    AhAttr address = hasAddress ? AddressVectors.read(at + UD_AH_ATTR) : null;
    int number = RawMemory.getInt(at + UD_QP_NUM);
    return new RdmaUdParam(data, address, number, RawMemory.getInt(at + UD_QKEY));
  }

  private static ByteBuffer bytesAt(long address, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(address == 0 ? 0 : length);
    if (bytes.hasRemaining()) {
      RawMemory.getBytes(address, bytes);
    }
    return bytes;
  }
}
