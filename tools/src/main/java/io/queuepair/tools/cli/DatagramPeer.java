// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.verbs.AddressHandle;

/**
 * Where datagrams go.
 *
 * @param ah the way
 * @param qpn number of the queue pair
 * @param qkey its Q_Key
 */
public record DatagramPeer(AddressHandle ah, int qpn, int qkey) {}
