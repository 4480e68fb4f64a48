// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.verbs.Mtu;

/**
 * Parameters that both sides of a connection have agreed on, as the queue pair of this side gets
 * them.
 *
 * @param mtu path MTU
 * @param peerQpn QPN of the peer; 0 until it is known
 * @param sendPsn first PSN that this side sends: the starting PSN in the peer's message, as that is
 *     where the other side begins (IBA, 12.6.5)
 * @param receivePsn first PSN that the peer sends, chosen by this side
 * @param responderResources READs and atomics of the peer that are answered at a time
 * @param initiatorDepth READs and atomics that may be outstanding
 * @param timeout code of the local ACK timeout
 * @param retryCount retries without an answer
 * @param rnrRetryCount retries after an RNR NAK
 */
record NegotiatedParams(
    Mtu mtu,
    int peerQpn,
    int sendPsn,
    int receivePsn,
    int responderResources,
    int initiatorDepth,
    int timeout,
    int retryCount,
    int rnrRetryCount) {

  /** Copies the parameters with those of the peer's REP, as {@code cm_rep_handler}. */
  NegotiatedParams answered(CmMessage rep, int qpn, int ackTimeout) {
    int answered =
        rep.getInt(CmField.REP_INITIATOR_DEPTH); // READs of one side are answered by the other.
    int outstanding = rep.getInt(CmField.REP_RESPONDER_RESOURCES);
    return new NegotiatedParams(
        mtu,
        qpn,
        rep.getInt(CmField.REP_STARTING_PSN),
        receivePsn,
        answered,
        outstanding,
        ackTimeout,
        retryCount,
        rep.getInt(CmField.REP_RNR_RETRY_COUNT));
  }

  NegotiatedParams withMtu(Mtu smallerMtu) {
    return new NegotiatedParams(
        smallerMtu,
        peerQpn,
        sendPsn,
        receivePsn,
        responderResources,
        initiatorDepth,
        timeout,
        retryCount,
        rnrRetryCount);
  }

  NegotiatedParams withTimeout(int code) {
    return new NegotiatedParams(
        mtu,
        peerQpn,
        sendPsn,
        receivePsn,
        responderResources,
        initiatorDepth,
        code,
        retryCount,
        rnrRetryCount);
  }

  /** Copies the parameters with those that this side accepts. */
  NegotiatedParams accepted(int resources, int depth, int rnrRetries) {
    return new NegotiatedParams(
        mtu, peerQpn, sendPsn, receivePsn, resources, depth, timeout, retryCount, rnrRetries);
  }
}
