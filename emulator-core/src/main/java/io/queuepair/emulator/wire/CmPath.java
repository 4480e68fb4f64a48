// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * The primary or alternate path of a REQ, or the alternate path of a LAP, as its sender sees it.
 *
 * @param flowLabel 20 bits
 * @param packetRate six bits, a code of {@code enum ibv_rate}
 * @param sl four bits
 * @param localAckTimeout five bits, 4.096 us times a power of two
 */
public record CmPath(
    int localLid,
    int remoteLid,
    Gid localGid,
    Gid remoteGid,
    int flowLabel,
    int packetRate,
    int trafficClass,
    int hopLimit,
    int sl,
    boolean subnetLocal,
    int localAckTimeout) {

  /** No path at all, as the alternate path of a REQ over RoCE. */
  public static final CmPath NONE = new CmPath(0, 0, Gid.ZERO, Gid.ZERO, 0, 0, 0, 0, 0, false, 0);

  static final Layout PRIMARY =
      new Layout(
          CmField.REQ_PRIMARY_LOCAL_LID,
          CmField.REQ_PRIMARY_REMOTE_LID,
          CmField.REQ_PRIMARY_LOCAL_GID,
          CmField.REQ_PRIMARY_REMOTE_GID,
          CmField.REQ_PRIMARY_FLOW_LABEL,
          CmField.REQ_PRIMARY_PACKET_RATE,
          CmField.REQ_PRIMARY_TRAFFIC_CLASS,
          CmField.REQ_PRIMARY_HOP_LIMIT,
          CmField.REQ_PRIMARY_SL,
          CmField.REQ_PRIMARY_SUBNET_LOCAL,
          CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT);
  static final Layout ALTERNATE =
      new Layout(
          CmField.REQ_ALTERNATE_LOCAL_LID,
          CmField.REQ_ALTERNATE_REMOTE_LID,
          CmField.REQ_ALTERNATE_LOCAL_GID,
          CmField.REQ_ALTERNATE_REMOTE_GID,
          CmField.REQ_ALTERNATE_FLOW_LABEL,
          CmField.REQ_ALTERNATE_PACKET_RATE,
          CmField.REQ_ALTERNATE_TRAFFIC_CLASS,
          CmField.REQ_ALTERNATE_HOP_LIMIT,
          CmField.REQ_ALTERNATE_SL,
          CmField.REQ_ALTERNATE_SUBNET_LOCAL,
          CmField.REQ_ALTERNATE_LOCAL_ACK_TIMEOUT);
  static final Layout LOADED =
      new Layout(
          CmField.LAP_ALTERNATE_LOCAL_LID,
          CmField.LAP_ALTERNATE_REMOTE_LID,
          CmField.LAP_ALTERNATE_LOCAL_GID,
          CmField.LAP_ALTERNATE_REMOTE_GID,
          CmField.LAP_ALTERNATE_FLOW_LABEL,
          CmField.LAP_ALTERNATE_PACKET_RATE,
          CmField.LAP_ALTERNATE_TRAFFIC_CLASS,
          CmField.LAP_ALTERNATE_HOP_LIMIT,
          CmField.LAP_ALTERNATE_SL,
          CmField.LAP_ALTERNATE_SUBNET_LOCAL,
          CmField.LAP_ALTERNATE_LOCAL_ACK_TIMEOUT);

  /** Where the parts of a path are. */
  record Layout(
      CmField localLid,
      CmField remoteLid,
      CmField localGid,
      CmField remoteGid,
      CmField flowLabel,
      CmField packetRate,
      CmField trafficClass,
      CmField hopLimit,
      CmField sl,
      CmField subnetLocal,
      CmField localAckTimeout) {}

  static CmPath read(ByteBuffer mad, Layout at) {
    return new CmPath(
        at.localLid().intIn(mad),
        at.remoteLid().intIn(mad),
        at.localGid().gidIn(mad),
        at.remoteGid().gidIn(mad),
        at.flowLabel().intIn(mad),
        at.packetRate().intIn(mad),
        at.trafficClass().intIn(mad),
        at.hopLimit().intIn(mad),
        at.sl().intIn(mad),
        at.subnetLocal().isSetIn(mad),
        at.localAckTimeout().intIn(mad));
  }

  void write(ByteBuffer mad, Layout at) {
    at.localLid().put(mad, localLid);
    at.remoteLid().put(mad, remoteLid);
    at.localGid().put(mad, localGid);
    at.remoteGid().put(mad, remoteGid);
    at.flowLabel().put(mad, flowLabel);
    at.packetRate().put(mad, packetRate);
    at.trafficClass().put(mad, trafficClass);
    at.hopLimit().put(mad, hopLimit);
    at.sl().put(mad, sl);
    at.subnetLocal().put(mad, subnetLocal);
    at.localAckTimeout().put(mad, localAckTimeout);
  }
}
