// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.Ece;
import java.nio.ByteBuffer;

/**
 * {@code struct rdma_ucm_event_resp}: copy of an event at the time when it was taken.
 *
 * @param type of the event
 * @param status 0, an errno or a reject reason
 * @param conn parameters of a connection, or null
 * @param ud parameters of a datagram service or a group, or null
 * @param ece options of the peer
 * @param arg number of an event that a program wrote, otherwise null
 */
record RdmaCmEventStruct(
    RdmaCmEventType type, int status, RdmaConnParam conn, RdmaUdParam ud, Ece ece, Long arg) {
  private static final int UID = 0;
  private static final int ID = 8;
  private static final int EVENT = 12;
  private static final int STATUS = 16;
  private static final int PARAM = 20;
  private static final int ECE = 328;
  private static final int SIZE = 336;

  static RdmaCmEventStruct of(RdmaCmEvent event) {
    return new RdmaCmEventStruct(
        event.event(),
        event.status(),
        event.conn(),
        event.ud(),
        eceOf(event),
        event.arg() instanceof Long written ? written : null);
  }

  private static Ece eceOf(RdmaCmEvent event) {
    boolean hasSome =
        event.event() == RdmaCmEventType.CONNECT_REQUEST
            || event.event() == RdmaCmEventType.CONNECT_RESPONSE;
    return hasSome && event.conn() != null ? event.id().getRemoteEce() : Ece.NONE;
  }

  /** An event, with the uid and the number by which librdmacm knows its object. */
  record Reported(RdmaCmEventStruct event, long uid, int number) {
    /**
     * Writes the structure.
     *
     * @return its size in bytes
     */
    int write(ByteBuffer args, int at) {
      Args.clear(args, at, SIZE);
      args.putLong(at + UID, uid);
      args.putInt(at + ID, number);
      args.putInt(at + EVENT, event.type.code());
      args.putInt(at + STATUS, event.status);
      if (event.ud != null) {
        RdmaConnParamStruct.write(args, at + PARAM, event.ud);
      } else if (event.conn != null) {
        RdmaConnParamStruct.write(args, at + PARAM, event.conn);
      } else if (event.arg != null) {
        args.putLong(at + PARAM, event.arg);
      }
      args.putInt(at + ECE, event.ece.vendorId());
      args.putInt(at + ECE + 4, event.ece.options());
      return SIZE;
    }
  }

  Reported about(long uid, int number) {
    return new Reported(this, uid, number);
  }
}
