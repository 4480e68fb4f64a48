// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.verbs.Mtu;

/**
 * Parameters that both sides of a connection have agreed on, as this side sees it: its queue pair
 * gets them.
 *
 * @param mtu path MTU
 * @param peerQpn number of the queue pair of the peer; 0 as long as it is not known
 * @param sendPsn first PSN that this side sends: that of the peer's message, as starting PSNs say
 *     with which the other side begins (IBA, 12.6.5)
 * @param receivePsn first PSN that the peer sends, chosen by this side
 * @param responderResources READs and atomics of the peer that are answered at one moment
 * @param initiatorDepth READs and atomics that may be outstanding
 * @param timeout local ACK timeout, as a code
 * @param retryCount retries without an answer
 * @param rnrRetryCount retries of a receiver that was not ready
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

  /** Copies the parameters with what the peer has said in its answer, as {@code cm_rep_handler}. */
  NegotiatedParams answered(CmMessage rep, int qpn, int ackTimeout) {
    int answered =
        rep.getInt(CmField.REP_INITIATOR_DEPTH); // What one side starts, the other answers.
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

  /** Copies the parameters with another path MTU. */
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

  /** Copies the parameters with another local ACK timeout. */
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

  /** Copies the parameters with what this side accepts. */
  NegotiatedParams accepted(int resources, int depth, int rnrRetries) {
    return new NegotiatedParams(
        mtu, peerQpn, sendPsn, receivePsn, resources, depth, timeout, retryCount, rnrRetries);
  }
}
