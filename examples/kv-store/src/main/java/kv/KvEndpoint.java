// SPDX-License-Identifier: Apache-2.0
package kv;

import io.queuepair.verbs.Gid;

/**
 * Parameters that the two sides exchange before they connect.
 *
 * @param gid address of the device
 * @param qpn queue pair number
 * @param psn first packet sequence number that it sends
 * @param addr of the table, 0 from a client
 * @param rkey of the table, 0 from a client
 */
public record KvEndpoint(Gid gid, int qpn, int psn, long addr, int rkey) {}
